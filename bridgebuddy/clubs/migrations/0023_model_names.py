from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("clubs", "0022_masterpoint_scale")]

    operations = [
        migrations.RenameModel("TwoPeople", "DistinctPeople"),
        migrations.RenameModel("Tries", "AttemptCount"),
    ]

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("coming", "0006_not_asked")]

    operations = [
        migrations.RenameModel("Beforehand", "RegistrationSettings"),
        migrations.RenameModel("Answer", "Registration"),
        migrations.RenameModel("NotAsked", "BlockedRequest"),
        migrations.RenameModel("TypedName", "UnconfirmedName"),
        migrations.RenameModel("Owned", "Equipment"),
        migrations.RenameModel("Planned", "SessionPlan"),
    ]

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0021_extra_boards"), ("tables", "0004_slips_too")]

    operations = [
        migrations.AddField(
            model_name="call",
            name="who",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="events.entry",
            ),
        ),
    ]

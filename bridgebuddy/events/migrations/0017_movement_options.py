"""Sections know the choices with which their movement was chosen."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0016_sessions_copied_and_deleted")]

    operations = [
        migrations.AddField(
            model_name="section",
            name="movement_options",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]

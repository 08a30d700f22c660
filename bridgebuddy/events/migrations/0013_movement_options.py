"""Sections know the choices with which their movement was chosen."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0012_rounds_begun")]

    operations = [
        migrations.AddField(
            model_name="section",
            name="movement_options",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]

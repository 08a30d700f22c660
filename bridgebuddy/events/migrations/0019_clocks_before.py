"""Sections know how the clock stood in the rounds before, so that a start taken back gives it back."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0018_codes_end")]

    operations = [
        migrations.AddField(
            model_name="section",
            name="clocks_before",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
    ]

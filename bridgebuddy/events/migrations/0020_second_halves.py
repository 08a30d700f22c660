"""Teams may sit otherwise after half-time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0019_clocks_before")]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="second_halves",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]

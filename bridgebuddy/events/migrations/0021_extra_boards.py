"""A level match of a knock-out can be gone on with."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0020_second_halves")]

    operations = [
        migrations.AddField(
            model_name="section",
            name="extra_boards",
            field=models.JSONField(blank=True, default=list, editable=False),
        ),
    ]

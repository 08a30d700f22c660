from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0023_sessions_scored_elsewhere")]

    operations = [
        migrations.AlterField(
            model_name="section",
            name="seating",
            field=models.CharField(
                choices=[
                    ("order", "in order of entry"),
                    ("random", "at random"),
                    ("hand", "by hand"),
                    ("even", "by strength"),
                    ("turns", "evenly over the weeks"),
                ],
                default="order",
                max_length=6,
            ),
        ),
    ]

"""Two people of one club who look like one, and are not."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0007_room_sounds")]

    operations = [
        migrations.CreateModel(
            name="TwoPeople",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.person",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.person",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("one", "other"), name="two_people_once")
                ],
            },
        ),
    ]

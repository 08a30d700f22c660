"""Whose questions somebody does not read, and of whose the club was told; who was reminded of which day."""

import django.db.models.deletion
from django.db import migrations, models

PERSON = {"on_delete": django.db.models.deletion.CASCADE, "to": "clubs.person"}


class Migration(migrations.Migration):
    dependencies = [("clubs", "0018_numbers_of_the_federation"), ("coming", "0005_late")]

    operations = [
        migrations.AddField(
            model_name="answer",
            name="reminded_of",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name="NotAsked",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_on", models.BooleanField(default=True)),
                ("since", models.DateTimeField()),
                ("told_at", models.DateTimeField(blank=True, null=True)),
                ("asks", models.ForeignKey(related_name="+", **PERSON)),
                ("person", models.ForeignKey(related_name="not_asked", **PERSON)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("person", "asks"), name="one_not_asked")
                ],
            },
        ),
    ]

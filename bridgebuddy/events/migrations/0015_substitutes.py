"""A substitute knows for whom they play.

Until now no page could put in a substitute for some rounds, so those there are have their own place.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0006_person_strength"),
        ("events", "0014_several_sections"),
    ]

    operations = [
        migrations.AddField(
            model_name="entryperson",
            name="plays_for",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=models.PROTECT,
                related_name="+",
                to="clubs.person",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="people",
            field=models.ManyToManyField(
                related_name="entries",
                through="events.EntryPerson",
                through_fields=("entry", "person"),
                to="clubs.person",
            ),
        ),
    ]

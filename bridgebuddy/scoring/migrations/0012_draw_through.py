from django.db import migrations, models


def fill(apps, schema_editor):
    """Write down which teams played for the title in rounds of knock-outs that are drawn already."""
    Draw = apps.get_model("scoring", "Draw")
    for draw in Draw.objects.exclude(decided=[]).iterator():
        gone_on = [entry for tie in draw.decided for entry in tie["through"]]
        title = []
        for _table, home, away, *more in draw.matches:
            if away and (len(more) < 2 or more[1] == "main"):
                title += [home, away]
        for three in draw.triangles:
            if set(three) <= set(gone_on):
                title += three
        draw.through = list(dict.fromkeys([*title, *gone_on]))
        draw.save(update_fields=["through"])


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0011_dealing"),
    ]

    operations = [
        migrations.AddField(
            model_name="draw",
            name="through",
            field=models.JSONField(default=list),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]

"""Leagues are ranked by victory points from now on; those that were played keep the sum of their IMPs."""

from typing import Any

from django.db import migrations

IN_THEIR_OWN_WAY = ("swiss", "knockout", "head-to-head")


def keep_imps(apps: Any, _schema_editor: Any) -> None:
    """Write down of every league of teams so far that its matches have no scale."""
    scoring = apps.get_model("scoring", "Scoring")
    sections = apps.get_model("events", "Section").objects.filter(
        contest="teams", movement__isnull=False
    )
    leagues = sections.exclude(movement__family__in=IN_THEIR_OWN_WAY)
    for session in leagues.values_list("session", flat=True).order_by("session").distinct():
        found, _ = scoring.objects.get_or_create(session_id=session)
        if "vp" not in found.profile:
            found.profile = {**found.profile, "vp": None}
            found.save(update_fields=["profile"])


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0022_boards_of_matches"),
        ("scoring", "0007_correction_period"),
    ]

    operations = [migrations.RunPython(keep_imps, migrations.RunPython.noop)]

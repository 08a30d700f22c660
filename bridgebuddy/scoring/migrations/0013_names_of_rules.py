"""Give rules their new names, and keep the results of every session that was scored by the old ones.

"ACBL" and "ABF" on pages had more rules than the presets of documents with these names; now they are "USA" and "AUS".
*As they are* of boards that some did not play counts for Butler too from now on; sessions so far stay as they were.
"""

from typing import Any

from django.db import migrations

NAMES = {"ACBL": "USA", "ABF": "AUS"}


def kept(profile: dict[str, Any], beside: str = "") -> dict[str, Any]:
    """Return a profile that gives the same results with the new names and rules."""
    found = dict(profile)
    preset = found.get("preset")
    if preset in NAMES:
        found["preset"] = NAMES[preset]
        pinned = {"leavers": "half"} | ({"small_groups": True} if preset == "ACBL" else {})
        for key, old in pinned.items():
            # what the page wrote down is in the preset now; where it wrote nothing the old rule held
            if key not in profile:
                found[key] = old
            elif profile[key] != old:
                del found[key]
    if found.get("unequal") == "own-tops" and "butler" in (found.get("method"), beside):
        found["datum"] = {"missing": "scaled", **found.get("datum", {})}
    return found


def rename(apps: Any, _schema_editor: Any) -> None:
    """Rename what sessions and clubs have stored."""
    scorings = apps.get_model("scoring", "Scoring")
    for scoring in scorings.objects.exclude(profile={}).iterator():
        profile = kept(scoring.profile, scoring.beside)
        if profile != scoring.profile:
            scorings.objects.filter(pk=scoring.pk).update(profile=profile)
    clubs = apps.get_model("clubs", "Club")
    for old, new in NAMES.items():
        clubs.objects.filter(scoring_rules=old).update(scoring_rules=new)


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0020_categories"),
        ("scoring", "0012_draw_through"),
    ]

    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]

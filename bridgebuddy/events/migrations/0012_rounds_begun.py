"""Rounds that have begun get their plays, counters their start, and columns what was in a bag.

Until now the movement was rewritten to say what had been played, so that it knows.
"""

from django.db import migrations
from django.db.models import F


def counters_and_columns(apps, schema_editor):
    Section = apps.get_model("events", "Section")
    SectionMovement = apps.get_model("events", "SectionMovement")
    Section.objects.update(shown=F("plan"))
    stored = set(apps.get_model("movements", "StoredMovement").objects.values_list("pk", flat=True))
    for version in SectionMovement.objects.exclude(facts={}).iterator():
        facts = version.facts
        unswitched = facts.pop("unswitched", None)
        version.unswitched_id = unswitched if unswitched in stored else None
        version.holds = facts.pop("holds", None)
        version.way = facts.pop("way", "") or ""
        version.decided_on = facts.pop("decided_on", None)
        version.save()


def columns_back(apps, schema_editor):
    SectionMovement = apps.get_model("events", "SectionMovement")
    for version in SectionMovement.objects.iterator():
        known = {
            "unswitched": version.unswitched_id,
            "holds": version.holds,
            "way": version.way or None,
            "decided_on": version.decided_on,
        }
        version.facts |= {name: value for name, value in known.items() if value is not None}
        version.save()


def write_plays(apps, schema_editor):
    Section = apps.get_model("events", "Section")
    Play = apps.get_model("events", "Play")
    for section in Section.objects.filter(round__gt=0, movement__isnull=False).iterator():
        Play.objects.bulk_create(_plays(apps, section))


def _plays(apps, section):
    """The plays of a section's rounds that have begun."""
    from movements.engine.boards import MatchBoards
    from movements.engine.files import document
    from movements.engine.model import players_of
    from movements.engine.plays import plays_of

    Play = apps.get_model("events", "Play")
    entries = {
        entry.contestant: entry
        for entry in section.entries.exclude(contestant=None).prefetch_related("entry_people")
    }

    def people(entry):
        links = sorted(entry.entry_people.all(), key=lambda link: link.position)
        return [link.person_id for link in links]

    def numbers(stored):
        return {name: range(first, last + 1) for name, (first, last) in stored.boards.items()}

    movement = document.read_movement(section.movement.document).movement
    plain = section.unswitched and document.read_movement(section.unswitched.document).movement
    for round in range(1, min(section.round, movement.rounds) + 1):
        seated = {}
        if plain:
            for line in plays_of(plain, round, numbers(section.unswitched)):
                seated[line.table, line.board] = line.ns
        shared = {
            (part.seating.table, part.index): movement.shares_with(part.seating)
            for part in movement.parts(round)
        }
        boards = MatchBoards(section.boards_per_round or 0)
        for line in plays_of(movement, round, numbers(section.movement), boards):
            sides = {
                name: entries.get(number)
                for side, names in ((line.ns, ("ns", "ns2")), (line.ew, ("ew", "ew2")))
                for name, number in zip(names, players_of(side), strict=False)
            }
            if not any(sides.values()):
                continue
            chairs = {}
            if section.contest == "pairs":
                for name, two in (("ns", ("north", "south")), ("ew", ("east", "west"))):
                    if sides.get(name):
                        chairs |= dict(zip(two, people(sides[name]), strict=False))
            elif section.contest == "individual":
                places = {"ns": "north", "ns2": "south", "ew": "east", "ew2": "west"}
                for name, entry in sides.items():
                    chairs[places[name]] = next(iter(people(entry)), None) if entry else None
            yield Play(
                section=section,
                round=round,
                table=line.table,
                part=line.part,
                parts=line.parts,
                board=line.board,
                turned=seated.get((line.table, line.board), line.ns) != line.ns,
                shares_with=" ".join(map(str, shared.get((line.table, line.part), ()))),
                **sides,
                **{f"{chair}_id": key for chair, key in chairs.items()},
            )


def forget_plays(apps, schema_editor):
    apps.get_model("events", "Play").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("events", "0011_plays")]

    operations = [
        migrations.RunPython(counters_and_columns, columns_back),
        migrations.RunPython(write_plays, forget_plays),
    ]

"""Effects of migrations on existing rows."""

import gzip
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from django.db import connection

from tests.events.single_migrations import single_migrations

BEFORE_PLAYS = Path(__file__).parent.parent / "data" / "before_plays"

#: two clubs, one of which has an event of one name three times
DOUBLED = """
import django
django.setup()
from tests.events.single_migrations import migrate_singly

old = migrate_singly(("events", "0008_contests"))
club, other = (old.get_model("clubs", "Club").objects.create(name=name) for name in "AB")
Event, Session = old.get_model("events", "Event"), old.get_model("events", "Session")
for owner, name in [(club, "Cup"), (club, "Pairs"), (other, "Pairs"), (club, "Pairs"), (club, "Pairs")]:
    event = Event.objects.create(club=owner, name=name)
    for day in (1, 2):
        Session.objects.create(event=event, date=f"2026-11-{5 * event.pk + day:02}", starts_at="19:00")

new = migrate_singly(("events", "0009_one_event_per_name"))
for event in new.get_model("events", "Event").objects.order_by("pk"):
    days = event.sessions.order_by("date").values_list("date__day", flat=True)
    print(event.pk, event.club.name, event.name, *days)
"""


@contextmanager
def empty_database(folder):
    """Yield the DATABASE_URL of an empty database of the kind the tests run on."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{folder / 'empty.sqlite3'}"
        return
    told, name = connection.settings_dict, f"empty_{os.getpid()}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    try:
        who = f"{told['USER']}:{quote(told['PASSWORD'])}" if told["PASSWORD"] else told["USER"]
        yield f"postgres://{who}@{told['HOST']}:{told['PORT']}/{name}"
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name}")


@pytest.mark.django_db(transaction=True)
def test_events_of_one_name_become_the_oldest_of_them_with_all_sessions(tmp_path):
    with empty_database(tmp_path) as url:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", DOUBLED],
            env={
                **os.environ,
                "DATABASE_URL": url,
                "DJANGO_SETTINGS_MODULE": "bridgebuddy.settings",
            },
            capture_output=True,
            text=True,
        )

    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "1 A Cup 6 7",
        "2 A Pairs 11 12 21 22 26 27",
        "3 B Pairs 16 17",
    ]


#: copies evenings of the version without plays into an empty database, migrates it, and tells what was played
MIGRATED = """
import json
import sys
import django
django.setup()
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from tests.events.single_migrations import migrate_singly

before = [("events", "0008_contests"), ("clubs", "0006_person_strength"), ("movements", "0001_initial")]
apps = migrate_singly(*before)
connections.databases["old"] = {
    **connections.databases["default"], "ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[1],
    "OPTIONS": {},
}
for name in (
    "clubs.User clubs.Club clubs.Membership clubs.Person movements.StoredMovement movements.SeatingRow "
    "events.Event events.Session events.Section events.SectionMovement events.Entry events.EntryPerson"
).split():
    model = apps.get_model(name)
    model.objects.bulk_create(model.objects.using("old").all())
executor = MigrationExecutor(connection)
executor.migrate(executor.loader.graph.leaf_nodes())

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.home_tables import evening_at_home_tables
from movements.models import SeatingRow

told = {}
for section in Section.objects.order_by("pk"):
    begun = SeatingRow.objects.filter(movement=section.movement_id, round__lte=section.round)
    begun.delete()  # nobody asks the movement what was played any more
    games = evening_at_home_tables(SessionEvening(section)).games
    told[section.code] = {
        "version": section.plan if section.plan == section.shown else None,
        "round": section.round,
        "games": [
            [
                *(game.round, game.table, game.part, game.parts),
                [sitting.contestant.names for sitting in game.ns],
                [sitting.contestant.names for sitting in game.ew],
                list(game.boards),
            ]
            for round in range(1, section.round + 1)
            for game in games.get(round, ())
            if game.is_played
        ],
        "versions": [
            [one.version, one.holds, one.way, one.decided_on, one.unswitched_id]
            for one in section.movements.all()
        ],
        "bags": sorted({name for one in section.movements.all() for name in one.facts}),
        "turned": section.plays.filter(turned=True).count(),
        "boards_per_round": section.boards_per_round,
        "people": [
            sorted(
                section.plays.filter(pk=play.pk).values_list("north__name", "east__name").first()
            )
            for play in section.plays.exclude(north=None).exclude(east=None)[:1]
        ],
    }
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def migrated(tmp_path_factory, django_db_setup, django_db_blocker):
    """Return the pages of the evenings of the version without plays, by their codes, after migration."""
    folder = tmp_path_factory.mktemp("before")
    old = folder / "evenings.sqlite3"
    old.write_bytes(gzip.decompress((BEFORE_PLAYS / "evenings.sqlite3.gz").read_bytes()))
    with django_db_blocker.unblock(), empty_database(folder) as url:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", MIGRATED, str(old)],
            env={
                **os.environ,
                "DATABASE_URL": url,
                "DJANGO_SETTINGS_MODULE": "bridgebuddy.settings",
            },
            capture_output=True,
            text=True,
        )
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def before():
    """Return the pages of the version without plays."""
    return json.loads((BEFORE_PLAYS / "evenings.json").read_text())


def test_rounds_that_had_begun_have_the_plays_that_their_pages_showed(migrated, before):
    assert migrated.keys() == before.keys()
    for code, evening in before.items():
        games = migrated[code]["games"]
        if evening["family"] in ("team-round-robin",):  # until now a match said nothing of boards
            boards = list(range(1, evening["boards_per_round"] + 1))
            assert [game[-1] for game in games] == [boards] * len(games)
            games = [[*game[:-1], []] for game in games]
        assert games == evening["games"], evening["family"]
    assert sum(len(evening["games"]) for evening in before.values()) > 200


def test_who_sat_there_is_written_down_where_it_is_known(migrated, before):
    people = {evening["family"]: migrated[code]["people"] for code, evening in before.items()}

    assert people["skip-mitchell"] != [] != people["individual"]
    assert people["team-round-robin"] == people["mitchell-teams"] == []


def test_counters_and_what_versions_remembered_are_kept_in_columns(migrated, before):
    assert {code: row["version"] for code, row in migrated.items()} == {
        code: row["version"] for code, row in before.items()
    }
    assert {code: row["versions"] for code, row in migrated.items()} == {
        code: row["versions"] for code, row in before.items()
    }
    assert sum(len(row["versions"]) for row in before.values()) > 15
    bags = {name for row in migrated.values() for name in row["bags"]}
    assert bags.isdisjoint({"holds", "way", "decided_on", "unswitched"})


def test_boards_that_were_turned_are_turned_in_the_plays(migrated):
    assert sum(row["turned"] > 0 for row in migrated.values()) == 1


def test_what_was_migrated_since_the_first_evening_can_be_undone():
    loader = single_migrations()

    undone = loader.graph.backwards_plan(("clubs", "0008_two_people"))

    lasting = [
        (*key, operation.describe())
        for key in undone
        for operation in loader.graph.nodes[key].operations
        if not operation.reversible
    ]
    assert lasting == []

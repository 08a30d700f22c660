"""What migrations make of rows that are there already."""

import os
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import quote

import pytest
from django.db import connection

#: two clubs, one of which has an event of one name three times
DOUBLED = """
import django
django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

def migrate(name):
    executor = MigrationExecutor(connection)
    return executor.migrate([("events", name)]).apps

old = migrate("0008_contests")
club, other = (old.get_model("clubs", "Club").objects.create(name=name) for name in "AB")
Event, Session = old.get_model("events", "Event"), old.get_model("events", "Session")
for owner, name in [(club, "Cup"), (club, "Pairs"), (other, "Pairs"), (club, "Pairs"), (club, "Pairs")]:
    event = Event.objects.create(club=owner, name=name)
    for day in (1, 2):
        Session.objects.create(event=event, date=f"2026-11-{5 * event.pk + day:02}", starts_at="19:00")

new = migrate("0009_one_event_per_name")
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

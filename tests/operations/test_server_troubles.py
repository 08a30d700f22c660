"""Nightly checks find a server's troubles and report them to its directors."""

import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import StringIO
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Membership
from bridgebuddy.clubs.upkeep import Chore, store_task_run
from bridgebuddy.events.management.commands import night
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.jobs.models import Job
from bridgebuddy.jobs.services import request_job
from bridgebuddy.operations import backups
from tests.factories import section_with

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def damaged(tmp_path, monkeypatch):
    """Another database than the test's own, with an index that misses a row."""
    broken = tmp_path / "damaged.sqlite3"
    with closing(sqlite3.connect(broken)) as there:
        there.execute("CREATE TABLE pairs (name TEXT)")
        there.executemany("INSERT INTO pairs VALUES (?)", [(name,) for name in "abc"])
        there.execute("CREATE INDEX names ON pairs (name)")
        there.execute("PRAGMA writable_schema = ON")
        sql = "CREATE INDEX names ON pairs (name) WHERE name < 'c'"
        there.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'names'", [sql])
        there.commit()
    return broken


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file of SQLite")
def test_damage_is_found(damaged, monkeypatch):
    assert backups.find_damage() == ""

    monkeypatch.setattr(backups, "_connect_sqlite", lambda: sqlite3.connect(damaged))
    assert "names" in backups.find_damage()

    damaged.write_bytes(b"SQLite format 3\0" + bytes(4000))
    assert backups.find_damage() != ""


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file of SQLite")
def test_a_damaged_database_is_told_and_overwrites_no_backup(
    damaged, tmp_path, monkeypatch, alice, signed_in
):
    folder, said = tmp_path / "backups", StringIO()
    folder.mkdir()
    call_command("night", str(folder), stdout=said)
    assert "The database is whole." in said.getvalue()
    [good] = folder.iterdir()
    before = good.read_bytes()
    monkeypatch.setattr(night, "find_damage", lambda: "row 3 missing from index names")
    monkeypatch.setattr(
        night, "rewrite_database", Mock(side_effect=AssertionError("not a damaged one"))
    )

    with pytest.raises(CommandError, match=r"The database is damaged \(row 3 missing"):
        call_command("night", str(folder), stdout=said)

    assert sorted(path.name for path in folder.iterdir()) == sorted([good.name, "backup-damaged"])
    assert good.read_bytes() == before
    assert "The database is damaged." in signed_in(alice).get("/").content.decode()


def test_a_director_is_told_when_jobs_have_been_waiting_for_ten_minutes(alice, signed_in):
    page, sentence = signed_in(alice), "Mails and other background work have been waiting since"
    request_job("forget-who-came")

    def home(minutes, **taken):
        Job.objects.update(due_at=timezone.now() - timedelta(minutes=minutes), **taken)
        return page.get("/").content.decode()

    assert sentence not in home(9)
    assert sentence in home(11)
    assert sentence not in home(11, taken_until=timezone.now() + timedelta(minutes=1))
    assert sentence in home(11, taken_until=timezone.now() - timedelta(minutes=1))
    assert sentence not in home(11, given_up_at=timezone.now())
    Job.objects.update(given_up_at=None)
    Membership.objects.update(is_director=False, is_helper=True)
    assert sentence not in home(11)


def set_clock(monkeypatch, shown):
    """Let the clock show another time."""
    real_now, real_time = timezone.now, time.time
    behind = real_now() - shown
    monkeypatch.setattr(timezone, "now", lambda: real_now() - behind)
    monkeypatch.setattr(time, "time", lambda: real_time() - behind.total_seconds())


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a club's own box")
def test_with_a_clock_of_1970_an_evening_goes_on_and_directors_are_told(
    club, alice, signed_in, tmp_path, monkeypatch
):
    sentence = "The server’s clock is wrong: it shows 01/01/1970, 01:05."
    section = section_with(6, "howell", round=1, club=club, by=alice)
    signed_in_before = signed_in(alice)
    assert "clock is wrong" not in signed_in_before.get("/").content.decode()

    with monkeypatch.context() as patch:
        set_clock(patch, datetime(1970, 1, 1, 0, 5, tzinfo=UTC))
        other = Client()
        other.force_login(alice)
        pages = [browser.get("/").content.decode() for browser in (signed_in_before, other)]
        ready = other.get("/readyz")
        rounds.start_next_round(section, after=1, by=alice)
        call_command("night", str(tmp_path), stdout=StringIO())

    assert [sentence in page for page in pages] == [True, True]
    assert (ready.status_code, ready.json()["clock"][:18]) == (200, "behind: 1970-01-01")
    assert Section.objects.get().round == 2
    assert [file.name for file in tmp_path.iterdir()] == ["backup-4"]  # it was a Thursday
    assert "clock is wrong" not in signed_in_before.get("/").content.decode()
    assert signed_in_before.get(reverse("desk", args=[section.code])).status_code == 200


def test_a_clock_before_the_last_night_is_wrong_and_one_that_was_corrected_is_not(
    client, monkeypatch
):
    store_task_run(Chore.BACKUP)
    with monkeypatch.context() as patch:
        set_clock(patch, timezone.now() - timedelta(minutes=9))
        corrected = client.get("/readyz").json()["clock"]
    with monkeypatch.context() as patch:
        set_clock(patch, timezone.now() - timedelta(minutes=11))
        wrong = client.get("/readyz").json()["clock"]

    assert (corrected, wrong[:8]) == ("ok", "behind: ")

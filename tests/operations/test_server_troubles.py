"""What is wrong with a server is found by night and told to its directors."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from io import StringIO
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from bridgebuddy.clubs.models import Membership, Role
from bridgebuddy.events.management.commands import night
from bridgebuddy.jobs.models import Job
from bridgebuddy.jobs.services import ask
from bridgebuddy.operations import backups

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

    monkeypatch.setattr(backups, "_database", lambda: sqlite3.connect(damaged))
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
    monkeypatch.setattr(night, "rewrite", Mock(side_effect=AssertionError("not a damaged one")))

    with pytest.raises(CommandError, match=r"The database is damaged \(row 3 missing"):
        call_command("night", str(folder), stdout=said)

    assert sorted(one.name for one in folder.iterdir()) == sorted([good.name, "backup-damaged"])
    assert good.read_bytes() == before
    assert "The database is damaged." in signed_in(alice).get("/").content.decode()


def test_a_director_is_told_when_jobs_have_been_waiting_for_ten_minutes(alice, signed_in):
    page, sentence = signed_in(alice), "Mails and other background work have been waiting since"
    ask("forget-who-came")

    def home(minutes, **taken):
        Job.objects.update(due_at=timezone.now() - timedelta(minutes=minutes), **taken)
        return page.get("/").content.decode()

    assert sentence not in home(9)
    assert sentence in home(11)
    assert sentence not in home(11, taken_until=timezone.now() + timedelta(minutes=1))
    assert sentence in home(11, taken_until=timezone.now() - timedelta(minutes=1))
    assert sentence not in home(11, given_up_at=timezone.now())
    Job.objects.update(given_up_at=None)
    Membership.objects.update(role=Role.HELPER)
    assert sentence not in home(11)

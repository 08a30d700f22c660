"""Concurrent migrations: the second one waits."""

import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import connection

from bridgebuddy.clubs.management.commands import migrate
from bridgebuddy.operations.migration_lock import LOCK_NAME, locked_migration

#: a process that takes the lock, says so, and ends when its input ends
HOLDER = """
import sqlite3, sys
lock = sqlite3.connect(sys.argv[1])
lock.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def database_file(tmp_path, monkeypatch):
    """Pretend that the database is a file in a folder of its own."""
    monkeypatch.setattr(connection, "vendor", "sqlite")
    monkeypatch.setattr(connection, "is_in_memory_db", lambda: False, raising=False)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / "bridgebuddy.sqlite3"))
    return tmp_path / "bridgebuddy.sqlite3"


def test_the_second_waits_until_the_first_has_ended_even_by_a_kill(database_file):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, database_file.with_name(LOCK_NAME)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout.readline() == b"locked\n"

        with pytest.raises(TimeoutError, match=LOCK_NAME), locked_migration(patience=0.1):
            pass
        holder.kill()
        holder.wait()

        with locked_migration(patience=0.1):
            assert database_file.with_name(LOCK_NAME).exists()


def test_an_error_within_releases_the_lock(database_file):
    with pytest.raises(ZeroDivisionError), locked_migration():
        raise ZeroDivisionError

    with locked_migration(patience=0):
        pass


@pytest.mark.django_db(transaction=True)
def test_a_lock_on_postgresql_holds_back_other_connections():
    if connection.vendor != "postgresql":
        pytest.skip("PostgreSQL only")
    entered = threading.Event()

    def second():
        with locked_migration():
            entered.set()
        connection.close()

    thread = threading.Thread(target=second)
    with locked_migration():
        thread.start()
        assert not entered.wait(1)
    thread.join(60)
    assert entered.is_set()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "steps"),
    [
        ({}, ["locked", "looked", "released"]),
        ({"without_backup": True}, ["locked", "released"]),
        ({"plan": True}, []),
        ({"check_unapplied": True}, []),
    ],
)
def test_whether_there_is_something_to_do_is_asked_under_the_lock(monkeypatch, options, steps):
    seen = []

    @contextmanager
    def lock():
        seen.append("locked")
        yield
        seen.append("released")

    monkeypatch.setattr(migrate, "locked_migration", lock)
    monkeypatch.setattr(migrate, "_changes_used_database", lambda: seen.append("looked"))

    call_command("migrate", verbosity=0, **options)

    assert seen == steps

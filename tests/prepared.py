"""A test database that is migrated once: every process of every run begins with a copy.

Migrating takes longer than most files of tests. The copy lies under `var`; its name is a hash of the migrations.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import django
from django.db import connections

ROOT = Path(__file__).resolve().parents[1]


def made_of() -> str:
    """Return a hash of all files that define the database: migrations, settings and locked packages."""
    told = sha256(django.__version__.encode())
    told.update((ROOT / "requirements.lock").read_bytes())
    told.update((ROOT / "bridgebuddy" / "settings.py").read_bytes())
    for file in sorted([*ROOT.glob("*/migrations/*.py"), *ROOT.glob("*/*/migrations/*.py")]):
        told.update(file.read_bytes())
    return told.hexdigest()[:16]


def made() -> Path:
    return ROOT / "var" / f"test-{made_of()}.sqlite3"


def own_file() -> Path | None:
    """Give this process a database file of its own, copied from the stored one; None if the database is no file."""
    connection = connections["default"]
    if connection.vendor != "sqlite":
        return None
    # tests ask in more ways than pages do: what SQLite has made of each is kept
    connection.settings_dict["OPTIONS"]["cached_statements"] = 1000
    own = Path(f"{connection.settings_dict['TEST']['NAME']}-{os.getpid()}")
    connection.settings_dict["TEST"]["NAME"] = str(own)
    if (before := made()).exists():
        shutil.copy(before, own)
    return own


def keep(own: Path) -> None:
    """Store a migrated database unless it is stored already, and delete outdated ones."""
    if (now := made()).exists():
        return
    # which writes all into the file; and while it is open, reading it otherwise takes SQLite's locks off it: whoever
    # opens it next, in another process, believes to be alone with it
    connections.close_all()
    now.parent.mkdir(exist_ok=True)
    for old in now.parent.glob("test-*.sqlite3"):
        old.unlink(missing_ok=True)
    half = now.with_suffix(f".{os.getpid()}")
    shutil.copy(own, half)
    half.replace(now)


def nearly(file: Path) -> None:
    """Begin a database from the stored one with a migration missing, so that the migration has little to do."""
    if made().exists():
        shutil.copy(made(), file)
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("DROP TABLE django_session")
            database.execute("DELETE FROM django_migrations WHERE app = 'sessions'")


def forget(own: Path) -> None:
    """Delete a file and the other files of SQLite beside it."""
    connections.close_all()
    for end in ("", "-wal", "-shm"):
        Path(f"{own}{end}").unlink(missing_ok=True)

"""One migration at a time: of two that start together the second waits, and then finds nothing to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection

#: seconds that a migration waits for another
PATIENCE = 3600
#: any number that nothing else on the database server locks
POSTGRES_KEY = 7_258_011_417
LOCK_NAME = "migrating.lock"


@contextmanager
def locked_migration(patience: float = PATIENCE) -> Iterator[None]:
    """Context manager that waits until no other process migrates the database, and keeps others waiting.

    PostgreSQL locks by itself, for all machines of an installation, and waits without limit. Beside an SQLite database
    the lock is a transaction on an empty database: every system that runs SQLite has it, and it ends with its process.
    A database in memory has a single process.

    Raise TimeoutError after `patience` seconds.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [POSTGRES_KEY])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [POSTGRES_KEY])
    elif connection.is_in_memory_db():  # type: ignore[attr-defined]
        yield
    else:
        file = Path(connection.settings_dict["NAME"]).with_name(LOCK_NAME)
        with closing(sqlite3.connect(file, timeout=patience)) as lock:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as busy:
                raise TimeoutError(f"{file}: {busy}") from busy
            yield

"""A copy of everything in a file, and everything back from it; people may go on clicking meanwhile.

Each database is copied by its own tool, of one moment: SQLite by its online backup, PostgreSQL by `pg_dump`.
Decision 0013.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader

SQLITE, POSTGRESQL = "sqlite", "postgresql"
BEGINS_WITH = {SQLITE: b"SQLite format 3\0", POSTGRESQL: b"PGDMP"}
NAMES = {SQLITE: "SQLite", POSTGRESQL: "PostgreSQL"}


class CannotBackUp(Exception):
    """What stands in the way of a backup or of going back to one, as a sentence."""


def back_up(file: Path) -> None:
    """Write everything to a file that only its owner may read. It is whole, or as it was before.

    Raises `CannotBackUp`.
    """
    draft = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        draft.touch(mode=0o600)
        _of_this_database({SQLITE: _copy_sqlite, POSTGRESQL: _dump_postgresql})(draft)
        draft.replace(file)
    except (OSError, sqlite3.Error) as broken:
        raise CannotBackUp(f"The backup could not be written: {broken}") from broken
    finally:
        draft.unlink(missing_ok=True)


def restore(file: Path) -> Path:
    """Put what a backup holds in the place of everything; return where that was written before.

    A backup of an older version is brought up to date. Raises `CannotBackUp` where nothing has changed.
    """
    _refuse_other_files(file)
    before = file.with_name(f"{file.name}.before-restore")
    _of_this_database({SQLITE: _refuse_broken_sqlite, POSTGRESQL: _refuse_broken_dump})(file)
    back_up(before)
    connections.close_all()
    fill = _of_this_database({SQLITE: _fill_sqlite, POSTGRESQL: _fill_postgresql})
    fill(file)
    try:
        if unknown := _unknown_migrations():
            raise CannotBackUp(f"The backup is of a newer version: it has {', '.join(unknown)}.")
        call_command("migrate", verbosity=0, interactive=False)
    except Exception as broken:
        connections.close_all()
        fill(before)
        if isinstance(broken, CannotBackUp):
            raise
        raise CannotBackUp(f"The backup cannot be brought up to date: {broken}") from broken
    return before


def _of_this_database(ways: dict[str, Callable[[Path], None]]) -> Callable[[Path], None]:
    return ways[connection.vendor]


def _refuse_other_files(file: Path) -> None:
    try:
        with file.open("rb") as opened:
            begin = opened.read(16)
    except OSError as broken:
        raise CannotBackUp(f"The backup cannot be read: {broken}") from broken
    kind = next((kind for kind, known in BEGINS_WITH.items() if begin.startswith(known)), None)
    if kind is None:
        raise CannotBackUp(f"{file} is no backup of BridgeBuddy.")
    if kind != connection.vendor:
        ours = NAMES[connection.vendor]
        raise CannotBackUp(f"{file} is a backup of {NAMES[kind]}; the database here is {ours}.")


def _unknown_migrations() -> Iterable[str]:
    """Return what has been done to a database that this version knows nothing of."""
    loader = MigrationLoader(connection)
    ours = {app for app, _ in loader.disk_migrations}
    applied = loader.applied_migrations
    known = loader.disk_migrations.keys() | _replaced(loader)
    return sorted(
        f"{app}.{name}" for app, name in applied if app in ours and (app, name) not in known
    )


def _replaced(loader: MigrationLoader) -> set[tuple[str, str]]:
    return {old for one in loader.disk_migrations.values() for old in one.replaces}


# SQLite


def _copy_sqlite(file: Path) -> None:
    with closing(_database()) as ours, closing(sqlite3.connect(file)) as copy:
        ours.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, which may be copied on


def _fill_sqlite(file: Path) -> None:
    with closing(sqlite3.connect(file)) as copy, closing(_database()) as ours:
        copy.backup(ours)


def _database() -> sqlite3.Connection:
    return sqlite3.connect(str(connection.settings_dict["NAME"]), timeout=60)


def _refuse_broken_sqlite(file: Path) -> None:
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            found = copy.execute("PRAGMA integrity_check").fetchall()
            copy.execute("SELECT 1 FROM django_migrations").fetchone()
    except sqlite3.Error as broken:
        raise CannotBackUp(f"The backup is damaged: {broken}") from broken
    if found != [("ok",)]:
        raise CannotBackUp(f"The backup is damaged: {found[0][0]}")


# PostgreSQL

#: what is there goes first: a newer version may have tables that an older backup knows nothing of
EMPTY = """
DO $$ DECLARE one text; BEGIN
  FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE format('DROP TABLE IF EXISTS %I CASCADE', one);
  END LOOP;
END $$;
"""


def _dump_postgresql(file: Path) -> None:
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}")


def _refuse_broken_dump(file: Path) -> None:
    _run("pg_restore", "--list", str(file))


def _fill_postgresql(file: Path) -> None:
    """All in one transaction: whoever looks meanwhile waits, and where it fails nothing has changed."""
    rows = file.with_name(f"{file.name}.{os.getpid()}.sql")
    try:
        rows.touch(mode=0o600)
        _run("pg_restore", "--no-owner", "--no-privileges", f"--file={rows}", str(file))
        once = ["--single-transaction", "--set=ON_ERROR_STOP=1", "--no-psqlrc", "--quiet"]
        _run("psql", *once, "--command", EMPTY, f"--file={rows}")
    finally:
        rows.unlink(missing_ok=True)


def _run(program: str, *arguments: str) -> None:
    if shutil.which(program) is None:
        raise CannotBackUp(f"{program} is missing: apt-get install postgresql-client")
    done = subprocess.run(
        [program, *arguments],
        env={**os.environ, **_postgresql_environment()},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise CannotBackUp(f"{program} failed: {done.stderr.strip()}")


def _postgresql_environment() -> dict[str, str]:
    """Say to PostgreSQL's programs which database; a password on the command line others could read."""
    settings = connection.settings_dict
    said = {
        "PGDATABASE": settings["NAME"],
        "PGUSER": settings["USER"],
        "PGPASSWORD": settings["PASSWORD"],
        "PGHOST": settings["HOST"],
        "PGPORT": settings["PORT"],
        "PGSSLMODE": settings["OPTIONS"].get("sslmode"),
    }
    return {name: str(value) for name, value in said.items() if value}

"""The database of a version: a migrated copy of the embedded one, or a backup of another one."""

from __future__ import annotations

import os
from itertools import chain, count
from pathlib import Path

from .machine import Machine, UpdateFailed, command, linked, must, put_link, refuse_full_disk, say

RESERVE = 100  # MB that stay free beside a copy of the database
SIDE_FILES = ("-wal", "-shm", "-journal")
COPY = (
    "import sqlite3, sys; base = sqlite3.connect(sys.argv[1], timeout=60);"
    " base.execute('VACUUM INTO ?', [sys.argv[2]]); base.close()"
)
#: everything is written into the database's own file: under another name its journal would stay behind
WITHOUT_JOURNAL = (
    "import sqlite3, sys; base = sqlite3.connect(sys.argv[1], timeout=60);"
    " assert base.execute('PRAGMA journal_mode=DELETE').fetchone() == ('delete',); base.close()"
)


def free_name(machine: Machine, ending: str) -> Path:
    """Return a name for a database file that no other file has: another one may hold a club's only data."""
    suffixes = chain([""], (f"-{number}" for number in count(2)))
    files = (machine.var / f"bridgebuddy-{ending}{suffix}.sqlite3" for suffix in suffixes)
    return next(file for file in files if not file.exists())


def refuse_lost_link(machine: Machine) -> None:
    """Raise `UpdateFailed` if the database is a link that leads nowhere: an empty one would take its place."""
    if not machine.database.is_symlink() or machine.database.exists():
        return
    files = sorted(machine.var.glob("bridgebuddy-*.sqlite3"), key=lambda file: file.stat().st_mtime)
    newest = files[-1] if files else machine.var / "bridgebuddy-1.sqlite3"
    raise UpdateFailed(
        f"{machine.database} is a link that leads nowhere, because {machine.opt} was deleted or changed. The newest"
        f" database is {newest}. To use it: mv {newest} {machine.database}, then start this again."
    )


def adopt_installation(machine: Machine) -> None:
    """Make a program that lies in `opt` itself the current version: no file of it changes."""
    if (machine.opt / "manage.py").exists() and linked(machine.current) is None:
        put_link(machine.current, ".")


def adopt_database(machine: Machine, release: Path) -> None:
    """Let the running version name its database by a link, if the database is still a plain file.

    The server must be stopped. The file is the same before, meanwhile and afterwards.
    """
    running = linked(machine.current)
    if running is None or machine.database.is_symlink() or not machine.database.exists():
        return
    put_link(running / "database", keep_by_another_name(machine, release))
    put_link(machine.database, machine.current / "database")


def keep_by_another_name(machine: Machine, release: Path) -> Path:
    """Give the database's plain file a second name and return that."""
    done = command(machine, release, "-c", WITHOUT_JOURNAL, str(machine.database))
    must(done, "Another program uses the database.")
    kept = free_name(machine, f"before-{release.name}")
    os.link(machine.database, kept)
    return kept


def lacks_migrations(machine: Machine, release: Path) -> bool:
    done = command(machine, release, "manage.py", "migrate", "--check", "--verbosity", "0")
    return done.returncode != 0


def migrate(machine: Machine, release: Path, **environment: str) -> None:
    say("Migrating the database")
    words = (
        "manage.py",
        "migrate",
        "--no-input",
        "--without-backup",
    )  # a copy or a backup was made
    done = command(machine, release, *words, **environment)
    must(done, "The database could not be migrated.")


def prepare_own_database(machine: Machine, release: Path) -> None:
    """Give a version its database: that of the running version, a migrated copy, or a new one."""
    is_there = machine.database.exists()
    if is_there and machine.database.is_symlink() and not lacks_migrations(machine, release):
        put_link(release / "database", machine.database.resolve())
        return
    target = free_name(machine, release.name)
    put_link(release / "database", target)
    if is_there:
        refuse_full_disk(machine.var, 3 * machine.database.stat().st_size / 1e6 + RESERVE)
        say("Copying the database")
        done = command(machine, release, "-c", COPY, str(machine.database), str(target))
        must(done, "The database could not be copied.")
    migrate(machine, release, DATABASE_URL=f"sqlite:///{target}")


def discard_own_database(machine: Machine, release: Path) -> None:
    """Delete a version's own copy of the database, if it has one."""
    link = release / "database"
    if link.is_symlink() and link.resolve() != machine.database.resolve():
        for ending in ("", *SIDE_FILES):
            Path(f"{link.resolve()}{ending}").unlink(missing_ok=True)


def use_own_database(machine: Machine, release: Path) -> None:
    """Let the database's usual name lead to that of the current version, if it is not so yet."""
    if machine.database.is_symlink():
        return
    if machine.database.exists():
        keep_by_another_name(machine, release)
    put_link(machine.database, machine.current / "database")


def prepare_other_database(machine: Machine, release: Path) -> None:
    """Back up and migrate a database named by DATABASE_URL. If that fails, restore the backup."""
    if not lacks_migrations(machine, release):
        return
    running = linked(machine.current)
    if running is None:
        migrate(machine, release)
        return
    backup = machine.var / f"before-update-{release.name}"
    say(f"Backing up the database to {backup}")
    must(
        command(machine, running, "manage.py", "backup", str(backup)),
        "The database could not be backed up.",
    )
    (release / "backup").write_text(str(backup))
    os.sync()
    try:
        migrate(machine, release)
    except UpdateFailed:
        undo_migrations(machine, release, running)
        raise


def undo_migrations(machine: Machine, left_version: Path, running: Path) -> None:
    """Restore the backup made before `left_version` migrated a database named by DATABASE_URL, if it did."""
    note = left_version / "backup"
    if not note.exists():
        return
    backup = note.read_text()
    say(f"Restoring {backup}")
    done = command(machine, running, "manage.py", "restore", "--yes", backup)
    must(done, f"The backup could not be restored: {backup}")
    note.unlink()

"""Backup of all data in one file, and restoring it, while the server is in use.

Each database is copied by its own tool at one moment: SQLite by `VACUUM INTO`, PostgreSQL by `pg_dump`. The file also
holds the key on which printed cards, phones and sign-ins depend. Decision 0013. With a passphrase
(`BACKUP_PASSPHRASE`) the file is encrypted.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import tarfile
import time
from collections.abc import Callable
from contextlib import closing
from enum import Enum
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections
from django.utils.crypto import salted_hmac

from .database_versions import unknown_migrations
from .encryption import CannotSeal, decrypt_file, encrypt_file, is_sealed

SQLITE, POSTGRESQL = "sqlite", "postgresql"
BEGINS_WITH = {SQLITE: b"SQLite format 3\0", POSTGRESQL: b"PGDMP"}
NAMES = {SQLITE: "SQLite", POSTGRESQL: "PostgreSQL"}


class CannotBackUp(Exception):
    """Error: the backup or the restore is impossible; the text is a sentence with the reason."""


class KeyStatus(Enum):
    """The state of `SECRET_KEY` after a restore; printed codes, phones and sign-ins depend on it."""

    SAME = "same"
    #: it came back with everything else
    BROUGHT = "brought"
    #: here the environment says another one than where the backup was made
    OTHER = "other"
    #: the backup is of a version that kept none
    UNKNOWN = "unknown"


#: what a file holds; the key where a machine has made it itself, and always by what it is known again
#: and by which it is seen that every letter of the database is as it was
DATABASE, KEY, MARK, SUM = "database", "secret-key", "key-mark", "sha256"
#: what is kept of before an update or a restore holds names that are forgotten since
COPIES, COPIES_KEPT = ("before-update*", "*.before-restore*", "backup-damaged"), 7  # days


def write_backup(file: Path) -> None:
    """Write all data to a file that only its owner can read. A failure leaves an earlier file unchanged.

    Raises `CannotBackUp`.
    """
    try:
        with TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as folder:
            _function_for_database({SQLITE: _copy_sqlite, POSTGRESQL: _dump_postgresql})(
                Path(folder, DATABASE)
            )
            Path(folder, SUM).write_text(_checksum(Path(folder, DATABASE)))
            Path(folder, MARK).write_text(_key_digest(_next_secret_key()))
            if backs_up_secret_key():
                Path(folder, KEY).write_text(_next_secret_key())
            draft = Path(folder, "whole")
            with tarfile.open(draft, "w") as whole:
                for part in (KEY, MARK, SUM, DATABASE):
                    if Path(folder, part).exists():
                        whole.add(Path(folder, part), part, filter=_remove_owner)
            if settings.BACKUP_PASSPHRASE:
                encrypt_file(draft, draft := Path(folder, "sealed"), settings.BACKUP_PASSPHRASE)
            draft.chmod(0o600)
            _flush_to_disk(draft)  # a stick is pulled out as soon as the command has ended
            draft.replace(file)
    except CannotSeal as broken:
        raise CannotBackUp(str(broken)) from broken
    except (OSError, sqlite3.Error) as broken:
        raise CannotBackUp(f"The backup could not be written: {broken}") from broken


def back_up_before_update(folder: Path) -> Path:
    """Write a backup to a new file in a folder and return its path; nightly work deletes it after a week.

    Raises `CannotBackUp`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_backup(file := _free_file_name(folder / "before-update"))
    return file


def _flush_to_disk(file: Path) -> None:
    """Flush a written file to the disk (fsync). Raises `OSError` if the disk fails."""
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())


def backs_up_secret_key() -> bool:
    """Return whether backups include `SECRET_KEY`; a key from the environment is not written to them."""
    return settings.KEY_FILE is not None


def _next_secret_key() -> str:
    """Return the `SECRET_KEY` with which the next process will start; a restore may have changed it."""
    return settings.KEY_FILE.read_text() if settings.KEY_FILE else settings.SECRET_KEY


def _checksum(database: Path) -> str:
    """Return the SHA-256 of a database file."""
    with database.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _remove_owner(part: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return an archive member with neutral owner and mode, as a filter for `tarfile`."""
    part.uid = part.gid = 0
    part.uname = part.gname = ""
    part.mode = 0o600
    return part


def _key_digest(key: str) -> str:
    """Return a digest that identifies `SECRET_KEY` without revealing it."""
    return salted_hmac(
        "bridgebuddy.operations.backups", "key", secret=key, algorithm="sha256"
    ).hexdigest()


def restore_backup(file: Path, passphrase: str = "") -> tuple[Path, KeyStatus]:
    """Replace all data by a backup. Return the file with the former data, and the state of `SECRET_KEY`.

    A backup of an older version is upgraded. Raises `CannotBackUp` without any change.
    """
    before = _free_file_name(file.with_name(f"{file.name}.before-restore"))
    try:
        folder = TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent)
    except OSError as broken:
        raise CannotBackUp(f"The backup cannot be read: {broken}") from broken
    with folder as name:
        database = _unpack_database(file, Path(name), passphrase or settings.BACKUP_PASSPHRASE)
        _refuse_other_files(database, file)
        _function_for_database({SQLITE: _refuse_broken_sqlite, POSTGRESQL: _refuse_broken_dump})(
            database
        )
        write_backup(before)
        _fill_database(database)
        try:
            if unknown := unknown_migrations():
                raise CannotBackUp(
                    f"The backup is of a newer version: it has {', '.join(unknown)}."
                )
            call_command("migrate", verbosity=0, interactive=False, without_backup=True)
            return before, _restore_secret_key(Path(name))
        except Exception as broken:
            with TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as other:
                _fill_database(_unpack_database(before, Path(other), settings.BACKUP_PASSPHRASE))
            if isinstance(broken, CannotBackUp):
                raise
            raise CannotBackUp(f"The backup cannot be brought up to date: {broken}") from broken


def _free_file_name(file: Path) -> Path:
    """Return an unused file name next to `file`, so that a second restore keeps the copy of the first."""
    others = (file.with_name(f"{file.name}-{number}") for number in count(2))
    return file if not file.exists() else next(other for other in others if not other.exists())


def _unpack_database(file: Path, folder: Path, passphrase: str) -> Path:
    """Return the database file inside a backup; backups of former versions were only that file."""
    try:
        file = _decrypt_if_sealed(file, folder, passphrase)
        if not tarfile.is_tarfile(file):
            return file
        with tarfile.open(file) as whole:
            for part in {DATABASE, KEY, MARK, SUM} & set(whole.getnames()):
                opened = whole.extractfile(part)
                with Path(folder, part).open("wb") as written:
                    if opened is not None:
                        shutil.copyfileobj(opened, written)
    except tarfile.TarError as broken:
        raise CannotBackUp(f"The backup is damaged: {broken}") from broken
    except OSError as broken:
        raise CannotBackUp(f"The backup cannot be read: {broken}") from broken
    database, whole_sum = Path(folder, DATABASE), Path(folder, SUM)
    if whole_sum.exists() and whole_sum.read_text() != _checksum(database):
        raise CannotBackUp("The backup is damaged: it is not what was written.")
    return database


def _decrypt_if_sealed(file: Path, folder: Path, passphrase: str) -> Path:
    """Return a readable backup file: an encrypted one is decrypted into `folder`."""
    if not is_sealed(file):
        return file
    if not passphrase:
        raise CannotBackUp("The backup is encrypted: set BACKUP_PASSPHRASE to what it was then.")
    opened = Path(folder, "opened")
    try:
        decrypt_file(file, opened, passphrase)
        if not tarfile.is_tarfile(opened):
            raise CannotSeal("The passphrase is another one, or the backup is damaged.")
    except CannotSeal as broken:
        raise CannotBackUp(str(broken)) from broken
    return opened


def delete_old_copies(folder: Path) -> int:
    """Delete copies made before an update or restore more than a week ago. Return how many."""
    since = time.time() - COPIES_KEPT * 24 * 3600
    copies = {copy for name in COPIES for copy in folder.glob(name)} | set(
        _databases_of_other_versions(folder)
    )
    old = [copy for copy in copies if copy.is_file() and copy.stat().st_mtime < since]
    for copy in old:
        copy.unlink()
    return len(old)


def _databases_of_other_versions(folder: Path) -> list[Path]:
    """Return the database files that updates left for earlier versions, with SQLite's files next to them.

    An update gives the new version a copy (`deploy/installer`) and the database's usual name becomes a link to that.
    If there is no such link, or it leads nowhere, any of the files may be the only one, so none is returned.
    """
    link = folder / "bridgebuddy.sqlite3"
    if not link.is_symlink() or not link.exists():
        return []
    used = link.resolve().name
    files = folder.glob("bridgebuddy-*.sqlite3*")
    return [file for file in files if file.name.partition(".sqlite3")[0] + ".sqlite3" != used]


def _fill_database(database: Path) -> None:
    """Replace the contents of the database by those of a backup."""
    connections.close_all()
    _function_for_database({SQLITE: _fill_sqlite, POSTGRESQL: _fill_postgresql})(database)


def _restore_secret_key(folder: Path) -> KeyStatus:
    """Store a backup's `SECRET_KEY` on this machine, unless the environment sets one. Return its state."""
    if not Path(folder, MARK).exists():
        return KeyStatus.UNKNOWN
    if Path(folder, MARK).read_text() == _key_digest(_next_secret_key()):
        return KeyStatus.SAME
    if settings.KEY_FILE is None or not Path(folder, KEY).exists():
        return KeyStatus.OTHER
    with settings.KEY_FILE.open("w") as file:  # whoever runs the server goes on owning it
        settings.KEY_FILE.chmod(0o600)
        file.write(Path(folder, KEY).read_text())
    return KeyStatus.BROUGHT


def _function_for_database(ways: dict[str, Callable[[Path], None]]) -> Callable[[Path], None]:
    """Return the function in `ways` for the kind of database in use, SQLite or PostgreSQL."""
    return ways[connection.vendor]


def _refuse_other_files(database: Path, file: Path) -> None:
    """Raise `CannotBackUp` if the file is not a backup of this kind of database."""
    try:
        with database.open("rb") as opened:
            begin = opened.read(16)
    except OSError as broken:
        raise CannotBackUp(f"The backup cannot be read: {broken}") from broken
    kind = next(
        (kind for kind, beginnings in BEGINS_WITH.items() if begin.startswith(beginnings)), None
    )
    if kind is None:
        raise CannotBackUp(f"{file} is no backup of BridgeBuddy.")
    if kind != connection.vendor:
        ours = NAMES[connection.vendor]
        raise CannotBackUp(f"{file} is a backup of {NAMES[kind]}; the database here is {ours}.")


# SQLite


def rewrite_database() -> None:
    """Rewrite the SQLite file compactly and empty its log. Raises `sqlite3.Error` if others use it all the time.

    SQLite overwrites deleted data (`secure_delete`), except copies left when it moved a row to another page. No query
    reads such a remainder, but it may hold the name of a person made anonymous.
    """
    if connection.vendor == SQLITE:
        with closing(_connect_sqlite()) as ours:
            ours.execute("VACUUM")
            # the write-ahead log keeps the pages of before until they are overwritten
            is_busy, *_pages = ours.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if is_busy:
                raise sqlite3.OperationalError("the write-ahead log is being read all the time")


def find_damage() -> str:
    """Return the first fault that SQLite's integrity check finds; empty if there is none, and on PostgreSQL."""
    if connection.vendor != SQLITE:
        return ""
    try:
        with closing(_connect_sqlite()) as ours:
            [verdict, *_others] = ours.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as broken:
        return str(broken)
    return "" if verdict == "ok" else str(verdict)


def _copy_sqlite(file: Path) -> None:
    """Write a copy of the SQLite database to a file."""
    with closing(_connect_sqlite()) as ours:
        # row by row: a copy of its pages has what lies between the rows, too (see `rewrite`)
        ours.execute("VACUUM INTO ?", [str(file)])


def _fill_sqlite(file: Path) -> None:
    """Replace the contents of the SQLite database by those of a copy."""
    with closing(sqlite3.connect(file)) as copy, closing(_connect_sqlite()) as ours:
        copy.backup(ours)


def _connect_sqlite() -> sqlite3.Connection:
    """Open a connection to the SQLite database that is separate from Django's."""
    return sqlite3.connect(str(connection.settings_dict["NAME"]), timeout=60)


def _refuse_broken_sqlite(file: Path) -> None:
    """Raise `CannotBackUp` if a copy of a SQLite database is damaged."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            verdicts = copy.execute("PRAGMA integrity_check").fetchall()
            copy.execute("SELECT 1 FROM django_migrations").fetchone()
    except sqlite3.Error as broken:
        raise CannotBackUp(f"The backup is damaged: {broken}") from broken
    if verdicts != [("ok",)]:
        raise CannotBackUp(f"The backup is damaged: {verdicts[0][0]}")


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
    """Write a dump of the PostgreSQL database to a file."""
    _run_program("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}")


def _refuse_broken_dump(file: Path) -> None:
    """Raise `CannotBackUp` if a dump cannot be read."""
    _run_program("pg_restore", "--list", str(file))


def _fill_postgresql(file: Path) -> None:
    """Restore a dump into PostgreSQL in one transaction: readers wait, and a failure changes nothing."""
    rows = file.with_name(f"{file.name}.{os.getpid()}.sql")
    try:
        rows.touch(mode=0o600)
        _run_program("pg_restore", "--no-owner", "--no-privileges", f"--file={rows}", str(file))
        once = ["--single-transaction", "--set=ON_ERROR_STOP=1", "--no-psqlrc", "--quiet"]
        _run_program("psql", *once, "--command", EMPTY, f"--file={rows}")
    finally:
        rows.unlink(missing_ok=True)


def _run_program(program: str, *arguments: str) -> None:
    """Run a PostgreSQL program such as `pg_dump`; raise `CannotBackUp` if it fails."""
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
    """Return the environment variables with PostgreSQL's host and password; arguments are visible to others."""
    settings = connection.settings_dict
    environment = {
        "PGDATABASE": settings["NAME"],
        "PGUSER": settings["USER"],
        "PGPASSWORD": settings["PASSWORD"],
        "PGHOST": settings["HOST"],
        "PGPORT": settings["PORT"],
        "PGSSLMODE": settings["OPTIONS"].get("sslmode"),
    }
    return {name: str(value) for name, value in environment.items() if value}

"""Health checks: whether the process can serve requests, and the state of the whole server.

A proxy drops a server that cannot serve requests (`/healthz`). All other checks are for people and monitoring
(`/readyz`). They must never remove a server from a proxy's list.
"""

from __future__ import annotations

import logging
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from django.conf import settings
from django.core.cache import cache, caches
from django.core.cache.backends.db import DatabaseCache
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from bridgebuddy.clubs.upkeep import (
    Chore,
    check_result,
    is_backup_overdue,
    last_task_runs,
    wrong_time,
)
from bridgebuddy.jobs.services import overdue_jobs_since
from bridgebuddy.operations.database_versions import missing_migrations, unknown_migrations

log = logging.getLogger(__name__)
MEGABYTE = 1_000_000
#: with less than this a result may not be stored any more
FULL = 20 * MEGABYTE
#: with less than this, or than three copies of the database, the next nights' backups may not fit
NEARLY_FULL = 500 * MEGABYTE
COPIES = 3
#: versions of SQLite in which two connections may damage the database in one instant (sqlite.org/wal.html#walresetbug),
#: and from which release of an older line the repair was taken over
BUG_BEGAN, BUG_ENDED = (3, 7, 0), (3, 51, 3)
REPAIRED = {(3, 44): 6, (3, 50): 7}

#: what has been migrated stays so for as long as a process lives
_migrated = False


class FindingLevel(IntEnum):
    """The severity of a health check's finding: ok, attention, broken."""

    OK = 0
    ATTENTION = 1
    #: nothing can be stored, or nothing can be read
    BROKEN = 2


@dataclass(frozen=True)
class HealthFinding:
    """The result of one health check: severity, and a text without secrets."""

    level: FindingLevel = FindingLevel.OK
    text: str = "ok"


OK = HealthFinding()
NOT_OK = HealthFinding(FindingLevel.BROKEN, "not ok")
Check = Callable[[], HealthFinding]


def serving_findings() -> dict[str, HealthFinding]:
    """Run the checks that tell whether this process can serve requests: the database and its migrations."""
    return _run_checks({"database": _check_database, "migrations": _check_migrations})


def all_findings() -> dict[str, HealthFinding]:
    """Run all health checks; those that need the database are left out while it is unreachable."""
    findings = serving_findings() | _run_checks(
        {"cache": _check_cache, "disk": _check_disk, "sqlite": _check_sqlite_version}
    )
    if findings["database"] == OK:
        findings |= _run_checks(
            {
                "backup": _check_backup,
                "jobs": _check_jobs,
                "integrity": _check_integrity,
                "clock": _check_clock,
            }
        )
    return findings


def last_times() -> dict[str, str]:
    """Return when the server last made a backup, ran nightly work, and checked the database."""
    try:
        times = last_task_runs()
    except DatabaseError:
        return {}
    if not _is_sqlite():
        del times[Chore.CHECK]  # nothing checks PostgreSQL by night
    return {
        f"last {what}": at.isoformat(timespec="seconds") if at else "never"
        for what, at in times.items()
    }


def has_known_bug(version: tuple[int, int, int]) -> bool:
    """Return whether a version of SQLite may damage a database that several processes use.

    >>> [has_known_bug(version) for version in [(3, 40, 1), (3, 51, 2), (3, 50, 6), (3, 44, 5)]]
    [True, True, True, True]
    >>> [has_known_bug(version) for version in [(3, 51, 3), (3, 53, 0), (3, 50, 7), (3, 44, 6)]]
    [False, False, False, False]
    """
    repaired = REPAIRED.get(version[:2])
    return BUG_BEGAN <= version < BUG_ENDED and (repaired is None or version[2] < repaired)


def _run_checks(checks: dict[str, Check]) -> dict[str, HealthFinding]:
    """Run health checks, and return the finding of each."""
    return {name: _run_check(name, check) for name, check in checks.items()}


def _run_check(name: str, check: Check) -> HealthFinding:
    """Run a health check. Details of a failure go only to the log, because the response is public."""
    try:
        return check()
    except Exception as broken:
        _log_failure(name, broken)
        return NOT_OK


def _log_failure(name: str, error: Exception) -> None:
    """Log a failed check as one line without traceback, because a proxy asks every few seconds."""
    first_line = str(error).partition("\n")[0]
    log.error("A check failed: %s: %s: %s", name, type(error).__name__, first_line)


def _is_sqlite() -> bool:
    """Return whether the database is SQLite."""
    return connections[DEFAULT_DB_ALIAS].vendor == "sqlite"


def _check_database() -> HealthFinding:
    """Check whether the database answers a query, and return the finding."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT 1")
        return OK if cursor.fetchone() == (1,) else NOT_OK


def _check_migrations() -> HealthFinding:
    """Check whether the database has exactly the migrations of this version, and return the finding."""
    global _migrated
    _migrated = _migrated or not (missing_migrations() or unknown_migrations())
    return OK if _migrated else NOT_OK


def _check_cache() -> HealthFinding:
    """Check whether the cache stores a value, and return the finding; without it, every page still works."""
    away = HealthFinding(FindingLevel.ATTENTION, "not ok")
    try:
        if isinstance(caches["default"], DatabaseCache):  # anybody may ask, so nothing is written
            cache.get("ready")
            return OK
        token = secrets.token_hex(4)
        key = f"ready:{token}"
        cache.set(key, token, 10)
        is_there = cache.get(key) == token
        cache.delete(key)
        return OK if is_there else away
    except Exception as broken:
        _log_failure("cache", broken)
        return away


def _check_disk() -> HealthFinding:
    """Check whether the disks of the written folders have enough room, and return the finding."""
    free = min(shutil.disk_usage(folder).free for folder in _written_folders())
    size = _database_file().stat().st_size if _is_sqlite() else 0
    text = f"{free // MEGABYTE} MB free"
    if free < FULL:
        return HealthFinding(
            FindingLevel.BROKEN if _is_sqlite() else FindingLevel.ATTENTION, f"full: {text}"
        )
    if free < max(NEARLY_FULL, COPIES * size):
        return HealthFinding(FindingLevel.ATTENTION, f"nearly full: {text}")
    return OK


def _written_folders() -> Iterator[Path]:
    """Yield the folders in which this server writes."""
    yield settings.VAR_DIR if settings.VAR_DIR.exists() else settings.VAR_DIR.parent
    if _is_sqlite():
        yield _database_file().parent


def _database_file() -> Path:
    """Return the path of the SQLite database file."""
    return Path(connections[DEFAULT_DB_ALIAS].settings_dict["NAME"])


def _check_sqlite_version() -> HealthFinding:
    """Check whether this version of SQLite has a known bug, and return the finding."""
    if not _is_sqlite() or not has_known_bug(sqlite3.sqlite_version_info):
        return OK
    return HealthFinding(
        FindingLevel.ATTENTION, f"{sqlite3.sqlite_version} has a known bug, 3.51.3 has not"
    )


def _check_backup() -> HealthFinding:
    """Check whether the last backup is recent, and return the finding."""
    return HealthFinding(FindingLevel.ATTENTION, "too old") if is_backup_overdue() else OK


def _check_jobs() -> HealthFinding:
    """Check whether a worker runs the background jobs, and return the finding."""
    since = overdue_jobs_since()
    if since is None:
        return OK
    return HealthFinding(
        FindingLevel.ATTENTION, f"no worker: waiting since {since.isoformat(timespec='seconds')}"
    )


def _check_integrity() -> HealthFinding:
    """Return the finding of the database's last integrity check, which nightly work has stored."""
    return HealthFinding(FindingLevel.BROKEN, "the database is damaged") if check_result() else OK


def _check_clock() -> HealthFinding:
    """Check whether the server's clock is behind, and return the finding."""
    if (shown := wrong_time()) is None:
        return OK
    return HealthFinding(FindingLevel.ATTENTION, f"behind: {shown.isoformat(timespec='seconds')}")

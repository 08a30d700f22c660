"""Nightly maintenance of the server, and the times when it last ran."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import DatabaseError, connection, transaction
from django.db.models import Min
from django.utils import timezone

from bridgebuddy.jobs.services import overdue_jobs_since

from .models import Upkeep, User

Chore = Upkeep.Task
#: a missed night is normal: the machine was off
OVERDUE = timedelta(days=2)
MOST_LETTERS = 200
#: the program is younger; a machine without a battery begins in 1970 after a power cut
EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)
#: a clock that is set back by less was only corrected
CLOCK_CORRECTION = timedelta(minutes=10)
log = logging.getLogger(__name__)


def store_task_run(task: Chore, trouble: str = "") -> None:
    """Store that a maintenance task of the server has run now, and its problem `trouble` if any."""
    values = {"at": timezone.now(), "trouble": trouble[:MOST_LETTERS]}
    try:
        with transaction.atomic():
            Upkeep.objects.update_or_create(what=task, defaults=values)
    except DatabaseError:
        log.exception("It is not written down that this was done: %s", task)


def last_task_runs() -> dict[Chore, datetime | None]:
    """Return when each maintenance task last ran, None if never. One query."""
    times = dict(Upkeep.objects.values_list("what", "at"))
    return {what: times.get(what) for what in Chore}


@dataclass(frozen=True)
class ServerTroubles:
    """The problems of the server that a director is told about."""

    unsaved_since: datetime | None
    waiting_since: datetime | None
    is_damaged: bool
    #: the time that the server's clock shows, if that is wrong
    wrong_time: datetime | None = None

    @classmethod
    def current(cls) -> ServerTroubles:
        """Return the current problems of the server. Three queries at most."""
        # a federation's server has an administrator that reads `/readyz`
        if connection.vendor != "sqlite":
            return cls(None, overdue_jobs_since(), is_damaged=False)
        rows = {row.what: row for row in Upkeep.objects.all()}
        backup, check = rows.get(Chore.BACKUP), rows.get(Chore.CHECK)
        damage = check.trouble if check else ""
        unsaved = _overdue_since(backup.at if backup else None)
        wrong_time = _time_of_wrong_clock([row.at for row in rows.values()])
        return cls(unsaved, overdue_jobs_since(), bool(damage), wrong_time)


def wrong_time() -> datetime | None:
    """Return the server's present time if its clock is wrong (earlier than a time stored before), else None."""
    return _time_of_wrong_clock([at for at in last_task_runs().values() if at])


def _time_of_wrong_clock(times: Iterable[datetime]) -> datetime | None:
    """Return the present time if the latest of `times` lies too far in the future, else None."""
    now, latest = timezone.now(), max(times, default=EARLIEST)
    return now if now < max(EARLIEST, latest - CLOCK_CORRECTION) else None


def check_result() -> str:
    """Return the problem that the last check of the database has found, as text; empty if it found none."""
    troubles = Upkeep.objects.filter(what=Chore.CHECK).values_list("trouble", flat=True)
    return troubles.first() or ""


def is_backup_overdue() -> bool:
    """Return whether the last backup is too old. PostgreSQL without one is taken to be backed up elsewhere."""
    last = last_task_runs()[Chore.BACKUP]
    if last is None and connection.vendor != "sqlite":
        return False
    return _overdue_since(last) is not None


def _overdue_since(backup: datetime | None) -> datetime | None:
    """Return the time of the last backup (or of the first account) if it is too long ago, else None."""
    since = backup or User.objects.aggregate(first=Min("date_joined"))["first"]
    return since if since and timezone.now() - since > OVERDUE else None

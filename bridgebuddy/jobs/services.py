"""Requesting, taking and running jobs.

A job is requested within the transaction that needs it, so both are stored or neither. One worker at a time takes it,
and it runs at least once, so it must be idempotent. Decision 0023.
"""

from __future__ import annotations

import logging
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from django.db import DatabaseError, close_old_connections
from django.db.models import Count, F, Min, Q
from django.utils import timezone

from .kinds import KINDS, JobKind, RetryLater, wait_after
from .models import Job

#: seconds that an idle worker waits before it looks again
SECONDS_BETWEEN = 5.0
#: time for which a job may be due, with no other being done, before it is reported that no worker runs
WAITS_TOO_LONG = timedelta(minutes=10)
#: how long failed jobs are shown before they are deleted
DAYS_KEPT = 30
STATES = ("waiting", "given up")
log = logging.getLogger(__name__)


class TooLong(Exception):
    """Raised in a job that exceeds the time limit of its kind."""


def request_job(kind: str, key: str | int = "", *, wait: timedelta = timedelta(0)) -> None:
    """Queue a background job. A waiting job is not doubled; a running one is run again afterwards."""
    due = timezone.now() + wait
    job, is_new = Job.objects.get_or_create(kind=kind, key=str(key), defaults={"due_at": due})
    if not is_new:
        Job.objects.filter(pk=job.pk).update(
            asked=F("asked") + 1, tries=0, due_at=due, given_up_at=None, trouble=""
        )


def run_next_job() -> bool:
    """Run the background job that has waited longest. Return whether there was one; its errors are not raised."""
    job = _take_job()
    if job is None:
        return False
    kind = KINDS[job.kind]
    taken = Job.objects.filter(pk=job.pk, taken_until=job.taken_until)
    if job.tries > kind.tries:  # the worker that took it before never came back
        _record_failure(job, kind, "it did not come to an end")
        return True
    try:
        with _time_limit(kind.seconds):
            kind.do(job.key)
    except RetryLater as later:
        taken.update(due_at=timezone.now() + later.wait, tries=F("tries") - 1, taken_until=None)
    except Exception as broken:
        log.exception("A job failed: %s, try %s of %s", job.kind, job.tries, kind.tries)
        _record_failure(job, kind, _kind_and_place(broken))
    else:
        if not taken.filter(asked=job.asked).delete()[0]:
            taken.update(taken_until=None, tries=0)
    return True


def _take_job() -> Job | None:
    """Return a due job that no other worker has taken, marked as taken by a conditional update."""
    now = timezone.now()
    free = Q(taken_until=None) | Q(taken_until__lt=now)
    due = Job.objects.filter(free, kind__in=KINDS, given_up_at=None, due_at__lte=now)
    for job in due[:10]:
        until = now + KINDS[job.kind].limit + timedelta(minutes=1)
        as_read = Job.objects.filter(pk=job.pk, taken_until=job.taken_until, asked=job.asked)
        if as_read.update(taken_until=until, tries=F("tries") + 1):
            job.taken_until, job.tries = until, job.tries + 1
            return job
    return None


def _kind_and_place(error: Exception) -> str:
    """Return an error's type and position in the code, without its text, which may contain personal data."""
    places = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(places[-1].filename).name}:{places[-1].lineno}" if places else ""
    return f"{type(error).__name__}{where}"


def _record_failure(job: Job, kind: JobKind, why: str) -> None:
    """Store that a job failed: it is tried again later, or given up."""
    now = timezone.now()
    is_over = job.tries >= kind.tries
    Job.objects.filter(pk=job.pk, taken_until=job.taken_until).update(
        taken_until=None,
        trouble=why[:200],
        due_at=now + wait_after(job.tries),
        given_up_at=now if is_over else None,
    )
    if is_over:
        log.error("A job is given up: %s: %s", job.kind, why)


@contextmanager
def _time_limit(seconds: int) -> Iterator[None]:
    """Context manager that interrupts its body after `seconds`, in the main thread of a process."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield
        return

    def raise_too_long(_number: int, _frame: object) -> None:
        """Raise `TooLong` in the running job."""
        raise TooLong(f"longer than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, raise_too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def run_worker(goes_on: Callable[[], bool], wait: Callable[[float], object]) -> None:
    """Run background jobs while `goes_on()` is true; wait while there are none or the database is unreachable."""
    while goes_on():
        close_old_connections()
        try:
            has_worked = run_next_job()
        except DatabaseError:
            log.exception("Jobs cannot be looked for")
            has_worked = False
        if not has_worked:
            wait(SECONDS_BETWEEN)


def job_counts() -> dict[tuple[str, str], int]:
    """Return how many jobs of each kind wait, and how many were given up. One query."""
    rows = (
        Job.objects.order_by("kind")
        .values("kind")
        .annotate(every=Count("pk"), over=Count("pk", filter=Q(given_up_at__isnull=False)))
    )
    return {
        (row["kind"], state): number
        for row in rows
        for state, number in zip(STATES, (row["every"] - row["over"], row["over"]), strict=True)
    }


def overdue_jobs_since() -> datetime | None:
    """Return since when jobs have waited more than ten minutes, which means that no worker runs; else None."""
    now = timezone.now()
    is_taken = Q(taken_until__gte=now)
    totals = Job.objects.filter(kind__in=KINDS, given_up_at=None).aggregate(
        since=Min("due_at", filter=~is_taken | Q(taken_until=None)),
        taken=Count("pk", filter=is_taken),
    )
    since: datetime | None = totals["since"]
    has_worker = bool(totals["taken"]) or since is None or now - since <= WAITS_TOO_LONG
    return None if has_worker else since


def request_nightly_jobs() -> None:
    """Queue the nightly background jobs."""
    for name, kind in KINDS.items():
        if kind.nightly:
            request_job(name)


def delete_old_failed_jobs() -> int:
    """Delete background jobs given up long ago. Return how many."""
    since = timezone.now() - timedelta(days=DAYS_KEPT)
    return Job.objects.filter(given_up_at__lt=since).delete()[0]

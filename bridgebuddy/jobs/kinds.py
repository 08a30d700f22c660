"""The kinds of jobs: the function of each, its number of tries, and its time limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

#: called with the job's key
Doing = Callable[[str], None]
#: after one failure a minute, then five, then twenty-five …
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=6)


class RetryLater(Exception):
    """Raised by a background job to run again after `wait`, without counting as a failure."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait


@dataclass(frozen=True)
class JobKind:
    """The settings of a kind of background job: function, tries, time limit, and whether it runs nightly."""

    do: Doing
    tries: int
    seconds: int
    nightly: bool = False

    @property
    def limit(self) -> timedelta:
        """Return the longest time that a job may run."""
        return timedelta(seconds=self.seconds)


KINDS: dict[str, JobKind] = {}


def job_kind(
    kind: str, *, tries: int = 5, seconds: int = 60, nightly: bool = False
) -> Callable[[Doing], Doing]:
    """Decorator that registers a function as a kind of background job.

    A nightly job is requested every night, without a key.
    """

    def register_kind(do: Doing) -> Doing:
        """Add the function as a kind of job."""
        KINDS[kind] = JobKind(do, tries, seconds, nightly)
        return do

    return register_kind


def wait_after(tries: int) -> timedelta:
    """Return the delay before a job is tried again after this many failures.

    >>> wait_after(2)
    datetime.timedelta(seconds=300)
    """
    return min(LONGEST_WAIT, FIRST_WAIT * int(5 ** (tries - 1)))

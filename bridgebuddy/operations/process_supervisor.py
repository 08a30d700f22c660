"""Several server processes, one for each core, supervised and restarted.

They are forked after loading the program, so that its memory is shared. A single process keeps only
one core busy.
"""

from __future__ import annotations

import gc
import logging
import math
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
MEMBER_OF = Path("/proc/self/cgroup")
#: a process that lives for fewer seconds has failed at once
AT_ONCE = 5.0
#: after so many immediate failures in a row, restarts become rare
MOST_AT_ONCE = 10
SOON, SELDOM = 0.1, 30.0
#: seconds that a process has to end
GRACE = 5.0

log = logging.getLogger(__name__)


def usable_cores() -> int:
    """Return the number of processor cores that this process may use, on the machine or in its container."""
    knows_mine = hasattr(os, "sched_getaffinity")
    here = len(os.sched_getaffinity(0)) if knows_mine else os.cpu_count() or 1
    return max(1, math.ceil(min(here, _cores_allowed_by_cgroups())))


def _cores_allowed_by_cgroups() -> float:
    """Return the smallest CPU limit, in cores, of the Linux control groups of this process."""
    with suppress(OSError):
        for line in MEMBER_OF.read_text().splitlines():
            number, _, path = line.split(":", 2)
            if number == "0":  # version 2: its limits apply to all groups below
                mine = CGROUPS / path.lstrip("/")
                return min(_granted_cores(parent / "cpu.max") for parent in (mine, *mine.parents))
    return math.inf


def _granted_cores(file: Path) -> float:
    """Return the CPU limit, in cores, in a cgroup file like "150000 100000": microseconds in a period."""
    with suppress(OSError, ValueError):
        quota, period = file.read_text().split()
        return int(quota) / int(period)
    return math.inf


def can_fork() -> bool:
    """Return whether this system can fork processes."""
    return hasattr(os, "fork")


@dataclass
class _ProcessSlot:
    """One of the supervised processes: its process id, and how often it has failed at once."""

    work: Callable[[int], None]
    pid: int = 0
    since: float = 0.0
    at_once: int = 0
    due: float = 0.0

    def start(self) -> None:
        """Fork the process of this slot."""
        parent = os.getpid()
        self.since = time.monotonic()
        self.pid = os.fork()
        if self.pid == 0:
            _run_in_fork(self.work, parent)

    def record_end(self, status: int) -> None:
        """Record that the process has ended, and schedule its restart."""
        now = time.monotonic()
        self.at_once = self.at_once + 1 if now - self.since < AT_ONCE else 0
        wait = SOON if self.at_once < MOST_AT_ONCE else SELDOM
        why = os.waitstatus_to_exitcode(status)
        how = f"signal {-why}" if why < 0 else f"exit status {why}"
        if self.at_once < MOST_AT_ONCE:
            log.error("A process of the server ended (%s) and is started again.", how)
        else:
            log.error(
                "A process of the server died at once, %s times in a row (%s): the next try is in %.0f seconds.",
                *(self.at_once, how, wait),
            )
        self.pid, self.due = 0, now + wait


def supervise(
    works: Sequence[Callable[[int], None]], *, stopping: Callable[[], None], grace: float
) -> None:
    """Run each function of `works` in a forked process until this one is told to stop, restarting dead ones.

    Each receives the id of its supervisor, and ends by SIGTERM or when that has ended
    (`has_parent`). After `grace` seconds it is killed. `stopping` is called before.
    """
    places = [_ProcessSlot(work) for work in works]
    stops: list[int] = []
    woken, waker = os.pipe()
    for end in (woken, waker):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: stops.append(number))
    # so that the end of a child wakes this process
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    collect_garbage_less_often()
    while not stops:
        now = time.monotonic()
        for place in places:
            if not place.pid and place.due <= now:
                place.start()
        waiting = [place.due - now for place in places if not place.pid]
        _sleep_until_signal(woken, min(waiting, default=None))
        _collect_ended_processes(places)
    stopping()
    _end_processes(places, woken, grace)


def collect_garbage_less_often() -> None:
    """Exclude present objects from garbage collection, and collect new ones less often.

    Frozen objects are not copied after a fork. A page creates ten thousand values without cycles,
    and searching for cycles took a sixth of its time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _end_processes(places: list[_ProcessSlot], woken: int, grace: float) -> None:
    """Send SIGTERM to all processes, and kill those that still run after `grace` seconds."""
    until = time.monotonic() + grace + GRACE
    how = signal.SIGTERM
    while living := [place for place in places if place.pid]:
        for place in living:
            with suppress(ProcessLookupError):
                os.kill(place.pid, how)
        if time.monotonic() > until:
            how = signal.SIGKILL
        _sleep_until_signal(woken, 1.0)  # a process that had just begun may have missed the signal
        _collect_ended_processes(living, told=False)


def _sleep_until_signal(woken: int, seconds: float | None) -> None:
    """Sleep until a signal arrives, or for a number of seconds."""
    select.select([woken], [], [], seconds)
    with suppress(BlockingIOError):
        os.read(woken, 1024)


def _collect_ended_processes(places: list[_ProcessSlot], *, told: bool = True) -> None:
    """Reap the processes that have ended, and record it in their slots."""
    for place in places:
        if not place.pid:
            continue
        pid, status = os.waitpid(place.pid, os.WNOHANG)
        if pid and told:
            place.record_end(status)
        elif pid:
            place.pid = 0


def has_parent(pid: int) -> bool:
    """Return whether the supervising process `pid` still lives; 0 means that there is none."""
    return not pid or os.getppid() == pid


def _run_in_fork(work: Callable[[int], None], parent: int) -> None:
    """Run `work` in a newly forked process, and end the process afterwards."""
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        # a reader of the first process's output must not wait for this one
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        work(parent)
        status = 0
    except BaseException:
        log.exception("A process of the server breaks down")
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)

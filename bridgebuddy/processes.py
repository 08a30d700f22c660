"""As many processes as there are cores, each watched and started again: one alone keeps one core busy.

They are forked when the program has been loaded, so that what is loaded is there once.
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
#: who lives for less than so many seconds has died at once
AT_ONCE = 5.0
#: who has died at once so often in a row is started seldom
MOST_AT_ONCE = 10
SOON, SELDOM = 0.1, 30.0
#: seconds that a process has to end after it should have
GRACE = 5.0

log = logging.getLogger(__name__)


def cores() -> int:
    """Return how many cores this process may keep busy: of the machine, or of its container."""
    knows_mine = hasattr(os, "sched_getaffinity")
    here = len(os.sched_getaffinity(0)) if knows_mine else os.cpu_count() or 1
    return max(1, math.ceil(min(here, _allowed_by_groups())))


def _allowed_by_groups() -> float:
    """Return the least that a control group above this process grants, in cores."""
    with suppress(OSError):
        for line in MEMBER_OF.read_text().splitlines():
            number, _, path = line.split(":", 2)
            if number == "0":  # version 2: its limits hold for all below
                mine = CGROUPS / path.lstrip("/")
                return min(_granted(parent / "cpu.max") for parent in (mine, *mine.parents))
    return math.inf


def _granted(file: Path) -> float:
    """Return the cores of a line like "150000 100000": microseconds in so many."""
    with suppress(OSError, ValueError):
        quota, period = file.read_text().split()
        return int(quota) / int(period)
    return math.inf


def can_fork() -> bool:
    """Whether this system knows how to have several of one."""
    return hasattr(os, "fork")


@dataclass
class _Place:
    """A place for a process: who has it, and how often in a row one died at once."""

    work: Callable[[int], None]
    pid: int = 0
    since: float = 0.0
    at_once: int = 0
    due: float = 0.0

    def start(self) -> None:
        parent = os.getpid()
        self.since = time.monotonic()
        self.pid = os.fork()
        if self.pid == 0:
            _work(self.work, parent)

    def ended(self, status: int) -> None:
        """Say that a process is no more, and when the next one begins."""
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


def keep(
    works: Sequence[Callable[[int], None]], *, stopping: Callable[[], None], grace: float
) -> None:
    """Let a process do each of these until this one is told to stop, and wait until they have ended.

    Each is told who watches it, and ends by SIGTERM or when that one is no more (`has_parent`). It is killed
    where it takes longer than `grace`. `stopping` is called before.
    """
    places = [_Place(work) for work in works]
    stops: list[int] = []
    woken, waker = os.pipe()
    for end in (woken, waker):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: stops.append(number))
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # so that a death wakes us
    collect_seldom()
    while not stops:
        now = time.monotonic()
        for place in places:
            if not place.pid and place.due <= now:
                place.start()
        waiting = [place.due - now for place in places if not place.pid]
        _sleep(woken, min(waiting, default=None))
        _bury(places)
    stopping()
    _end(places, woken, grace)


def collect_seldom() -> None:
    """Never look for garbage among what is there now, so that it is never copied, and after more that is new.

    A page makes ten thousand values and forgets them in no circles: looking for some took a sixth of its time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _end(places: list[_Place], woken: int, grace: float) -> None:
    until = time.monotonic() + grace + GRACE
    how = signal.SIGTERM
    while living := [place for place in places if place.pid]:
        for place in living:
            with suppress(ProcessLookupError):
                os.kill(place.pid, how)
        if time.monotonic() > until:
            how = signal.SIGKILL
        _sleep(woken, 1.0)  # one that had only just begun may not have heard it
        _bury(living, told=False)


def _sleep(woken: int, seconds: float | None) -> None:
    """Sleep until a signal comes, or so many seconds are over."""
    select.select([woken], [], [], seconds)
    with suppress(BlockingIOError):
        os.read(woken, 1024)


def _bury(places: list[_Place], *, told: bool = True) -> None:
    """Look who has ended."""
    for place in places:
        if not place.pid:
            continue
        pid, status = os.waitpid(place.pid, os.WNOHANG)
        if pid and told:
            place.ended(status)
        elif pid:
            place.pid = 0


def has_parent(pid: int) -> bool:
    """Whether the process that watches this one still lives; 0: nobody watches."""
    return not pid or os.getppid() == pid


def _work(work: Callable[[int], None], parent: int) -> None:
    """Be one of the processes, to its end."""
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        # whoever reads what the first process says must not wait for us when it has ended
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

"""Double dummy: the tricks each seat takes in each strain with all cards known.

endplay solves the deals. Every installation includes it, but the rest of the program works without it. It runs in a
process of its own (`solver`), because it may hang or crash.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple, Self

from .rules.hands import SEATS
from .solver import MISSING, READY, STRAINS

ROOT = Path(__file__).resolve().parents[2]
Tricks = dict[str, dict[str, int]]
"""By declarer and strain."""
#: seconds of CPU for one answer: it runs at low priority, so the clock tells nothing on a busy machine
MOST_SECONDS = 60.0
#: seconds without computing or waiting for a core; if the system does not tell, for one answer
MOST_IDLE = 120.0
#: seconds between two looks
EVERY = 0.5
#: variables passed on from the server's environment: neither the database's address nor signing keys
HANDED_ON = {"HOME", "LANG", "LC_ALL", "PATH", "PYTHONPATH", "SYSTEMROOT"}


class NoSolver(Exception):
    """Raised if the double-dummy solver (the Python package endplay) is not installed."""


class NotStarted(Exception):
    """Raised if the solver process did not start: the machine is too busy or has no memory left."""


class NotSolved(Exception):
    """Raised if the solver process hung or crashed while it solved a deal."""


def is_installed() -> bool:
    """Return whether the double-dummy solver is installed."""
    return find_spec("endplay") is not None


def trick_table(letters: str) -> Tricks:
    """Return the tricks by declarer and strain from twenty letters: North's in S, H, D, C and NT, then East's, …."""
    each = len(STRAINS)
    return {
        seat: {
            strain: int(letter, 16)
            for strain, letter in zip(STRAINS, letters[each * place :][:each], strict=True)
        }
        for place, seat in enumerate(SEATS)
    }


class SolverProcess:
    """A process that solves deals double dummy, one after another. Raises `NoSolver` or `NotStarted`."""

    def __init__(self) -> None:
        if not is_installed():
            raise NoSolver
        self._start_process()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._kill_process()

    def solve(self, deal: str) -> str:
        """Return the double-dummy tricks of each declarer in each strain for a deal in PBN. Raises `NotSolved`."""
        return self._ask_solver(deal, len(SEATS) * len(STRAINS))

    def tricks_by_lead(self, deal: str, strain: str, declarer: str) -> str:
        """Return declarer's double-dummy tricks after each of thirteen leads, as `hands.sorted_hand` orders them."""
        return self._ask_solver(f"{deal}\t{strain}\t{declarer}", 13)

    def _ask_solver(self, line: str, letters: int) -> str:
        """Send a request to the solver and return its answer of `letters` characters; raise `NotSolved` without one."""
        if self._process.poll() is not None:
            self._start_process()
        try:
            self._send_line(line)
            answer = self._read_line()
        except (OSError, EOFError) as gone:
            self._kill_process()
            raise NotSolved(line) from gone
        if len(answer) != letters:
            raise NotSolved(line)
        return answer

    def _start_process(self) -> None:
        """Start the solver in a process of its own."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bridgebuddy.deals.solver"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env={name: os.environ[name] for name in HANDED_ON & os.environ.keys()},
        )
        try:
            answer = self._read_line()
        except (OSError, EOFError) as broken:
            self._kill_process()
            raise NotStarted from broken
        if answer != READY:
            self._kill_process()
            raise NoSolver if answer == MISSING else NotStarted

    def _send_line(self, line: str) -> None:
        """Write a line to the solver's standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _read_line(self) -> str:
        """Return the next line of the process; a process that hangs is killed, and has no next line."""
        assert self._process.stdout is not None
        is_read = Event()
        watch = Thread(target=_kill_hung, args=(self._process, is_read), daemon=True)
        watch.start()
        try:
            line = self._process.stdout.readline()
        finally:
            is_read.set()
            watch.join()
        if not line:
            raise EOFError
        return line.strip()

    def _kill_process(self) -> None:
        """Kill the solver's process."""
        self._process.kill()
        self._process.communicate()


class ProcessUsage(NamedTuple):
    """A process's use of the processor: seconds, and whether it runs or waits for a core."""

    seconds: float
    is_runnable: bool


def process_usage(pid: int) -> ProcessUsage | None:
    """Return a process's use of the processor, or None if unknown (not Linux) or ended."""
    try:
        facts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks = int(facts[11]) + int(facts[12])
        return ProcessUsage(ticks / os.sysconf("SC_CLK_TCK"), facts[0] == "R")
    except (OSError, ValueError, IndexError):
        return None


@dataclass
class ProcessProgress:
    """Detects whether a process makes progress, from its processor time at several moments."""

    first: ProcessUsage | None
    moved_at: float
    last: float = 0.0

    def is_hung(self, usage: ProcessUsage | None, now: float) -> bool:
        """Return whether the process has computed for too long, or waited for too long, at moment `now`.

        A process that waits for a core is not hung: the machine is busy.
        """
        if usage is None or self.first is None:
            return now - self.moved_at > MOST_IDLE
        if usage.is_runnable or usage.seconds > self.last:
            self.last, self.moved_at = usage.seconds, now
        return usage.seconds - self.first.seconds > MOST_SECONDS or now - self.moved_at > MOST_IDLE


def _kill_hung(process: subprocess.Popen[str], is_read: Event) -> None:
    """Kill the solver process if it hangs before its answer has been read; `is_read` tells when it has."""
    waited = 0.0
    progress = ProcessProgress(process_usage(process.pid), waited)
    while not is_read.wait(EVERY):
        waited += EVERY
        if progress.is_hung(process_usage(process.pid), waited):
            process.kill()
            return

"""Double dummy: the tricks that each seat takes in each strain when everybody sees all cards.

endplay solves the deals. Every installation brings it; the rest of the program works without it. It runs in a process
of its own (`solver`), because it may hang or die.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from typing import Self

from .rules.hands import SEATS
from .solver import MISSING, READY, STRAINS

ROOT = Path(__file__).resolve().parents[2]
Tricks = dict[str, dict[str, int]]
"""By declarer and strain."""
#: by the clock: it gives way to everything else, so a busy machine takes long; what computes for ever ends by itself
TO_BEGIN, MOST_SECONDS = 120.0, 120.0
#: of the server's environment: nothing that says where the database is, or by what cards are signed
HANDED_ON = {"HOME", "LANG", "LC_ALL", "PATH", "PYTHONPATH", "SYSTEMROOT"}


class NoSolver(Exception):
    """endplay is not installed."""


class NotStarted(Exception):
    """The process that solves does not begin: the machine is too busy, or has no memory."""


class NotSolved(Exception):
    """The process that solves has hung or died over a deal."""


def is_installed() -> bool:
    """Whether there is what solves deals."""
    return find_spec("endplay") is not None


def table(written: str) -> Tricks:
    """Return the tricks that are written as twenty letters: North's in spades, hearts, …, then East's, …"""
    each = len(STRAINS)
    return {
        seat: {
            strain: int(letter, 16)
            for strain, letter in zip(STRAINS, written[each * place :][:each], strict=True)
        }
        for place, seat in enumerate(SEATS)
    }


class Solver:
    """A process that solves one deal after the other. Raises `NoSolver` where there is nothing, or `NotStarted`."""

    def __init__(self) -> None:
        if not is_installed():
            raise NoSolver
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def solve(self, deal: str) -> str:
        """Return the twenty tricks of a deal, written as PBN. Raises `NotSolved`; the next deal may be solved."""
        return self._asked(deal, len(SEATS) * len(STRAINS))

    def after_leads(self, deal: str, strain: str, declarer: str) -> str:
        """Return declarer's tricks after each of the thirteen leads, in the order of `hands.in_order`."""
        return self._asked(f"{deal}\t{strain}\t{declarer}", 13)

    def _asked(self, line: str, letters: int) -> str:
        if self._process.poll() is not None:
            self._start()
        try:
            self._tell(line)
            found = self._read(MOST_SECONDS)
        except (OSError, EOFError) as gone:
            self._end()
            raise NotSolved(line) from gone
        if len(found) != letters:
            raise NotSolved(line)
        return found

    def _start(self) -> None:
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
            said = self._read(TO_BEGIN)
        except (OSError, EOFError) as broken:
            self._end()
            raise NotStarted from broken
        if said != READY:
            self._end()
            raise NoSolver if said == MISSING else NotStarted

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _read(self, seconds: float) -> str:
        """Return the next line that it says; what says nothing for too long is killed."""
        assert self._process.stdout is not None
        alarm = Timer(seconds, self._process.kill)
        alarm.start()
        try:
            line = self._process.stdout.readline()
        finally:
            alarm.cancel()
        if not line:
            raise EOFError
        return line.strip()

    def _end(self) -> None:
        self._process.kill()
        self._process.communicate()


def tricks(deals: Iterable[str]) -> Iterator[Tricks]:
    """Yield the table of each deal, written as PBN. Raises `NoSolver`."""
    with Solver() as solver:
        for deal in deals:
            yield table(solver.solve(deal))

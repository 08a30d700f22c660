"""Trying mutants: those tests are run that call the function with the fault, until one fails."""

from __future__ import annotations

import ast
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest

from ..faults.data import ROOT
from ..faults.exchange import NotInFunctions, exchange
from ..faults.forks import NOTICED, SURVIVED, Forks, in_fork, run_in_forks, run_test
from ..minutes import known
from ..touched import UNKNOWN, texts_of_tests, weight
from .mutations import Mutant, functions_of

#: seconds that the tests of one file may take, as tests/minutes.md has them
BUDGET = 40.0
#: seconds of CPU for one run of all tests that records what they call
RECORDING = 600
#: the functions that were called since the start of a test, in a process that records
CALLED: set[str] = set()


def nearest_tests(path: str, texts: dict[str, str], taken: dict[str, float]) -> tuple[str, ...]:
    """Return the files of tests about a file, relative to `tests`: the nearest first, without browsers, within a time."""
    about = [(weight(test, text, path), test) for test, text in texts.items()]
    about.sort(key=lambda found: (-found[0], taken.get(found[1], UNKNOWN), found[1]))
    chosen: list[str] = []
    spent = 0.0
    for closeness, test in about:
        takes = taken.get(test, UNKNOWN)
        if closeness and "/browser/" not in test and (spent + takes <= BUDGET or not chosen):
            spent += takes
            chosen.append(test.removeprefix("tests/"))
    return tuple(chosen)


def recording_text(path: str, text: str) -> str:
    """Return the text of a file whose functions and methods add their names to `CALLED`."""
    tree = ast.parse(text)
    for name, function in functions_of(tree):
        called = f"{path}:{name}"
        note = f"__import__({__name__!r}, fromlist=['CALLED']).CALLED.add({called!r})"
        function.body[:0] = ast.parse(note).body
    return ast.unparse(ast.fix_missing_locations(tree))


class MutantForks(Forks):
    """Tries mutants on the tests that call their functions."""

    def __init__(self, mutants: Sequence[Mutant]) -> None:
        super().__init__(mutants)
        self._files = {mutant.path for mutant in mutants}
        self._tests: defaultdict[str, list[str]] = defaultdict(list)

    def prepare(self, session: pytest.Session, items: Sequence[pytest.Item]) -> None:
        """Record in a fork which tests call which functions of the files with faults.

        A recording that takes too much time is cut: the tests that came later are not run.
        """
        _, told = in_fork(lambda: self._record(session, items), RECORDING)
        for line in told.splitlines():
            test, _, names = line.partition("\t")
            for name in names.split("\t"):
                self._tests[name].append(test)

    def _record(self, session: pytest.Session, items: Sequence[pytest.Item]) -> int:
        for file in self._files:
            with suppress(NotInFunctions):  # no test loads it
                exchange(file, recording_text(str(file), file.read_text(encoding="utf-8")))
        for item in items:
            CALLED.clear()
            if run_test(session, item) and CALLED:
                print(item.nodeid, *sorted(CALLED), sep="\t", file=sys.__stdout__, flush=True)
        return 0

    def tests_of(self, fault: Any, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Return the tests that call the function with the fault."""
        names = self._tests[f"{fault.path}:{fault.function}"]
        return [item for item in items if item.nodeid in names]


@dataclass(frozen=True)
class Tried:
    """The mutants that were tried, and which of them no test noticed.

    Some cannot be tried in a fork: their modules are not loaded by a test, or their functions keep other variables.
    """

    mutants: list[Mutant]
    survivors: list[Mutant]

    @property
    def noticed_count(self) -> int:
        return len(self.mutants) - len(self.survivors)


def try_mutants(mutants: Sequence[Mutant]) -> Tried:
    """Try mutants. Raises `RuntimeError` if the tests cannot be run."""
    if not mutants:
        return Tried([], [])
    forks = MutantForks(mutants)
    run_in_forks(forks, {test for mutant in mutants for test in mutant.tests})
    if len(forks.codes) != len(mutants):
        raise RuntimeError("the tests could not be run")
    codes = list(zip(mutants, forks.codes, strict=True))
    return Tried(
        [mutant for mutant, code in codes if code in (NOTICED, SURVIVED)],
        [mutant for mutant, code in codes if code == SURVIVED],
    )


def sample(mutants: Iterable[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return some of the mutants, always the same for a seed, in their order."""
    found = list(mutants)
    if len(found) <= count:
        return found
    chosen = sorted(random.Random(seed).sample(range(len(found)), count))
    return [found[index] for index in chosen]


def with_tests(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the tests of files by their paths; files that no test is about are left out."""
    texts, taken = texts_of_tests(), known()
    found = {path: nearest_tests(path, texts, taken) for path in paths}
    return {path: tests for path, tests in found.items() if tests}


def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")

"""A plugin of pytest: everything is loaded once, and each fault is tried in a fork of this process.

The parent runs one test, which makes the database. A test that notices a fault is run without it, too: one that
fails then as well has noticed nothing.
"""

from __future__ import annotations

import gc
import os
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Protocol

import pytest
from django.db import connections

from .data import ROOT, Fault
from .exchange import NotInFunctions, exchange

#: the code of a child that noticed, that did not, and that has to be tried in a copy
NOTICED, SURVIVED, IN_A_COPY, BROKEN = 1, 0, 3, 4
#: seconds of CPU that the tests of a fault may take
SECONDS = 90


class Change(Protocol):
    """A file with a fault, and the files of tests, relative to `tests`, that should notice it."""

    @property
    def path(self) -> Path: ...
    @property
    def text(self) -> str: ...
    @property
    def tests(self) -> tuple[str, ...]: ...


class Forks:
    """Tries faults on the tests that were collected, and remembers the code of each."""

    def __init__(self, faults: Sequence[Change]) -> None:
        self.faults = faults
        self.codes: list[int] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        first, *rest = session.items
        run_test(session, first)
        by_name = {item.nodeid: item for item in rest}
        self.prepare(session, rest)
        for fault in self.faults:
            own = self.tests_of(fault, rest)
            while True:
                code, name = in_fork(lambda own=own, fault=fault: _try(session, fault, own))
                failing = by_name.get(name)
                if (
                    failing is None
                    or not in_fork(lambda item=failing: not run_test(session, item))[0]
                ):
                    break
                print(f"fails without a fault, too: {name}")
                own.remove(failing)
            if code == BROKEN:
                raise RuntimeError(f"{fault}: {name}")
            self.codes.append(code)
            print({SURVIVED: "S", IN_A_COPY: "c"}.get(code, "."), end="", flush=True)
        print()
        return True

    def prepare(self, session: pytest.Session, items: Sequence[pytest.Item]) -> None:
        """Prepare the first fault: here, do nothing."""

    def tests_of(self, fault: Change, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Return the tests that should notice a fault."""
        return [item for file in fault.tests for item in items if _file(item) == file]


def _file(item: pytest.Item) -> str:
    return str(Path(item.path).relative_to(ROOT / "tests"))


def run_test(session: pytest.Session, item: pytest.Item) -> bool:
    """Run a test and tear down all but the whole run's fixtures; return whether it passed."""
    before = session.testsfailed
    session.config.hook.pytest_runtest_protocol(item=item, nextitem=session)
    return session.testsfailed == before


def _try(session: pytest.Session, fault: Change, items: Sequence[pytest.Item]) -> int:
    if isinstance(fault, Fault) and fault.own_process:
        return IN_A_COPY
    try:
        exchange(fault.path, fault.text)
    except NotInFunctions:
        return IN_A_COPY
    for found in gc.get_objects():  # what was worked out without the fault
        if type(found) is _lru_cache_wrapper:
            found.cache_clear()
    for item in items:
        if not run_test(session, item):
            print(item.nodeid, file=sys.__stdout__, flush=True)
            return NOTICED
    return SURVIVED


def in_fork(does: Callable[[], int], seconds: int = SECONDS) -> tuple[int, str]:
    """Return exit code and output of a function in a child process with a database of its own.

    A child that takes more seconds of CPU is stopped: its fault was noticed.
    """
    reading, writing = os.pipe()
    if child := os.fork():
        os.close(writing)
        with os.fdopen(reading) as told:
            said = told.read()
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status), said.strip()
        is_too_slow = os.WTERMSIG(status) == signal.SIGXCPU
        return (NOTICED if is_too_slow else BROKEN), said.strip() or f"signal {status}"
    try:
        os.close(reading)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds), hard))
        quiet = os.open(os.devnull, os.O_WRONLY)
        sys.__stdout__ = os.fdopen(writing, "w")
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        _own_database()
        code = int(does())
        sys.__stdout__.flush()
    except BaseException as broken:  # pytest catches what a fault breaks: this is ours
        print(f"{type(broken).__name__}: {broken}", file=sys.__stdout__, flush=True)
        code = BROKEN
    _forget_database()
    os._exit(code)


def _own_database() -> None:
    connection = connections["default"]
    before = str(connection.settings_dict["NAME"])
    connection.close()
    own = f"{before}-{os.getpid()}"
    shutil.copy(before, own)
    connection.settings_dict["NAME"] = own
    connection.settings_dict["TEST"]["NAME"] = own


def _forget_database() -> None:
    name = connections["default"].settings_dict["NAME"]
    for end in ("", "-wal", "-shm"):
        Path(f"{name}{end}").unlink(missing_ok=True)


def codes_in_forks(faults: Sequence[Fault]) -> list[int]:
    """Return the code of each fault."""
    forks = Forks(faults)
    files = {file for fault in faults for file in fault.tests if fault.file.endswith(".py")}
    if not files:
        return [IN_A_COPY] * len(faults)
    run_in_forks(forks, files)
    return forks.codes


def run_in_forks(forks: Forks, files: Iterable[str]) -> None:
    """Collect the tests of some files, relative to `tests`, and try the faults on them."""
    quiet = ["-q", "-s", "-p", "no:cacheprovider", "--no-header", "--no-summary"]
    tests = [f"tests/{file}" for file in ("faults/ready.py", *sorted(files))]
    pytest.main([*quiet, *tests], plugins=[forks])

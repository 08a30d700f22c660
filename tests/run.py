"""Run the whole test suite: on SQLite with the browser journeys, then on PostgreSQL.

`make test` calls it. The PostgreSQL part starts a cluster of its own, on a free port, in a temporary
directory, and says so when there is no server binary. It runs whatever happened on SQLite; what
failed where is said at the end.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from .postgres import NoServer, cluster

#: a file stays in one process, which makes what the file shares once; slow files come first, as they stand
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", "2"]
PYTEST += ["--dist", "loadfile", "--no-loadscope-reorder"]
#: run on SQLite alone: what has no database or one of its own, the browser, what the engine can, and what is
#: about words and paper. Every page and sheet is read on PostgreSQL too, by `tests/pages`; everything else
#: runs on both.
ON_SQLITE_ALONE = [
    *("tests/browser", "tests/engine", "tests/movements", "tests/printing"),
    *("tests/director/test_checklist.py", "tests/director/test_movement_options.py"),
    *("tests/director/test_switches.py", "tests/director/test_changes_switched.py"),
    *("tests/operations/test_deploy.py", "tests/operations/test_package.py"),
    *("tests/security/test_half_sent.py", "tests/security/test_stopping.py"),
    *("tests/test_german.py", "tests/test_korean.py", "tests/test_numbers_in_hundreds.py"),
]
#: what spoils input at random looks less far the second time
ON_POSTGRESQL = {"INPUTS": "900"}


@dataclass(frozen=True)
class Outcome:
    """What came of the tests on one database."""

    database: str
    ran: int = 0
    failed: tuple[str, ...] = ()
    #: pytest's own status, which says more than the tests: 0 when all is well
    status: int = 0
    #: why nothing was tried
    not_run: str = ""
    #: why nothing could be tried, though it should have been
    broken: str = ""

    @property
    def is_good(self) -> bool:
        if self.broken:
            return False
        return bool(self.not_run) or (self.ran > 0 and not self.failed and self.status == 0)

    def __str__(self) -> str:
        return f"{self.database}: {self._verdict()}"

    def _verdict(self) -> str:
        if self.broken:
            return f"FAILED, {self.broken}"
        if self.not_run:
            return f"not run, {self.not_run}"
        if self.failed:
            return f"FAILED, {len(self.failed)} of {self.ran}: {' '.join(self.failed)}"
        if self.status not in (0, 5):
            return f"FAILED, pytest gave up with status {self.status}"
        if not self.ran:
            return "FAILED, no test ran"
        return "passed"


def read_outcome(database: str, status: int, report: Path) -> Outcome:
    """Return what pytest wrote about its tests; it has written nothing when it broke down."""
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except (FileNotFoundError, ElementTree.ParseError):
        return Outcome(database, status=status)
    ran = [case for case in cases if case.find("skipped") is None]
    failed = [
        "::".join(filter(None, (case.get("file"), case.get("name"))))
        for case in ran
        if case.find("failure") is not None or case.find("error") is not None
    ]
    return Outcome(database, len(ran), tuple(dict.fromkeys(failed)), status)


def run(database: str, *arguments: str, **environment: str) -> Outcome:
    """Run pytest and say what came of it."""
    print(f"== {database}", flush=True)
    with tempfile.TemporaryDirectory(prefix="bridgebuddy-tests-") as folder:
        report = Path(folder) / "report.xml"
        written = ["-o", "junit_family=xunit1", f"--junitxml={report}"]
        status = subprocess.call([*PYTEST, *written, *arguments], env={**os.environ, **environment})
        return read_outcome(database, status, report)


def run_on_postgres() -> Outcome:
    """Run what touches the database on a cluster of its own, where there is a server for it."""
    if gone := [path for path in ON_SQLITE_ALONE if not os.path.exists(path)]:
        return Outcome("PostgreSQL", broken=f"there is no {' or '.join(gone)} to leave out")
    left_out = [f"--ignore={path}" for path in ON_SQLITE_ALONE]
    try:
        with cluster() as url:
            return run("PostgreSQL", "tests", *left_out, DATABASE_URL=url, **ON_POSTGRESQL)
    except NoServer as missing:
        return Outcome("PostgreSQL", not_run=str(missing))
    except subprocess.CalledProcessError as error:
        return Outcome("PostgreSQL", broken=f"its server did not start or stop: {error}")


def main() -> int:
    """Return the exit status: 0 when everything passed everywhere."""
    # who is asked to stop still stops its tests and its server
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    outcomes = [run("SQLite", *sys.argv[1:]), run_on_postgres()]
    print("==", *outcomes, sep="\n")
    return 0 if all(outcome.is_good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Run the whole test suite: on SQLite with the browser journeys, then on PostgreSQL.

`make test` calls it. The PostgreSQL part starts a cluster of its own, on a free port, in a temporary
directory, and says so when there is no server binary. It runs whatever happened on SQLite; what
failed where is said in the last lines.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from . import minutes
from .postgres import NoServer, cluster

#: a file stays in one process, which makes what the file shares once; files come as they are named or sorted
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", "2"]
PYTEST += ["--dist", "loadfile", "--no-loadscope-reorder"]
SLOW_FIRST = ["-p", "tests.minutes"]
#: run on both databases: what locks, what people do at once, snapshots and migrations, what is written by hand in SQL
#: or looks into JSON, and every page and form in every state with whatever may be sent to it, so that each query is
#: asked there once. All else is the same, and runs on SQLite.
ON_BOTH = [
    *("tests/clubs", "tests/pages", "tests/test_emptied.py", "tests/test_remembered.py"),
    *("tests/tables/test_entering.py", "tests/tables/test_letters.py"),
    *("tests/tables/test_services.py", "tests/tables/test_weight.py"),
    *("tests/director/test_in_one_moment.py", "tests/director/test_this_round.py"),
    *("tests/director/test_ranking.py", "tests/director/test_players.py"),
    *("tests/events/test_access.py", "tests/events/test_at_once.py", "tests/scoring/test_demo.py"),
    *("tests/events/test_forgetting.py", "tests/events/test_guards.py"),
    *("tests/events/test_killed.py", "tests/events/test_live_changes.py"),
    *("tests/events/test_migrations.py", "tests/events/test_names.py"),
    *("tests/events/test_plays.py", "tests/events/test_records.py", "tests/events/test_roster.py"),
    *("tests/events/test_rounds.py", "tests/events/test_snapshot.py"),
    *("tests/operations/test_backups.py", "tests/operations/test_moving_house.py"),
    *("tests/operations/test_forgotten.py", "tests/operations/test_out_of_order.py"),
    "tests/operations/test_watching.py",
    *("tests/players/test_code.py", "tests/players/test_kept.py", "tests/players/test_lookup.py"),
    *("tests/scoring/test_at_once.py", "tests/scoring/test_guards.py"),
    *("tests/scoring/test_tonight.py", "tests/scoring/test_doubts.py"),
    *("tests/security/test_bad_input.py", "tests/security/test_fuzz.py"),
    *("tests/security/test_limits.py", "tests/security/test_members.py"),
    *("tests/security/test_processes.py",),
]
#: what spoils input at random looks less far the second time, and every page is asked at one change, not at two
ON_POSTGRESQL = {"INPUTS": "600", "TURNS": "8"}
#: who is let in nowhere: asks nothing that those do not ask who are let in, in the same file
ON_ONE = [
    "tests/pages/test_every_state.py::test_no_address_lets_anybody_in_who_has_no_business_there"
]


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
    #: how long the tests of each file took
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)

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
    return Outcome(
        database, len(ran), tuple(dict.fromkeys(failed)), status, seconds=minutes.seconds(report)
    )


def environment(**more: str) -> dict[str, str]:
    """Return what tests run with: whatever is said of it outside, what was compiled is kept, beside the sources."""
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"PYTHONPYCACHEPREFIX": str(Path("var", "compiled").absolute()), **found, **more}


def run(database: str, *arguments: str, **more: str) -> Outcome:
    """Run pytest and say what came of it."""
    print(f"== {database}", flush=True)
    with tempfile.TemporaryDirectory(prefix="bridgebuddy-tests-") as folder:
        report = Path(folder) / "report.xml"
        written = ["-o", "junit_family=xunit1", f"--junitxml={report}"]
        status = subprocess.call(
            [*PYTEST, *SLOW_FIRST, *written, *arguments], env=environment(**more)
        )
        return read_outcome(database, status, report)


def run_on_postgres() -> Outcome:
    """Run what touches the database on a cluster of its own, where there is a server for it."""
    if gone := [path for path in ON_BOTH if not os.path.exists(path)]:
        return Outcome("PostgreSQL", broken=f"there is no {' or '.join(gone)}")
    try:
        with cluster() as url:
            but = [f"--deselect={one}" for one in ON_ONE]
            return run("PostgreSQL", *ON_BOTH, *but, DATABASE_URL=url, **ON_POSTGRESQL)
    except NoServer as missing:
        return Outcome("PostgreSQL", not_run=str(missing))
    except subprocess.CalledProcessError as error:
        return Outcome("PostgreSQL", broken=f"its server did not start or stop: {error}")


def main() -> int:
    """Return the exit status: 0 when everything passed everywhere."""
    # who is asked to stop still stops its tests and its server
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    arguments = [one for one in sys.argv[1:] if one != "--minutes"]
    outcomes = [run("SQLite", *arguments), run_on_postgres()]
    if "--minutes" in sys.argv:
        spent = {one.database: one.seconds for one in outcomes if one.seconds}
        minutes.PAGE.write_text(minutes.page(spent), encoding="utf-8")
    print("==", *sorted(outcomes, key=lambda outcome: not outcome.is_good), sep="\n")
    return 0 if all(outcome.is_good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Run the test suite: on SQLite with the browser journeys, then on PostgreSQL.

`make test` calls it: with CI=1 everything, else a sample of ten minutes (`depth.py`). The PostgreSQL part
starts a cluster of its own, on a free port, in a temporary directory, and says so when there is no server
binary. It runs even after failures on SQLite. The last lines name the failures and the omissions.
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

from . import depth, minutes
from .postgres import NoServer, cluster

#: a file stays in one process, which makes what the file shares once; files come as they are named or sorted
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", "2"]
PYTEST += ["--dist", "loadfile", "--no-loadscope-reorder"]
SLOW_FIRST = ["-p", "tests.minutes"]
SAMPLED = ["-p", "tests.depth"]
#: run on both databases: what locks, what people do at once, snapshots and migrations, what is written by hand in SQL
#: or looks into JSON, and every page and form in some states with whatever may be sent to it, so that each query is
#: asked there once. All else is the same, and runs on SQLite.
ON_BOTH = [
    "tests/clubs",
    "tests/demo/test_demo.py",
    "tests/director/test_in_one_moment.py",
    "tests/director/test_players.py",
    "tests/director/test_pressed_twice.py",
    "tests/director/test_this_round.py",
    "tests/events/test_access.py",
    "tests/events/test_at_once.py",
    "tests/events/test_forgetting.py",
    "tests/events/test_guards.py",
    "tests/events/test_killed.py",
    "tests/events/test_live_changes.py",
    "tests/events/test_migrations.py",
    "tests/events/test_squashed_migrations.py",
    "tests/events/test_names.py",
    "tests/events/test_plays.py",
    "tests/events/test_records.py",
    "tests/events/test_roster.py",
    "tests/events/test_rounds.py",
    "tests/events/test_snapshot.py",
    "tests/money/test_at_once.py",
    "tests/operations/test_backups.py",
    "tests/operations/test_behind_proxies.py",
    "tests/operations/test_forgotten.py",
    "tests/operations/test_migration_lock.py",
    "tests/operations/test_moving_house.py",
    "tests/operations/test_out_of_order.py",
    "tests/operations/test_server_troubles.py",
    "tests/operations/test_watching.py",
    "tests/pages",
    "tests/players/test_code.py",
    "tests/players/test_kept.py",
    "tests/players/test_lookup.py",
    "tests/publication/test_mails_at_once.py",
    "tests/scoring/test_at_once.py",
    "tests/scoring/test_doubts.py",
    "tests/scoring/test_guards.py",
    "tests/scoring/test_tonight.py",
    "tests/security/test_bad_input.py",
    "tests/security/test_fuzz.py",
    "tests/security/test_limits.py",
    "tests/security/test_members.py",
    "tests/security/test_processes.py",
    "tests/table_phones/test_entering.py",
    "tests/table_phones/test_letters.py",
    "tests/table_phones/test_services.py",
    "tests/table_phones/test_weight.py",
    "tests/test_emptied.py",
    "tests/test_remembered.py",
]
#: every page is asked in fewer states, and at fewer changes, than on SQLite; fewer inputs are spoilt
ON_POSTGRESQL = {"INPUTS": "600", "TURNS": "16", "STATES_TURNS": "6"}


@dataclass(frozen=True)
class Outcome:
    """Outcome of the tests on one database."""

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
    """Return pytest's report of its tests; it is empty after a crash."""
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
    """Return the environment of tests: compiled files are kept beside the sources, against any outer setting."""
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"PYTHONPYCACHEPREFIX": str(Path("var", "compiled").absolute()), **found, **more}


def run(database: str, *arguments: str, **more: str) -> Outcome:
    """Run pytest and return its outcome."""
    print(f"== {database}", flush=True)
    with tempfile.TemporaryDirectory(prefix="bridgebuddy-tests-") as folder:
        report = Path(folder) / "report.xml"
        written = ["-o", "junit_family=xunit1", f"--junitxml={report}"]
        status = subprocess.call(
            [*PYTEST, *SLOW_FIRST, *written, *arguments], env=environment(**more)
        )
        return read_outcome(database, status, report)


def run_on_postgres(*arguments: str, **more: str) -> Outcome:
    """Run the tests that use the database on a cluster of its own, if there is a server for it."""
    if gone := [path for path in ON_BOTH if not os.path.exists(path)]:
        return Outcome("PostgreSQL", broken=f"there is no {' or '.join(gone)}")
    try:
        with cluster() as url:
            more = {"DATABASE_URL": url, **ON_POSTGRESQL, **more}
            return run("PostgreSQL", *arguments, *ON_BOTH, **more)
    except NoServer as missing:
        told = "broken" if depth.is_full() else "not_run"
        return Outcome("PostgreSQL", **{told: str(missing)})
    except subprocess.CalledProcessError as error:
        return Outcome("PostgreSQL", broken=f"its server did not start or stop: {error}")


def run_sample(sample: depth.Sample) -> tuple[list[Outcome], list[str]]:
    """Run a sample; return its outcomes, and lines about the omissions."""
    with tempfile.NamedTemporaryFile("r", prefix="bridgebuddy-left-", encoding="utf-8") as counted:
        told = {**sample.environment, "LEFT_OUT": counted.name}
        sqlite = run("SQLite", *SAMPLED, **told)
        left_out = counted.read() or "?"
    if sample.is_of_database:
        postgres = run_on_postgres(*SAMPLED, **sample.environment)
    else:
        postgres = Outcome("PostgreSQL", not_run="the change does not touch what databases do")
    lines = [
        f"Left out: {left_out} tests, of slow files and of browser engines beside Chromium. "
        f"`CI=1 make test` runs everything, `DAY={sample.day} make test` this sample again."
    ]
    if sample.whole:
        lines.append(f"Run whole, as the change touches them: {' '.join(sample.whole)}")
    return [sqlite, postgres], lines


def main() -> int:
    """Return the exit status: 0 when everything passed everywhere."""
    # who is asked to stop still stops its tests and its server
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    arguments = [item for item in sys.argv[1:] if item != "--minutes"]
    if depth.is_full() or sys.argv[1:]:
        outcomes, left_out = [run("SQLite", *arguments), run_on_postgres()], []
    else:
        outcomes, left_out = run_sample(depth.Sample.of_today())
    if "--minutes" in sys.argv:
        spent = {outcome.database: outcome.seconds for outcome in outcomes if outcome.seconds}
        minutes.PAGE.write_text(minutes.page(spent), encoding="utf-8")
    print("==", *left_out, *sorted(outcomes, key=lambda outcome: not outcome.is_good), sep="\n")
    return 0 if all(outcome.is_good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Summary of `make test`."""

import os
import re
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import run
from tests.postgres import NoServer
from tests.run import Outcome, read_outcome

TESTS = Path(__file__).parent
REPORT = """<testsuites><testsuite>
<testcase classname="tests.clubs.test_clubs" name="test_well" file="tests/clubs/test_clubs.py"/>
<testcase classname="tests.clubs.test_clubs" name="test_ill[de]" file="tests/clubs/test_clubs.py"><failure/></testcase>
<testcase classname="tests.test_german" name="test_ill" file="tests/test_german.py"><error/></testcase>
<testcase classname="" name="tests.test_uploads"><error/></testcase>
<testcase classname="tests.test_german" name="test_left_out" file="tests/test_german.py"><skipped/></testcase>
</testsuite></testsuites>"""


def test_what_failed_is_told_by_the_names_pytest_takes(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(REPORT)

    outcome = read_outcome("SQLite", 1, report)

    assert not outcome.is_good
    assert str(outcome) == (
        "SQLite: FAILED, 3 of 4: tests/clubs/test_clubs.py::test_ill[de]"
        " tests/test_german.py::test_ill tests.test_uploads"
    )


def test_a_pytest_that_broke_down_has_not_passed(tmp_path):
    outcome = read_outcome("SQLite", 3, tmp_path / "never-written.xml")

    assert not outcome.is_good
    assert str(outcome) == "SQLite: FAILED, pytest gave up with status 3"


@pytest.mark.parametrize("status", [0, 5])
def test_that_no_test_ran_is_a_failure(tmp_path, status):
    report = tmp_path / "report.xml"
    report.write_text("<testsuites><testsuite/></testsuites>")

    outcome = read_outcome("PostgreSQL", status, report)

    assert not outcome.is_good
    assert str(outcome) == "PostgreSQL: FAILED, no test ran"


@pytest.mark.parametrize(
    ("sqlite", "postgres", "status", "said"),
    [
        (Outcome("SQLite", 9), Outcome("PostgreSQL", 5), 0, "SQLite: passed\nPostgreSQL: passed"),
        (
            Outcome("SQLite", 9, ("a.py::test_a",), 1),
            Outcome("PostgreSQL", 5),
            1,
            "PostgreSQL: passed\nSQLite: FAILED, 1 of 9: a.py::test_a",
        ),
        (
            Outcome("SQLite", 9),
            Outcome("PostgreSQL", 5, ("b.py::test_b", "b.py::test_c"), 1),
            1,
            "SQLite: passed\nPostgreSQL: FAILED, 2 of 5: b.py::test_b b.py::test_c",
        ),
        (
            Outcome("SQLite", 9),
            Outcome("PostgreSQL", not_run="no initdb found"),
            0,
            "SQLite: passed\nPostgreSQL: not run, no initdb found",
        ),
        (
            Outcome("SQLite", 9),
            Outcome("PostgreSQL", broken="its server did not start"),
            1,
            "SQLite: passed\nPostgreSQL: FAILED, its server did not start",
        ),
    ],
)
def test_both_databases_have_their_turn_and_their_line(
    monkeypatch, capsys, sqlite, postgres, status, said
):
    monkeypatch.setenv("CI", "1")
    monkeypatch.setattr(run, "run", lambda database, *arguments, **environment: sqlite)
    monkeypatch.setattr(run, "run_on_postgres", lambda: postgres)

    assert run.main() == status
    assert capsys.readouterr().out == f"==\n{said}\n"


def test_a_folder_that_runs_on_both_has_to_be_there(monkeypatch):
    monkeypatch.setattr(run, "ON_BOTH", ["tests/clubs", "tests/renamed"])

    outcome = run.run_on_postgres()

    assert str(outcome) == "PostgreSQL: FAILED, there is no tests/renamed"


#: what a database does in its own way
OF_A_DATABASE = re.compile(r"transaction=True|tests\.together|\.together import")


def test_what_a_database_does_in_its_own_way_runs_on_both():
    found = [
        str(path.relative_to(TESTS.parent))
        for path in TESTS.rglob("test_*.py")
        if path.parent.name != "browser" and OF_A_DATABASE.search(path.read_text())
    ]

    assert len(found) > 10
    assert [item for item in found if not item.startswith(tuple(run.ON_BOTH))] == [
        "tests/test_run.py"  # which names it
    ]


@pytest.mark.parametrize(("ci", "is_good"), [("", True), ("1", False)])
def test_a_machine_without_a_server_says_so_and_is_an_error_in_ci(monkeypatch, ci, is_good):
    def cluster():
        raise NoServer("no initdb found")

    monkeypatch.setattr(run, "cluster", cluster)
    monkeypatch.setenv("CI", ci)

    outcome = run.run_on_postgres()

    verdict = "not run" if is_good else "FAILED"
    assert str(outcome) == f"PostgreSQL: {verdict}, no initdb found"
    assert outcome.is_good == is_good


def test_who_is_asked_to_stop_leaves_no_server_behind(monkeypatch):
    stopped = []

    @contextmanager
    def server():
        try:
            yield "postgres://nobody@nowhere/none"
        finally:
            stopped.append("server")

    usual = signal.getsignal(signal.SIGTERM)
    monkeypatch.setenv("CI", "1")
    monkeypatch.setattr(run, "cluster", server)
    monkeypatch.setattr(
        run,
        "run",
        lambda database, *_, **__: (
            Outcome(database, 9) if database == "SQLite" else os.kill(os.getpid(), signal.SIGTERM)
        ),
    )
    try:
        with pytest.raises(SystemExit) as ended:
            run.main()
    finally:
        signal.signal(signal.SIGTERM, usual)

    assert (ended.value.code, stopped) == (128 + signal.SIGTERM, ["server"])

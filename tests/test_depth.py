"""`make test` runs a sample that changes by day; CI=1 and a change that touches a file leave nothing of it out."""

from types import SimpleNamespace

import pytest

from tests import depth, run
from tests.run import Outcome

SLOW, QUICK, ENGINES = "tests/test_slow.py", "tests/test_quick.py", depth.ONLY_WHEN_TOUCHED[0]
ITEMS = [(file, number) for file in (SLOW, QUICK, ENGINES) for number in range(10)]

#: the tests that are marked, with their marks
GUARDS = {(SLOW, 4): {"guard": pytest.mark.guard}}


@pytest.fixture
def selected(monkeypatch, tmp_path):
    """Return a function that says which items a run has, by file and number."""
    monkeypatch.setattr(depth, "known", lambda: {SLOW: 3.0, ENGINES: 1.0})
    monkeypatch.setattr(depth, "shares", lambda seconds: {SLOW: 3, ENGINES: 1})
    config = SimpleNamespace(hook=SimpleNamespace(pytest_deselected=lambda items: None))

    def select(ci="", **sample):
        monkeypatch.setenv("CI", ci)
        for name, value in {"LEFT_OUT": str(tmp_path / "left"), **sample}.items():
            monkeypatch.setenv(name, value)
        items = [
            SimpleNamespace(
                location=(file, number, ""), get_closest_marker=GUARDS.get((file, number), {}).get
            )
            for file, number in ITEMS
        ]
        depth.pytest_collection_modifyitems(config, items)
        return [item.location[:2] for item in items]

    return select


def test_with_ci_nothing_is_left_out(selected):
    assert selected(ci="1") == ITEMS


def test_tests_of_a_slow_file_take_turns_and_guards_and_quick_files_run_every_day(
    selected, tmp_path
):
    days = [selected(DAY=str(day), WHOLE_FILES="") for day in (5, 6, 7)]

    assert sorted(item for day in days for item in {*day} - {*GUARDS} if item[0] == SLOW) == [
        item for item in ITEMS[:10] if item not in GUARDS
    ]
    assert all({*GUARDS} <= {*day} for day in days)
    assert all([item for item in day if item[0] != SLOW] == ITEMS[10:20] for day in days)
    assert selected(DAY="8", WHOLE_FILES="") == days[0]
    assert (tmp_path / "left").read_text() == f"{len(ITEMS) - len(days[0])} of {len(ITEMS)}"


def test_files_that_a_change_touches_run_whole(selected):
    assert selected(DAY="5", WHOLE_FILES=f"{SLOW} {ENGINES}") == ITEMS


@pytest.mark.parametrize(
    ("path", "touches"),
    [
        ("bridgebuddy/events/migrations/0001_initial.py", True),
        ("bridgebuddy/events/models/entries.py", True),
        ("bridgebuddy/operations/migration_lock.py", True),
        ("bridgebuddy/operations/call_stack.py", False),
        ("requirements.lock", True),
        ("tests/factories.py", False),
        ("static/js/phone.js", False),
        ("bridgebuddy/gone.py", False),
    ],
)
def test_what_touches_the_database_runs_on_postgresql(path, touches):
    assert depth.touches_database([path]) is touches


@pytest.fixture
def runs(monkeypatch):
    """Return the arguments with which `run.main` starts pytest, by database."""
    found = {}

    def note(database, *arguments, **environment):
        found[database] = arguments
        return Outcome(database, 9)

    monkeypatch.setattr(run, "run", note)
    monkeypatch.setattr(run, "run_on_postgres", lambda *more, **env: note("PostgreSQL", *more))
    monkeypatch.setattr("sys.argv", ["run"])
    return found


def test_ci_runs_both_databases_without_the_sample(runs, monkeypatch, capsys):
    monkeypatch.setenv("CI", "1")

    assert run.main() == 0
    assert runs == {"SQLite": (), "PostgreSQL": ()}
    assert capsys.readouterr().out == "==\nSQLite: passed\nPostgreSQL: passed\n"


@pytest.mark.parametrize("is_of_database", [False, True])
def test_a_sample_says_what_it_left_out_and_how_to_run_it(
    runs, monkeypatch, capsys, is_of_database
):
    monkeypatch.delenv("CI", raising=False)
    sample = depth.Sample(7, (SLOW,), is_of_database)
    monkeypatch.setattr(depth.Sample, "of_today", lambda: sample)

    assert run.main() == 0
    said = capsys.readouterr().out
    assert runs["SQLite"] == ("-p", "tests.depth")
    assert ("PostgreSQL" in runs) is is_of_database
    assert "`CI=1 make test` runs everything, `DAY=7 make test` this sample again." in said
    assert f"Run whole, as the change touches them: {SLOW}" in said


def test_a_copy_without_history_has_a_sample(monkeypatch):
    monkeypatch.setenv("DAY", "7")
    monkeypatch.setenv("BASE", "no-such-commit")

    assert depth.Sample.of_today() == depth.Sample(7)

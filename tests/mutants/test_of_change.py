"""Lines that a change touches, the mutants to try, and the limit of too few noticed ones."""

import subprocess

import pytest

from .of_change import ENOUGH, MOST_LINES, changed_lines, commit, is_good, is_small

FIRST = "one = 1\ntwo = 2\nthree = 3\n"


@pytest.fixture
def git(tmp_path):
    def run(*asked):
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *asked], cwd=tmp_path, check=True, capture_output=True)

    run("init", "-q")
    (tmp_path / "a.py").write_text(FIRST)
    (tmp_path / "gone.py").write_text(FIRST)
    run("add", ".")
    run("commit", "-qm", "first")
    return run


def test_lines_that_were_changed_or_are_new_are_those_of_today(git, tmp_path):
    (tmp_path / "a.py").write_text("zero = 0\none = 1\ntwo = 22\n")
    (tmp_path / "b.py").write_text("x = 1\ny = 2\n")
    (tmp_path / "b.txt").write_text("no program\n")
    (tmp_path / "gone.py").unlink()
    git("add", ".")
    git("commit", "-qm", "second")
    (tmp_path / "b.py").write_text("x = 1\ny = 2\nz = 3\n")  # not committed yet

    found = changed_lines(commit("HEAD^", tmp_path), tmp_path)

    assert found == {"a.py": [1, 3], "b.py": [1, 2, 3]}


def test_a_clone_without_history_has_nothing_to_compare_with(git, tmp_path):
    (tmp_path / "elsewhere").mkdir()

    assert commit("HEAD", tmp_path)
    assert commit("HEAD^", tmp_path) == ""
    assert commit("HEAD^", tmp_path / "away") == ""


@pytest.mark.parametrize(
    ("tried", "noticed", "expected"),
    [(0, 0, True), (ENOUGH - 1, 0, True), (ENOUGH, 12, True), (ENOUGH, 11, False)],
)
def test_it_fails_where_too_few_of_enough_are_noticed(tried, noticed, expected):
    assert is_good(tried, noticed) == expected


def test_a_sample_stands_for_a_change_that_is_not_too_large():
    lines = [*range(MOST_LINES)]

    assert is_small(
        {"movements/engine/laws/boards.py": lines, "tests/test_laws.py": lines, "manage.py": lines}
    )
    assert not is_small({"movements/engine/laws/boards.py": lines, "bridgebuddy/urls.py": [1]})

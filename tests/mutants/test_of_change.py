"""Which lines a change touches, what is tried of them, and when it is too little that tests notice."""

import subprocess

import pytest

from .modules import Module
from .of_change import ENOUGH, MOST_LINES, changed_lines, chosen, commit, is_good, is_small
from .tool import drawn

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


ONE = Module(("app/one.py",), ("tests/test_one.py",), ("slow",))
TWO = Module(("app/two*.py",), ("tests/test_two.py", "tests/test_both.py"))


@pytest.mark.parametrize(
    ("seconds", "files", "left"),
    [
        ({}, ("app/two_b.py", "app/one.py"), ()),
        ({"tests/test_one.py": 39.0}, ("app/two_b.py",), ("app/one.py",)),
        ({"tests/test_both.py": 100.0}, ("app/two_b.py",), ("app/one.py",)),
    ],
)
def test_modules_are_tried_in_which_most_is_changed_as_long_as_their_tests_are_quick(
    seconds, files, left
):
    lines = {"app/one.py": [1], "app/two_b.py": [3, 4], "app/three.py": [9], "tests/test_x.py": [1]}

    found = chosen(lines, seconds, (ONE, TWO))

    assert (found.module.files, found.left, found.without) == (files, left, ("app/three.py",))
    assert found.module.tests[:2] == TWO.tests
    assert found.module.but == (("slow",) if "app/one.py" in files else ())


def test_it_fails_where_too_few_of_enough_are_noticed():
    def of(killed, lived):
        return {f"{n}": 1 for n in range(killed)} | {f"-{n}": 0 for n in range(lived)}

    assert is_good({})
    assert is_good(of(0, ENOUGH - 1))
    assert is_good(of(12, 8))
    assert not is_good(of(11, 9))


def test_a_sample_stands_for_a_change_that_is_not_too_large():
    lines = [*range(MOST_LINES)]

    assert is_small({"movements/engine/laws/boards.py": lines, "tests/test_laws.py": lines})
    assert not is_small({"movements/engine/laws/boards.py": lines, "manage.py": [1]})


def test_a_sample_is_always_the_same_whatever_comes_first():
    keys = [f"x_{n}" for n in range(100)]

    assert drawn("", keys, "24 1") == drawn("", reversed(keys), "24 1")
    assert len(drawn("", keys, "24 1")) == 24

"""Random faults: the changed text, the tests that should notice it, and a check that some do."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..faults.data import ROOT
from ..faults.exchange import NotInFunctions, exchange
from .mutations import mutants_of_file
from .trying import BUDGET, nearest_tests, sample, text_of

TEXT = '''
LIMIT = 3


def first(a: "int" = 1) -> int:
    """Return 3."""
    return a


class Box:
    @property
    def size(self):
        if self.full and not self.open:
            log(self, kind="x")
        return f"{1 + 1}" if self.count < LIMIT else {
            "Ä": self.count + 1
        }


def second(given):
    match given:
        case {"box": 1}:
            return None
'''


def changes_in(text, lines=None):
    return [
        (mutant.function, mutant.old, mutant.new)
        for mutant in mutants_of_file("x.py", text, (), lines)
    ]


def test_operators_conditions_numbers_arguments_and_statements_become_others():
    assert changes_in(TEXT) == [
        ("first", "return a", "return None"),
        ("Box.size", "self.full and not self.open", "not (self.full and (not self.open))"),
        ("Box.size", "self.full and not self.open", "self.full or not self.open"),
        ("Box.size", "not self.open", "self.open"),
        ("Box.size", 'log(self, kind="x")', "pass"),
        ("Box.size", 'log(self, kind="x")', "log(self)"),
        ("Box.size", '"x"', "'x_'"),
        (
            "Box.size",
            'return f"{1 + 1}" if self.count < LIMIT else { "Ä": self.count + 1 }',
            "return None",
        ),
        ("Box.size", "self.count < LIMIT", "self.count <= LIMIT"),
        ("Box.size", '"Ä"', "'Ä_'"),
        ("Box.size", "self.count + 1", "self.count - 1"),
        ("Box.size", "1", "2"),
    ]


def test_of_some_lines_only_those_are_changed():
    assert changes_in(TEXT, [7]) == [("first", "return a", "return None")]


@pytest.mark.parametrize(
    "path",
    [
        "movements/engine/boards.py",
        "bridgebuddy/scoring/words.py",
        "bridgebuddy/money/rules/ledger.py",
    ],
)
def test_a_changed_text_is_a_program(path):
    text = text_of(path)

    for mutant in mutants_of_file(path, text):
        assert ast.dump(ast.parse(mutant.text)) != ast.dump(ast.parse(text)), str(mutant)


def test_a_sample_is_always_the_same():
    assert sample(range(100), 24, 1) == sample(range(100), 24, 1) != sample(range(100), 24, 2)
    assert sample(range(3), 24, 1) == [0, 1, 2]


def test_the_nearest_tests_are_chosen_within_a_time_and_without_browsers():
    texts = dict.fromkeys(
        [
            "tests/a/test_box.py",
            "tests/browser/test_box.py",
            "tests/a/test_slow.py",
            "tests/a/test_y.py",
        ],
        "from app.box import Box",
    )
    texts["tests/a/test_y.py"] = "nothing"

    found = nearest_tests(
        "app/box.py", texts, {"tests/a/test_slow.py": BUDGET, "tests/a/test_box.py": 1.0}
    )

    assert found == ("a/test_box.py",)
    assert nearest_tests("app/box.py", texts, {"tests/a/test_slow.py": BUDGET - 1}) == (
        "a/test_box.py",
        "a/test_slow.py",
    )


def test_faults_are_tried_on_the_tests_that_call_them():
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.mutants",
            "movements/engine/session_breaks.py",
            "--sample",
            "3",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )

    assert ran.returncode == 0, ran.stderr
    assert re.search(r"[23] of   3 noticed  movements/engine/session_breaks.py", ran.stdout)


class _Base:
    def size(self):
        return 1


class _Larger(_Base):
    def size(self):
        return super().size() + 1


def test_a_function_that_would_lose_a_variable_around_it_is_left_as_it_is():
    file = Path(__file__)
    text = file.read_text(encoding="utf-8")

    with pytest.raises(NotInFunctions):
        exchange(file, text.replace("return super().size() + 1", "return 7", 1))
    assert _Larger().size() == 2
    exchange(file, text.replace("super().size() + 1", "super().size() + 2", 1))
    assert _Larger().size() == 3


def _removed():
    return "removed"


del _removed


def test_a_function_that_is_not_in_memory_is_left_to_a_process_of_its_own():
    file = Path(__file__)
    text = file.read_text(encoding="utf-8")

    with pytest.raises(NotInFunctions):
        exchange(file, text.replace('return "removed"', 'return "changed"', 1))


def test_a_module_that_no_test_loads_is_not_tried():
    ran = subprocess.run(
        [sys.executable, "-c", NOT_LOADED], cwd=ROOT, capture_output=True, text=True
    )

    assert ran.stdout.splitlines()[-1] == "0 0", ran.stderr


NOT_LOADED = """
from tests.mutants.mutations import mutants_of_file
from tests.mutants.trying import text_of, try_mutants
path = "bridgebuddy/scoring/management/commands/deals.py"
tried = try_mutants(list(mutants_of_file(path, text_of(path), ("engine/test_session_breaks.py",)))[:1])
print(len(tried.mutants), tried.noticed_count)
"""

"""The list of cited laws in the docs: the numbers of the guide, all of them and no others."""

import re
from pathlib import Path

from bridgebuddy.rulings.guide import steps_of_subject
from bridgebuddy.rulings.subjects import SUBJECTS

from .test_guide import laws_of

PAGE = Path(__file__).parents[2] / "docs" / "director" / "laws.md"
ROW = re.compile(r"^\| (\d\S*) \| (.+) \| (\S+) \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8"))
STEP = re.compile(r"\d+|[A-Z]|\(\w+\)")
LONGEST = 20


def order_of(law):
    """Return the key by which a law stands in the law book: "27B1(a)" as 27, B, 1, (a)."""
    return [
        (step.isdigit(), int(step) if step.isdigit() else 0, step) for step in STEP.findall(law)
    ]


def test_the_list_has_each_law_that_the_guide_cites_and_no_other():
    cited = {
        law
        for subject in SUBJECTS
        for place in steps_of_subject(subject)
        for law in laws_of(place.step)
    }

    assert {law for law, _says, _compared in ROWS} ^ cited == set()


def test_the_list_stands_in_the_order_of_the_law_book():
    numbers = [law for law, _says, _compared in ROWS]

    assert numbers == sorted(set(numbers), key=order_of)


def test_each_row_says_something_short_and_whether_it_was_compared():
    for law, says, compared in ROWS:
        assert 3 <= len(says.split()) <= LONGEST, law
        assert compared in ("yes", "part", "open"), law


def test_the_page_says_what_its_marks_mean():
    text = PAGE.read_text(encoding="utf-8").split("| Law |")[0]

    for mark in {compared for _law, _says, compared in ROWS}:
        assert re.search(rf"\*{mark}\* means", text, re.IGNORECASE), mark

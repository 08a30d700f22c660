"""The lists of CONTRIBUTING: who adds something in one place is told by name which file lacks it."""

import re
from pathlib import Path
from typing import get_args

import pytest
from django.conf import settings

from bridgebuddy.director.changes.wishes import WISHES
from bridgebuddy.director.changes.words import WORDS_BY_KIND
from bridgebuddy.director.results.ranking_page.publish import FILES
from bridgebuddy.director.results.ranking_page.ranking import OF_PAIRS, OF_TEAMS
from bridgebuddy.printing.sheets import SHEETS as PRINTED
from bridgebuddy.scoring import words as scoring_words
from bridgebuddy.scoring.rules.files import pbn, usebio
from bridgebuddy.scoring.rules.files.catalogue import FORMATS
from bridgebuddy.scoring.rules.profile import METHODS
from bridgebuddy.seasons.rules.totals import RULES
from movements.engine.catalogue import FAMILIES
from movements.engine.changes.proposal import Kind
from tests.director.reading import ANSWERS as READ_ANSWERS
from tests.engine.test_catalogue import NAMES
from tests.lists import difference
from tests.pages.addresses import ANSWERS
from tests.printing.test_pages import SHEETS
from tests.seasons.recount import TOTALS as RECOUNTED

ROOT = Path(__file__).parents[1]
#: sheets of deals and of draws, which have tests of their own
OTHER_SHEETS = ("deal-slips", "draw", "draw-slips")
#: what is listed, the names it must have, the names it has, and where
LISTS = {
    "movement": (
        [family.name for family in FAMILIES],
        NAMES,
        "NAMES in tests/engine/test_catalogue.py",
    ),
    "live change": (
        get_args(Kind),
        WORDS_BY_KIND,
        "WORDS_BY_KIND in bridgebuddy/director/changes/words.py",
    ),
    "live change, its answer": (
        WISHES,
        ANSWERS,
        "ANSWERS in tests/pages/addresses.py",
    ),
    "live change, its answer for 16 pairs": (
        WISHES,
        READ_ANSWERS,
        "ANSWERS in tests/director/reading.py",
    ),
    "method, its name": (
        METHODS,
        (name for name in scoring_words.METHODS if name != "ascherman"),
        "METHODS in bridgebuddy/scoring/words.py",
    ),
    "method, for directors": (
        METHODS,
        ({*OF_PAIRS, *OF_TEAMS} & {*METHODS}),
        "OF_PAIRS or OF_TEAMS in bridgebuddy/director/results/ranking_page/ranking.py",
    ),
    "championship rule": (RULES, RECOUNTED, "TOTALS in tests/seasons/recount.py"),
    "file format": (
        {*FORMATS} - {"csv"},
        {*FILES} - {"csv"},
        "FILES in bridgebuddy/director/results/ranking_page/publish.py",
    ),
    "sheet": (
        [n for n, sheet in PRINTED.items() if not sheet.is_of_results and n not in OTHER_SHEETS],
        SHEETS,
        "SHEETS in tests/printing/test_pages.py",
    ),
    "language": (
        [code for code, _name in settings.LANGUAGES if code != "en"],
        [path.name for path in (ROOT / "bridgebuddy" / "locale").iterdir() if path.is_dir()],
        "bridgebuddy/locale",
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_each_list_has_every_name(name):
    wanted, listed, where = LISTS[name]

    assert difference(wanted, listed, where) == []


@pytest.mark.parametrize(
    ("named", "where"),
    [(pbn.SCORING, "SCORING in …/files/pbn.py"), (usebio.METHODS, "METHODS in …/files/usebio.py")],
    ids=["pbn", "usebio"],
)
def test_every_method_has_a_name_in_other_programs(named, where):
    missing = difference(METHODS, [name for name in named if name in METHODS], where)

    assert missing == []


def test_every_list_of_contributing_names_a_test_that_exists():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    sections = re.split(r"^## Add an? ", text, flags=re.MULTILINE)[1:]

    lacking = []
    for section in sections:
        tests = [ROOT / path for path in re.findall(r"tests/[\w/]+\.py", section)]
        if not any(path.exists() for path in tests):
            lacking.append(section.splitlines()[0])

    assert lacking == []

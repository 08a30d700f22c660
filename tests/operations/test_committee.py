"""The promises of the pages for a club's committee hold in the program, in both languages."""

import re

import pytest

from bridgebuddy.clubs.forms import USUAL_MONTHS
from bridgebuddy.clubs.sign_in.security import KEPT
from bridgebuddy.events.code_limits import COOKIE_AGE
from bridgebuddy.operations.backups import COPIES_KEPT
from bridgebuddy.scoring.rules.files.catalogue import FORMATS
from tests.security.servers import ROOT

CLUB = ROOT / "docs" / "club"
PAGES = {"data-protection": "days", "datenschutz": "Tage"}
DAY = 24 * 3600  # seconds


@pytest.mark.parametrize(("page", "days"), PAGES.items())
def test_a_page_says_the_times_that_the_program_keeps(page, days):
    text = (CLUB / f"{page}.md").read_text()

    assert f"{USUAL_MONTHS} " in text
    for time in (KEPT.days, COOKIE_AGE // DAY, COPIES_KEPT):
        assert f"| {time} {days} |" in text
    assert {name for name, item in FORMATS.items() if item.is_public} == {
        "bridgewebs",
        "pbn",
        "text",
    }
    assert "BridgeWebs" in text


def test_both_languages_say_the_same_in_the_same_places():
    def form(text):
        lines = text.splitlines()
        return [
            re.match(r"#+|\||- |", line)[0] + "|" * line.count("|")
            for line in lines
            if line[:1] in "#|-"
        ]

    english, german = ((CLUB / f"{page}.md").read_text() for page in PAGES)

    assert form(english) == form(german)

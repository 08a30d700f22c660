"""Slips by which boards are dealt by hand, and hand records to take home."""

import pytest

from bridgebuddy.deals.models import DoubleDummy
from bridgebuddy.scoring.models import DealGeneration
from bridgebuddy.scoring.services.cards.dealing import begin_dealing, deal_boards
from tests.factories import director_of, section_with
from tests.scoring.test_dealing import played

pytestmark = pytest.mark.django_db


def test_slips_are_printed_once_the_boards_are_dealt(pdf, signed_in):
    section = section_with(8, "howell")
    director = director_of(section.club)
    begin_dealing(section, range(1, 8), by=None)
    preview = f"/s/{section.code}/print/deal-slips.html"
    assert signed_in(director).get(preview).status_code == 422
    deal_boards(section, by=None)

    pages = [page.extract_text() for page in pdf(director, section, "deal-slips.pdf").pages]

    assert len(pages) == 4  # seven boards, four on a page, of each slip
    assert "Board 1, first slip" in pages[0]
    assert "Board 1, second slip" in pages[1]
    assert "Board 7, second slip" in pages[3]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_hand_records_have_the_boards_that_nobody_plays_any_more(pdf, paper):
    section = played()
    pbn = DealGeneration.objects.get().deals[1]
    DoubleDummy.objects.create(deal=pbn, tricks="77777111117777711111")

    file = pdf(director_of(section.club), section, f"hand-records.pdf?paper={paper}")

    text = file.pages[0].extract_text()
    assert len(file.pages) == 1
    assert text.count("dealer ") == 3
    assert "Best for both:" in text

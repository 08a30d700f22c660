"""A browser's print of a page: every list has all the entries of the screen."""

import re
from datetime import timedelta
from difflib import SequenceMatcher
from io import BytesIO

import pytest
from django.utils import timezone
from playwright.sync_api import expect
from pypdf import PdfReader

from bridgebuddy.scoring.services import publishing
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import enter_by_chance

from .conftest import DESKTOP, sign_in, wait_for_fonts
from .test_drawn_pages import measured

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

A4 = (718, 1040)  # what a page leaves of it, in the pixels of a browser
INK = "(all) => [...new Set(all.map((one) => getComputedStyle(one).color))]"


def test_numbers_of_pairs_are_black_on_white(page):
    section = section_with(10, "mitchell", round=5)
    enter_by_chance(section)
    user = director_of(section.club)
    publishing.publish_results(section, by=user)
    opened = page(A4)
    sign_in(opened, user)
    opened.emulate_media(media="print")

    for address in (f"/s/{section.code}/results/ranking/", f"/r/{section.session.scoring.token}/"):
        opened.goto(address)
        assert opened.locator("main .pair:visible").evaluate_all(INK) == ["rgb(0, 0, 0)"]


def test_what_is_chosen_in_a_table_is_printed_with_it(page):
    section = section_with(10, "mitchell")
    section.session.date = timezone.localdate() + timedelta(days=3)
    section.session.save()
    user = director_of(section.club)
    opened = page(A4)
    sign_in(opened, user)
    opened.goto(f"/clubs/{section.club.pk}/weeks/")
    directs = opened.locator("td select")
    directs.select_option(index=1)

    opened.emulate_media(media="print")

    expect(directs).to_be_visible()
    expect(opened.locator("td input:visible")).to_have_count(2)  # host and price
    expect(opened.get_by_role("button", name="Save")).to_be_hidden()


def test_a_roster_is_a_line_for_each(page):
    section = section_with(10, "mitchell", round=1)
    opened = page(A4)
    sign_in(opened, director_of(section.club))
    opened.goto(f"/clubs/{section.club.pk}/players/?all=1")

    opened.emulate_media(media="print")

    rows = opened.locator(".roster tbody tr")
    assert rows.count() == 20
    assert max(row.bounding_box()["height"] for row in rows.all()) < 34
    expect(opened.get_by_role("columnheader", name="Last played")).to_be_visible()


@pytest.mark.parametrize("width", [1190, DESKTOP[0]])
def test_other_ways_to_play_stand_beside_the_question_in_german_too(page, width):
    section = section_with(9)
    opened = page(DESKTOP, locale="de-DE")
    sign_in(opened, director_of(section.club))
    opened.goto(f"/s/{section.code}/movement/")
    measured(opened, (width, DESKTOP[1]))

    swiss = opened.get_by_role("link", name="Schweizer System").bounding_box()
    asked = opened.get_by_role("heading", level=1).bounding_box()

    assert (swiss["y"] < asked["y"] + asked["height"], swiss["x"] > width / 2) == (True, True)


#: sheets of one evening that show every kind of layout: grids, cards, slips, landscape
PRINTED = ("seating", "table-cards", "guide-cards", "master", "score-slips", "tent-cards")


def words_on(page) -> list[str]:
    """Return the characters of a page in no order, without spaces: programs write columns in orders of their own.

    The foot of a landscape page is left out (a browser knows no `string()`), and so is where a name is cut short.
    """
    text = re.sub(r"\s+|…", "", page.extract_text())
    return sorted(text)


def test_the_browser_prints_the_pages_that_weasyprint_makes(page):
    section = section_with(14, "mitchell")
    screen = page()
    sign_in(screen, director_of(section.club))
    for sheet in PRINTED:
        address = f"/s/{section.code}/print/{sheet}"
        made = PdfReader(BytesIO(screen.request.get(f"{address}.pdf").body()))

        screen.goto(f"{address}.html")
        wait_for_fonts(screen)
        pdf = screen.pdf(prefer_css_page_size=True, print_background=True)
        printed = PdfReader(BytesIO(pdf))

        assert len(printed.pages) == len(made.pages), sheet
        for ours, theirs in zip(made.pages, printed.pages, strict=True):
            assert size_of(theirs) == size_of(ours), sheet
            matcher = SequenceMatcher(None, words_on(ours), words_on(theirs), autojunk=False)
            assert matcher.ratio() > 0.9, sheet


def size_of(page) -> list[int]:
    return [round(float(edge)) for edge in page.mediabox]

"""Measurable promises of the drawings of pages: heights, numbers of words and of buttons."""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from bridgebuddy.events.services.play import rounds
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import enter_by_chance

from .conftest import DESKTOP, sign_in, wait_for_fonts

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLET_ACROSS, PHONE = (1024, 768), (375, 667)
MEASURE = """(within) => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 1;
  const all = (what) => [...document.querySelectorAll(what)].filter(seen);
  const texts = () => {
    const walk = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT);
    const found = [];
    while (walk.nextNode()) {
      const around = walk.currentNode.parentElement;
      if (seen(around) && !around.closest(".sr, option, script, svg")) found.push(walk.currentNode.data);
    }
    return found;
  };
  return {
    height: document.documentElement.scrollHeight,
    words: texts().join(" ").split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length,
    buttons: all("main .btn").length,
    filled: all("main .btn.primary").length,
  };
}"""


@dataclass(frozen=True)
class PageMeasures:
    """A page as it is seen."""

    height: int
    words: int
    buttons: int
    filled: int


def measured(page: Page, size: tuple[int, int] = DESKTOP, within: str = "body") -> PageMeasures:
    """Measure a page that does not scroll sideways; words are those `within` an element."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    wait_for_fonts(page)
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    return PageMeasures(**page.evaluate(MEASURE, within))


def bottom_of(page: Page, what: str) -> float:
    box = page.locator(what).first.bounding_box()
    return box["y"] + box["height"]


@pytest.fixture
def visitor(page):
    """Open pages as a given user."""

    def visit(user, address: str, size: tuple[int, int] = DESKTOP, **options) -> Page:
        opened = page(size, **options)
        sign_in(opened, user)
        opened.goto(address)
        return opened

    return visit


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_all_kinds_of_paper_are_on_one_screen_with_one_button(visitor, transactional_db, locale):
    section = section_with(15, "skip-mitchell")
    user = director_of(section.club)

    page = visitor(user, f"/s/{section.code}/print/", locale=locale)
    measures = measured(page)

    assert page.locator(".sheetcard").count() >= 11
    assert bottom_of(page, ".sheetgrid") <= 800
    assert (measures.filled, measures.buttons) == (1, 1)
    assert measures.words <= 110
    assert bottom_of(page, ".goprint .btn") <= 800
    measured(page, TABLET_ACROSS)
    measured(page, PHONE)
    assert bottom_of(page, ".goprint .btn") <= 667


def test_a_tick_is_counted_on_the_button(visitor, transactional_db):
    section = section_with(16, "skip-mitchell")
    page = visitor(director_of(section.club), f"/s/{section.code}/print/")
    button = page.locator(".goprint .btn")
    expect(button).to_have_text(re.compile("Print 22 sheets"))

    page.get_by_role("checkbox", name="Poster").check()

    expect(button).to_have_text(re.compile("Print 23 sheets"))
    expect(page.get_by_role("checkbox", name="Poster")).to_be_checked()


def test_after_the_end_the_ranking_is_ticked_and_the_files_are_in_one_line(
    visitor, transactional_db
):
    section = section_with(8, "howell", round=7)
    user = director_of(section.club)
    enter_by_chance(section)
    rounds.finish_session(section, round=7, by=user)

    page = visitor(user, f"/s/{section.code}/print/")
    measures = measured(page)

    expect(page.locator(".phases [aria-current]")).to_have_text("After")
    expect(page.get_by_label("Ranking")).to_be_checked()
    assert (measures.filled, measures.height) == (1, 800)
    assert measures.buttons <= 8
    assert measures.words <= 110


@pytest.mark.parametrize(
    ("movement", "key"),
    [
        ("mitchell/7", ["East-West", "boards"]),
        ("howell/5", ["one pair follows another"]),
        ("crisscross/8", ["East-West", "boards"]),
    ],
)
def test_the_key_beside_a_movement_has_what_is_in_its_picture(page, movement, key):
    opened = page(DESKTOP)

    opened.goto(f"/movements/{movement}/")

    expect(opened.locator(".ringkey > span:visible")).to_have_text(key)

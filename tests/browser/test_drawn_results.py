"""Measurable promises of the drawings of pages of results."""

import itertools

import pytest
from playwright.sync_api import expect

from bridgebuddy.scoring.services import publishing
from tests.director.test_results_journey import truth
from tests.factories import director_of, section_with
from tests.scoring.test_doubts import written_down

from .conftest import DESKTOP, PHONE, sign_in
from .test_drawn_pages import TABLET_ACROSS, bottom_of, measured

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_result_is_put_right_by_two_presses_and_a_line(page, transactional_db):
    section = written_down(section_with(14, "mitchell", round=7), truth)
    desk = page()
    sign_in(desk, director_of(section.club))
    desk.goto(f"/s/{section.code}/results/board/5/")

    desk.get_by_role("link", name="Change").nth(2).click()
    line = desk.get_by_label("Correct result")
    expect(line).to_be_focused()
    desk.keyboard.type("7nn=")  # typed over what stands
    expect(desk.locator("#says")).to_contain_text("13 tricks")
    expect(desk.locator("#does ins").first).to_be_visible()
    for size in (None, TABLET_ACROSS, PHONE):
        measures = measured(desk, *filter(None, [size]))
        assert bottom_of(desk, "#store") <= desk.viewport_size["height"]
    sheet = desk.get_by_role("dialog")
    assert sheet.locator(".btn:visible").count() <= 4
    assert sheet.locator(".btn.primary:visible").count() == 1
    assert sheet.locator("input:not([type=hidden])").count() == 1
    assert measures.filled == 1

    desk.get_by_role("button", name="Save 7").click()
    expect(sheet).to_have_count(0)
    expect(desk.locator(".traveller")).to_contain_text("corrected")
    measured(desk, PHONE)  # there a contract leads to its sheet
    desk.locator(".traveller .tochange").first.click()
    expect(desk.get_by_label("Correct result")).to_be_focused()


BROKEN = """() => [...document.querySelectorAll(".rank4 .nm")].filter((one) => {
  const names = [...one.querySelectorAll(".who")].map((name) => name.getBoundingClientRect());
  return new Set(names.map((name) => Math.round(name.top))).size > 1 || names.some((name) => name.height > 30);
}).length"""


#: a list as clubs have it: couples, names of two words, a list too long for its size
NAMES = (
    ("Hannah Brandt", "Karl Frey"),
    ("Helen Hughes", "Mark Collins"),
    ("Ruth Klein", "Otto Klein"),
    ("Pamela Smith-Jones", "Roger Taylor"),
    ("Patricia Evans", "Michael Shaw"),
    ("Ewa Nowak", "Zbigniew Kowalski"),
    ("Mary Fisher", "John Fisher"),
    ("Anna de Vries", "Piet van der Berg"),
)


def named(section):
    """Let people have the names of a drawing."""
    for entry, names in zip(section.entries.all(), itertools.cycle(NAMES), strict=False):
        for person, name in zip(entry.people.all(), names, strict=True):
            person.name = name if entry.position <= len(NAMES) else f"{name[:-1]}{name[-1] * 2}"
            person.save()


@pytest.mark.parametrize(
    ("pairs", "family", "locale", "heights"),
    [(16, "skip-mitchell", "en-GB", (940, 960)), (14, "howell", "de-DE", (960, 960))],
)
def test_the_ranking_is_one_page_with_names_on_a_line(
    page, transactional_db, pairs, family, locale, heights
):
    section = section_with(pairs, family, round=7)
    named(section)
    section = written_down(section, truth)
    desk = page(locale=locale)
    sign_in(desk, director_of(section.club))
    desk.goto(f"/s/{section.code}/results/ranking/")

    for size, high in zip((DESKTOP, TABLET_ACROSS), heights, strict=True):
        measures = measured(desk, size)
        assert measures.height <= high
        assert desk.evaluate(BROKEN) == 0
        assert measures.filled == 1
        assert 3 <= measures.buttons <= 7
    assert bottom_of(desk, ".btn.primary") <= 768
    assert measured(desk, PHONE).height <= 2500
    assert desk.locator(".rank4").count() == 2  # a list alone has the width of the page, too
    desk.locator(".moremenu:not(.asksfirst) summary:not(:has(+ form))").click()
    expect(desk.locator(".moremenu:not(.asksfirst) a")).to_have_count(
        7
    )  # files are folded, not on another page
    desk.keyboard.press("Escape")
    doubt = desk.locator(".doubts a").first
    where = doubt.get_attribute("href").partition("#")[2]
    doubt.click()
    expect(desk.locator(f"#{where}")).to_be_in_viewport()
    desk.locator(f"#{where} a.odd").first.click()
    desk.locator("#sheet input[name=line]").fill("p")
    desk.locator("#store button:enabled").click()
    expect(desk.locator("#sheet[open]")).to_have_count(0)  # the next doubt follows on the page anew
    expect(desk.locator(".odds")).to_be_visible()

    publishing.make_list_final(section, by=None)
    publishing.publish_results(section, by=None)
    desk.goto(f"/s/{section.code}/results/ranking/")
    expect(desk.locator(".steps3 .addr")).to_be_visible()
    for size, high in zip((DESKTOP, TABLET_ACROSS), heights, strict=True):
        measures = measured(desk, size)
        assert (measures.height <= high, measures.filled) == (True, 1), (size, measures)
        assert desk.evaluate(BROKEN) == 0


def test_what_the_federation_is_told_begins_folded_on_a_phone(page, transactional_db):
    section = written_down(section_with(16, "skip-mitchell", round=1), truth)
    phone = page(PHONE)
    sign_in(phone, director_of(section.club))

    phone.goto(f"/s/{section.code}/results/hand-in/")

    assert measured(phone, PHONE).height <= 800
    phone.locator("summary").first.click()
    expect(phone.locator(".numbers input[type=text]").first).to_be_visible()
    assert measured(phone, PHONE).height <= 2_200

"""A handicap evening from nothing: the club says how, a session is given the handicaps, and its list has them."""

import pytest
from playwright.sync_api import expect

from bridgebuddy.clubs.models import Person
from bridgebuddy.scoring.services.classes import store_classes
from bridgebuddy.seasons.models import HandicapRule
from tests.factories import ClubFactory, director_of, section_with
from tests.seasons.evenings import evening

from .conftest import DESKTOP, PHONE, sign_in
from .test_drawn_pages import measured

#: pixels of the page for fourteen pairs; with a line for each field it had 2,955
LONGEST_ON_A_PHONE = 2000
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_handicap_evening_from_nothing(transactional_db, page):
    club = ClubFactory()
    alice = director_of(club)
    for day in ("2026-10-06", "2026-10-13"):
        evening(club, alice, day)
    tonight = evening(club, alice, "2026-10-20", is_final=False)
    browser = page()
    sign_in(browser, alice)

    browser.goto(f"/clubs/{club.pk}/season/")
    browser.locator("summary", has_text="More").click()
    browser.get_by_role("link", name="Handicaps").first.click()
    browser.get_by_text("How they are worked out").click()
    browser.get_by_label("Fewest sessions for a handicap").fill("2")
    browser.get_by_role("button", name="Save").click()
    expect(browser.get_by_role("cell", name="Anna North1", exact=True)).to_be_visible()
    assert HandicapRule.objects.get(club=club).least == 2

    browser.goto(f"/s/{tonight.code}/results/classes/")
    browser.locator("summary", has_text="Handicap").click()
    browser.get_by_role("link", name="The club’s handicaps").click()
    expect(browser.get_by_role("main")).to_contain_text("Anna North1")
    browser.get_by_role("button", name="Use them in this session").click()

    expect(browser.get_by_role("main")).to_contain_text("With handicap")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_strata_and_handicaps_of_sixteen_pairs_are_one_screen(transactional_db, page, locale):
    club = ClubFactory()
    alice = director_of(club)
    section = section_with(16, "skip-mitchell", round=1, club=club, by=alice)
    for number, person in enumerate(Person.objects.filter(club=club)):
        person.name = f"Hildegard Zimmerma{number:02}"
        person.save()
    browser = page(DESKTOP, locale=locale)
    sign_in(browser, alice)

    browser.goto(f"/s/{section.code}/results/classes/")

    assert measured(browser).height <= DESKTOP[1]


def test_on_a_phone_a_pair_has_its_three_fields_in_one_line(transactional_db, page):
    """A pair takes two lines, its names and its fields; the strata that are chosen stand in the closed fold."""
    club = ClubFactory()
    alice = director_of(club)
    section = section_with(14, "mitchell", round=1, club=club, by=alice)
    store_classes(section, strata=["A", "B"], classes={}, by=alice)
    browser = page(PHONE)
    sign_in(browser, alice)

    browser.goto(f"/s/{section.code}/results/classes/")
    fold = browser.locator("#strata")
    tops = "fields => new Set(fields.map((field) => field.getBoundingClientRect().top)).size"

    expect(fold.get_by_text("A, B", exact=True)).to_be_visible()
    expect(fold.get_by_label("Strata, the strongest first")).to_be_hidden()
    assert browser.locator(".classes tbody tr").first.locator("input").evaluate_all(tops) == 1
    assert browser.evaluate("document.documentElement.scrollHeight") <= LONGEST_ON_A_PHONE

"""A handicap evening from nothing: the club says how, a session is given the handicaps, and its list has them."""

import pytest
from playwright.sync_api import expect

from bridgebuddy.seasons.models import HandicapRule
from tests.factories import ClubFactory, director_of, section_with
from tests.seasons.evenings import evening

from .conftest import DESKTOP, sign_in

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
    browser.get_by_label("Too new below so many evenings").fill("2")
    browser.get_by_role("button", name="Store").click()
    expect(browser.get_by_role("cell", name="Anna North1", exact=True)).to_be_visible()
    assert HandicapRule.objects.get(club=club).least == 2

    browser.goto(f"/s/{tonight.code}/results/classes/")
    browser.locator("summary", has_text="Handicap").click()
    browser.get_by_role("link", name="The club’s handicaps").click()
    expect(browser.get_by_role("main")).to_contain_text("Anna North1")
    browser.get_by_role("button", name="Use them in this session").click()

    expect(browser.get_by_role("main")).to_contain_text("With handicap")


def test_strata_and_handicaps_of_fourteen_pairs_are_one_screen(transactional_db, page):
    club = ClubFactory()
    alice = director_of(club)
    section = section_with(14, "mitchell", round=1, club=club, by=alice)
    browser = page(DESKTOP)
    sign_in(browser, alice)

    browser.goto(f"/s/{section.code}/results/classes/")
    store = browser.locator(".storefoot").evaluate(
        "foot => foot.parentElement.getBoundingClientRect().bottom"
    )

    assert store <= DESKTOP[1]

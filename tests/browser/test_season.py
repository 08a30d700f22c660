"""A championship as a director runs it: defined, explained, revised and finished."""

import pytest
from playwright.sync_api import expect

from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.seasons.models import Championship
from tests.factories import ClubFactory, director_of
from tests.seasons.evenings import evening

from .conftest import DESKTOP, PHONE, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_championship_defined_explained_revised_and_finished(transactional_db, page):
    club = ClubFactory()
    alice = director_of(club)
    first = evening(club, alice, "2026-10-06")
    evening(club, alice, "2026-10-13")
    browser = page()
    sign_in(browser, alice)

    browser.goto(f"/clubs/{club.pk}/season/new/")
    preview = browser.locator("#preview")
    expect(preview).to_contain_text("at least 6")
    browser.locator("#new summary").click()
    browser.get_by_label("From", exact=True).fill("2026-09-01")
    browser.get_by_label("To", exact=True).fill("2027-08-31")
    browser.get_by_label("of all, at least").fill("1")
    expect(preview).to_contain_text("at least 1")
    expect(preview).to_contain_text("4 in the list")
    browser.get_by_role("button", name="Make this list").click()
    expect(browser.locator("h1")).to_contain_text("in front")

    browser.locator(".season8 .nm a").first.click()
    expect(browser.get_by_role("heading", name="How it is counted")).to_be_visible()
    browser.get_by_role("button", name="Make final").click()
    expect(browser.locator("h1")).to_contain_text("won")

    for play in first.plays.order_by("pk"):
        outcome = play.results.get(stands=True).outcome
        enter_result(first, play.pk, {"score": -outcome["score"]}, by=alice)
    browser.reload()

    expect(browser.get_by_text("has been revised since")).to_be_visible()


def test_the_total_is_in_sight_however_long_names_are(transactional_db, page):
    """Show eleven evenings at a desk, and on a phone: no part lies beside the panel."""
    club = ClubFactory()
    alice = director_of(club)
    for number in range(11):
        evening(club, alice, f"2026-10-{number + 10}")
    for person in club.people.all():
        person.name = f"Freifrau {person.name} von Reitzenstein-Schwarzenbach"
        person.save()
    one = Championship.objects.create(club=club, name="Dienstagsmeisterschaft", least=1, best=8)

    for size in (DESKTOP, PHONE):
        browser = page(size, locale="de-DE")
        sign_in(browser, alice)
        browser.goto(f"/clubs/{club.pk}/season/{one.pk}/")
        panel = browser.locator(".scroll8").first
        # as in a list of thirty, after an evening that moved somebody far
        browser.locator(".season8 tbody td").first.evaluate(
            """cell => { cell.innerHTML = '10= <small class="moved8">▲11</small>' }"""
        )

        assert panel.evaluate("one => one.scrollWidth - one.clientWidth") <= 0


def test_who_has_played_too_little_stands_in_the_same_columns(transactional_db, page):
    club = ClubFactory()
    alice = director_of(club)
    evening(club, alice, "2026-10-06")
    one = Championship.objects.create(club=club, name="Tuesdays", least=2)

    for size in (DESKTOP, PHONE):
        browser = page(size)
        sign_in(browser, alice)
        browser.goto(f"/clubs/{club.pk}/season/{one.pk}/")
        head = browser.locator(".season8 thead th").all()
        below = browser.locator(".season8 tr.below8").first.locator("td").all()

        assert [cell.bounding_box() and cell.bounding_box()["x"] for cell in below] == [
            cell.bounding_box() and cell.bounding_box()["x"] for cell in head
        ]

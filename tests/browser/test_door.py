"""At the door: a player scans a code and taps once, and the director sees the arrival."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from bridgebuddy.clubs.models import Person
from bridgebuddy.registration.models import Registration
from bridgebuddy.registration.registering import record_arrivals, register_pair, seek_partner
from tests.factories import ClubFactory, PersonFactory, director_of, section_to_enter

from .conftest import DESKTOP, PHONE, sign_in
from .test_drawn_pages import measured

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
#: height and size of letters of elements
BOXES = """tiles => tiles.map(tile => ({height: tile.getBoundingClientRect().height,
    font: parseFloat(getComputedStyle(tile).fontSize)}))"""
NAMES = [
    "Ann Ash",
    "Ben Birch",
    "Margarethe von Hohenstein-Wittelsbach",
    "Christian Oberhuber",
    "Guy Gum",
]


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_tap_at_the_door_and_the_director_sees_who_is_here(page, transactional_db, locale):
    club = ClubFactory()
    by = director_of(club)
    section = section_to_enter(club, by)
    people = [PersonFactory(club=club, name=name) for name in NAMES]
    register_pair(section.session, people[0], people[1], by=by)
    register_pair(section.session, people[2], people[3], by=by)
    seek_partner(section.session, people[4])
    desk = page(DESKTOP, locale=locale)
    sign_in(desk, by)
    desk.goto(reverse("who-comes", args=[section.code]))
    desk.locator("a[href$='?open=door#door']").click()
    expect(desk.locator(".doorcode .qr")).to_be_visible()
    assert measured(desk).height <= DESKTOP[1]
    scanned = desk.locator(".doorcode").get_attribute("data-address")

    phone = page(PHONE, locale=locale)
    phone.goto(scanned[scanned.index("/p/") :])
    measured(phone, PHONE)
    phone.locator(".tile").first.click()
    phone.wait_for_url("**here=**")
    measured(phone, PHONE)

    desk.goto(reverse("who-comes", args=[section.code]))
    expect(desk.locator(".list10 [aria-pressed=true]")).to_have_count(1)
    assert "1" in desk.locator("h1").inner_text()


COUPLES = [
    ("Anna de Vries", "Piet van der Berg"),
    ("Siobhan O’Neill", "Zbigniew Kowalski"),
    ("Pamela Smith-Jones", "Roger Taylor-Ashworth"),
    ("Margarethe von Hohenstein", "Christian Oberhuber"),
    *((f"Dorothy Ward{n}", f"Alan Foster{n}") for n in range(12)),
]


@pytest.mark.parametrize("size", [(1024, 768), (768, 1024)])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_sixteen_pairs_fit_on_the_tablet_at_the_door(page, transactional_db, size, locale):
    club = ClubFactory()
    by = director_of(club)
    section = section_to_enter(club, by)
    for names in COUPLES:
        register_pair(
            section.session, *[PersonFactory(club=club, name=name) for name in names], by=by
        )
    record_arrivals(section.session, list(Person.objects.filter(name=COUPLES[1][0])), by=by)
    record_arrivals(section.session, list(Person.objects.filter(name__in=COUPLES[0])), by=by)
    tablet = page(size, locale=locale)
    sign_in(tablet, by)
    tablet.goto(reverse("door-code", args=[section.code]))
    tablet.locator("details:has(form[action$='tablet/']) summary").click()
    tablet.locator("form[action$='tablet/'] button").click()
    tablet.wait_for_url("**/p/**")

    assert measured(tablet, size).height <= size[1]
    tiles = tablet.locator(".tile")
    expect(tiles).to_have_count(16)
    assert min(tile["height"] for tile in tiles.evaluate_all(BOXES)) >= 64
    assert min(tile["font"] for tile in tiles.evaluate_all(BOXES)) >= 23
    tiles.first.click()
    tablet.wait_for_url("**here=**")
    expect(tablet.locator("a.primary")).to_be_visible()
    tablet.locator("a.primary").click()
    expect(tablet.locator("p.tile")).to_have_count(2)


def test_the_tablet_returns_by_itself_and_keeps_taps_without_a_connection(page, transactional_db):
    club = ClubFactory()
    by = director_of(club)
    section = section_to_enter(club, by)
    for names in COUPLES[:3]:
        register_pair(
            section.session, *[PersonFactory(club=club, name=name) for name in names], by=by
        )
    tablet = page((1024, 768))
    sign_in(tablet, by)
    tablet.goto(reverse("door-code", args=[section.code]))
    tablet.locator("details:has(form[action$='tablet/']) summary").click()
    tablet.locator("form[action$='tablet/'] button").click()
    tablet.wait_for_url("**/p/**")
    tablet.clock.install()
    tablet.reload()

    tablet.locator("button.tile").first.click()
    tablet.wait_for_url("**here=**")
    tablet.clock.run_for(11_000)
    tablet.wait_for_url(lambda url: "here=" not in url)
    expect(tablet.locator("p.tile")).to_have_count(1)

    tablet.context.set_offline(True)
    tablet.locator("button.tile").first.click()
    expect(tablet.locator("#offline")).to_be_visible()
    expect(tablet.locator("button.tile.sent")).to_have_count(1)
    assert Registration.objects.exclude(here_at=None).count() == 2
    tablet.context.set_offline(False)
    tablet.clock.run_for(6_000)
    expect(tablet.locator("#offline")).to_be_hidden()
    assert Registration.objects.exclude(here_at=None).count() == 4


def test_the_tablet_needs_no_javascript(page, transactional_db):
    club = ClubFactory()
    by = director_of(club)
    section = section_to_enter(club, by)
    register_pair(
        section.session, *[PersonFactory(club=club, name=name) for name in COUPLES[0]], by=by
    )
    plain = page((1024, 768), java_script_enabled=False)
    sign_in(plain, by)
    plain.goto(reverse("door-code", args=[section.code]))
    plain.locator("details:has(form[action$='tablet/']) summary").click()
    plain.locator("form[action$='tablet/'] button").click()
    plain.locator("button.tile").click()

    expect(plain.locator("meta[http-equiv=refresh]")).to_have_attribute(
        "content", re.compile("^10; url=/p/")
    )

"""At the door: a code that is scanned, two taps, and the director sees who is here."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from bridgebuddy.registration.registering import come, seek_partner
from tests.factories import ClubFactory, PersonFactory, director_of, section_to_enter

from .conftest import DESKTOP, PHONE, sign_in
from .test_drawn_pages import bottom_of, measured

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = [
    "Ann Ash",
    "Ben Birch",
    "Margarethe von Hohenstein-Wittelsbach",
    "Christian Oberhuber",
    "Guy Gum",
]


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_two_taps_at_the_door_and_the_director_sees_who_is_here(page, transactional_db, locale):
    club = ClubFactory()
    by = director_of(club)
    section = section_to_enter(club, by)
    people = [PersonFactory(club=club, name=name) for name in NAMES]
    come(section.session, people[0], people[1], by=by)
    come(section.session, people[2], people[3], by=by)
    seek_partner(section.session, people[4])
    desk = page(DESKTOP, locale=locale)
    sign_in(desk, by)
    desk.goto(reverse("who-comes", args=[section.code]))
    desk.locator(f"a[href$='{reverse('door-code', args=[section.code])}']").click()
    expect(desk.locator(".doorcode .qr")).to_be_visible()
    assert measured(desk).height <= DESKTOP[1]
    scanned = desk.locator(".doorcode").get_attribute("data-address")

    phone = page(PHONE, locale=locale)
    phone.goto(scanned[scanned.index("/p/") :])
    measured(phone, PHONE)
    phone.locator(".door10 summary").first.click()
    assert bottom_of(phone, ".door10 details[open] .primary") <= PHONE[1]
    phone.locator(".door10 details[open] .primary").click()
    phone.wait_for_url("**in=1")
    measured(phone, PHONE)

    desk.goto(reverse("who-comes", args=[section.code]))
    expect(desk.locator(".list10 [aria-pressed=true]")).to_have_count(1)
    assert "1" in desk.locator("h1").inner_text()

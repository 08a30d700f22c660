"""A director of thirteen pairs, and two that are late, starts with one press."""

import os

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from bridgebuddy.planning.prepared_starts import prepare
from bridgebuddy.registration.registering import record_arrivals, register_pair, seek_partner
from tests.factories import (
    ClubFactory,
    PersonFactory,
    director_of,
    pair_names,
    section_to_enter,
)

from .conftest import DESKTOP, PHONE, sign_in
from .test_drawn_pages import measured

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_thirteen_and_two_late_start_with_one_press(page, transactional_db):
    """Run in German, which has longer words."""
    club = ClubFactory()
    by = director_of(club)
    section = section_to_enter(club, by)
    pairs = [[PersonFactory(club=club, name=name) for name in two] for two in pair_names(15)]
    for two in pairs:
        register_pair(section.session, *two, by=by)
    for two in pairs[:12]:
        record_arrivals(section.session, two)
    alone = PersonFactory(club=club, name="Guy Gum")
    seek_partner(section.session, alone)
    record_arrivals(section.session, [alone])
    desk = page(DESKTOP, locale="de-DE")
    sign_in(desk, by)
    desk.goto(reverse("who-comes", args=[section.code]))
    expect(desk.locator(".start10 [role=status]")).to_be_visible()  # being prepared
    assert measured(desk).height

    record_arrivals(section.session, pairs[12])
    prepare(str(section.pk))
    expect(desk.locator(".start10 li")).to_have_count(4, timeout=15_000)  # the page has asked
    expect(desk.locator(".start10 li b").first).to_contain_text("13")
    expect(desk.locator("#coming [aria-pressed=true]")).to_have_count(13)
    expect(desk.locator(".primary")).to_have_count(1)
    shoot(desk, "1280")
    phone = page(PHONE, locale="de-DE")
    sign_in(phone, by)
    phone.goto(reverse("who-comes", args=[section.code]))
    measured(phone, PHONE)
    shoot(phone, "375")

    desk.locator(".pagehead .primary").click()
    desk.wait_for_url("**/desk/")
    expect(desk.locator(".late10")).to_have_count(2)
    expect(desk.locator(".late10 a[data-sheet]")).to_have_count(2)
    shoot(desk, "desk")
    phone.goto(desk.url)
    measured(phone, PHONE)
    shoot(phone, "desk-375")

    section.refresh_from_db()
    assert section.round == 1
    assert section.entries.exclude(contestant=None).count() == 13
    assert section.entries.filter(contestant=None).count() == 2


def shoot(page, name):
    """Save a picture if a folder for pictures is set."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/prepared-{name}.png", full_page=True)

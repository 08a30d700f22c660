"""From one's own page to the table: a person enters, asks a partner, comes, is seated, and a result is entered."""

import os
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from bridgebuddy.planning.prepared_starts import prepare
from bridgebuddy.publication.models import ResultsSubscription
from bridgebuddy.publication.own.links import give_address, page_address
from bridgebuddy.registration.blocked_requests import report_unwanted_requests
from bridgebuddy.registration.registering import record_arrivals, register_pair
from bridgebuddy.scoring.models import Result
from tests.factories import (
    ClubFactory,
    PersonFactory,
    director_of,
    pair_names,
    section_to_enter,
)
from tests.table_phones.tapping import with_phones

from .conftest import DESKTOP, PHONE, sign_in
from .test_drawn_pages import measured
from .test_tables import scan

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def club(transactional_db):
    return ClubFactory()


@pytest.fixture
def by(club):
    return director_of(club)


@pytest.fixture
def section(club, by):
    return section_to_enter(club, by)


def own(page, person, **how):
    """Return a phone that shows a person's own page."""
    phone = page(PHONE, **how)
    phone.goto(page_address(give_address(person, by=None)))
    return phone


def test_who_enters_and_asks_a_partner_comes_is_seated_and_plays(page, club, by, section):
    ann, ben = (PersonFactory(club=club, name=name) for name in ("Ann Ash", "Ben Birch"))
    others = [[PersonFactory(club=club, name=name) for name in two] for two in pair_names(7)]
    for two in others:
        register_pair(section.session, *two, by=by)
        record_arrivals(section.session, two)
    anns, bens = own(page, ann), own(page, ben)
    anns.get_by_role("link", name="We are coming").click()
    anns.get_by_label("First name and surname").fill("ben birch")
    anns.get_by_label("With a partner").check()
    anns.get_by_label("I am looking for a partner").check()
    expect(anns.get_by_role("button", name="Look for a partner")).to_be_visible()
    anns.get_by_label("With a partner").check()
    expect(anns.get_by_role("button", name="Save")).to_have_count(0)
    anns.get_by_role("button", name="We are coming").click()
    expect(anns.get_by_text("is asked.").first).to_be_visible()
    bens.reload()
    bens.get_by_role("link", name="Answer").click()
    bens.get_by_role("button", name="Yes, with Ann Ash").click()
    expect(bens.get_by_text("You are coming with Ann Ash.").first).to_be_visible()

    desk = page(DESKTOP)
    sign_in(desk, by)
    desk.goto(reverse("door-code", args=[section.code]))
    scanned = desk.locator(".doorcode").get_attribute("data-address")
    anns.goto(scanned[scanned.index("/p/") :])
    anns.locator(".tile", has_text="Ben Birch").click()
    anns.wait_for_url("**here=**")
    prepare(str(section.pk))
    desk.goto(reverse("who-comes", args=[section.code]))
    desk.locator(".pagehead").get_by_role("button", name="Start with 8 pairs").click()
    desk.wait_for_url("**/desk/")

    section.refresh_from_db()
    play = section.plays.filter(round=1, north__in=(ann, ben)).first()
    play = play or section.plays.filter(round=1, east__in=(ann, ben)).first()
    anns.goto(f"/p/{section.code}/")
    anns.get_by_role("link", name="Ben Birch").first.click()
    expect(anns.locator("#now")).to_contain_text(f"{play.table}")
    with_phones(section, feedback="none")
    section.refresh_from_db()
    scan(anns, section, play.table)
    side = "NS" if play.north_id in (ann.pk, ben.pk) else "EW"
    anns.get_by_role("button", name=re.compile(f"^{side}")).click()
    anns.locator("#live a[href*='/board/']:visible").first.click()
    anns.get_by_role("button", name="All passed").click()
    anns.get_by_role("button", name="Yes, that is right").click()

    expect(anns.get_by_text("is saved")).to_be_visible()
    assert Result.objects.filter(play__section=section).count() == 1


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_who_is_not_wanted_is_read_no_more_and_the_club_sees_it(
    page, club, by, section, locale, settings
):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.test"
    long = "Margarethe von Hohenstein-Wittelsbach"
    ann, ben = (PersonFactory(club=club, name=name) for name in (long, "Ben Birch"))
    ResultsSubscription.objects.create(
        person=ben, email="ben@example.org", confirmed_at=timezone.now()
    )
    register_pair(section.session, ann, ben)
    phone = own(page, ben, locale=locale)
    phone.goto(phone.url + f"coming/{section.session_id}/")
    phone.locator("details.panel summary").click()
    look(phone, f"asked-{locale}")
    phone.locator("button[value=unwanted]").click()
    expect(phone.locator(f"text={long}")).to_have_count(1)  # in what is said of it
    phone.goto(phone.url.partition("coming/")[0] + "kept/")
    expect(phone.locator(f"text={long}").first).to_be_visible()
    look(phone, f"kept-{locale}")

    report_unwanted_requests(ben, ann)
    desk = page(DESKTOP, locale=locale)
    sign_in(desk, by)
    desk.goto(reverse("players", args=[club.pk]))
    expect(desk.locator(".twins", has_text=long)).to_be_visible()
    look(desk, f"players-{locale}")
    desk.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    look(desk, f"players-phone-{locale}")


def look(shown, name):
    """Assert that no text is cut off; save a picture if a folder for pictures is set."""
    size = shown.viewport_size
    measured(shown, (size["width"], size["height"]))
    if folder := os.environ.get("PICTURES"):
        shown.screenshot(path=f"{folder}/beforehand-{name}.png", full_page=True)

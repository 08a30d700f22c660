"""A player's own page on a phone: from the code on a slip to being forgotten."""

import datetime

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from bridgebuddy.publication.models import PlayerPage
from bridgebuddy.publication.own.links import hide_requested_names, page_code
from tests.browser.conftest import PHONE
from tests.factories import ClubFactory, director_of
from tests.players.test_own_page import evening, page_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_from_a_slip_to_ones_boards_and_to_being_forgotten(page):
    club = ClubFactory()
    evening(club, director_of(club))
    own = page_of(club)
    phone = page(PHONE, java_script_enabled=False)
    phone.goto("/me/")
    phone.get_by_label("Code").fill(page_code(own).lower())
    phone.get_by_role("button", name="Open my page").click()

    expect(phone.get_by_role("heading", level=1)).to_contain_text("with Bob South1")
    phone.get_by_role("link", name="All my boards").click()
    expect(phone.get_by_role("main")).to_contain_text("Anna North1")
    phone.go_back()
    phone.get_by_role("link", name="Data stored about me").click()
    with phone.expect_download() as file:
        phone.get_by_role("link", name="The same for programs").click()
    assert file.value.suggested_filename == "anna-north1.json"
    phone.get_by_text("Delete my name", exact=True).click()
    phone.get_by_role("button", name="Yes, delete my name").click()

    expect(phone.get_by_role("heading", level=1)).to_have_text("Your name will be deleted.")
    assert PlayerPage.objects.get().forget_at
    phone.goto(f"/me/{page_code(own)}/")  # for a day, in which its owner can stop it
    expect(phone.get_by_role("heading", level=1)).to_contain_text("with Bob South1")
    PlayerPage.objects.update(hide_at=timezone.now())
    hide_requested_names()
    phone.goto(f"/me/{page_code(own)}/")
    expect(phone.get_by_role("heading", level=1)).to_have_text("This is not a player’s page.")


def test_six_evenings_are_told_in_two_hundred_words(page):
    """The sentence and the main button without scrolling, and three screens and a half in all."""
    club = ClubFactory()
    by = director_of(club)
    for week in range(6):
        day = datetime.date(2026, 10, 20) + datetime.timedelta(weeks=week)
        evening(club, by, str(day), seed=week)
    phone = page(PHONE, java_script_enabled=False)

    phone.goto(f"/me/{page_code(page_of(club))}/")

    main = phone.get_by_role("main")
    button = phone.get_by_role("link", name="All my boards").bounding_box()
    assert button["y"] + button["height"] <= PHONE[1]
    assert len(main.inner_text().split()) <= 200
    assert main.evaluate("() => document.documentElement.scrollHeight") <= 2250
    for what in ("My best boards", "To look at again", "With whom?", "Against whom?", "Sessions"):
        expect(main).to_contain_text(what)


def test_with_text_twice_as_large_the_clubs_name_stays_whole(page):
    club = ClubFactory(name="Bridgeclub Freiherr d’Artagnan")
    evening(club, director_of(club))
    phone = page(PHONE, bypass_csp=True)
    phone.goto(f"/me/{page_code(page_of(club))}/")
    beside = phone.locator(".pubbar").bounding_box()["height"]

    phone.add_style_tag(content="html { font-size: 200% }")

    # three lines of its own above the buttons, and no letter on a line by itself
    assert phone.locator(".pubbar").bounding_box()["height"] < 5 * beside

"""A director looks at another way of a movement, and chooses it."""

import pytest
from playwright.sync_api import expect

from bridgebuddy.events.models import Section
from tests.factories import director_of, section_with

from .conftest import scrolls_sideways, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("scripts", [True, False])
def test_sizes_follow_the_choice_and_the_movement_is_begun(page, club, scripts):
    director = director_of(club, email="options@example.org")
    section = section_with(17, club=club, by=director)
    browser = page((375, 667), java_script_enabled=scripts)
    sign_in(browser, director)

    browser.goto(f"/s/{section.code}/movement/")
    browser.get_by_role("link", name="Rover Mitchell, North-South").click()
    browser.get_by_text("Details", exact=True).click()
    browser.locator("select[name=option-base]").select_option("share-and-relay")
    browser.get_by_role("button", name="Show rounds and boards").click()
    size = browser.get_by_label("Rounds × boards")
    expect(size.locator("option[value='8x3']")).to_have_count(1)
    assert not scrolls_sideways(browser)
    size.select_option("8x3")
    if not scripts:
        browser.get_by_role("button", name="Show", exact=True).click()
    browser.get_by_role("button", name="Choose Rover Mitchell, North-South, 8 × 3").click()
    browser.get_by_role("button", name="Start round 1").click()
    expect(browser.get_by_role("heading", level=1)).to_be_visible()

    section = Section.objects.get(pk=section.pk)
    assert (section.movement.family, section.movement.rounds, section.round) == ("ns-rover", 8, 1)

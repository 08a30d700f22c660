"""27 pairs in two sections: divided, each with its movement, and three rounds by one press."""

import re

import pytest
from playwright.sync_api import expect

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.setup import movement
from tests.factories import director_of, section_with

from .conftest import DESKTOP, PHONE, sign_in, too_wide_at

pytestmark = [pytest.mark.browser]


def test_two_sections_play_three_rounds_by_one_press(page, transactional_db):
    section = section_with(27)
    anna = director_of(section.club, email="anna@example.org")
    desk = page(DESKTOP)
    sign_in(desk, anna)

    # the list is divided; one pair changes its section by hand
    desk.goto(f"/s/{section.code}/entries/")
    desk.get_by_role("link", name="Divide into sections").click()
    desk.wait_for_url(
        "**/sections/"
    )  # and its scripts: what is chosen before they are there is heard by nobody
    expect(desk.get_by_role("heading", level=1)).to_have_text("27 pairs in 2 sections")
    desk.get_by_label("Section of Anna North1 & Bob South1").select_option("B")
    expect(desk.get_by_role("region", name="Section B")).to_contain_text("14 pairs")
    desk.get_by_role("button", name="Divide into A and B").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("All sections")

    # the movement of A, and the same in B
    first, _ = Section.objects.order_by("pk")
    movement.choose_movement(first, "mitchell", boards_per_round=3, by=anna)
    desk.reload()
    desk.get_by_role("button", name="as in A : B").click()

    # three rounds
    for round in (1, 2, 3):
        desk.get_by_role("button", name=f"Start round {round} in A and B").click()
        expect(desk.get_by_text(f"Round {round} of 7")).to_have_count(2)
    assert [section.round for section in Section.objects.order_by("pk")] == [3, 3]
    desk.get_by_label("Start B").uncheck()
    expect(desk.locator(".btn.primary")).to_have_text("Start round 4 in A")

    # a phone finds its section by name, with the code of the other one
    phone = page(PHONE)
    phone.goto(f"/p/{first.code}/")
    phone.get_by_label("Your name or number").fill("north1 south1")
    phone.get_by_role("link", name=re.compile(r"Anna North1\b")).click()
    expect(phone.locator("#me")).to_contain_text("B")


def test_no_page_of_sections_scrolls_sideways(page, transactional_db):
    sizes = (DESKTOP, (768, 1024), PHONE, (320, 600))
    section = section_with(27)
    anna = director_of(section.club, email="anna@example.org")
    desk = page(DESKTOP)
    sign_in(desk, anna)
    desk.goto(f"/s/{section.code}/sections/")
    assert too_wide_at(desk, *sizes) == []
    desk.get_by_role("button", name="Divide into A and B").click()
    for address in ("sections/all", "sections", "entries", "movement", "print"):
        desk.goto(f"/s/{section.code}/{address}/")
        assert too_wide_at(desk, *sizes) == [], address

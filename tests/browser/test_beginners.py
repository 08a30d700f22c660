"""Evenings of beginners, who follow the buttons of a page: no address is typed after the first one."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services.results import enter_result
from tests.factories import ClubFactory, director_of, section_with
from tests.scoring.test_doubts import board_with, play_of, usual, written_down

from .conftest import DESKTOP, PHONE, scrolls_sideways, sign_in, wait_for_fonts
from .test_results import complete

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: as a volunteer has it in an e-mail
PAIRS = "\n".join(f"Anna North{n} & Bob South{n}" for n in range(1, 16))


def visible_control(page: Page, name: str | re.Pattern) -> Locator:
    """Find a button or a link that is seen."""
    either = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name))
    return either.filter(visible=True).first


def press(page: Page, name: str | re.Pattern) -> None:
    visible_control(page, name).click()


def type_first_line(page: Page, typed: str) -> None:
    """Type the result of a slip's first board, on a page whose scripts have loaded."""
    line = page.locator("input[name^=line]").first
    line.wait_for()
    page.wait_for_load_state()
    line.fill(typed)


def test_fifteen_pairs_from_an_empty_club_to_the_published_list(page):
    desk = page(DESKTOP)
    sign_in(desk, director_of(ClubFactory(name="Lindenhof"), email="anna@example.org"))
    desk.goto("/")

    press(desk, "New session")
    desk.get_by_label("Name", exact=True).fill("Tuesday")
    desk.get_by_text("Paste a list at once").click()
    desk.locator("textarea[name=pairs]").fill(PAIRS)
    press(desk, "Go on to the entries")
    press(desk, "Choose the movement")
    press(desk, re.compile("^Choose this movement"))
    press(desk, "Start round 1")
    expect(desk.locator(".roundno")).to_contain_text("Round 1")

    # one result by hand, as a beginner finds the way there; the others by the phones
    press(desk, re.compile("^Results"))
    press(desk, "Enter slips")
    type_first_line(desk, "4hs=")
    expect(desk.locator("main")).to_contain_text("10 tricks")
    desk.locator("[data-store]:visible").first.click()
    expect(desk.locator("main")).to_contain_text("1 result saved")
    complete(Section.objects.get())

    press(desk, re.compile("^Desk"))
    desk.get_by_text("More", exact=True).click()
    press(desk, "End the session")
    desk.locator(".choice", has_text="End now").click()
    desk.get_by_label("I have told the room").check()
    press(desk, "End the session now")
    press(desk, "Make final and publish")
    address = desk.locator(".steps3 a[href*='/r/']").first
    expect(address).to_be_visible()

    reader = page(PHONE)
    reader.goto(urlsplit(address.get_attribute("href")).path)
    expect(reader.get_by_role("heading", level=1)).to_contain_text("Tuesday")
    reader.get_by_label("Find your name").fill("north7")
    reader.keyboard.press("Enter")
    mine = reader.locator("tr:target")
    expect(mine).to_contain_text("Anna North7")
    expect(mine).to_be_in_viewport()


def test_a_whole_evening_is_directed_from_a_phone(page):
    desk = page(PHONE)
    sign_in(desk, director_of(ClubFactory(name="Lindenhof"), email="anna@example.org"))
    desk.goto("/")

    def press_at_once(name: str | re.Pattern) -> None:
        """Press a button on the first screen of a page that does not scroll sideways."""
        expect(visible_control(desk, name)).to_be_in_viewport(ratio=1)
        wait_for_fonts(desk)
        assert not scrolls_sideways(desk)
        assert desk.evaluate("scrollY") == 0
        press(desk, name)

    press_at_once("New session")
    desk.get_by_label("Name", exact=True).fill("Tuesday")
    desk.get_by_text("Paste a list at once").click()
    desk.locator("textarea[name=pairs]").fill(PAIRS)
    press(desk, "Go on to the entries")
    press_at_once("Choose the movement")
    press(desk, re.compile("^Choose this movement"))
    press_at_once("Entries")
    press_at_once("Start round 1")
    expect(desk.locator(".roundno")).to_contain_text("Round 1")

    press(desk, "Late pair")
    desk.get_by_label("First player").fill("Zoe Late")
    desk.get_by_label("Partner").fill("Max Late")
    press(desk, "Seat the pair there")
    expect(desk.get_by_role("status").get_by_text("Zoe Late")).to_be_in_viewport()
    expect(desk.get_by_role("button", name="Start round 2")).to_be_in_viewport()
    press(desk, "Start round 2")
    expect(desk.locator(".roundno")).to_contain_text("Round 2")

    press(desk, "Results")
    press_at_once("Enter slips")
    type_first_line(desk, "4hs=")
    expect(desk.locator("main")).to_contain_text("10 tricks")
    press_at_once(re.compile("^Save and go on"))
    expect(desk.locator("main")).to_contain_text("1 result saved")
    complete(Section.objects.get())

    press_at_once("Desk")
    desk.get_by_text("More", exact=True).click()
    press(desk, "End the session")
    desk.get_by_text("End now", exact=True).click()
    desk.get_by_label("I have told the room").check()
    press(desk, "End the session now")
    expect(desk.locator(".subtabs [aria-current]")).to_be_in_viewport(ratio=1)
    press_at_once("Make final and publish")
    expect(desk.get_by_role("link", name="Print the ranking")).to_be_in_viewport(ratio=1)
    assert not scrolls_sideways(desk)


def test_an_evening_is_tried_without_an_account_and_its_results_are_seen(page):
    opened = page(DESKTOP)
    opened.goto("/")

    press(opened, "Try it with an invented session")
    expect(opened.locator(".roundno")).to_contain_text("Round 4")
    press(opened, "Start round 5")
    expect(opened.locator(".roundno")).to_contain_text("Round 5")
    press(opened, re.compile("^Results"))
    press(opened, re.compile("^Ranking"))
    expect(opened.get_by_role("heading", level=1)).to_contain_text(
        re.compile("In front:|share the first place")
    )


def test_what_looks_wrong_is_put_right_and_the_next_follows(page):
    section = written_down(section_with(14, "mitchell", round=7))
    first, second = play_of(section, board_with("4S")), play_of(section, board_with("3NT"))
    enter_result(section, first.pk, {**usual(first.board), "declarer": "W"}, by=None)
    enter_result(section, second.pk, {"contract": "7Hx", "declarer": "N", "tricks": 2}, by=None)
    desk = page(DESKTOP)
    sign_in(desk, director_of(section.club))
    desk.goto("/")

    press(desk, re.compile("^(Desk|Open the desk)"))
    press(desk, re.compile("^Results"))
    press(desk, re.compile("^Check results"))
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Please check 2 results")
    desk.locator(".odds .e", has_text="N −11").get_by_text("Correct").click()
    expect(desk.get_by_label("Correct result")).to_be_focused()
    declarer = usual(second.board)["declarer"]
    desk.keyboard.type(f"3n{declarer.lower()}=")
    expect(desk.locator("#says")).to_contain_text("9 tricks")
    desk.keyboard.press("Enter")

    expect(desk.get_by_role("dialog")).to_have_count(0)
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Please check 1 result")
    assert Result.objects.filter(stands=True, outcome__contract="3NT").exists()

"""Results in the browser: slips by the keyboard alone, one result by touch, and both without scripts."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services.results import enter_result
from tests.browser.conftest import PHONE, sign_in
from tests.browser.test_accessibility import DESKTOP, SMALL_PHONE, visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLET = (768, 1024)


@pytest.fixture
def desk(section, director, page):
    """Open pages of the section as who directs it."""

    def open_page(name: str, *args: object, size=DESKTOP, query="", **options) -> Page:
        opened = page(size, **options)
        sign_in(opened, director)
        opened.goto(reverse(name, args=[section.code, *args]) + query)
        return opened

    return open_page


def first_line(opened: Page) -> Locator:
    """Wait until the keys that are pressed reach the first line of a slip, and return it."""
    line = opened.locator("[data-line]").first
    expect(line).to_be_focused()
    return line


def outcomes(section, table):
    results = Result.objects.filter(
        play__section=section, play__round=1, play__table=table, stands=True
    )
    return [result.outcome for result in results.order_by("play__board")]


def test_a_slip_takes_five_keys_a_board_and_no_mouse(section, desk):
    opened = desk("slips")
    heading, lines = opened.get_by_role("heading", level=1), opened.locator("[data-line]")
    keyline, keys = opened.locator(".keyline").first, opened.keyboard
    expect(heading).to_have_text("Slip: table 1, round 1")
    first_line(opened)

    # arrows move between lines
    keys.press("ArrowDown")
    expect(lines.nth(1)).to_be_focused()
    keys.press("ArrowUp")
    expect(lines.first).to_be_focused()

    # a line that is wrong says so while it is typed, and keeps the slip
    keys.type("4hs+5")
    expect(keyline).to_contain_text("at most +3")
    expect(keyline).to_have_class("keyline wrong")
    for key in ("Enter", "Enter", "Enter"):
        keys.press(key)
    expect(heading).to_have_text("Slip: table 1, round 1")
    expect(lines.first).to_be_focused()
    assert outcomes(section, 1) == []

    # a right one leads to the next, and the last line to the next slip
    keys.press("ControlOrMeta+a")
    keys.type("4hs=")
    expect(keyline).to_contain_text("by South, 10 tricks")
    keys.press("Enter")
    expect(lines.nth(1)).to_be_focused()
    keys.type("3nw-1")
    keys.press("Enter")
    keys.type("p")
    keys.press("Enter")
    expect(heading).to_have_text("Slip: table 2, round 1")
    expect(lines.first).to_be_focused()
    assert outcomes(section, 1) == [
        {"contract": "4H", "declarer": "S", "tricks": 10},
        {"contract": "3NT", "declarer": "W", "tricks": 8},
        {"passed": True},
    ]

    # F2 leads to another slip
    for key in ("F2", "5", "Enter"):
        keys.press(key)
    expect(heading).to_have_text("Slip: table 5, round 1")


@pytest.mark.parametrize("has_scripts", [True, False])
def test_one_result_is_entered_by_touch(section, desk, has_scripts):
    opened = desk("results", size=PHONE, java_script_enabled=has_scripts)
    opened.locator(".cell").first.click()
    for key in ("3", "NT", "X", "W"):
        opened.locator(".keys label").filter(
            has=opened.get_by_role("radio", name=key, exact=True)
        ).first.click()
    opened.get_by_label("Tricks").select_option("-2")
    opened.locator(".keysform").get_by_role("button", name="Save").click()
    expect(opened.locator(".cell").first).to_contain_text("W −2")
    assert outcomes(section, 1) == [{"contract": "3NTx", "declarer": "W", "tricks": 7}]


def test_without_scripts_a_slip_is_stored_line_by_line(section, desk):
    opened = desk("slips", java_script_enabled=False)
    opened.locator("[data-line]").first.fill("4hs=")
    opened.keyboard.press("Enter")
    expect(opened.locator(".keyline").first).to_contain_text("by South, 10 tricks")
    expect(opened.locator("[data-line]").nth(1)).to_be_focused()
    assert outcomes(section, 1) == [{"contract": "4H", "declarer": "S", "tricks": 10}]


def test_a_result_that_comes_in_shows_at_the_desk_and_in_the_round(section, desk):
    at_desk, in_round = desk("desk"), desk("results")
    expect(in_round.get_by_role("heading", level=1)).to_contain_text("no result is in yet")
    play = section.plays.filter(round=1, table=1).first()
    enter_result(section, play.pk, {"passed": True}, by=None)
    expect(at_desk.locator("#table-1")).to_contain_text("1 of 3 in")
    expect(at_desk.locator("form.go")).to_contain_text("23 results of round 1 are still missing")
    expect(in_round.locator(f"#play-{play.pk}")).to_contain_text("Pass")
    expect(in_round.get_by_role("heading", level=1)).to_contain_text("23 of 24 results are missing")


def test_axe_finds_nothing_and_nothing_scrolls_sideways(section, desk):
    plays = list(section.plays.filter(round=1))
    enter_result(section, plays[0].pk, {"contract": "4Sx", "declarer": "S", "tricks": 10}, by=None)
    enter_result(section, plays[1].pk, {"artificial": {"ns": "AVE+", "ew": "AVE-"}}, by=None)
    opened = desk("results", reduced_motion="reduce")  # or colours are on their way while axe looks

    def wrong(page: Page) -> None:
        page.locator("[data-line]").last.fill("4hs+5")
        page.locator("[data-store]").click()
        expect(page.locator(".keyline.wrong")).to_be_visible()

    code = section.code
    stops = [
        f"/s/{code}/results/",
        f"/s/{code}/results/enter/{plays[0].pk}/",
        f"/s/{code}/results/slips/?board=1",
        (f"/s/{code}/results/slips/", wrong),
        f"/s/{code}/desk/",
    ]
    assert visit(opened, stops, (DESKTOP, TABLET, PHONE, SMALL_PHONE)) == []


def test_who_leaves_a_slip_half_typed_is_asked_first(section, desk):
    opened = desk("slips")
    asked = []
    opened.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    first_line(opened)
    opened.keyboard.type("4hs")
    opened.get_by_role("link", name="Boards", exact=True).click()
    expect(opened.get_by_role("heading", level=1)).to_have_text("Slip: table 1, round 1")
    assert asked == ["beforeunload"]

    lines = opened.locator("[data-line]")
    lines.first.fill("4hs+5")
    opened.locator("[data-store]").click()
    expect(opened.locator(".keyline.wrong")).to_be_visible()
    opened.get_by_role("link", name="Boards", exact=True).click()
    expect(opened.get_by_role("heading", level=1)).to_have_text("Slip: table 1, round 1")
    assert asked == ["beforeunload"] * 2

    for place, line in enumerate(("4hs=", "3nw-1", "p")):
        lines.nth(place).fill(line)
    opened.keyboard.press("Enter")
    expect(opened.get_by_role("heading", level=1)).to_have_text("Slip: table 2, round 1")
    assert asked == ["beforeunload"] * 2

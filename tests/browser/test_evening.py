"""The main job, as a director does it: from the account to the finished session."""

import re

import pytest
from playwright.sync_api import expect

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from tests.browser.conftest import (
    DESKTOP,
    PASSWORD,
    PATIENCE,
    PHONE,
    held_back,
    sign_in,
    too_wide_at,
)
from tests.factories import director_of, section_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_whole_evening_from_the_account_to_the_end(page):
    desk = page(DESKTOP)

    # an account and a club of one's own
    desk.goto("/")
    desk.get_by_role("link", name="Create your club").click()
    desk.get_by_label("Email").fill("anna@example.org")
    desk.get_by_label("Password").fill(PASSWORD)
    desk.get_by_role("button", name="Create the account").click()
    desk.get_by_label("Name of the club").fill("O'Neill's Bridge Club")
    desk.get_by_role("button", name="Create the club").click()

    # a session
    desk.get_by_role("link", name="New session").click()
    desk.get_by_label("Name", exact=True).fill("Tuesday Pairs")
    desk.get_by_label("Boards, at least").fill("21")
    desk.get_by_role("button", name="Go on to the entries").click()

    # a pair by keyboard, then a list
    expect(desk.get_by_label("First player")).to_be_focused()
    desk.keyboard.type("Hanna Brandt")
    desk.keyboard.press("Enter")
    desk.keyboard.type("Karl Fischer")
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Hanna Brandt & Karl Fischer").first).to_be_visible()
    desk.get_by_text("Paste a list, or a CSV file").click()
    pairs = "\n".join(f"Anna North{n} & Bob South{n}" for n in range(2, 17))
    desk.get_by_label("One pair a line, two names").fill(pairs)
    desk.get_by_role("button", name="Read this list").click()
    desk.get_by_role("button", name="Import this list").click()
    expect(desk.get_by_text("15 pairs entered.")).to_be_visible()

    # the movement
    desk.get_by_role("link", name="Choose the movement").click()
    desk.get_by_role("button", name=re.compile("Choose.* Skip Mitchell$")).click()
    expect(desk.get_by_text("everybody has a seat")).to_be_visible()

    # two seats exchanged with the keyboard, which has a script
    desk.wait_for_load_state()
    first = desk.locator('[data-seat="1"]')
    expect(first).to_contain_text("Hanna Brandt")
    first.focus()
    desk.keyboard.press("Space")
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("Space")
    expect(desk.locator('[data-seat="2"]')).to_contain_text("Hanna Brandt")

    # paper
    desk.get_by_role("link", name="Print", exact=True).click()
    expect(desk).to_have_url(re.compile("/print/$"))
    section = Section.objects.get()
    answer = desk.request.get(f"/s/{section.code}/print/master.pdf", timeout=3 * PATIENCE)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.body().startswith(b"%PDF")

    # the rounds
    desk.get_by_role("link", name="Entries").click()
    desk.get_by_role("button", name="Start round 1").click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Round 1 of")
    expect(desk.get_by_role("link", name="Results", exact=True)).to_be_visible()
    desk.get_by_role("button", name="Start round 2").click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Round 2 of")
    expect(desk).to_have_title(re.compile("^Desk, round 2"))
    expect(desk.locator(".say")).to_contain_text("East-West move up one table.")
    desk.get_by_role("button", name="Pause the clock").click()
    expect(desk.get_by_role("button", name="Resume the clock")).to_be_visible()
    paused = desk.get_by_role("timer").inner_text()
    desk.get_by_role("button", name="One minute more").click()
    expect(desk.get_by_role("timer")).not_to_have_text(paused)
    desk.get_by_role("button", name=re.compile("Undo")).click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Round 1 of")
    desk.get_by_text("More", exact=True).click()
    desk.get_by_role("link", name="End the session").click()
    desk.get_by_text("End now", exact=True).click()
    desk.get_by_label("I have told the room").check()
    desk.get_by_role("button", name="End the session now").click()
    expect(desk.get_by_text("The session is over. Thank you for playing.")).to_be_visible()


def test_entries_are_typed_refused_and_moved_by_the_keyboard_until_round_1_starts(
    page, transactional_db
):
    earlier = section_with(6)
    alice = director_of(earlier.club, email="alice@example.org")
    desk = page(DESKTOP)
    sign_in(desk, alice)

    # names complete themselves, and the usual partner comes first
    section = section_with(0, club=earlier.club, by=alice)
    desk.goto(f"/s/{section.code}/entries/")
    desk.get_by_label("First player").press_sequentially("anna north3")
    expect(desk.get_by_role("option").first).to_contain_text("Anna North3")
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("option").first).to_contain_text("usually plays with Anna North3")
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("Enter")
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Anna North3 & Bob South3").first).to_be_visible()
    assert Person.objects.filter(club=section.club).count() == 12

    # a refused list is where the director looks next
    desk.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    desk.get_by_text("Paste a list, or a CSV file").click()
    lines = desk.get_by_label("One pair a line, two names")
    lines.fill("Name, Partner\nAnna North, Ben South\nOnly One")
    desk.get_by_role("button", name="Read this list").click()
    desk.get_by_role("button", name="Import this list").click()
    expect(desk.get_by_role("alert")).to_contain_text("Line 3 cannot be entered.")
    expect(desk.get_by_text("The partner is missing.")).to_be_in_viewport()
    expect(desk.get_by_label("Line 3, player 2")).to_be_focused()

    # seats change by keyboard, and Escape leaves them
    desk.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    seated = section_with(9, "mitchell", club=earlier.club, by=alice)
    desk.goto(f"/s/{seated.code}/entries/")
    seats = desk.locator("[data-seat]")
    before = seats.all_inner_texts()
    seats.first.focus()
    desk.keyboard.press("Space")
    expect(desk.get_by_text("Picked up.")).to_be_visible()
    desk.keyboard.press("Escape")
    expect(desk.get_by_text("Picked up.")).to_be_hidden()
    assert seats.all_inner_texts() == before
    desk.keyboard.press("Space")
    for _ in range(4):
        desk.keyboard.press("ArrowDown")
    desk.keyboard.press("Space")
    last = desk.locator(f"#seat-{seated.movement.tables}")
    expect(last).to_contain_text("Anna North1")
    expect(last).to_be_focused()

    # who starts round 1 comes to the desk, though a poll hears of it first
    with held_back(desk, "**/next-round/"):
        desk.get_by_role("button", name="Start round 1").click(no_wait_after=True)
        with desk.expect_response(lambda answer: "hx-refresh" in answer.headers):
            rounds.start_next_round(seated, after=0, by=alice)
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Round 1 of")


def test_two_desks_follow_each_other_one_is_too_late_and_one_loses_the_server(
    page, transactional_db
):
    section = section_with(16, "skip-mitchell", round=4)
    anna = director_of(section.club, email="anna@example.org")
    ben = director_of(section.club, email="ben@example.org")
    first, second = page(DESKTOP), page((820, 1180))
    for desk, user in ((first, anna), (second, ben)):
        sign_in(desk, user)
        desk.goto(f"/s/{section.code}/desk/")

    # the other one's desk follows by itself
    expect(second).to_have_title(re.compile("^Desk, round 4 · "))
    first.get_by_role("button", name="Start round 5").click()
    expect(second.get_by_role("heading", level=1)).to_contain_text("Round 5 of 7")
    for desk in (first, second):
        expect(desk).to_have_title(re.compile("^Desk, round 5 · "))

    # of two who press one starts the round, and the other is told; polls hear that nothing is new
    second.route("**/desk/?v=*", lambda route: route.fulfill(status=204))
    first.get_by_role("button", name="Start round 6").click()
    expect(first.get_by_role("heading", level=1)).to_contain_text("Round 6 of 7")
    second.get_by_role("button", name="Start round 6").click()
    expect(
        second.get_by_text("Another director was faster: round 6 has already begun.")
    ).to_be_visible()
    assert Section.objects.get(pk=section.pk).round == 6

    # a desk that loses the server says so and locks
    first.context.set_offline(True)
    expect(first.get_by_text("Do not start a round")).to_be_visible()
    expect(first.get_by_role("button", name="Start round 7")).to_be_disabled()
    first.context.set_offline(False)
    expect(first.get_by_text("Do not start a round")).to_be_hidden()
    expect(first.get_by_role("button", name="Start round 7")).to_be_enabled()


def test_no_page_scrolls_sideways(page, transactional_db):
    """With names as long as there are; of usual ones `test_accessibility` sees each page."""
    section = section_with(0)
    anna = director_of(section.club, email="anna@example.org")
    empty = section_with(9, club=section.club, by=anna)
    name = "Wolfeschlegelsteinhausenbergerdorff"
    pairs = [(f"{n} {name * 2}"[:60], f"<i>O'Neill-{n}</i> {name}") for n in range(9)]
    entries.add_pairs(section, pairs, by=anna)
    movement.choose_movement(section, "mitchell", boards_per_round=3, by=anna)
    desk = page(DESKTOP)
    sign_in(desk, anna)

    def look_at(*addresses: str) -> None:
        for address in addresses:
            desk.goto(address)
            assert too_wide_at(desk, DESKTOP, PHONE, (320, 600)) == [], address

    of_section = f"/s/{section.code}"
    look_at("/", "/sessions/new/", "/movements/", "/movements/howell/5/", "/movements/import/")
    look_at(f"/s/{empty.code}/movement/", f"/clubs/{section.club.pk}/", "/p/")
    look_at(f"{of_section}/entries/", f"{of_section}/rounds/", f"{of_section}/print/")
    look_at(*(f"{of_section}/print/{text}.html" for text in ("table-cards", "master", "poster")))
    section.refresh_from_db()
    rounds.start_next_round(section, after=0, by=anna)
    look_at(f"{of_section}/desk/", f"{of_section}/entries/")

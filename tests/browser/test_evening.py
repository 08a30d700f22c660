"""The main job, as a director does it: from the account to the finished session."""

import re

import pytest
from playwright.sync_api import expect

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section
from bridgebuddy.events.services import entries, movement, rounds
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
    desk.get_by_role("button", name="Take in this list").click()
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
    for sheet in ("table-cards", "guide-cards", "master"):
        answer = desk.request.get(f"/s/{section.code}/print/{sheet}.pdf", timeout=3 * PATIENCE)
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
    expect(desk.get_by_role("button", name="Let the clock run on")).to_be_visible()
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


def test_names_complete_themselves_and_the_usual_partner_comes_first(page, transactional_db):
    earlier = section_with(6)
    alice = director_of(earlier.club, email="alice@example.org")
    section = section_with(0, club=earlier.club, by=alice)
    desk = page(DESKTOP)
    sign_in(desk, alice)
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


def test_who_starts_round_1_comes_to_the_desk_though_a_poll_hears_of_it_first(
    page, transactional_db
):
    section = section_with(16, "skip-mitchell")
    anna = director_of(section.club, email="anna@example.org")
    desk = page(DESKTOP)
    sign_in(desk, anna)
    desk.goto(f"/s/{section.code}/entries/")

    with held_back(desk, "**/next-round/"):
        desk.get_by_role("button", name="Start round 1").click(no_wait_after=True)
        with desk.expect_response(lambda answer: "hx-refresh" in answer.headers):
            rounds.start_next_round(section, after=0, by=anna)

    expect(desk.get_by_role("heading", level=1)).to_contain_text("Round 1 of 7")


def test_of_two_directors_one_starts_the_round_and_the_other_is_told(page, transactional_db):
    section = section_with(16, "skip-mitchell", round=4)
    anna = director_of(section.club, email="anna@example.org")
    ben = director_of(section.club, email="ben@example.org")
    first, second = page(DESKTOP), page(DESKTOP)
    for desk, user in ((first, anna), (second, ben)):
        sign_in(desk, user)
        # polls hear that nothing is new: both directors look at round 4
        desk.route("**/desk/?v=*", lambda route: route.fulfill(status=204))
        desk.goto(f"/s/{section.code}/desk/")

    first.get_by_role("button", name="Start round 5").click()
    expect(first.get_by_role("heading", level=1)).to_contain_text("Round 5 of 7")
    second.get_by_role("button", name="Start round 5").click()

    expect(second.get_by_text("Somebody else was faster: this is round 5 now.")).to_be_visible()
    assert Section.objects.get(pk=section.pk).round == 5


def test_the_other_directors_desk_follows_by_itself(page, transactional_db):
    section = section_with(16, "skip-mitchell", round=4)
    anna = director_of(section.club, email="anna@example.org")
    first, second = page(DESKTOP), page((820, 1180))
    for desk in (first, second):
        sign_in(desk, anna)
        desk.goto(f"/s/{section.code}/desk/")

    expect(second).to_have_title(re.compile("^Desk, round 4 · "))
    first.get_by_role("button", name="Start round 5").click()

    expect(second.get_by_role("heading", level=1)).to_contain_text("Round 5 of 7")
    for desk in (first, second):
        expect(desk).to_have_title(re.compile("^Desk, round 5 · "))


def test_a_desk_that_loses_the_server_says_so_and_locks(page, transactional_db):
    section = section_with(16, "skip-mitchell", round=4)
    anna = director_of(section.club, email="anna@example.org")
    desk = page(DESKTOP)
    sign_in(desk, anna)
    desk.goto(f"/s/{section.code}/desk/")

    desk.context.set_offline(True)
    expect(desk.get_by_text("Do not start a round")).to_be_visible()
    expect(desk.get_by_role("button", name="Start round 5")).to_be_disabled()

    desk.context.set_offline(False)
    expect(desk.get_by_text("Do not start a round")).to_be_hidden()
    expect(desk.get_by_role("button", name="Start round 5")).to_be_enabled()


def test_no_page_scrolls_sideways(page, transactional_db):
    section = section_with(15, "skip-mitchell", round=2)
    anna = director_of(section.club, email="anna@example.org")
    empty = section_with(9, club=section.club, by=anna)
    long = section_with(0, club=section.club, by=anna)
    name = "Wolfeschlegelsteinhausenbergerdorff"
    pairs = [(f"{n} {name * 2}"[:60], f"<i>O'Neill-{n}</i> {name}") for n in range(9)]
    entries.add_pairs(long, pairs, by=anna)
    movement.choose_movement(long, "mitchell", boards_per_round=3, by=anna)
    desk = page(DESKTOP)
    sign_in(desk, anna)
    addresses = ["/", "/sessions/new/", "/movements/", "/movements/howell/5/", "/movements/import/"]
    addresses += [f"/s/{section.code}/{name}/" for name in ("entries", "desk", "rounds", "print")]
    addresses += [f"/s/{long.code}/{name}/" for name in ("entries", "desk", "rounds", "print")]
    addresses += [
        f"/s/{long.code}/print/{name}.html" for name in ("table-cards", "master", "poster")
    ]
    addresses += [f"/s/{empty.code}/movement/", f"/clubs/{section.club.pk}/", "/p/"]
    for address in addresses:
        desk.goto(address)
        assert too_wide_at(desk, DESKTOP, PHONE, (320, 600)) == [], address


def test_a_refused_list_is_where_the_director_looks_next(page, transactional_db):
    section = section_with(0)
    anna = director_of(section.club, email="anna@example.org")
    desk = page(PHONE)
    sign_in(desk, anna)
    desk.goto(f"/s/{section.code}/entries/")
    desk.get_by_text("Paste a list, or a CSV file").click()
    lines = desk.get_by_label("One pair a line, two names")

    lines.fill("Name, Partner\nAnna North, Ben South\nOnly One")
    desk.get_by_role("button", name="Read this list").click()
    desk.get_by_role("button", name="Take in this list").click()

    expect(desk.get_by_role("alert")).to_contain_text("Line 3 cannot be taken like this.")
    expect(desk.get_by_text("The partner is missing.")).to_be_in_viewport()
    expect(desk.get_by_label("Line 3, player 2")).to_be_focused()


def test_seats_change_by_keyboard_and_escape_leaves_them(page, transactional_db):
    section = section_with(9, "mitchell")
    anna = director_of(section.club, email="anna@example.org")
    desk = page(DESKTOP)
    sign_in(desk, anna)
    desk.goto(f"/s/{section.code}/entries/")
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
    last = desk.locator(f"#seat-{Section.objects.get().movement.tables}")
    expect(last).to_contain_text("Anna North1")
    expect(last).to_be_focused()

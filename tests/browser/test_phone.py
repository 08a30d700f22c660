"""A player's evening on a phone."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import movement
from bridgebuddy.players.phones import offline
from tests.browser.conftest import (
    DESKTOP,
    PHONE,
    scrolls_sideways,
    too_wide_at,
    until,
    wait_for_fonts,
)
from tests.factories import director_of, section_with
from tests.players.test_changes import change, exchange

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SECONDS = 1000
START = datetime(2026, 11, 24, 19, tzinfo=UTC)
OVERFLOWS = "cells => cells.filter((e) => e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth).map((e) => e.innerText)"

#: ask the server now, as a page does by itself every few seconds
LOOK = "htmx.trigger('#live', 'look')"
IS_KEPT = """async (path) => {
  for (const name of await caches.keys()) if (await (await caches.open(name)).match(path)) return true;
}"""


@pytest.fixture
def director(transactional_db):
    return director_of(section_with(0).club)


@pytest.fixture
def section(director):
    """16 pairs, Skip Mitchell, round 4 being played."""
    return section_with(16, "skip-mitchell", round=4, by=director)


def now_card(page: Page):
    return page.locator("#now")


def wait_until_saved(page: Page) -> None:
    expect(page.get_by_text("Saved on this phone")).to_be_visible()


def stop_the_clock(page: Page) -> None:
    """Let time pass on the page's own clock only when the test says so."""
    page.clock.install(time=START)
    page.clock.pause_at(START + timedelta(seconds=1))


def test_a_player_types_the_code_and_finds_the_pair_by_name(page, section):
    phone = page(PHONE)
    phone.goto("/p/")

    phone.get_by_label("Session code").fill(section.spaced_code.lower())
    phone.get_by_role("button", name="Show my table").click()
    expect(phone).to_have_url(re.compile(f"/p/{section.code}/$"))
    expect(phone.get_by_role("listitem")).to_have_count(16)
    phone.get_by_label("Your name or number").press_sequentially("south5")
    expect(phone.get_by_role("listitem")).to_have_count(1)
    phone.get_by_role("link", name="Anna North5").click()

    expect(phone).to_have_url(re.compile(f"/p/{section.code}/NS3/$"))
    expect(now_card(phone)).to_contain_text("Round 4 of 7")
    expect(now_card(phone)).to_contain_text("North-South")
    expect(phone.locator(".now .table b")).to_have_text("3")


def test_the_phone_follows_the_director_and_outlasts_a_server_in_trouble(page, section, director):
    phone = page(PHONE, service_workers="block")
    polls = re.compile(r"/\?v=")
    phone.route(polls, lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
    phone.goto(f"/p/{section.code}/EW1/")
    # a server in trouble does not destroy the page
    expect(phone.locator("#offline")).to_be_visible()
    expect(now_card(phone)).to_contain_text("Round 4")
    phone.unroute(polls)
    expect(phone.locator("#offline")).to_be_hidden()
    card = now_card(phone).element_handle()

    rounds.start_next_round(section, after=4, by=director)

    expect(now_card(phone)).to_contain_text("Round 5")
    expect(phone.locator(".now .table b")).to_have_text("6")
    # the live region itself stays, so that screen readers hear what is new in it
    assert card.evaluate("card => card.isConnected && card.getAttribute('aria-live')") == "polite"

    rounds.finish_session(section, round=5, by=director)

    expect(now_card(phone)).to_contain_text("Thank you")
    expect(phone.locator("[hx-trigger]")).to_have_count(0)


def test_the_page_goes_with_the_people_when_seats_are_exchanged(page, director):
    section = section_with(16, "skip-mitchell", by=director)
    phone = page(PHONE, service_workers="block")
    phone.goto(f"/p/{section.code}/NS3/")
    names = phone.locator("#me span").last.inner_text()

    movement.swap_seats(section, 3, 13, by=director)

    expect(phone).to_have_url(re.compile(f"/p/{section.code}/EW5/$"))
    expect(phone.locator("#me")).to_have_text(f"EW 5 {names}")


def test_the_plan_stays_when_the_network_goes(page, section, director, wire):
    phone = page(PHONE, base_url=wire.trusted)
    phone.goto(f"/p/{section.code}/NS3/")
    wait_until_saved(phone)
    rounds.start_next_round(section, after=4, by=director)
    expect(now_card(phone)).to_contain_text("Round 5")
    wait_until_saved(phone)

    until(phone, IS_KEPT, arg=f"/p/{section.code}/")
    wire.cut()
    phone.evaluate(LOOK)

    expect(phone.locator("#offline")).to_be_visible()
    expect(phone.locator("#offline")).to_have_text(
        re.compile(r"Not connected\. This plan is from \d\d:\d\d\.")
    )
    expect(phone.get_by_text("Saved on this phone")).to_be_hidden()
    expect(now_card(phone)).to_contain_text("Round 5")

    phone.reload()

    expect(now_card(phone)).to_contain_text("Round 5")
    expect(phone.locator("#offline")).to_be_visible()
    expect(phone.locator(".now .band")).to_have_css("display", "flex")

    rounds.start_next_round(section, after=5, by=director)
    wire.mend()
    phone.evaluate(LOOK)

    expect(now_card(phone)).to_contain_text("Round 6")
    expect(phone.locator("#offline")).to_be_hidden()

    # pressing that a notice was read keeps both
    change(Section.objects.get(pk=section.pk), exchange(3, 6), from_round=7)
    expect(phone.get_by_role("status").filter(has_text="New plan")).to_be_visible()
    wait_until_saved(phone)
    wire.cut()
    phone.get_by_role("button", name="I have read this").click()
    expect(phone.get_by_text("Not connected. This plan is from")).to_be_visible()
    expect(phone.get_by_role("status").filter(has_text="New plan")).to_be_visible()
    expect(now_card(phone)).to_contain_text("Round 6 of 7")

    # another pair is looked for in the list, and nothing is a dead end
    phone.get_by_role("link", name="Not you? Choose another pair").click()
    expect(phone.get_by_text("Not connected. This list is from")).to_be_visible()
    phone.get_by_role("link", name="Anna North7").click()  # this phone has never shown it
    expect(phone.get_by_role("heading", name="Which pair are you?")).to_be_visible()
    expect(phone).to_have_url(re.compile(f"/p/{section.code}/$"))
    phone.locator("a[href$='/NS3/']").click()
    expect(now_card(phone)).to_contain_text("Round 6")


STORES = """async () => {
    const worker = (await navigator.serviceWorker.ready).active;
    while (worker.state !== "activated") {
        await new Promise((done) => worker.addEventListener("statechange", done, {once: true}));
    }
    return caches.keys();
}"""
PAGES_KEPT = """async () => {
    const requests = await (await caches.open("bridgebuddy-pages")).keys();
    const urls = requests.map((request) => new URL(request.url));
    return urls.map((url) => url.pathname + url.search).filter((path) => !path.startsWith("/static/")).sort();
}"""


def test_the_worker_keeps_players_pages_and_nothing_else_until_their_code_has_ended(page, section):
    phone = page(PHONE)
    phone.goto("/p/")
    for name in ("bridgebuddy-older", "bridgebuddy-old"):
        phone.evaluate("async (name) => { await caches.open(name); }", name)
    phone.goto(f"/p/{section.code}/EW1/")
    wait_until_saved(phone)
    stores = set(phone.evaluate(STORES))
    # the files of the version before stay as long as pages may name them
    files = {f"bridgebuddy-{offline.static_files_version()}", "bridgebuddy-old"}
    assert stores == {*files, "bridgebuddy-pages"}

    for address in ("/accounts/login/", f"/p/{section.code}/?q=anna", "/p/?code=WRONG", "/p/"):
        phone.goto(address)
    phone.goto(f"/p/{section.code}/")
    wait_until_saved(phone)
    assert phone.evaluate(PAGES_KEPT) == [f"/p/{section.code}/", f"/p/{section.code}/EW1/"]

    Section.objects.filter(pk=section.pk).update(code_ends_at=timezone.now())
    phone.goto(f"/p/{section.code}/")
    expect(phone.get_by_role("heading", name="This code has ended")).to_be_visible()
    assert set(phone.evaluate("caches.keys()")) == stores
    assert phone.evaluate(PAGES_KEPT) == []


def test_no_page_scrolls_sideways(page, section, director):
    long = section_with(0, by=director)
    from bridgebuddy.events.services.setup import entries

    name = "Wolfeschlegelsteinhausenbergerdorff"
    entries.add_pairs(
        long, [(f"{n} {name * 2}"[:60], f"O'Neill-{n} {name}") for n in range(6)], by=director
    )
    movement.choose_movement(long, "mitchell", boards_per_round=9, by=director)
    phone = page(PHONE)

    for code in (section.code, long.code):
        for path in ("", "EW1/", "room/"):
            phone.goto(f"/p/{code}/{path}")
            assert too_wide_at(phone, PHONE, (320, 667)) == [], path
    for path in ("/p/", "/p/?code=O0O0O0"):
        phone.goto(path)
        assert too_wide_at(phone, PHONE, (320, 667)) == [], path


def test_at_200_per_cent_on_a_phone_nothing_lies_on_anything_else(page, section):
    phone = page((188, 334), locale="de-DE")  # 375 by 667, enlarged
    phone.goto(f"/p/{section.code}/EW3/")
    wait_for_fonts(phone)

    label, name = (phone.locator(f".me > span >> nth={place}").bounding_box() for place in (0, 1))
    link = phone.locator(".phonebar .lang").first.bounding_box()
    assert label["x"] + label["width"] <= name["x"]
    assert label["y"] + label["height"] <= link["y"]
    assert not scrolls_sideways(phone)


def test_without_scripts_links_and_forms_do_it_all(page, section, director, two_languages):
    phone = page(PHONE, java_script_enabled=False)
    phone.goto("/p/")

    phone.get_by_label("Session code").fill(section.code)
    phone.get_by_role("button", name="Show my table").click()
    phone.get_by_label("Your name or number").fill("north7 ")
    phone.keyboard.press("Enter")
    phone.get_by_role("link", name="Anna North7").click()
    expect(now_card(phone)).to_contain_text("Round 4 of 7")
    rounds.start_next_round(section, after=4, by=director)
    phone.get_by_role("link", name="Look again").click()
    expect(now_card(phone)).to_contain_text("Round 5 of 7")
    phone.get_by_role("link", name="Deutsch").click()

    expect(phone).to_have_url(re.compile(f"/p/{section.code}/NS4/$"))
    expect(phone.locator("html")).to_have_attribute("lang", "de")


def test_the_room_display_counts_down_and_follows(page, section, director):
    screen = page((1280, 800))
    screen.goto(f"/p/{section.code}/room/")

    clock = screen.get_by_role("timer")
    first = clock.inner_text()
    expect(clock).not_to_have_text(first)
    expect(clock).to_have_text(re.compile(r"^(20|1\d):\d\d$"))

    rounds.start_next_round(section, after=4, by=director)
    expect(screen.locator(".timer")).to_contain_text("Round 5 of 7")
    rounds.pause_clock(section, by=director)
    expect(screen.locator(".timer")).to_contain_text("clock stopped")


def test_a_wrong_clock_in_the_room_does_not_matter_and_over_time_counts_on(page, section):
    section.clock_ends_at -= section.round_length
    section.touch()
    screen = page((1280, 800))
    screen.clock.install(time="2020-01-01T00:00:00Z")
    screen.goto(f"/p/{section.code}/room/")

    screen.clock.run_for(65 * SECONDS)

    expect(screen.get_by_role("timer")).to_have_text(re.compile(r"^-[1-9]:\d\d$"))
    expect(screen.locator(".timer")).to_contain_text("over time")


def test_a_phone_asks_more_often_around_the_end_of_a_round(page, section):
    section.clock_ends_at = timezone.now() + timedelta(minutes=20)
    section.touch()
    phone = page(PHONE, service_workers="block")
    stop_the_clock(phone)
    phone.goto(f"/p/{section.code}/NS3/")
    phone.evaluate(
        "document.addEventListener('look', () => { window.looks = (window.looks || 0) + 1; })"
    )

    asked = []
    for minutes in (1, 17, 1, 1, 1, 10):
        phone.evaluate("window.looks = 0")
        phone.clock.run_for(minutes * 60 * SECONDS)
        asked.append(phone.evaluate("window.looks") // minutes)

    # just opened; long to go; the last but one, the last, the first over time; then nobody minds the clock
    assert asked[0] >= 23
    assert asked[1] == 0
    assert asked[3] >= 23
    assert asked[4] >= 23
    assert asked[5] >= 20
    phone.evaluate("window.looks = 0")
    phone.clock.run_for(60 * SECONDS)
    assert phone.evaluate("window.looks") == 0
    expect(phone.locator("#live")).to_have_attribute("hx-trigger", "every 10s, look")


def test_the_phones_of_a_room_ask_at_different_times(page, section):
    """Two seconds between two questions, of which each phone takes a part by chance: else all come at a round's begin."""
    asks = []
    phone = page(PHONE, service_workers="block")
    phone.on("request", lambda letter: asks.append(letter) if "?v=" in letter.url else None)
    stop_the_clock(phone)
    found = {}
    for pair in range(1, 4):
        for line in ("NS", "EW"):
            phone.add_init_script(f"Math.random = () => {len(found) / 6};")
            phone.goto(f"/p/{section.code}/{line}{pair}/")
            asks.clear()
            passed = 0
            while not asks and passed < 4 * SECONDS:
                phone.clock.run_for(250)
                passed += 250
            found[f"{line}{pair}"] = passed

    assert set(found.values()) <= set(range(2 * SECONDS, 4 * SECONDS + 1, 250)), found
    assert max(map([*found.values()].count, found.values())) <= len(found) / 2, found
    assert max(found.values()) - min(found.values()) >= SECONDS, found


def test_more_cells_than_fit_take_turns(page, director):
    large = section_with(60, "skip-mitchell", round=1, by=director)
    screen = page((1280, 800))
    stop_the_clock(screen)
    screen.goto(f"/p/{large.code}/room/")
    pages = screen.locator("[data-page]")

    shown = []
    for _ in range(5):
        shown.append([number for number, element in enumerate(pages.all()) if element.is_visible()])
        screen.clock.run_for(12 * SECONDS)

    assert shown == [[0], [1], [2], [3], [0]]  # moves, then the plan of the room


def test_the_sections_of_a_session_take_turns(page, section, director):
    other = section_with(6, "mitchell", by=director)
    other.session, other.name = section.session, "B"
    other.save()
    screen = page((1280, 800))
    stop_the_clock(screen)
    screen.goto(f"/p/{section.code}/room/?all=turn")

    shown = []
    for _ in range(5):
        shown.append(screen.locator("[data-display]:visible .sec").all_inner_texts())
        screen.clock.run_for(12 * SECONDS)

    assert shown == [["A"], ["A"], ["B"], ["B"], ["A"]]  # moves and plan; names and picture
    rounds.start_next_round(other, after=0, by=director)
    screen.clock.run_for(6 * SECONDS)
    expect(screen.locator("[data-display]").last).to_contain_text("Round 1 of 3")


def test_the_wall_warns_of_the_end_while_it_counts_down(page, section):
    section.clock_ends_at = timezone.now() + timedelta(minutes=7)
    section.touch()
    screen = page((1280, 800))
    stop_the_clock(screen)
    screen.goto(f"/p/{section.code}/room/")
    timer = screen.locator(".timer")

    for seconds, warning in (
        (1, "minutes left"),
        (240, "the last 5 minutes"),
        (124, "the last minute"),
        (60, "over time"),
    ):
        screen.clock.run_for(seconds * SECONDS)
        expect(timer.locator(".u")).to_have_text(warning)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_change_is_told_until_it_is_read(page, section, director, scripts):
    phone = page(PHONE, java_script_enabled=scripts, service_workers="block")
    phone.goto(f"/p/{section.code}/NS3/")
    notice = phone.get_by_role("status").filter(has_text="New plan")
    change(section, exchange(3, 6))

    if scripts:
        expect(notice).to_contain_text("New plan: in round 5 you sit North-South at table 6.")
    else:
        phone.get_by_role("link", name="Look again").click()
        expect(notice).to_be_visible()
    expect(phone.locator("tr.new")).to_have_count(3)
    button = phone.get_by_role("button", name="I have read this")
    assert button.bounding_box()["height"] >= 44
    assert not scrolls_sideways(phone)

    button.click()

    expect(notice).to_have_count(0)
    expect(now_card(phone)).to_contain_text("Round 4 of 7")
    expect(phone.locator("tr.new")).to_have_count(0)


def at_every_size(screen: Page, sizes: list[tuple[int, int]]) -> Iterator[Locator]:
    """Show every page of a display at every size of a screen."""
    wait_for_fonts(screen)
    for _ in screen.locator("[data-page]").all():
        for width, height in sizes:
            screen.set_viewport_size({"width": width, "height": height})
            yield screen.locator("[data-page]:not([hidden])")
            assert not scrolls_sideways(screen)
            assert screen.evaluate("document.documentElement.scrollHeight <= window.innerHeight")
        screen.clock.run_for(12 * SECONDS)


def test_every_cell_of_the_display_has_room_for_what_it_says(page, director):
    codes = [
        section_with(pairs, "skip-mitchell", round=round, by=director).code
        for pairs in (15, 47, 60)
        for round in (0, 2)
    ]
    screen = page(DESKTOP)
    stop_the_clock(screen)

    for code in codes:
        screen.goto(f"/p/{code}/room/")
        for shown in at_every_size(screen, [(1280, 720), (1024, 768), (1920, 1080)]):
            is_picture = shown.locator("svg.ring").count() == 1
            assert is_picture or shown.locator(".go1").count() >= 8
            assert shown.locator(".go1").evaluate_all(OVERFLOWS) == [], code


def test_few_cells_are_larger_and_have_room_in_german_too(page, director):
    codes = [
        section_with(pairs, family, round=round, by=director).code
        for pairs, family, round in (
            (13, "mitchell", 2),
            (8, "howell", 1),
            (8, "share-and-relay", 1),
        )
    ]
    screen = page(DESKTOP, locale="de-DE")
    stop_the_clock(screen)

    measured = set()
    for code in codes:
        screen.goto(f"/p/{code}/room/")
        for shown in at_every_size(screen, [(1280, 720), (1024, 768)]):
            if shown.locator("svg.ring").count() == 1:
                continue
            measured.add(code)
            assert shown.locator(".go1 .pair").first.evaluate(
                "pair => parseFloat(getComputedStyle(pair).fontSize) >= innerWidth * .028"
            )
            assert shown.locator(".go1").evaluate_all(OVERFLOWS) == [], code
    assert measured == set(codes)

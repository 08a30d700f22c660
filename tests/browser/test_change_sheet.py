"""A change opens in a sheet above the desk, and as a page of its own without scripts."""

import re
from collections.abc import Iterator
from threading import Event

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from bridgebuddy.director.changes.forms import EFFORTS
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes, rounds, searches
from movements.engine.changes import PairArrives, proposals
from tests.browser.conftest import DESKTOP, PASSWORD, PHONE, held_back, until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FAILED = "The request did not arrive. Check the connection and try again. Repeating it is safe."
NEW_PLAN = "Shall everybody get a new plan?"


@pytest.fixture
def desk(desk_of, section, director) -> Page:
    return desk_of(section, director)


@pytest.fixture
def gates(monkeypatch) -> Iterator[dict[int, Event]]:
    """Let every search return its simplest result after its gate has been opened."""
    gates = {effort: Event() for effort in EFFORTS}

    def searched(movement, fixed, change, sizes):
        gates[change.effort].wait()
        return proposals(movement, fixed, PairArrives(), sizes)

    monkeypatch.setattr(searches, "searched_proposals", searched)
    yield gates
    for gate in gates.values():
        gate.set()


def sheet(desk: Page) -> Locator:
    return desk.get_by_role("dialog")


def link(desk: Page, name: str) -> Locator:
    return desk.get_by_role("link", name=name, exact=True)


def button(desk: Page, name: str) -> Locator:
    return desk.get_by_role("button", name=name, exact=True)


def open_sheet(desk: Page, name: str) -> Locator:
    link(desk, name).click()
    expect(sheet(desk)).to_be_visible()
    return sheet(desk)


def type_names(desk: Page, first: str = "Eve Engel", second: str = "Max O’Reid") -> None:
    desk.get_by_label("First player").fill(first)
    desk.get_by_label("Partner").fill(second)


def expect_closed(desk: Page) -> None:
    expect(sheet(desk)).to_have_count(0)


def wait_until_back(desk: Page) -> None:
    """Wait until the browser has taken the step back that belongs to a sheet's closing."""
    until(desk, "() => !history.state?.sheet")


def open_more(desk: Page, name: str) -> Locator:
    desk.get_by_text("More", exact=True).click()
    return open_sheet(desk, name)


def escape(desk: Page) -> None:
    """Close the sheet, and wait until the browser has taken the step back that belongs to it."""
    desk.keyboard.press("Escape")
    expect_closed(desk)
    wait_until_back(desk)


def who_comes_late_is_typed_at_once_and_enter_seats_nobody(desk, section):
    desk.set_viewport_size({"width": 1024, "height": 768})
    open_sheet(desk, "Late pair")
    expect(desk.get_by_label("First player")).to_be_focused()
    expect(desk.locator(".decide button:visible")).to_be_in_viewport(ratio=1)
    desk.keyboard.type("Eve Engel")
    desk.keyboard.press("Enter")
    expect(desk.get_by_label("Partner")).to_be_focused()
    desk.keyboard.type("Max Engel")
    desk.keyboard.press("Enter")
    expect(desk.locator("[name=way]:checked")).to_be_focused()
    with desk.expect_response("**/change/late/**"):
        desk.keyboard.press("Enter")
    expect(desk.locator("#sheet-body.htmx-request")).to_have_count(0)
    expect(sheet(desk)).to_be_visible()
    expect(desk.get_by_label("Partner")).to_have_value("Max Engel")
    assert not section.entries.filter(people__name="Eve Engel").exists()
    expect(desk).to_have_url(re.compile(f"/s/{section.code}/desk/$"))
    escape(desk)


def the_menu_of_names_closes_first_then_the_sheet(desk):
    open_sheet(desk, "Late pair")
    desk.get_by_label("First player").press_sequentially("Nor")
    expect(desk.get_by_role("option").first).to_be_visible()
    desk.keyboard.press("Escape")
    expect(desk.get_by_role("option")).to_have_count(0)
    expect(sheet(desk)).to_be_visible()
    escape(desk)


def it_opens_at_its_question_and_the_focus_is_where_it_was_whatever_closes_it(desk):
    desk.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    for close in (
        lambda: desk.keyboard.press("Escape"),
        link(desk, "Close").click,
        lambda: desk.mouse.click(10, 700),  # beside it
        desk.go_back,
    ):
        open_sheet(desk, "Pair leaves")
        expect(sheet(desk)).to_have_accessible_name("Who leaves?")
        expect(desk.get_by_role("heading", name="Who leaves?")).to_be_focused()

        close()

        expect_closed(desk)
        expect(link(desk, "Pair leaves")).to_be_focused()
        expect(desk.get_by_role("heading", level=1)).to_contain_text("Round 1 of 7")
        wait_until_back(desk)


def with_the_control_key_the_change_is_a_page_of_its_own(desk, section):
    with desk.context.expect_page() as opened:
        link(desk, "Late pair").click(modifiers=["ControlOrMeta"])
    expect(opened.value).to_have_url(re.compile(f"/s/{section.code}/change/late/$"))
    expect_closed(desk)
    opened.value.close()


def a_mistake_in_what_is_asked_stands_beside_its_field(desk):
    open_more(desk, "Two pairs sat wrong")
    desk.get_by_label("This pair").select_option("3")
    desk.get_by_label("sat in the place of").select_option("3")
    button(desk, "Show what is possible").click()
    expect(sheet(desk).get_by_role("alert")).to_have_text("Choose two different pairs.")
    expect(desk.get_by_label("sat in the place of")).to_be_focused()
    expect(desk.get_by_label("This pair")).to_have_value("3")
    escape(desk)


def an_answer_where_it_is_chosen(desk):
    open_sheet(desk, "Pair leaves")
    desk.get_by_role("combobox", name="Who leaves?").select_option("3")
    button(desk, "Show what is possible").click()
    expect(sheet(desk).get_by_role("radio").first).to_be_focused()
    expect(desk).to_have_url(re.compile("/desk/$"))
    button(desk, "Remove the pair").click()
    expect_closed(desk)
    expect(desk.locator(".log")).to_contain_text("left; their table is half empty")


def the_keyboard_opens_a_rare_change_and_finds_back_under_more(desk, section, director):
    desk.get_by_text("More", exact=True).click()
    link(desk, "A pair cannot move").press("Enter")
    expect(desk.get_by_role("heading", name="Who has to stay at a table?")).to_be_focused()
    rounds.pause_clock(
        Section.objects.get(pk=section.pk), by=director
    )  # the desk is drawn anew, its menu folded
    expect(desk.locator("#main button[aria-label='Resume the clock']")).to_be_attached()
    expect(sheet(desk)).to_be_visible()
    desk.keyboard.press("Escape")
    expect(link(desk, "A pair cannot move")).to_be_focused()


def test_a_sheet_is_opened_answered_and_closed_by_keys_and_the_focus_is_where_it_was(
    desk, section, director
):
    who_comes_late_is_typed_at_once_and_enter_seats_nobody(desk, section)
    the_menu_of_names_closes_first_then_the_sheet(desk)
    it_opens_at_its_question_and_the_focus_is_where_it_was_whatever_closes_it(desk)
    with_the_control_key_the_change_is_a_page_of_its_own(desk, section)
    a_mistake_in_what_is_asked_stands_beside_its_field(desk)
    an_answer_where_it_is_chosen(desk)
    the_keyboard_opens_a_rare_change_and_finds_back_under_more(desk, section, director)


def go_back_past_the_sheet(desk: Page) -> None:
    desk.go_back()
    expect(desk).to_have_url(re.compile("/entries/$"))
    link(desk, "Desk").click()
    desk.wait_for_url("**/desk/")


def the_way_back_leads_past_a_sheet_that_was_closed(desk, section):
    desk.goto(f"/s/{section.code}/entries/")
    link(desk, "Desk").click()
    desk.wait_for_url("**/desk/")
    open_sheet(desk, "Late pair")
    escape(desk)
    go_back_past_the_sheet(desk)


def a_wrong_answer_is_put_right_in_the_sheet_and_a_double_click_makes_one_change(desk, section):
    with held_back(desk, "**/change/late/"):
        link(desk, "Late pair").dblclick()
    expect(sheet(desk)).to_be_visible()
    type_names(desk, second="Anna North2")
    sheet(desk).get_by_label("Why, for the records").fill("The train")
    button(desk, "Seat the pair as rover").click()
    expect(sheet(desk).get_by_text("Anna North2 is on the list already.")).to_be_visible()
    expect(desk.get_by_label("Partner")).to_be_focused()
    expect(desk.get_by_label("Partner")).to_have_value("Anna North2")
    expect(sheet(desk).get_by_label("Why, for the records")).to_have_value("The train")
    desk.get_by_label("Partner").fill("Max O’Reid")
    with held_back(desk, "**/change/late/"):
        button(desk, "Seat the pair as rover").dblclick()
    expect_closed(desk)
    came = "Eve Engel & Max O’Reid came and play as rover."
    expect(desk.get_by_role("status")).to_contain_text(came)
    expect(desk.locator(".log")).to_contain_text(came)
    assert (section.entries.count(), section.movements.count()) == (17, 2)
    assert section.movements.get(version=2).reason == "The train"
    go_back_past_the_sheet(desk)


def of_two_links_to_a_change_the_pressed_one_has_the_focus_again(desk, section, director):
    now = Section.objects.get(pk=section.pk)
    changes.undo_change(now, plan=now.plan, by=director)
    for name in ("Seat them Eve Engel & Max O’Reid", "Late pair"):
        open_sheet(desk, name)
        escape(desk)
        expect(link(desk, name)).to_be_focused()
    now = Section.objects.get(pk=section.pk)
    changes.redo_change(now, plan=now.plan, by=director)
    expect(desk.get_by_text("are waiting for a seat")).to_have_count(0)


def a_lost_connection_is_told_in_the_sheet_and_what_was_typed_stays(desk):
    desk.context.set_offline(True)
    open_sheet(desk, "Late pair")
    expect(desk.get_by_role("heading", name="Not connected")).to_be_focused()
    expect(sheet(desk).get_by_text(FAILED)).to_be_visible()
    desk.context.set_offline(False)
    button(desk, "Close").click()
    expect_closed(desk)
    wait_until_back(desk)
    open_sheet(desk, "Late pair")
    expect(desk.get_by_label("First player")).to_be_focused()
    expect(sheet(desk).get_by_text(FAILED)).to_be_hidden()
    type_names(desk, "Ida Paul", "Tom Paul")
    desk.context.set_offline(True)
    desk.locator(".decide button:visible").click()
    expect(sheet(desk).get_by_text(FAILED)).to_be_visible()
    expect(desk.get_by_label("First player")).to_have_value("Ida Paul")
    desk.context.set_offline(False)


def an_answer_that_was_lost_on_its_way_is_no_second_change(desk, section):
    def lose(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch(max_redirects=0)
            route.abort()
        else:
            route.continue_()

    desk.route("**/change/late/", lose)
    with desk.expect_event("requestfailed"):
        desk.locator(".decide button:visible").click()
    expect(sheet(desk).get_by_text(FAILED)).to_be_visible()
    desk.unroute_all()
    assert section.movements.count() == 5
    desk.locator(".decide button:visible").click()
    expect_closed(desk)
    assert (section.entries.count(), section.movements.count()) == (18, 5)


def who_is_signed_out_meanwhile_signs_in_and_comes_back_to_the_desk(desk, section, director):
    open_sheet(desk, "Pair leaves")
    desk.get_by_role("combobox", name="Who leaves?").select_option("3")
    # the desk below asks for news by itself, and is sent to the page for signing in as well
    desk.route("**/desk/?v=*", lambda route: route.abort())
    desk.context.clear_cookies()
    button(desk, "Show what is possible").click()
    expect(desk.get_by_role("heading", name="Sign in")).to_be_visible()
    desk.unroute_all()
    desk.get_by_label("Email").fill(director.email)
    desk.get_by_label("Password").fill(PASSWORD)
    button(desk, "Sign in").click()
    expect(desk).to_have_url(re.compile(rf"/s/{section.code}/desk/$"))
    expect(desk.get_by_role("heading", name="Round 1 of 7")).to_be_visible()


def after_the_end_the_sheet_gives_way_to_the_desk(desk, section, director):
    open_sheet(desk, "Pair leaves")
    desk.get_by_role("combobox", name="Who leaves?").select_option("3")
    rounds.finish_session(Section.objects.get(pk=section.pk), round=1, by=director)
    button(desk, "Show what is possible").click()
    expect(desk.get_by_role("heading", name="Finished")).to_be_visible()
    expect(desk.get_by_role("status")).to_contain_text("No round is being played.")
    expect_closed(desk)


def test_whatever_happens_to_an_answer_a_change_is_made_once_and_the_way_back_leads_past_the_sheet(
    desk, section, director
):
    the_way_back_leads_past_a_sheet_that_was_closed(desk, section)
    a_wrong_answer_is_put_right_in_the_sheet_and_a_double_click_makes_one_change(desk, section)
    of_two_links_to_a_change_the_pressed_one_has_the_focus_again(desk, section, director)
    a_lost_connection_is_told_in_the_sheet_and_what_was_typed_stays(desk)
    an_answer_that_was_lost_on_its_way_is_no_second_change(desk, section)
    who_is_signed_out_meanwhile_signs_in_and_comes_back_to_the_desk(desk, section, director)
    after_the_end_the_sheet_gives_way_to_the_desk(desk, section, director)


def of_two_changes_pressed_the_later_one_opens(desk):
    desk.get_by_text("More", exact=True).click()
    with desk.expect_request("**/change/rebuild/*") as asked:
        link(desk, "Plan all rounds to come again").click()
    with desk.expect_event("requestfailed", lambda request: request == asked.value):
        open_sheet(desk, "Pair leaves")
    expect(desk.get_by_role("heading", name="Who leaves?")).to_be_visible()
    escape(desk)


def a_search_goes_on_until_the_sheet_is_closed(desk, gates):
    gates[1].set()
    open_sheet(desk, "Late pair")
    link(desk, "Search all rounds to come").click()
    question = desk.get_by_role("heading", name=NEW_PLAN)
    expect(question).to_be_focused()
    type_names(desk)
    sheet(desk).get_by_label("Why, for the records").fill("The train")
    desk.locator(".choice", has_text="Rover, East-West").click()
    expect(sheet(desk).get_by_text("Still searching.")).to_be_visible()
    gates[4].set()
    expect(desk.locator("#search[hx-get*='effort=12']")).to_be_attached()
    expect(question).to_be_visible()
    expect(desk.get_by_label("First player")).to_have_value("Eve Engel")
    expect(sheet(desk).get_by_label("Why, for the records")).to_have_value("The train")
    expect(desk.get_by_role("radio", name="Rover, East-West")).to_be_checked()
    expect(desk.get_by_role("radio", name="Rover, East-West")).to_be_focused()
    escape(desk)
    expect(link(desk, "Late pair")).to_be_focused()
    expect(desk.locator("#ways")).to_have_count(0)


def the_best_so_far_is_taken_while_it_goes_on(desk, section):
    open_sheet(desk, "Late pair")
    link(desk, "Search all rounds to come").click()
    expect(desk.get_by_role("heading", name=NEW_PLAN)).to_be_focused()
    type_names(desk)
    desk.locator(".decide button:visible").click()
    expect_closed(desk)
    assert section.movements.count() == 2


def a_decision_goes_before_a_search_that_was_just_asked_for(desk, section, gates):
    for gate in gates.values():
        gate.clear()
    open_sheet(desk, "Late pair")
    type_names(desk, "Ida Paul", "Tom Paul")
    link(desk, "Search all rounds to come").click()
    desk.locator(".decide button:visible").click()
    expect_closed(desk)
    expect(desk.locator(".log")).to_contain_text("Ida Paul & Tom Paul came")
    assert section.movements.count() == 3


def test_a_search_goes_on_in_the_sheet_until_it_is_closed_and_what_is_decided_goes_before_it(
    desk, section, gates
):
    of_two_changes_pressed_the_later_one_opens(desk)
    a_search_goes_on_until_the_sheet_is_closed(desk, gates)
    the_best_so_far_is_taken_while_it_goes_on(desk, section)
    a_decision_goes_before_a_search_that_was_just_asked_for(desk, section, gates)


def test_fingers_open_answer_and_close_the_sheet(desk_of, section, director):
    """`test_live_changes` has a tablet."""
    desk = desk_of(section, director, PHONE, has_touch=True)

    link(desk, "Late pair").tap()
    expect(sheet(desk)).to_be_visible()
    assert desk.evaluate("document.getElementById('sheet').scrollWidth") == PHONE[0]
    link(desk, "Close").tap()
    expect_closed(desk)
    link(desk, "Late pair").tap()
    type_names(desk)
    desk.locator(".choice", has_text="Rover, East-West").tap()
    desk.locator(".decide button:visible").tap()

    expect_closed(desk)
    expect(desk.locator(".log")).to_contain_text("Eve Engel & Max O’Reid came")


def test_a_sheet_that_is_closed_while_its_answer_is_put_in_stays_closed(desk):
    """The browser puts an answer in first and shows it some milliseconds later."""
    open_sheet(desk, "Late pair")
    type_names(desk)
    desk.evaluate(
        """() => {
            const body = document.getElementById("sheet-body");
            const close = () => document.getElementById("sheet").close();
            body.addEventListener("htmx:afterSwap", close, { once: true });
            body.addEventListener("htmx:afterSettle", () => { window.isSettled = true; });
        }"""
    )

    desk.keyboard.press("Enter")
    expect(desk.locator("[name=way]:checked")).to_be_focused()
    desk.keyboard.press("Enter")
    until(desk, "() => window.isSettled")

    expect_closed(desk)
    wait_until_back(desk)

"""A change opens in a sheet above the desk, and is a page of its own for whoever has no scripts."""

import re
from collections.abc import Iterator
from threading import Event

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from bridgebuddy.director.changes.forms import EFFORTS
from bridgebuddy.events.models import Section
from bridgebuddy.events.services import changes, rounds, searches
from movements.engine.changes import PairArrives, PairLeaves, proposals
from tests.browser.conftest import PASSWORD, PHONE, TABLET, held_back

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FAILED = "That did not get through. Look at the connection, then try again: nothing is done twice."


@pytest.fixture
def desk(desk_of, section, director) -> Page:
    return desk_of(section, director)


@pytest.fixture
def gates(monkeypatch) -> Iterator[dict[int, Event]]:
    """Every search finds what is simplest, when the gate of its effort has been opened."""
    gates = {effort: Event() for effort in EFFORTS}

    def searched(movement, fixed, change, sizes):
        gates[change.effort].wait()
        return proposals(movement, fixed, PairArrives(), sizes)

    monkeypatch.setattr(searches, "searched", searched)
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
    desk.wait_for_function("!history.state?.sheet")


def test_who_comes_late_is_typed_at_once_and_enter_goes_on_but_seats_nobody(desk, section):
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
    desk.keyboard.press("Enter")

    expect(sheet(desk)).to_be_visible()
    expect(desk.get_by_label("Partner")).to_have_value("Max Engel")
    assert not section.entries.filter(people__name="Eve Engel").exists()
    expect(desk).to_have_url(re.compile(f"/s/{section.code}/desk/$"))


def test_the_sheet_opens_at_its_question_and_whatever_closes_it_the_focus_is_where_it_was(desk):
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


def test_of_two_links_to_a_change_the_pressed_one_has_the_focus_again(desk_of, section, director):
    arrives = changes.ways(section, PairArrives())
    taken = changes.take(
        section,
        arrives[0],
        PairArrives(),
        plan=section.plan,
        by=director,
        newcomer=changes.Newcomer(names=("Eve Engel", "Max O’Reid")),
    )
    changes.undo(taken, plan=taken.plan, by=director)
    desk = desk_of(section, director)

    for name in ("Seat them Eve Engel & Max O’Reid", "Late pair"):
        open_sheet(desk, name)
        desk.keyboard.press("Escape")
        expect_closed(desk)
        expect(link(desk, name)).to_be_focused()


def test_the_way_back_leads_past_a_sheet_that_was_closed_or_in_which_something_was_decided(
    desk_of, section, director
):
    def leave() -> None:
        desk.keyboard.press("Escape")
        expect_closed(desk)
        wait_until_back(desk)

    def decide() -> None:
        type_names(desk)
        button(desk, "Seat the pair as rover").click()
        expect_closed(desk)
        expect(desk.get_by_role("status")).to_contain_text("came and play as rover.")

    desk = desk_of(section, director)
    for close in (leave, decide):
        desk.goto(f"/s/{section.code}/entries/")
        link(desk, "Desk").click()
        desk.wait_for_url("**/desk/")
        open_sheet(desk, "Late pair")
        close()

        desk.go_back()

        expect(desk).to_have_url(re.compile("/entries/$"))


def test_the_keyboard_opens_a_rare_change_and_finds_back_under_more(desk, section, director):
    desk.get_by_text("More", exact=True).click()
    link(desk, "A pair cannot move").press("Enter")
    expect(desk.get_by_role("heading", name="Who has to stay at a table?")).to_be_focused()

    rounds.pause_clock(section, by=director)  # the desk is drawn anew, its menu folded
    expect(desk.locator("#main button[aria-label='Let the clock run on']")).to_be_attached()
    expect(sheet(desk)).to_be_visible()
    desk.keyboard.press("Escape")

    expect(link(desk, "A pair cannot move")).to_be_focused()


def test_a_wrong_answer_is_told_in_the_sheet_and_put_right_there(desk, section):
    open_sheet(desk, "Late pair")
    type_names(desk, second="Anna North2")
    sheet(desk).get_by_label("Why, for the records").fill("The train")

    button(desk, "Seat the pair as rover").click()

    expect(sheet(desk).get_by_text("Anna North2 is on the list already.")).to_be_visible()
    expect(desk.get_by_label("Partner")).to_be_focused()
    expect(desk.get_by_label("Partner")).to_have_value("Anna North2")
    expect(sheet(desk).get_by_label("Why, for the records")).to_have_value("The train")
    desk.get_by_label("Partner").fill("Max O’Reid")
    button(desk, "Seat the pair as rover").click()
    expect_closed(desk)
    expect(desk.get_by_role("status")).to_contain_text(
        "Eve Engel & Max O’Reid came and play as rover."
    )
    assert section.movements.get(version=2).reason == "The train"


def test_a_mistake_in_what_is_asked_stands_beside_its_field_and_an_answer_where_it_is_chosen(desk):
    desk.get_by_text("More", exact=True).click()
    open_sheet(desk, "Two pairs sat wrong")
    desk.get_by_label("This pair").select_option("3")
    desk.get_by_label("sat in the place of").select_option("3")

    button(desk, "Show what is possible").click()

    expect(sheet(desk).get_by_role("alert")).to_have_text("Choose two different pairs.")
    expect(desk.get_by_label("sat in the place of")).to_be_focused()
    expect(desk.get_by_label("This pair")).to_have_value("3")
    desk.keyboard.press("Escape")
    expect_closed(desk)
    wait_until_back(desk)
    open_sheet(desk, "Pair leaves")
    desk.get_by_role("combobox", name="Who leaves?").select_option("3")

    button(desk, "Show what is possible").click()

    expect(sheet(desk).get_by_role("radio").first).to_be_focused()
    expect(desk).to_have_url(re.compile("/desk/$"))
    button(desk, "Let the pair go").click()
    expect_closed(desk)
    expect(desk.locator(".log")).to_contain_text("left; their table is half empty")


def test_a_double_click_makes_one_change(desk, section):
    with held_back(desk, "**/change/late/"):
        link(desk, "Late pair").dblclick()
    expect(sheet(desk)).to_be_visible()
    type_names(desk)

    with held_back(desk, "**/change/late/"):
        button(desk, "Seat the pair as rover").dblclick()

    expect_closed(desk)
    expect(desk.locator(".log")).to_contain_text("Eve Engel & Max O’Reid came")
    assert (section.entries.count(), section.movements.count()) == (17, 2)


def test_a_search_goes_on_in_the_sheet_until_it_is_closed(desk, gates):
    gates[1].set()
    open_sheet(desk, "Late pair")
    link(desk, "Search all rounds to come").click()
    question = desk.get_by_role("heading", name="Shall everybody get a new plan?")
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
    desk.keyboard.press("Escape")
    expect_closed(desk)
    expect(link(desk, "Late pair")).to_be_focused()
    expect(desk.locator("#ways")).to_have_count(0)


def test_the_best_so_far_is_taken_while_the_search_goes_on(desk, section, gates):
    gates[1].set()
    open_sheet(desk, "Late pair")
    link(desk, "Search all rounds to come").click()
    expect(desk.get_by_role("heading", name="Shall everybody get a new plan?")).to_be_focused()
    type_names(desk)

    desk.locator(".decide button:visible").click()

    expect_closed(desk)
    assert section.movements.count() == 2


def test_of_two_changes_pressed_the_later_one_opens(desk, gates):
    desk.get_by_text("More", exact=True).click()
    with desk.expect_request("**/change/rebuild/*") as asked:
        link(desk, "Make all rounds to come anew").click()

    with desk.expect_event("requestfailed", lambda request: request == asked.value):
        open_sheet(desk, "Pair leaves")

    expect(desk.get_by_role("heading", name="Who leaves?")).to_be_visible()


def test_a_decision_goes_before_a_search_that_was_just_asked_for(desk, section, gates):
    open_sheet(desk, "Late pair")
    type_names(desk)
    link(desk, "Search all rounds to come").click()

    button(desk, "Seat the pair as rover").click()

    expect_closed(desk)
    expect(desk.locator(".log")).to_contain_text("Eve Engel & Max O’Reid came")
    assert section.movements.count() == 2


def test_somebody_elses_change_is_told_in_the_sheet(desk, section, director):
    open_sheet(desk, "Late pair")
    type_names(desk)
    leaves = PairLeaves(3)
    changes.take(section, changes.ways(section, leaves)[0], leaves, plan=section.plan, by=director)

    button(desk, "Seat the pair as rover").click()

    expect(sheet(desk).get_by_role("alert").first).to_contain_text("Nothing was done")
    expect(desk.get_by_label("First player")).to_have_value("Eve Engel")
    assert section.movements.count() == 2


def test_a_lost_connection_is_told_in_the_sheet_and_the_typed_stays(desk, section):
    desk.context.set_offline(True)
    open_sheet(desk, "Late pair")
    expect(desk.get_by_role("heading", name="Not connected")).to_be_focused()
    expect(sheet(desk).get_by_text(FAILED)).to_be_visible()
    desk.context.set_offline(False)
    button(desk, "Close").click()
    open_sheet(desk, "Late pair")
    expect(desk.get_by_label("First player")).to_be_focused()
    expect(sheet(desk).get_by_text(FAILED)).to_be_hidden()
    type_names(desk)
    desk.context.set_offline(True)

    button(desk, "Seat the pair as rover").click()

    expect(sheet(desk).get_by_text(FAILED)).to_be_visible()
    expect(desk.get_by_label("First player")).to_have_value("Eve Engel")
    desk.context.set_offline(False)
    button(desk, "Seat the pair as rover").click()
    expect_closed(desk)
    assert section.entries.count() == 17


def test_an_answer_that_was_lost_on_its_way_is_no_second_change(desk, section):
    def lose(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch(max_redirects=0)
            route.abort()
        else:
            route.continue_()

    open_sheet(desk, "Late pair")
    type_names(desk)
    desk.route("**/change/late/", lose)
    button(desk, "Seat the pair as rover").click()
    expect(sheet(desk).get_by_text(FAILED)).to_be_visible()
    desk.unroute_all()

    button(desk, "Seat the pair as rover").click()

    expect_closed(desk)
    assert section.movements.count() == 2


def test_who_is_signed_out_meanwhile_signs_in_and_comes_back_to_the_desk(desk, section, director):
    open_sheet(desk, "Pair leaves")
    desk.get_by_role("combobox", name="Who leaves?").select_option("3")
    desk.context.clear_cookies()

    button(desk, "Show what is possible").click()

    expect(desk.get_by_role("heading", name="Sign in")).to_be_visible()
    desk.get_by_label("Email").fill(director.email)
    desk.get_by_label("Password").fill(PASSWORD)
    button(desk, "Sign in").click()
    expect(desk).to_have_url(re.compile(rf"/s/{section.code}/desk/$"))
    expect(desk.get_by_role("heading", name="Round 1 of 7")).to_be_visible()


def test_after_the_end_the_sheet_gives_way_to_the_desk(desk, section, director):
    open_sheet(desk, "Pair leaves")
    desk.get_by_role("combobox", name="Who leaves?").select_option("3")
    rounds.finish(Section.objects.get(pk=section.pk), round=1, by=director)

    button(desk, "Show what is possible").click()

    expect(desk.get_by_role("heading", name="Finished")).to_be_visible()
    expect(desk.get_by_role("status")).to_contain_text("No round is being played.")
    expect_closed(desk)


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_fingers_open_answer_and_close_the_sheet(desk_of, section, director, size):
    desk = desk_of(section, director, size, has_touch=True)

    link(desk, "Late pair").tap()
    expect(sheet(desk)).to_be_visible()
    assert desk.evaluate("document.getElementById('sheet').scrollWidth") == size[0]
    link(desk, "Close").tap()
    expect_closed(desk)
    link(desk, "Late pair").tap()
    type_names(desk)
    desk.locator(".choice", has_text="Rover, East-West").tap()
    desk.locator(".decide button:visible").tap()

    expect_closed(desk)
    expect(desk.locator(".log")).to_contain_text("Eve Engel & Max O’Reid came")


def test_the_menu_of_names_closes_first_then_the_sheet(desk):
    open_sheet(desk, "Late pair")
    desk.get_by_label("First player").press_sequentially("Nor")
    expect(desk.get_by_role("option").first).to_be_visible()

    desk.keyboard.press("Escape")
    expect(desk.get_by_role("option")).to_have_count(0)
    expect(sheet(desk)).to_be_visible()
    desk.keyboard.press("Escape")

    expect_closed(desk)


def test_with_the_control_key_the_change_is_a_page_of_its_own(desk, section):
    with desk.context.expect_page() as opened:
        link(desk, "Late pair").click(modifiers=["ControlOrMeta"])

    expect(opened.value).to_have_url(re.compile(f"/s/{section.code}/change/late/$"))
    expect_closed(desk)


def test_without_scripts_the_change_is_a_page_of_its_own(desk_of, section, director):
    desk = desk_of(section, director, java_script_enabled=False)

    link(desk, "Pair leaves").click()
    expect(desk).to_have_url(re.compile(f"/s/{section.code}/change/leaves/$"))
    desk.get_by_role("combobox", name="Who leaves?").select_option("3")
    button(desk, "Show what is possible").click()
    expect(desk).to_have_url(re.compile(r"/change/leaves/\?contestant=3$"))
    link(desk, "Close").click()

    expect(desk).to_have_url(re.compile("/desk/$"))
    expect_closed(desk)

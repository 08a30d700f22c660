"""An evening that does not go as planned: the desk changes it, phones and the other desk follow."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes, rounds
from movements.engine.changes import PairArrives
from tests.browser.conftest import PHONE, TABLET, until
from tests.factories import director_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def phone_of(page, section):
    """Open the phone of a pair."""

    def open_phone(label: str) -> Page:
        phone = page(PHONE, service_workers="block")
        phone.goto(f"/p/{section.code}/{label}/")
        return phone

    return open_phone


def look(phone: Page, section: Section) -> None:
    """Let a phone look now, as it does when it is taken in the hand, and wait until it has."""
    version = Section.objects.get(pk=section.pk).shown
    phone.evaluate("htmx.trigger('#live', 'look')")
    expect(phone.locator(f"#live[data-version='{version}']")).to_be_attached()


def read_notice(phone: Page) -> None:
    """Say that the notice was read, and wait for the page without it."""
    press(phone, button(phone, "I have read this"))
    expect(notice_on(phone)).to_have_count(0)
    phone.wait_for_load_state()


def plan_on(phone: Page) -> str:
    """Return the text of a pair's plan for the evening, without the clock."""
    shown = phone.locator("#now").inner_text() + phone.locator("#live").inner_text()
    return re.sub(r"\d\d:\d\d", "", shown)


def notice_on(phone: Page) -> Locator:
    return phone.locator("#notice .strong")


def press(desk: Page, target: Locator) -> None:
    """Press with the device's input: a mouse or a finger."""
    target.tap() if desk.evaluate("navigator.maxTouchPoints") else target.click()


def button(desk: Page, name: str) -> Locator:
    return desk.get_by_role("button", name=name)


def link(desk: Page, name: str) -> Locator:
    return desk.get_by_role("link", name=name, exact=True)


def see_the_desk(desk: Page) -> None:
    """Wait until the desk shows the decision and no sheet is open."""
    expect(desk).to_have_url(re.compile("/desk/$"))
    expect(desk.get_by_role("dialog")).to_have_count(0)


def seat_late_pair(desk: Page, first: str, second: str, way: str, verb: str) -> None:
    press(desk, link(desk, "Late pair"))
    desk.get_by_label("First player").fill(first)
    desk.get_by_label("Partner").fill(second)
    press(desk, desk.locator(".choice", has_text=way).first)
    press(desk, button(desk, verb))
    see_the_desk(desk)


def test_two_pairs_come_late_and_one_leaves_while_two_phones_follow(
    desk_of, phone_of, section, director
):
    """By touch alone; the others have a mouse."""
    desk = desk_of(section, director, TABLET, has_touch=True)
    affected, other = phone_of("NS2"), phone_of("NS8")
    planned, others_plan = plan_on(affected), plan_on(other)

    # a sheet as wide as the tablet is opened and closed again
    press(desk, link(desk, "Late pair"))
    expect(desk.get_by_role("dialog")).to_be_visible()
    assert desk.evaluate("document.getElementById('sheet').scrollWidth") == TABLET[0]
    press(desk, link(desk, "Close"))
    see_the_desk(desk)
    until(desk, "() => !history.state?.sheet")

    # the first late pair becomes rover, and takes the seat of NS 2 in round 2
    seat_late_pair(desk, "Eve Engel", "Max O’Reid", "Rover, North-South", "Seat the pair as rover")
    expect(desk.locator(".log")).to_contain_text("Eve Engel & Max O’Reid came and play as rover.")
    look(affected, section)
    expect(notice_on(affected)).to_have_text("New plan: in round 2 you sit out.")
    expect(affected.locator("tr.new").first).to_contain_text("sit out")
    look(other, section)
    assert plan_on(other) == others_plan
    changed = plan_on(affected)
    assert changed != planned

    # that is taken back; why is typed where it is pressed, whatever the other desk does meanwhile
    press(desk, desk.get_by_text("Add a reason", exact=True))
    why = desk.get_by_label("Why, for the records")
    why.fill("They left")
    rounds.pause_clock(Section.objects.get(pk=section.pk), by=director)
    expect(button(desk, "Resume the clock")).to_be_visible()
    expect(why).to_be_focused()
    why.press_sequentially(" again")
    rounds.resume_clock(Section.objects.get(pk=section.pk), by=director)
    expect(button(desk, "Pause the clock")).to_be_visible()
    press(desk, button(desk, "Undo"))
    expect(desk.get_by_text("Eve Engel & Max O’Reid are waiting for a seat.")).to_be_visible()
    expect(desk.locator(".reason[open]")).to_have_count(0)
    press(desk, desk.locator(".log summary").nth(1))
    expect(desk.locator(".log q")).to_have_text("They left again")
    look(affected, section)
    assert plan_on(affected) == planned
    expect(notice_on(affected)).to_have_count(0)

    # and done again
    press(desk, desk.get_by_text("More", exact=True))
    press(desk, button(desk, "Do it again"))
    expect(desk.get_by_text("are waiting for a seat")).to_have_count(0)
    look(affected, section)
    assert plan_on(affected) == changed
    reasons = [(movement.change, movement.reason) for movement in section.movements.all()]
    assert reasons == [("", ""), ("rover", ""), ("undo", "They left again"), ("redo", "")]
    read_notice(affected)

    # the second one waits for whoever sits out, at a party table
    seat_late_pair(
        desk, "Ida Paul", "Tom Paul", "Party table 9", "Seat the pair at the party table"
    )
    look(affected, section)
    expect(notice_on(affected)).to_have_text("New plan: in round 2 you sit North-South at table 9.")
    read_notice(affected)

    # East-West 4 go home; NS 2 would have met them in round 6
    press(desk, link(desk, "Pair leaves"))
    desk.get_by_role("combobox", name="Who leaves?").select_option(
        label="EW 4  Anna North8 & Bob South8"
    )
    press(desk, button(desk, "Show what is possible"))
    press(desk, button(desk, "Remove the pair"))
    see_the_desk(desk)
    expect(desk.locator(".log")).to_contain_text("Anna North8 & Bob South8 left")
    look(affected, section)
    expect(notice_on(affected)).to_have_text("New plan: in round 6 you sit out.")
    look(other, section)
    assert plan_on(other) == others_plan
    expect(notice_on(other)).to_have_count(0)

    press(desk, button(desk, "Start round 2"))
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Round 2 of 7")
    look(affected, section)
    expect(affected.locator(".now .table b")).to_have_text("9")


def test_the_other_directors_desk_follows_and_a_stale_decision_is_refused(
    desk_of, section, director
):
    deciding = desk_of(section, director_of(section.club, email="ben@example.org"), TABLET)
    link(deciding, "Late pair").click()
    deciding.get_by_label("First player").fill("Ida Paul")
    deciding.get_by_label("Partner").fill("Tom Paul")
    arrives, eve = PairArrives(), changes.ArrivingEntry(names=("Eve Engel", "Max O’Reid"))
    rover = next(
        option
        for option in changes.change_options(section, arrives)
        if option.proposal.kind == "rover"
    )

    changes.take_proposal(section, rover, arrives, plan=section.plan, by=director, newcomer=eve)

    came = "Eve Engel & Max O’Reid came and play as rover."
    expect(deciding.locator(".log")).to_contain_text(came)
    button(deciding, "Seat the pair as rover").click()
    expect(deciding.get_by_role("alert")).to_contain_text("Your change was not made")
    expect(deciding.get_by_role("alert")).to_contain_text(f"{came} (anna)")
    expect(deciding.get_by_label("First player")).to_have_value("Ida Paul")
    expect(deciding.locator(".choice").first).to_contain_text("Party table 9")
    assert section.entries.count() == 17
    button(deciding, "Seat the pair at the party table").click()
    see_the_desk(deciding)
    assert section.entries.count() == 18


def test_without_scripts_every_step_is_a_link_or_a_form(desk_of, section, director):
    desk = desk_of(section, director, java_script_enabled=False)

    link(desk, "Pair leaves").click()
    expect(desk).to_have_url(re.compile(f"/s/{section.code}/change/leaves/$"))
    desk.get_by_role("combobox", name="Who leaves?").select_option("3")
    button(desk, "Show what is possible").click()
    expect(desk).to_have_url(re.compile(r"/change/leaves/\?contestant=3$"))
    link(desk, "Close").click()
    expect(desk).to_have_url(re.compile("/desk/$"))

    link(desk, "Late pair").click()
    desk.get_by_label("First player").fill("Eve Engel")
    desk.get_by_label("Partner").fill("Anna North2")
    desk.locator(".choice", has_text="Rover, East-West").click()
    desk.get_by_label("Why, for the records").fill("The train")
    button(desk, "Seat the pair as rover").click()
    expect(desk.get_by_text("Anna North2 is on the list already.")).to_be_visible()
    expect(desk.get_by_label("Why, for the records")).to_have_value("The train")
    desk.get_by_label("Partner").fill("Max O’Reid")
    button(desk, "Seat the pair as rover").click()

    expect(desk.locator(".log")).to_contain_text("Eve Engel")
    desk.get_by_text("More", exact=True).click()
    link(desk, "History of the movement").click()
    expect(desk.locator(".versions li").first).to_contain_text("The train")
    desk.get_by_text("Add a reason", exact=True).click()
    desk.get_by_label("Why, for the records").fill("They left")
    desk.get_by_label("Why, for the records").press("Enter")
    expect(desk.get_by_text("are waiting for a seat")).to_be_visible()
    desk.get_by_text("More", exact=True).click()
    link(desk, "History of the movement").click()
    expect(desk.locator(".versions li").first).to_contain_text("They left")
    desk.get_by_role("link", name="Show its rounds").last.click()
    expect(desk.get_by_text("version 1, as planned")).to_be_visible()
    assert section.movements.get(version=2).facts["names"] == "Eve Engel & Max O’Reid"


def test_the_clocks_go_over_to_the_break_by_themselves(desk_of, section, director):
    section = rounds.set_break(section, after_round=1, minutes=15, by=director)
    section.clock_ends_at = timezone.now() + timedelta(minutes=5)
    section.save()
    shown = desk_of(section, director)
    shown.clock.install()
    for address in (f"/s/{section.code}/desk/", f"/p/{section.code}/room/"):
        shown.goto(address)
        expect(shown.get_by_role("timer")).to_have_text(re.compile(r"^[34]:\d\d$"))

        shown.clock.fast_forward("05:01")

        expect(shown.get_by_role("timer")).to_have_text(re.compile(r"^1[34]:\d\d$"))
    expect(shown.locator(".timer .u")).to_have_text("break")

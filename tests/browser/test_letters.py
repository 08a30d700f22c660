"""Messages waiting on a phone whose connection is really cut: each has its own fate and the right notice."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.table_phones.models import DirectorCall, ResultClaim
from bridgebuddy.table_phones.services import claims, phone_settings
from bridgebuddy.table_phones.services.claims import NewClaim
from tests.factories import director_of, section_with
from tests.table_phones.tapping import with_phones

from .conftest import PHONE, until
from .test_tables import KEPT, enter, enter_up_to_tricks, joined, scan
from .wire import page as foreign_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WAITS = "async () => (await self.letters?.waiting?.() ?? []).some((one) => one.why === 'net')"


#: a page that is no table's loads what sends letters when it has been shown
LOADED = "() => Boolean(self.letters?.look)"


def of_table(section, table=1):
    return list(section.plays.filter(round=section.round, table=table, taken_back_at=None))


def kept_on(phone):
    phone.wait_for_function(LOADED)
    return phone.evaluate("letters.waiting()")


def expect_all_sent(phone):
    """Wait until nothing waits on a phone; a page that was just opened has not yet looked, and says nothing."""
    until(phone, "async () => !(await self.letters?.waiting?.() ?? [1]).length")
    expect(phone.locator("#letters")).to_be_hidden()


def write(phone, section, board, *, up_to_lead=False):
    """Enter a board as 3NT by South, nine tricks."""
    phone.get_by_role("link", name=f"Enter board {board}").click()
    enter_up_to_tricks(phone, "3", "no trumps", "S")
    if not up_to_lead:
        phone.locator("#tricks [name=tricks][value='9']").click()


def write_while_cut(phone, section, wire, play):
    """Enter a board whose keys are open when the connection is cut; the phone stays on a page that it can show."""
    phone.get_by_role("link", name=f"Enter board {play.board}").click()
    expect(phone.locator("#pad")).to_be_visible()
    until(phone, KEPT, arg=[reverse("table", args=[section.code, 1])])
    wire.cut()
    enter(phone, "3", "no trumps", "S", 9)
    until(phone, WAITS)


def waits_for(phone, count):
    """Wait until so many letters have been tried in vain."""
    until(
        phone,
        "async (count) => (await self.letters?.waiting?.() ?? []).filter((one) => one.why === 'net').length >= count",
        arg=count,
    )


def cut_on_the_page_of_the_round(phone, wire, section):
    """Cut the wire when the keys of every board are on the phone."""
    wanted = [
        reverse("table-board", args=[section.code, 1, record.pk]) for record in of_table(section)
    ]
    phone.wait_for_function("(wanted) => wanted.every((path) => tables.has(path))", arg=wanted)
    wire.cut()


#: whoever presses a board at once has left its table's page before a worker could keep it
LATE = """if (!sessionStorage.begun) {
    const worker = navigator.serviceWorker;
    const register = worker.register.bind(worker);
    worker.register = async (...asked) => {
        await new Promise((resolve) => { self.begin = () => { sessionStorage.begun = 1; resolve(); }; });
        return register(...asked);
    };
}"""
WI_FIS = [
    foreign_page("200 OK"),
    foreign_page("302 Found", Location="http://wifi.example/login"),
    foreign_page("403 Forbidden"),
]
THREE = {"contract": "3NT", "declarer": "S", "tricks": 9}
SCAN_AGAIN = "The result was not sent. Scan the card of table 1 again to send it."


def looks(phone):
    """Let a page send the stored messages of its phone, and wait for the outcome."""
    phone.evaluate("letters.look()")


def outcomes_of(play):
    return [result.outcome for result in Result.objects.filter(play=play)]


def put_away(phone):
    """Put away the one letter that is stuck."""
    phone.locator("#letters li").get_by_text("Discard", exact=True).click()
    phone.get_by_role("button", name="Discard it for good").click()
    expect_all_sent(phone)


def kept_before(section, play):
    """A letter as phones kept it before."""
    return {
        "address": reverse("table-board", args=[section.code, 1, play.pk]),
        "body": "side=ns&after=0&contract=3NT&declarer=S&tricks=9&key=0123456789abcdef&late=1",
        "play": str(play.pk),
        "said": "3 no trumps S = +600",
    }


def scans_and_presses_a_board_before_the_phone_keeps_anything(phone, section, wire):
    phone.add_init_script(LATE)
    scan(phone, section, 1, wire.trusted)
    phone.get_by_role("button", name="NS").click()
    phone.get_by_role("link", name=f"Enter board {of_table(section)[0].board}").click()
    expect(phone.locator("#pad")).to_be_visible()
    phone.evaluate("begin()")
    table = reverse("table", args=[section.code, 1])
    until(phone, KEPT, arg=[table, reverse("lookup", args=[section.code])])


def refused_it_says_why_and_the_next_board_asks_the_other_side(phone, board):
    phone.evaluate("document.querySelector('#tricks [name=side]').value = 'nobody'")
    enter(phone, "3", "no trumps", "S", 9)
    expect(phone.get_by_role("alert")).to_contain_text("Your entry did not arrive completely")
    assert kept_on(phone) == []
    phone.get_by_role("link", name="Close").click()
    phone.locator(".brds").get_by_text(f"Board {board}").click()
    enter(phone, "3", "no trumps", "S", 9)
    expect(phone.get_by_role("button", name="Yes, that is right")).to_be_visible()
    phone.get_by_role("link", name="They answer on their own phone").click()


def cut_off_it_waits_and_says_so_on_a_page_that_is_no_tables(phone, section, wire, play):
    write_while_cut(phone, section, wire, play)
    expect(phone.locator("[data-waits]:visible")).to_have_count(1)
    phone.reload()
    expect(phone.locator("[data-unsent] b")).to_have_text("1")
    expect(phone.locator("[data-waits]:visible")).to_have_count(1)
    expect(phone.locator("#live")).to_be_visible()
    expect(phone.locator("#plain")).to_be_hidden()
    phone.get_by_role("link", name="Where do I play?").click()
    expect(phone.get_by_role("heading", name="Which pair are you?")).to_be_visible()
    phone.wait_for_function(LOADED)
    expect(phone.locator("[data-unsent] b")).to_have_text("1")


def a_server_in_trouble_and_the_pages_of_a_wi_fi_take_no_result(phone, wire, play):
    wire.mend()
    for answer, cause in (
        (foreign_page("502 Bad Gateway"), "The server is in trouble. It is tried again."),
        *((item, "A strange page answers. Does the Wi-Fi want you to sign in?") for item in WI_FIS),
    ):
        wire.answers = {"POST": answer}
        looks(phone)
        expect(phone.locator("[data-cause]")).to_have_text(cause)
        assert len(kept_on(phone)) == 1
    assert outcomes_of(play) == []


def with_other_codes_it_goes_when_the_card_is_scanned(phone, section, wire, play):
    phone_settings.renew_secrets(section, by=None)
    wire.mend()
    phone.reload()
    phone.locator("[data-stuck]").click()
    expect(phone.locator("#letters [data-why]")).to_have_text(SCAN_AGAIN)
    expect(phone.locator("#letters [data-about]")).to_contain_text(f"Board {play.board}")
    phone.clock.install()
    scan(phone, section, 1, wire.trusted)
    expect_all_sent(phone)
    assert outcomes_of(play) == [THREE]


def an_answer_that_is_lost_and_one_that_is_given_up_count_once(phone, section, wire, play):
    lookup = reverse("lookup", args=[section.code])
    wire.drops = {"POST"}
    write(phone, section, play.board)
    assert wire.lost.wait(60)
    until(phone, WAITS)
    wire.mend()
    wire.lost.clear()
    wire.holds = {"POST"}
    phone.evaluate("() => { letters.look().then(() => { self.isGivenUp = true; }); }")
    assert wire.lost.wait(60)
    assert not phone.evaluate("self.isGivenUp")
    phone.clock.run_for(9_000)
    until(phone, "() => self.isGivenUp")
    cause = "No connection. Go on: it is sent when there is one."
    expect(phone.locator("[data-cause]")).to_have_text(cause)
    assert len(kept_on(phone)) == 1
    wire.mend()
    other = phone.context.new_page()
    other.goto(f"{wire.trusted}{lookup}")  # which sends them when it opens
    expect_all_sent(other)
    assert [result.number for result in Result.objects.filter(play=play)] == [1]
    return other


def two_tabs_send_what_was_said_meanwhile_and_what_phones_kept_before(
    tabs, section, wire, said, kept
):
    phone, _other = tabs
    write_while_cut(phone, section, wire, said)
    claims.submit_claim(section, NewClaim(said.pk, "ns", {"passed": True}, 0))
    phone.evaluate("(old) => letters.keep(old)", kept_before(section, kept))
    wire.mend()
    for tab in tabs:
        tab.evaluate("dispatchEvent(new Event('online'))")
    for item in tabs:
        expect_all_sent(item)
    expect(phone.locator(f".brds [data-play='{kept.pk}']")).to_contain_text("not checked")
    assert outcomes_of(said) == [{"passed": True}]
    assert outcomes_of(kept) == [THREE]


def when_the_session_is_over_it_can_be_put_away(phone, section, wire, play):
    phone.evaluate("(old) => letters.keep(old)", kept_before(section, play))
    Section.objects.filter(pk=section.pk).update(code_ends_at=timezone.now())
    phone.goto(f"{wire.trusted}/p/")
    phone.locator("[data-stuck]").click()
    over = "The session is over: tell the director."
    expect(phone.locator("#letters [data-why]")).to_have_text(over)
    put_away(phone)


def test_every_letter_of_a_phone_is_sent_once_whoever_answers_meanwhile(
    page, transactional_db, wire
):
    section = with_phones(section_with(10, "mitchell", round=1, boards_per_round=5))
    first, second, third, fourth, fifth = of_table(section)
    phone, opened = page(PHONE), []
    phone.on("framenavigated", lambda frame: opened.append(frame.url))

    scans_and_presses_a_board_before_the_phone_keeps_anything(phone, section, wire)
    refused_it_says_why_and_the_next_board_asks_the_other_side(phone, second.board)
    cut_off_it_waits_and_says_so_on_a_page_that_is_no_tables(phone, section, wire, first)
    assert not [url for url in opened if url.startswith("chrome-error")]
    a_server_in_trouble_and_the_pages_of_a_wi_fi_take_no_result(phone, wire, first)
    with_other_codes_it_goes_when_the_card_is_scanned(phone, section, wire, first)
    other = an_answer_that_is_lost_and_one_that_is_given_up_count_once(phone, section, wire, third)
    two_tabs_send_what_was_said_meanwhile_and_what_phones_kept_before(
        (phone, other), section, wire, fourth, fifth
    )
    assert Result.objects.count() == 5
    when_the_session_is_over_it_can_be_put_away(phone, section, wire, first)


def with_leads_asked_a_result_takes_one_page(phone, section, play):
    asked = []
    phone.on(
        "request", lambda letter: asked.append(letter.url) if "/board/" in letter.url else None
    )
    write(phone, section, play.board, up_to_lead=True)
    phone.get_by_role("button", name="hearts").click()
    phone.get_by_role("button", name="K", exact=True).click()
    phone.locator("#tricks [name=tricks][value='9']").click()
    expect(phone.get_by_role("button", name="Yes, that is right")).to_be_visible()
    board = reverse("table-board", args=[section.code, 1, play.pk])
    assert [url.partition(board)[2] for url in asked] == ["", "", "check/stored/"]
    phone.get_by_role("link", name="They answer on their own phone").click()


def the_yes_to_the_other_side_and_its_correction_wait(phone, corrected):
    phone.get_by_role("button", name="Yes, that is right").click()
    waits_for(phone, 1)
    phone.locator(f".brds [data-play='{corrected.pk}'] a").click()
    enter_up_to_tricks(phone, "3", "no trumps", "S")
    phone.get_by_role("button", name="skip").click()
    phone.locator("#tricks [name=tricks][value='9']").click()
    waits_for(phone, 2)


def their_own_boards_a_call_and_other_seats_wait(phone, passed, not_played):
    phone.get_by_role("link", name=f"Enter board {passed.board}").click()
    phone.get_by_role("button", name="All passed").click()
    waits_for(phone, 3)
    phone.get_by_role("link", name=f"Enter board {not_played.board}").click()
    phone.get_by_role("link", name="Not played").click()
    phone.get_by_role("link", name="Enter a result after all").click()
    phone.get_by_role("link", name="Not played").click()
    phone.get_by_role("button", name="No time left").click()
    waits_for(phone, 4)
    expect(phone.locator("[data-waits]:visible")).to_have_count(2)
    phone.get_by_role("button", name="Call the director").click()
    waits_for(phone, 5)
    phone.get_by_text("We two sit the other way round").click()
    waits_for(phone, 6)
    expect(phone.locator("#offline")).to_be_visible()
    expect(phone.locator("#plain")).to_be_visible()


def the_next_rounds_boards_wait(phone):
    expect(phone.locator("#coming")).to_contain_text("As planned, round 2 at table 1")
    phone.locator("[data-coming]").first.click()
    phone.get_by_role("button", name="All passed").click()
    waits_for(phone, 7)
    expect(phone.locator("#coming [data-waits]:visible")).to_have_count(1)
    expect(phone.locator("#coming [data-coming]:visible")).to_have_count(4)
    phone.get_by_role("link", name="Where do I play?").click()
    expect(phone.locator("#live")).to_be_visible()


def all_is_sent_the_next_rounds_when_that_has_begun(phone, section, wire):
    wire.mend()
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.locator("[data-cause]")).to_contain_text("Its round has not begun.")
    assert [row["why"] for row in kept_on(phone)] == ["early"]
    rounds.start_next_round(section, after=1, by=director_of(section.club))
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect_all_sent(phone)


def test_cut_off_every_key_of_a_table_works_and_so_do_the_next_rounds_boards(
    page, transactional_db, wire
):
    """In the club's own box, where no worker keeps pages."""
    section = with_phones(section_with(10, "mitchell", round=1, boards_per_round=5), asks_lead=True)
    first, second, third, fourth, fifth = of_table(section)
    for play in (fourth, fifth):
        claims.submit_claim(section, NewClaim(play.pk, "ew", {"passed": True}, 0))
    phone, opened = joined(page, section, 1, base_url=wire.plain), []
    phone.on("framenavigated", lambda frame: opened.append(frame.url))

    with_leads_asked_a_result_takes_one_page(phone, section, first)
    cut_on_the_page_of_the_round(phone, wire, section)
    the_yes_to_the_other_side_and_its_correction_wait(phone, fifth)
    their_own_boards_a_call_and_other_seats_wait(phone, second, third)
    the_next_rounds_boards_wait(phone)
    assert not [url for url in opened if url.startswith("chrome-error")]
    all_is_sent_the_next_rounds_when_that_has_begun(phone, section, wire)

    stand = Result.objects.filter(stands=True)
    assert {result.play.board: result.outcome for result in stand.filter(play__round=1)} == {
        first.board: {"contract": "3NT", "declarer": "S", "tricks": 9, "lead": "HK"},
        second.board: {"passed": True},
        third.board: {"not_played": "time"},
        fourth.board: {"passed": True},
        fifth.board: None,  # two versions
    }
    assert [result.outcome for result in stand.filter(play__round=2)] == [{"passed": True}]
    assert [claim.outcome for claim in ResultClaim.objects.filter(play=fourth)] == [
        {"passed": True}
    ] * 2
    assert ResultClaim.objects.get(play=fifth, side="ns").outcome["contract"] == "3NT"
    assert DirectorCall.objects.count() == 1

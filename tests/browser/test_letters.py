"""What waits on a phone, through a wire that is really cut: each letter has its own fate, and its true word."""

import time

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from bridgebuddy.events.models import Section
from bridgebuddy.events.services import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.tables.models import Call, Claim
from bridgebuddy.tables.services import choosing, claims
from bridgebuddy.tables.services.claims import Saying
from tests.factories import section_with
from tests.tables.tapping import with_phones

from .conftest import PATIENCE, PHONE, until
from .test_tables import KEPT, enter, enter_up_to_tricks, joined, scan
from .wire import page as foreign_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEY = "5eed"
OURS, FOREIGN = {"letter": KEY, "words": "why"}, {"letter": "another"}
#: what the server, a proxy or nobody can answer: status and what was read, and what becomes of the letter
FATES = [
    (None, "again net"),
    ((200, {"letter": KEY, "to": "/p/"}), "sent"),
    ((200, None), "again foreign"),
    ((200, FOREIGN), "again foreign"),
    ((0, None), "again foreign"),  # a redirect, of which a script is told nothing
    ((302, None), "again foreign"),
    ((403, OURS), "stuck"),
    ((403, None), "again foreign"),
    ((404, OURS), "stuck"),
    ((404, None), "again foreign"),
    ((409, OURS), "stuck"),
    ((410, OURS), "stuck"),
    ((410, None), "again foreign"),
    ((422, OURS), "stuck"),
    ((425, OURS), "again early"),
    ((429, OURS), "again busy"),
    ((429, None), "again busy"),
    ((500, None), "again server"),
    ((502, None), "again server"),
    ((503, OURS), "again server"),
]


WAITS = "async () => (await self.letters?.waiting?.() ?? []).some((one) => one.why === 'net')"


#: a page that is no table's loads what sends letters when it has been shown
LOADED = "() => Boolean(self.letters?.look)"


def of_table(section, table=1):
    return list(section.plays.filter(round=section.round, table=table, taken_back_at=None))


@pytest.fixture
def phone(page, section, wire):
    """NS at table 1, whose wire can be cut."""
    with_phones(section)
    return joined(page, section, 1, base_url=wire.trusted)


def kept_on(phone):
    phone.wait_for_function(LOADED)
    return phone.evaluate("letters.waiting()")


def expect_all_sent(phone):
    """Wait until nothing waits on a phone; a page that was just opened has not yet looked, and says nothing."""
    until(phone, "async () => !(await self.letters?.waiting?.() ?? [1]).length")
    expect(phone.locator("#letters")).to_be_hidden()


def wait_for_results(count):
    """Wait until so many have come; a store that could not be read says that nothing waits."""
    for _ in range(PATIENCE // 100):
        if Result.objects.exists():
            break
        time.sleep(0.1)
    assert Result.objects.count() == count


def write(phone, section, board, *, up_to_lead=False):
    """Enter a board as 3NT by South, nine tricks."""
    phone.get_by_role("link", name=f"Enter board {board}").click()
    enter_up_to_tricks(phone, "3", "no trumps", "S")
    if not up_to_lead:
        phone.locator("#tricks [name=tricks][value='9']").click()


def write_while_cut(phone, section, wire, play):
    """Enter a board whose keys are open when the wire is cut; the phone stays on whatever page it can show."""
    phone.get_by_role("link", name=f"Enter board {play.board}").click()
    expect(phone.locator("#pad")).to_be_visible()
    until(phone, KEPT, arg=[reverse("table", args=[section.code, 1])])
    wire.cut()
    enter(phone, "3", "no trumps", "S", 9)
    until(phone, WAITS)


LATE = """
const worker = navigator.serviceWorker;
const register = worker.register.bind(worker);
worker.register = async (...asked) => { await new Promise((resolve) => { self.begin = resolve; }); return register(...asked); };
"""


def test_the_table_is_kept_of_who_pressed_a_board_before_the_phone_could_keep_anything(
    page, section, wire
):
    with_phones(section)
    phone = page(PHONE)
    phone.add_init_script(LATE)
    scan(phone, section, 1, wire.trusted)
    phone.get_by_role("button", name="NS").click()
    phone.get_by_role("link", name=f"Enter board {of_table(section)[0].board}").click()
    expect(phone.locator("#pad")).to_be_visible()

    phone.evaluate("begin()")

    until(phone, KEPT, arg=[reverse("table", args=[section.code, 1])])


def at_home(phone, section, wire):
    """Open the list of pairs, not the table."""
    phone.goto(f"{wire.trusted}{reverse('lookup', args=[section.code])}")


MAKE_STORE = """() => new Promise((resolve) => {
    const asked = indexedDB.open("bridgebuddy-table", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("waiting", { keyPath: "id", autoIncrement: true });
    asked.onsuccess = () => { asked.result.close(); resolve(); };
})"""


def entering(page, script=""):
    """Return the phone of somebody who has entered results before, on a page that is no table's."""
    phone = page(PHONE)
    phone.goto("/p/")
    phone.evaluate(MAKE_STORE)
    if script:
        phone.add_init_script(script)
    phone.reload()
    phone.wait_for_function(LOADED)
    return phone


def test_who_has_entered_nothing_loads_nothing_that_sends_letters(page, section):
    phone = page(PHONE)
    asked = []
    phone.on("request", lambda request: asked.append(request.url.partition("?")[0]))
    phone.goto(reverse("lookup", args=[section.code]))
    phone.wait_for_timeout(300)

    stores = phone.evaluate("indexedDB.databases().then((all) => all.map((one) => one.name))")

    assert stores == []
    assert not [url for url in asked if url.endswith(("letters.js", "waiting.js"))]


def test_every_answer_has_its_fate_and_what_was_sent_is_neither_sent_twice_nor_comes_back(
    page, section
):
    phone = entering(page)
    said = [None if one is None else {"status": one[0], "body": one[1]} for one, _ in FATES]

    found = phone.evaluate(
        "([key, answers]) => answers.map((one) => letters.fate(key, one))", [KEY, said]
    )

    assert [f"{one['is']} {one.get('why') or ''}".strip() for one in found] == [
        fate for _, fate in FATES
    ]
    assert {one["words"] for one in found if one["is"] == "stuck"} == {"why"}

    # somebody asks to send it while it is being sent
    asked = phone.evaluate(
        """async (key) => {
            let asked = 0;
            self.fetch = async () => { asked += 1; return new Response(JSON.stringify({ letter: key, to: "/p/" })); };
            await letters.keep({ key, address: "/p/", body: "", is: "again", why: "net" });
            await Promise.all([letters.sendAll(true), letters.sendAll(true)]);
            return asked;
        }""",
        KEY,
    )

    assert asked == 1

    # sending it here is in vain, after another tab has sent it
    left = phone.evaluate(
        """async (key) => {
            const letter = await letters.keep({ key, address: "/p/", body: "", is: "again", why: "net" });
            await letters.remove(letter);
            await letters.change(letter, { why: "server" });
            return letters.waiting();
        }""",
        KEY,
    )

    assert left == []


def test_what_is_refused_is_not_counted_among_what_waits(page, section):
    phone = entering(page)

    phone.evaluate(
        """async (address) => {
            const letter = { address, body: "", why: "net" };
            await letters.keep({ ...letter, key: "1", is: "again" });
            await letters.keep({ ...letter, key: "2", is: "stuck", words: "No." });
            await letters.tell();
        }""",
        reverse("table", args=[section.code, 1]),
    )

    expect(phone.locator("[data-unsent] b")).to_have_text("1")
    expect(phone.locator("[data-stuck] b")).to_have_text("1")


def test_what_waits_is_said_and_sent_by_a_page_that_is_no_tables(phone, section, wire):
    play = of_table(section)[0]
    write_while_cut(phone, section, wire, play)
    wire.mend()
    wire.answers = {"POST": foreign_page("502 Bad Gateway")}

    at_home(phone, section, wire)

    expect(phone.locator("[data-unsent] b")).to_have_text("1")
    expect(phone.locator("[data-cause]")).to_have_text(
        "The server is in trouble. It is tried again."
    )
    assert not Result.objects.exists()
    wire.mend()
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect_all_sent(phone)
    outcome = {"contract": "3NT", "declarer": "S", "tricks": 9}
    assert [one.outcome for one in Result.objects.all()] == [outcome]


@pytest.mark.parametrize(
    "answer",
    [
        foreign_page("200 OK"),
        foreign_page("302 Found", Location="http://wifi.example/login"),
        foreign_page("403 Forbidden"),
    ],
)
def test_a_wi_fis_own_page_takes_no_result(phone, section, wire, answer):
    play = of_table(section)[0]
    write_while_cut(phone, section, wire, play)
    wire.mend()
    wire.answers = {"POST": answer}

    at_home(phone, section, wire)

    expect(phone.locator("[data-cause]")).to_contain_text("A strange page answers")
    assert len(kept_on(phone)) == 1
    wire.mend()
    phone.reload()
    expect_all_sent(phone)
    assert Result.objects.count() == 1


def test_an_answer_that_is_lost_counts_once(phone, section, wire):
    play = of_table(section)[0]
    wire.drops = {"POST"}
    write(phone, section, play.board)
    assert wire.lost.wait(60)
    until(phone, WAITS)

    wire.mend()
    at_home(phone, section, wire)

    expect_all_sent(phone)
    assert [one.number for one in Result.objects.all()] == [1]


def test_what_waited_is_not_refused_for_what_was_said_meanwhile(phone, section, wire):
    play = of_table(section)[0]
    write_while_cut(phone, section, wire, play)
    claims.say(section, Saying(play.pk, "ns", {"passed": True}, 0))
    wire.mend()

    at_home(phone, section, wire)

    expect_all_sent(phone)
    assert [one.outcome for one in Result.objects.all()] == [{"passed": True}]


def test_an_answer_that_takes_too_long_is_given_up_and_counts_once(phone, section, wire):
    play = of_table(section)[0]
    phone.clock.install()
    phone.reload()
    wire.holds = {"POST"}
    write(phone, section, play.board)
    assert wire.lost.wait(60)

    phone.clock.run_for(9_000)

    until(phone, WAITS)
    expect(phone.locator("[data-cause]")).to_have_text(
        "No connection. Go on: it is sent when there is one."
    )
    wire.mend()
    at_home(phone, section, wire)
    expect_all_sent(phone)
    assert [one.number for one in Result.objects.all()] == [1]


def test_last_weeks_letter_stands_in_nobodys_way(phone, section, wire):
    play = of_table(section)[0]
    write_while_cut(phone, section, wire, play)
    wire.mend()
    Section.objects.filter(pk=section.pk).update(code_ends_at=timezone.now())
    phone.context.clear_cookies()
    tonight = with_phones(section_with(10, "mitchell", round=1, club=section.club))
    scan(phone, tonight, 1, wire.trusted)
    phone.get_by_role("button", name="NS").click()

    for one in of_table(tonight):
        write(phone, tonight, one.board)
        phone.get_by_role("button", name="Yes, that is right").click()
        expect(phone.get_by_text(f"Board {one.board} is stored")).to_be_visible()
        phone.get_by_role("link", name="Close").click()

    assert Result.objects.filter(play__section=tonight).count() == len(of_table(tonight))
    phone.locator("[data-stuck]").click()
    expect(phone.locator("#letters [data-why]")).to_have_text(
        "The session is over: tell the director."
    )
    expect(phone.locator("#letters [data-about]")).to_contain_text(f"Board {play.board}")
    phone.locator("#letters li").get_by_text("Put away", exact=True).click()
    phone.get_by_role("button", name="Put it away for good").click()
    expect_all_sent(phone)


def test_with_other_codes_a_letter_asks_for_the_card_and_goes_when_it_is_scanned(
    phone, section, wire
):
    play = of_table(section)[0]
    write_while_cut(phone, section, wire, play)
    choosing.renew_secrets(section, by=None)
    wire.mend()

    at_home(phone, section, wire)

    phone.locator("[data-stuck]").click()
    words = "Scan the card of table 1 again. Then it is sent."
    expect(phone.locator("#letters [data-why]")).to_have_text(words)
    scan(phone, section, 1, wire.trusted)
    expect_all_sent(phone)
    assert Result.objects.count() == 1


def test_a_letter_as_phones_kept_it_before_is_sent(phone, section, wire):
    play = of_table(section)[0]
    said = "side=ns&after=0&contract=3NT&declarer=S&tricks=9&key=0123456789abcdef&late=1"
    old = {
        "address": reverse("table-board", args=[section.code, 1, play.pk]),
        "body": said,
        "play": str(play.pk),
        "said": "3 no trumps S = +600",
    }
    phone.evaluate("(old) => letters.keep(old)", old)

    phone.reload()

    expect(phone.get_by_text("not checked")).to_be_visible()
    assert kept_on(phone) == []
    assert Result.objects.count() == 1


def test_who_asks_to_send_while_it_is_being_tried_in_vain_is_not_told_that_all_is_sent(
    phone, section, wire
):
    write_while_cut(phone, section, wire, of_table(section)[0])
    waits_for(phone, 1)
    phone.evaluate(
        """async () => {
            self.real = fetch;
            self.fetch = () => new Promise((_, reject) => { self.refuse = reject; });
            letters.sendAll();
            while (!self.refuse) await new Promise((resolve) => setTimeout(resolve));
        }"""
    )
    wire.mend()

    told = phone.evaluate(
        """async () => {
            self.fetch = self.real;
            const second = letters.sendAll();
            self.refuse(new TypeError("no net"));
            return [(await second).left, (await letters.waiting()).length];
        }"""
    )

    assert told == [0, 0]
    assert kept_on(phone) == []
    assert Result.objects.count() == 1


def test_two_tabs_send_one_letter_once(phone, section, wire):
    play = of_table(section)[0]
    other = phone.context.new_page()
    other.goto(f"{wire.trusted}{reverse('lookup', args=[section.code])}")
    write_while_cut(phone, section, wire, play)
    wire.mend()

    for one in (phone, other):
        one.evaluate("dispatchEvent(new Event('online'))")

    for one in (phone, other):
        expect_all_sent(one)
    wait_for_results(1)


RESTS = """async () => {
    await letters.sendAll();  // what the page itself sends when it opens
    const said = { address: "/p/", body: "", is: "again", why: "busy" };
    await letters.keep({ ...said, key: "new", tried: Date.now() });
    await letters.keep({ ...said, key: "old", tried: Date.now() - 61000 });
    const { left } = await letters.sendAll();
    return [left, ...(await letters.waiting()).map((one) => [one.key, one.why])];
}"""


def test_for_whom_the_server_was_too_busy_is_tried_again_after_a_minute(page):
    phone = entering(page)

    assert phone.evaluate(RESTS) == [2, ["new", "busy"], ["old", "foreign"]]  # who rests is left


#: what the worker asks the browser to wait for when the network is back, so many letters being left
WHAT_IT_WAITS_FOR = """async ([tag, left]) => {
    const event = new ExtendableEvent("sync");
    let asked = "nothing";
    self.letters.sendAll = async () => ({ sent: 1, left });
    event.waitUntil = (work) => { asked = work.then(() => "all sent", (error) => error.message); };
    self.dispatchEvent(Object.assign(event, { tag }));
    return asked;
}"""


def test_without_a_page_the_browser_is_asked_to_come_back_while_letters_are_left(page):
    phone = page(PHONE)
    phone.goto("/p/")
    with phone.context.expect_event("serviceworker") as found:
        phone.evaluate("() => { navigator.serviceWorker.register('/sw.js'); }")
    worker = found.value

    waited = [
        worker.evaluate(WHAT_IT_WAITS_FOR, asked)
        for asked in (["letters", 0], ["letters", 1], ["another", 1])
    ]

    assert waited == ["all sent", "letters are left", "nothing"]


FAILS_ONCE = """
const open = indexedDB.open.bind(indexedDB);
indexedDB.open = (...what) => {
  if (what.length < 2) return open(...what); // whether there is one
  indexedDB.open = open;
  const asked = { error: new DOMException("no memory") };
  setTimeout(() => asked.onerror());
  return asked;
};
"""


def test_a_store_that_fails_once_is_opened_again(page):
    phone = entering(page, FAILS_ONCE)
    assert kept_on(phone) == []

    kept = phone.evaluate("letters.keep({ key: '5eed', address: '/p/', body: '' })")

    assert kept["id"]
    assert [one["key"] for one in kept_on(phone)] == ["5eed"]


def test_a_refused_result_says_why_and_the_next_board_asks_the_other_side(phone, section, wire):
    first, second = of_table(section)[:2]
    phone.get_by_role("link", name=f"Enter board {first.board}").click()
    expect(phone.locator("#pad")).to_be_visible()
    phone.evaluate("document.querySelector('#tricks [name=side]').value = 'nobody'")
    enter(phone, "3", "no trumps", "S", 9)
    expect(phone.get_by_role("alert")).to_contain_text("That did not get through whole")
    assert kept_on(phone) == []

    phone.get_by_role("link", name="Close").click()
    phone.locator(".brds").get_by_text(f"Board {second.board}").click()
    enter(phone, "3", "no trumps", "S", 9)

    expect(phone.get_by_role("button", name="Yes, that is right")).to_be_visible()


def waits_for(phone, count):
    """Wait until so many letters have been tried in vain."""
    until(
        phone,
        "async (count) => (await self.letters?.waiting?.() ?? []).filter((one) => one.why === 'net').length >= count",
        arg=count,
    )


def cut_on_the_page_of_the_round(phone, wire, section):
    """Cut the wire when the keys of every board are on the phone."""
    wanted = [reverse("table-board", args=[section.code, 1, one.pk]) for one in of_table(section)]
    phone.wait_for_function("(wanted) => wanted.every((path) => tables.has(path))", arg=wanted)
    wire.cut()


@pytest.mark.parametrize("address", ["trusted", "plain"])
def test_cut_off_every_key_of_a_table_works_and_no_error_page_is_seen(page, section, wire, address):
    with_phones(section, asks_lead=True)
    phone = joined(page, section, 1, base_url=getattr(wire, address))
    first, second, third = of_table(section)
    opened = []
    phone.on("framenavigated", lambda frame: opened.append(frame.url))
    write(phone, section, first.board, up_to_lead=True)
    phone.get_by_role("button", name="hearts").click()
    phone.get_by_role("button", name="K", exact=True).click()
    phone.locator("#tricks [name=tricks][value='9']").click()
    expect(phone.get_by_role("button", name="Yes, that is right")).to_be_visible()
    phone.get_by_role("link", name="They answer on their own phone").click()
    cut_on_the_page_of_the_round(phone, wire, section)

    phone.get_by_role("link", name=f"Enter board {second.board}").click()
    phone.get_by_role("button", name="All passed").click()
    waits_for(phone, 1)
    phone.get_by_role("link", name=f"Enter board {third.board}").click()
    phone.get_by_role("link", name="Not played").click()
    phone.get_by_role("link", name="Enter a result after all").click()
    phone.get_by_role("link", name="Not played").click()
    phone.get_by_role("button", name="No time left").click()
    waits_for(phone, 2)
    phone.get_by_role("button", name="Call the director").click()
    waits_for(phone, 3)
    phone.get_by_text("We two sit the other way round").click()
    waits_for(phone, 4)
    expect(phone.locator("[data-waits]:visible")).to_have_count(2)
    expect(phone.locator("#offline")).to_be_visible()
    expect(phone.locator("#plain")).to_be_visible(visible=address == "plain")
    phone.get_by_role("link", name="Where do I play?").click()
    if address == "plain":
        expect(phone.locator("#live")).to_be_visible()
    assert not [url for url in opened if url.startswith("chrome-error")]

    wire.mend()
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect_all_sent(phone)
    by_board = {one.play.board: one.outcome for one in Result.objects.filter(stands=True)}
    lead = {"contract": "3NT", "declarer": "S", "tricks": 9, "lead": "HK"}
    assert by_board == {
        first.board: lead,
        second.board: {"passed": True},
        third.board: {"not_played": "time"},
    }
    assert Call.objects.count() == 1


def test_the_other_sides_yes_and_its_correction_wait_too(page, section, wire):
    with_phones(section)
    first, second = of_table(section)[:2]
    for play in (first, second):
        claims.say(section, Saying(play.pk, "ns", {"passed": True}, 0))
    phone = joined(page, section, 1, "EW", base_url=wire.plain)
    cut_on_the_page_of_the_round(phone, wire, section)

    phone.get_by_role("button", name="Yes, that is right").click()
    waits_for(phone, 1)
    phone.locator(f".brds [data-play='{second.pk}'] a").click()
    enter(phone, "3", "no trumps", "S", 9)
    waits_for(phone, 2)
    wire.mend()
    phone.evaluate("dispatchEvent(new Event('online'))")

    expect_all_sent(phone)
    agreed = Claim.objects.filter(play=first)
    assert [one.outcome for one in agreed] == [{"passed": True}] * 2
    assert Claim.objects.get(play=second, side="ew").outcome["contract"] == "3NT"


def test_with_leads_asked_a_result_takes_one_page(page, section):
    with_phones(section, asks_lead=True)
    phone = joined(page, section, 1)
    play = of_table(section)[0]
    asked = []
    phone.on("request", lambda one: asked.append(one.url) if "/board/" in one.url else None)

    write(phone, section, play.board, up_to_lead=True)
    phone.get_by_role("button", name="skip").click()
    phone.locator("#tricks [name=tricks][value='9']").click()
    expect(phone.get_by_role("button", name="Yes, that is right")).to_be_visible()

    board = reverse("table-board", args=[section.code, 1, play.pk])
    assert [url.partition(board)[2] for url in asked] == ["", "", "check/stored/"]


@pytest.mark.parametrize("address", ["trusted", "plain"])
def test_cut_off_the_next_rounds_boards_are_entered_too(page, section, director, wire, address):
    with_phones(section)
    phone = joined(page, section, 1, base_url=getattr(wire, address))
    cut_on_the_page_of_the_round(phone, wire, section)
    expect(phone.locator("#coming")).to_contain_text("As planned, round 2 at table 1")

    phone.locator("[data-coming]").first.click()
    enter(phone, "3", "no trumps", "S", 9)
    waits_for(phone, 1)
    expect(phone.locator("#coming [data-waits]:visible")).to_have_count(1)
    rounds.start_next_round(section, after=1, by=director)
    wire.mend()
    phone.evaluate("dispatchEvent(new Event('online'))")

    expect_all_sent(phone)
    assert [one.play.round for one in Result.objects.all()] == [2]

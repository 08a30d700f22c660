"""A table's phone in the browser: labels, position and memory of its keys."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from bridgebuddy.clubs.models import Person
from bridgebuddy.table_phones.models import ResultClaim
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.secrets import secret_of
from bridgebuddy.table_phones.services import calls, claims
from bridgebuddy.table_phones.services.claims import NewClaim
from tests.table_phones.tapping import Phone, with_phones

from .conftest import PHONE, scrolls_sideways, wait_for_fonts
from .test_accessibility import SMALL_PHONE, bring_axe, look_at_large_text, visit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def joined(page, section, table, line="NS", **options):
    phone = page(PHONE, **options)
    scan(phone, section, table, options.get("base_url", ""))
    phone.get_by_role("button", name=re.compile(f"^{line}")).click()
    expect(phone.locator("#live")).to_be_visible()
    return phone


def scan(phone, section, table, server=""):
    """Scan a table's card."""
    secret = secret_of(section, table, phone_settings_of(section))
    phone.goto(f"{server}/p/{section.code}/table/{table}/key/{secret}/")


def enter_up_to_tricks(phone, level, suit, seat):
    phone.get_by_role("button", name=level, exact=True).click()
    phone.get_by_role("button", name=suit).click()
    phone.locator(f"#pad [name=by][value={seat}]").click()


def enter(phone, level, suit, seat, tricks):
    enter_up_to_tricks(phone, level, suit, seat)
    phone.locator(f"#tricks [name=tricks][value='{tricks}']").click()


KEPT = """async (paths) => {
  for (const path of paths) if (!await caches.match(path)) return false;
  return true;
}"""


#: the points that a phone says of the keys of tricks, when these are tapped one after the other
SAYS = """(taps) => {
    for (const [name, value] of taps) document.querySelector(`#pad .key[name=${name}][value='${value}']`).click();
    document.querySelector("#tricks [data-more]").click();
    return [...document.querySelectorAll("#tricks [name=tricks]")].filter((key) => key.checkVisibility())
        .map((key) => [key.value, key.innerText.replace(/\\s+/g, " ").trim()]).sort();
}"""


def test_the_keys_say_the_points_that_the_rules_say(page, section):
    """The phone works them out itself."""
    with_phones(section)
    phone = joined(page, section, 1, service_workers="block")
    server = Phone(section, 1, "NS")
    boards = section.plays.filter(round=section.round, table=1, taken_back_at=None)
    contracts = (
        {"level": "6", "strain": "NT", "dbl": "x", "by": "E"},
        {"level": "2", "strain": "D", "dbl": "xx", "by": "N"},
        {"level": "1", "strain": "C", "dbl": "", "by": "W"},
    )
    for play, tapped in zip(boards, contracts, strict=True):
        address = f"/p/{section.code}/table/1/board/{play.pk}/"
        keys = server.open(f"{address}?{urlencode(tapped)}&more=1").keys
        by_server = [
            [key.sent[1], key.text] for key in keys if key.sent and key.sent[0] == "tricks"
        ]
        assert len(by_server) == 14
        phone.goto(f"{address}?new=1")
        assert phone.evaluate(SAYS, [*tapped.items()]) == sorted(by_server)


def test_tables_pages_are_for_everybody(page, section):
    with_phones(section)
    phone = joined(page, section, 1, service_workers="block")
    at = f"/p/{section.code}/table/1/"
    plays = list(section.plays.filter(round=section.round, table=1, taken_back_at=None))
    one, two, _third = (f"{at}board/{play.pk}/" for play in plays)
    four = {"contract": "4S", "declarer": "S", "tricks": 10, "lead": "DK"}
    for play, side, outcome in (
        *((plays[0], "ns", four), (plays[0], "ew", four)),
        *((plays[1], "ns", four), (plays[1], "ew", {**four, "tricks": 9})),
        (plays[2], "ew", four),
    ):
        claims.submit_claim(section, NewClaim(play.pk, side, outcome, 0))
    calls.call_director(section, 1, why="board", board=plays[0].board)
    pages = [
        at,
        f"{one}check/",
        f"{two}check/",
        one,
        f"{one}?new=1",
        f"{one}?level=4&strain=S&by=S",
    ]

    assert visit(phone, pages, sizes=[SMALL_PHONE]) == []
    for address in (pages[1], pages[4]):
        phone.goto(address)
        bring_axe(phone)
        assert look_at_large_text(phone) == []


#: keys that lie below the first screen
UNSEEN = """() => [...document.querySelectorAll('.pad .key')].filter((key) => key.offsetParent)
  .filter((key) => key.getBoundingClientRect().bottom > innerHeight).map((key) => key.innerText)"""
#: words that lie beyond their key or the page, and those that are broken without a hyphen
BROKEN = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const boxOf = (text, place) => {
    range.setStart(text, place);
    range.setEnd(text, place + 1);
    return [...range.getClientRects()].findLast((box) => box.width);
  };
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (text.parentElement.closest('.sr')) continue;
    const key = text.parentElement.closest('.key, .btn, main').getBoundingClientRect();
    for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
      let last;
      for (const [place, letter] of [...word].entries()) {
        const box = boxOf(text, index + place);
        if (!box || letter === '\\u00ad') continue;
        const isOut = box.left < key.left - 1 || box.right > key.right + 1;
        const isBroken = last && box.top > last.top + last.height / 2 && !'\\u00ad-/–'.includes(word[place - 1]);
        if (isOut || isBroken) { found.push(word.replaceAll('\\u00ad', '|')); break; }
        last = box;
      }
    }
  }
  return found;
}"""


def test_with_large_text_every_key_lies_on_the_first_screen_and_no_word_is_broken(page, section):
    with_phones(section)
    for number, person in enumerate(Person.objects.filter(club=section.club)):
        person.name = f"Annegret{chr(97 + number)} Lüdenscheidt"
        person.save()
    phone = joined(page, section, 1)
    phone.context.set_extra_http_headers({"Accept-Language": "de"})
    play, differs = section.plays.filter(round=section.round, table=1, taken_back_at=None)[:2]
    redoubled = {"contract": "7NTxx", "declarer": "E", "tricks": 2}
    claims.submit_claim(section, NewClaim(play.pk, "ew", redoubled, 0))
    claims.submit_claim(section, NewClaim(differs.pk, "ew", redoubled, 0))
    claims.submit_claim(section, NewClaim(differs.pk, "ns", {"passed": True}, 0))
    table = f"/p/{section.code}/table/1/"
    at = f"{table}board/{play.pk}/"
    keys = (f"{at}?new=1", f"{at}?level=4&strain=S&by=S")
    others = ("", "?whose=", f"board/{differs.pk}/check/")
    for address in (
        *keys,
        f"{at}check/",
        f"{at}?unplayed=",
        *(f"{table}{item}" for item in others),
    ):
        phone.goto(address)
        wait_for_fonts(phone)
        for width in (320, 375):
            phone.set_viewport_size({"width": width, "height": 667})
            if address in keys:
                phone.evaluate("document.documentElement.style.fontSize = '175%'")
                assert phone.locator(".pad .key:visible").count() > 7
                assert phone.evaluate(UNSEEN) == []
            for scale in (100, 150, 200):
                phone.evaluate(f"document.documentElement.style.fontSize = '{scale}%'")
                at_scale = (address, width, scale)
                assert (*at_scale, phone.evaluate(BROKEN)) == (*at_scale, [])
                assert (*at_scale, scrolls_sideways(phone)) == (*at_scale, False)


def test_with_large_text_the_board_to_enter_is_on_the_first_screen(page, section):
    with_phones(section)
    phone = joined(page, section, 1)
    button = phone.locator(".go-enter:visible")
    for width, height in ((375, 667), (320, 568)):
        phone.set_viewport_size({"width": width, "height": height})
        for scale in (100, 112.5, 150, 175, 200):
            phone.evaluate(f"document.documentElement.style.fontSize = '{scale}%'")
            wait_for_fonts(phone)
            box = button.bounding_box()
            assert box["y"] + box["height"] <= height, (width, scale)


#: where things lie that can be seen
BOXES = """(query) => [...document.querySelectorAll(query)].filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect().toJSON())"""


def overlap(one, other):
    return all(
        one[at] < other[at] + other[size] and other[at] < one[at] + one[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


def test_a_second_tap_on_a_key_of_tricks_is_nobodys_yes(page, section):
    """The yes lies where no key lay; where the screen is too low for that, it takes no tap at first."""
    with_phones(section)
    phone = joined(page, section, 1, service_workers="block")
    boards = list(section.plays.filter(round=section.round, table=1, taken_back_at=None))
    for width, play in zip((320, 375, 390), boards, strict=True):
        phone.set_viewport_size({"width": width, "height": 667})
        phone.goto(f"/p/{section.code}/table/1/board/{play.pk}/")
        enter_up_to_tricks(phone, "1", "no trumps", "S")
        keys = phone.evaluate(BOXES, "#tricks .key")
        phone.locator("#tricks [name=tricks]:visible").first.click()
        expect(phone.locator("#yes")).to_be_visible()

        assert len(keys) == 11
        (yes,) = phone.evaluate(BOXES, "#yes")
        assert not any(overlap(yes, key) for key in keys)
        assert phone.locator("#yes").evaluate(
            "(yes) => [getComputedStyle(yes.form)].map((one) => [one.animationName, one.animationDuration])"
        ) == [["breath", "1.2s"]]
    assert {claim.side for claim in ResultClaim.objects.all()} == {"ns"}


def test_a_contract_that_was_begun_is_still_there_after_close_and_a_reload(page, section):
    with_phones(section)
    phone = joined(page, section, 1, service_workers="block")
    play = section.plays.filter(round=section.round, table=1, taken_back_at=None).first()
    enter_board = phone.get_by_role("link", name=f"Enter board {play.board}")
    close = phone.get_by_role("link", name="Close")
    enter_board.click()
    phone.locator("#pad [name=by][value=S]").click()
    phone.get_by_role("button", name="4", exact=True).click()
    for leave in (
        phone.reload,
        lambda: [close.click(), enter_board.click()],
        lambda: [close.click(), phone.wait_for_url("**/table/1/"), phone.go_back()],
    ):
        leave()
        expect(phone.locator("#pad [name=level][value='4']")).to_have_attribute(
            "aria-pressed", "true"
        )
    phone.get_by_role("button", name="spades").click()
    expect(phone.locator("#tricks h1")).to_contain_text("How many tricks did South make?")
    phone.locator("#tricks [name=tricks][value='10']").click()
    phone.get_by_role("button", name="Yes, that is right").click()
    expect(phone.get_by_text(f"Board {play.board} is saved")).to_be_visible()
    close.click()
    phone.get_by_role("link", name="Boards of earlier rounds").click()
    expect(phone.get_by_text("There are none yet.")).to_be_visible()

"""Every page as axe sees it: WCAG 2.0, 2.1 and 2.2, levels A and AA, light and dark, wide and narrow."""

import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from bridgebuddy.clubs.membership.members import invite_address
from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.lifecycle.copies_of_sessions import make_rehearsal
from bridgebuddy.events.services.lifecycle.deletions import delete_session
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.play.changes import change_options, take_proposal
from bridgebuddy.events.services.setup.own_movements import store_own_movement
from bridgebuddy.publication.own.links import page_code
from bridgebuddy.scoring.services import publishing, results, rulings
from bridgebuddy.scoring.services.cards.dealing import begin_dealing
from bridgebuddy.table_phones.services.playing_directors import store_playing_entry
from movements.engine import catalogue
from movements.engine.changes import PairLeaves
from movements.engine.files.document import MovementDocument, write_json
from tests.browser.conftest import (
    AXE,
    AXE_AT,
    DESKTOP,
    PHONE,
    scrolls_sideways,
    sign_in,
    wait_for_fonts,
)
from tests.factories import ClubFactory, director_of, section_with
from tests.players.test_changes import change, exchange
from tests.players.test_contests import playing
from tests.players.test_own_page import evening, page_of
from tests.scoring.test_drawing import score, swiss

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TERMINALS = Path(__file__).parents[1] / "data" / "bws" / "evening.bws"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
#: what a page's colours can change; everything else is the same in light and in dark
COLOURS = ["color-contrast", "link-in-text-block"]
#: what the size of text can change, but for contrast, of which larger text needs less
SIZE_OF_TEXT = ["target-size", "scrollable-region-focusable", "avoid-inline-spacing"]
#: style sheets are on the page already, and no page has frames. What looks like something whose contrast was enough,
#: itself and all around it, is not measured again: that takes longer than all other rules. Where a page shows at another
#: size what it has shown before, only those rules are asked again that look at colours and sizes.
RUN = """async ([rules, again, seen]) => {
    const seenAs = (one) => (one.checkVisibility({ visibilityProperty: true })
        && (one.closest("table") ? getComputedStyle(one).display : "seen"));
    const shown = document.body.outerHTML.replace(/\\d+/g, "") // clocks go on
        + [...document.body.querySelectorAll("*")].map(seenAs).join();
    const runOnly = again && axe.shown === shown ? again : rules;
    axe.shown = shown;
    const known = new Set(seen.split(" ")), enough = new Set(), looks = new Map([[null, 0]]);
    const OF_LOOKS = ["color", "backgroundColor", "backgroundImage", "opacity", "filter", "fontSize", "fontWeight",
        "textShadow", "position"];
    const lookOf = (one) => {
        if (!looks.has(one)) {
            const style = getComputedStyle(one);
            const own = [one.localName, one.getAttribute("class"), ...OF_LOOKS.map((name) => style[name])].join();
            const begin = lookOf(one.parentElement);
            looks.set(one, [...own].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2 ** 47, begin));
        }
        return looks.get(one);
    };
    const contrast = axe._audit.checks["color-contrast"];
    axe.measure ??= contrast.evaluate;
    contrast.evaluate = function (node, ...more) {
        const look = String(lookOf(node));
        if (known.has(look)) return true;
        const isEnough = axe.measure.call(this, node, ...more);
        if (isEnough) enough.add(look);
        return isEnough;
    };
    const answer = await axe.run(document, {runOnly, resultTypes: ["violations"], preload: false, iframes: false});
    const found = answer.violations.flatMap((rule) => rule.nodes.map(
        (node) => [rule.id, node.target.join(" "), node.any.concat(node.all, node.none).map((check) => check.message).join(" ")]
    ));
    return [found, [...enough].join(" ")];
}"""
#: what has enough contrast, seen by this process
ENOUGH: set[str] = set()
SMALL_PHONE = (320, 667)
#: twice the 112.5% that the page asks for
LARGE_TEXT = "document.documentElement.style.fontSize = '225%'"

Act = Callable[[Page], None]
Size = tuple[int, int]


def bring_axe(page: Page) -> None:
    """Let the page shown have axe; a browser that loads it again need not read it again."""
    if not page.evaluate("Boolean(self.axe)"):
        page.add_script_tag(url=AXE_AT)


def look(page: Page, sizes: Sequence[Size]) -> list[str]:
    """Return axe's findings on the page shown: at the first size in light, at the others in dark."""
    wait_for_fonts(page)
    bring_axe(page)
    looks = [(sizes[0], "light", TAGS)]
    looks += [(size, "dark", TAGS) for size in sizes[1:]] or [(sizes[0], "dark", COLOURS)]
    found = []
    for (width, height), scheme, rules in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        found += accessibility_faults(page, scheme, rules, is_measured=rules is TAGS)
    return found


def look_at_large_text(page: Page) -> list[str]:
    """Return the layout faults of the page shown, at a phone's size, with text of double size."""
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.evaluate(LARGE_TEXT)
    return accessibility_faults(page, "large text", SIZE_OF_TEXT, is_measured=True)


#: a tick that is drawn as wide as a field for text
WIDE_TICKS = """() => [...document.querySelectorAll("[type=checkbox], [type=radio]")]
    .filter((one) => one.checkVisibility() && one.offsetWidth > 3 * parseFloat(getComputedStyle(one).fontSize))
    .map((one) => one.name)"""


def accessibility_faults(
    page: Page, how: str, rules: Sequence[str], *, is_measured: bool
) -> list[str]:
    where_seen = f"{page.url} {page.viewport_size['width']} {how}"
    found = []
    if is_measured and scrolls_sideways(page):
        found.append(f"{where_seen}: scrolls sideways")
    if rules is TAGS:
        found += [
            f"{where_seen}: a field, and no tick: {name}" for name in page.evaluate(WIDE_TICKS)
        ]
    again = [*COLOURS, *SIZE_OF_TEXT] if rules is TAGS else None
    faults, enough = page.evaluate(RUN, [rules, again, " ".join(ENOUGH)])
    ENOUGH.update(enough.split())
    for rule, where, message in faults:
        found.append(f"{where_seen}: {rule}, {where}: {message}")
    return found


def visit(
    page: Page, stops: list[str | tuple[str, Act]], sizes: Sequence[Size] = (DESKTOP, PHONE)
) -> list[str]:
    """Look at every page, after an action on it where one is given."""
    found = []
    for stop in stops:
        address, act = stop if isinstance(stop, tuple) else (stop, None)
        page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        page.goto(address)
        if act:
            act(page)
        found += look(page, sizes)
    return found


def visit_by_phone(page: Page, addresses: list[str]) -> list[str]:
    """Look at pages at a phone's sizes, a small one's too, and with text twice as large."""
    found = []
    for address in addresses:
        page.goto(address)
        found += look(page, [DESKTOP, PHONE, SMALL_PHONE])
        found += look_at_large_text(page)
    return found


def press(button: str) -> Act:
    """Send a form as it stands, without the browser's own validation."""

    def act(page: Page) -> None:
        page.evaluate("for (const form of document.forms) form.noValidate = true")
        page.get_by_role("button", name=button).first.click()
        expect(page.get_by_role("alert").first).to_be_visible()

    return act


def unfolded(then: Act) -> Act:
    """Open everything that is folded, then act."""

    def act(page: Page) -> None:
        unfold(page)
        then(page)

    return act


def unfold(page: Page) -> None:
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")


def open_sheet(link: str) -> Act:
    """Open a change in the sheet above the desk."""

    def act(page: Page) -> None:
        unfold(page)
        page.get_by_role("link", name=link, exact=True).click()
        expect(page.get_by_role("dialog")).to_be_visible()

    return act


def refused_in_the_sheet(page: Page) -> None:
    open_sheet("Late pair")(page)
    page.get_by_label("First player").fill("Anna North2")
    page.get_by_label("Partner").fill("Anna North2")
    page.locator(".decide button:visible").click()
    expect(page.get_by_role("dialog").get_by_role("alert").first).to_be_visible()


def sheet_without_network(page: Page) -> None:
    page.context.set_offline(True)
    open_sheet("Pair leaves")(page)
    page.context.set_offline(False)


def refused_session(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("")
    page.get_by_label("Minutes per board").fill("99")
    press("Go on to the entries")(page)


def import_broken(page: Page) -> None:
    text = write_json(MovementDocument(catalogue.build_movement("howell", 4)))
    meets_twice = text.replace(
        '"round": 2, "table": 1, "ns": "8"', '"round": 2, "table": 1, "ns": "7"'
    )
    page.get_by_label("Name").fill("Ours")
    page.locator("textarea").fill(meets_twice)
    press("Check and keep it")(page)


def refused_password(page: Page) -> None:
    page.get_by_label("Choose a password").fill("short")
    press("Create the account and accept")(page)


@pytest.fixture
def alice(transactional_db) -> User:
    return director_of(ClubFactory(name="Lindenhof Bridge Club"), email="alice@example.org")


@pytest.fixture
def club(alice):
    return alice.memberships.get().club


@pytest.fixture
def desk(page, alice) -> Page:
    """A desk at which alice is signed in."""
    opened = page(DESKTOP, reduced_motion="reduce")
    sign_in(opened, alice)
    return opened


@pytest.fixture
def phone(page) -> Page:
    return page(PHONE, reduced_motion="reduce")


def late(section: Section) -> Section:
    """Return a section whose clock ran out a while ago."""
    section.clock_ends_at = timezone.now() - timedelta(minutes=3)
    section.save()
    return section


def test_pages_before_signing_in(phone):
    names = ("login", "signup", "password/reset", "password/reset/done", "inactive")
    accounts = [f"/accounts/{name}/" for name in names]
    worn_out_link = "/accounts/password/reset/key/1-nonsense/"
    refused = [
        ("/accounts/login/", press("Sign in")),
        ("/accounts/signup/", press("Create the account")),
    ]

    helping = ["/try/", "/help/", "/help/?q=late", "/help/desk/", "/help/card/first-evening/"]

    assert visit(phone, ["/", *accounts, worn_out_link, *refused, *helping, "/nowhere/"]) == []


def test_pages_of_a_club(desk, club, alice, settings):
    settings.HAS_MAIL = True
    assert visit(desk, ["/", "/clubs/new/"]) == []

    section_with(15, "skip-mitchell", round=2, club=club, by=alice)
    stops = ["/", ("/sessions/new/", unfold), ("/sessions/new/", refused_session)]
    of_members = f"/clubs/{club.pk}/members/"
    invite_address(club, email="dan@example.org", roles=["helper"], by=alice)
    stops += [
        f"/clubs/{club.pk}/",
        of_members,
        (of_members, unfolded(press("Invite"))),
        f"/clubs/{club.pk}/paper/",
        f"/clubs/{club.pk}/privacy/",
        "/account/",
    ]
    stops += ["/accounts/logout/", "/accounts/password/change/", "/accounts/email/"]

    assert visit(desk, stops) == []


def test_pages_around_the_evening(desk, club, alice):
    section = section_with(10, "mitchell", round=2, club=club, by=alice)
    person = section.entries.first().players[0]
    at = f"/clubs/{club.pk}"
    of_club = ("federation", "page", "money/prices", "moving-in", "kept", "chart", "security")
    of_members = (
        "players",
        f"players/{person.pk}",
        "players/numbers",
        "mails",
        "handicaps",
        "rating",
    )
    of_season = ("season", "season/new", "masterpoints", "weeks", "series")
    stops = [f"{at}/{name}/" for name in (*of_club, *of_members, *of_season)]
    stops += [f"/s/{section.code}/coming/", f"/s/{section.code}/edit/?open=delete"]

    assert visit(desk, stops) == []


def test_pages_of_whoever_is_invited(desk, phone, club, alice):
    def link(email):
        return f"/invitations/{invite_address(club, email=email, roles=['helper'], by=alice)[1]}/"

    stops = [
        link("dan@example.org"),
        (link("eve@example.org"), refused_password),
        "/invitations/x/",
    ]

    assert visit(phone, stops) == []
    assert visit(desk, [link(alice.email), link("fay@example.org")]) == []


def test_pages_of_sessions_copied_rehearsed_and_deleted(desk, club, alice):
    played = section_with(10, "mitchell", round=2, club=club, by=alice)
    deleted = section_with(6, "mitchell", club=club, by=alice)
    made = make_rehearsal(played, by=alice)
    delete_session(deleted, by=alice)
    stops = ["/", "/?q=tuesday", "/?q=nobody", "/?month=2026-11", "/?day=2026-11-24"]
    stops += [f"/s/{played.code}/copy/", f"/s/{played.code}/copy/?second=1"]
    stops += [(f"/s/{played.code}/delete/", press("Delete the session"))]
    stops += [f"/s/{made.code}/desk/", f"/s/{made.code}/entries/"]
    stops += [f"/p/{made.code}/NS1/", f"/p/{made.code}/room/", f"/p/{deleted.code}/"]

    assert visit(desk, stops) == []


def test_the_library(desk, club, alice):
    own = store_own_movement(club, catalogue.build_movement("howell", 4), name="Ours", by=alice)
    stops = ["/movements/", "/movements/skip-mitchell/8/", "/movements/mitchell/8/"]
    stops += [f"/movements/own/{own.pk}/"]
    stops += ["/movements/import/", ("/movements/import/", import_broken)]

    assert visit(desk, stops) == []


def test_pages_before_the_first_round(desk, club, alice):
    empty, listed = (section_with(pairs, club=club, by=alice) for pairs in (0, 9))
    seated = section_with(15, "skip-mitchell", club=club, by=alice)
    entry = seated.entries.first()
    others = [
        section_with(20, "rainbow", contest="individual", club=club, by=alice),
        section_with(8, "team-awl", contest="teams", club=club, by=alice),
    ]
    begin_dealing(seated, range(1, 22), by=alice)  # whose fingerprint is one long word
    stops = [f"/s/{item.code}/entries/" for item in (empty, listed, seated, *others)]
    stops += [(f"/s/{item.code}/movement/", unfold) for item in others]
    stops += [
        (f"/s/{empty.code}/entries/", press("Add pair")),
        (f"/s/{seated.code}/entries/?move=3", unfold),
        f"/s/{seated.code}/entries/{entry.pk}/",
        f"/s/{seated.code}/edit/",
        f"/s/{empty.code}/movement/",
        (f"/s/{listed.code}/movement/", unfold),
        f"/s/{seated.code}/movement/?fewest=40&most=40&until=20:00",
        f"/s/{empty.code}/desk/",
        f"/s/{seated.code}/history/",
        f"/s/{seated.code}/results/deals/",
        f"/s/{seated.code}/desk/",
        f"/s/{empty.code}/print/",
        f"/s/{seated.code}/print/",
    ]

    assert visit(desk, stops) == []


def test_pages_of_the_evening(desk, club, alice):
    running = section_with(15, "skip-mitchell", round=2, club=club, by=alice)
    over_time = late(section_with(12, "share-and-relay", round=2, club=club, by=alice))
    paused = section_with(10, "howell", round=3, club=club, by=alice)
    rounds.pause_clock(paused, by=alice)
    finished = section_with(8, "howell", round=7, club=club, by=alice)
    rounds.finish_session(finished, round=7, by=alice)
    stops = [(f"/s/{running.code}/desk/", unfold)]
    stops += [f"/s/{item.code}/desk/" for item in (over_time, paused, finished)]
    stops += [f"/s/{running.code}/{name}/" for name in ("rounds", "entries", "movement")]
    stops += [f"/s/{running.code}/desk/?table=2"]
    stops += [f"/s/{running.code}/finish/{how}" for how in ("", "?how=now")]
    before = section_with(15, "skip-mitchell", club=club, by=alice)
    kinds = {"boards_per_round": 4, "contest": "teams", "round": 1}
    teams = section_with(8, "team-round-robin", club=club, by=alice, **kinds)
    stops += [f"/p/{before.code}/room/", f"/p/{teams.code}/room/", f"/s/{teams.code}/desk/?table=2"]
    stops += [f"/p/{item.code}/room/" for item in (running, over_time, paused, finished)]
    stops += [f"/p/{running.code}/room/?all=1"]
    sheets = ("table-cards", "guide-cards", "master")
    previews = [f"/s/{over_time.code}/print/{sheet}.html" for sheet in sheets]

    assert visit(desk, stops) == []
    # a sheet of paper is as wide as it is, whatever it is looked at on
    assert visit(desk, previews, sizes=[DESKTOP]) == []


def test_the_guide_to_rulings(desk, club, alice):
    running = section_with(14, "mitchell", round=2, club=club, by=alice)
    of_guide = f"/s/{running.code}/laws/"
    steps = ("lead/opening/", "lead/opening-leave/", "slow/no-time-fault-ns/board/?table=3")

    assert visit(desk, [of_guide, *(of_guide + step for step in steps)]) == []


def upload(page: Page) -> None:
    page.locator("input[type=file]").set_input_files(TERMINALS)
    page.get_by_role("button", name="Show what is in it").click()
    expect(page.get_by_role("heading", level=2).first).to_be_visible()


def test_pages_of_results(desk, club, alice):
    """Visit the pages that the tests of entering and of phones do not visit."""
    section = section_with(10, "mitchell", round=2, boards_per_round=2, club=club, by=alice)
    played = list(section.plays.order_by("round", "table", "board"))
    weighted = {"assigned": {"ns": [[60, 110], [40, -100]]}}
    made = {"contract": "3NT", "declarer": "N", "tricks": 10}
    for outcome, play in zip([made, made | {"tricks": 8}, weighted] * 6, played, strict=False):
        results.enter_result(section, play.pk, outcome, by=alice)
    results.enter_result(section, played[4].pk, {"passed": True}, by=alice)
    fine = {"unit": "percent", "amount": Decimal(-2), "kind": "time", "reason": "late"}
    rulings.give_penalty(section, section.entries.first().pk, **fine, by=alice)
    token = publishing.publish_results(section, by=alice).token
    store_playing_entry(section, section.entries.get(contestant=3).pk, by=alice)
    at = f"/s/{section.code}/results"
    stops = [
        f"{at}/publish/",
        f"{at}/of/NS1/?board=1",
        f"{at}/board/5/",
        f"{at}/board/5/fouled/",
        (f"{at}/line/{played[4].pk}/", unfold),
        f"{at}/ranking/",
        f"{at}/classes/",
        f"{at}/board/1/",
        f"/s/{section.code}/i-play/",
        (f"{at}/terminals/", upload),
        f"/r/{token}/",
        f"/r/{token}/sheets/A/NS1/",
        f"/r/{token}/boards/A/1/",
    ]

    assert visit(desk, stops) == []


def test_pages_of_live_changes(desk, club, alice):
    running = section_with(15, "skip-mitchell", round=2, club=club, by=alice)
    howell = section_with(8, "howell", round=2, club=club, by=alice)
    waiting = section_with(16, "scrambled-mitchell", club=club, by=alice)
    leaves = PairLeaves(3)
    take_proposal(running, change_options(running, leaves)[0], leaves, plan=running.plan, by=alice)
    asked = ("leaves", "stays", "length", "boards", "arrows", "places", "wrong-boards", "other-way")
    stops = [f"/s/{running.code}/change/{wish}/" for wish in asked]
    stops += [
        (f"/s/{running.code}/change/late/", unfold),
        f"/s/{running.code}/change/skip/",
        f"/s/{running.code}/change/leaves/?contestant=5",
        f"/s/{running.code}/change/places/?round=1&one=2&other=2",
        f"/s/{running.code}/change/places/?round=1&one=2&other=4",
        f"/s/{howell.code}/change/rebuild/?effort=12",
        (f"/s/{running.code}/desk/", unfold),
        f"/s/{running.code}/history/",
        f"/s/{running.code}/entries/",
        f"/s/{running.code}/break/",
        f"/s/{running.code}/rounds/?version=1",
        f"/s/{running.code}/print/?since=1",
        f"/s/{waiting.code}/movement/switches/",
        f"/s/{waiting.code}/strengths/",
    ]

    assert visit(desk, stops) == []


def test_the_sheet_above_the_desk(desk, club, alice):
    running = section_with(15, "skip-mitchell", round=2, club=club, by=alice)
    address = f"/s/{running.code}/desk/"
    acts = [open_sheet(name) for name in ("Late pair", "Pair leaves", "Two pairs sat wrong")]
    acts += [refused_in_the_sheet, sheet_without_network]

    assert visit(desk, [(address, act) for act in acts]) == []


def test_a_players_own_page(phone, club, alice, settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"
    for number, day in enumerate(("2026-11-17", "2026-11-24"), 1):
        evening(club, alice, day, seed=number)
    code = page_code(page_of(club))
    own = [f"/me/{code}/{rest}" for rest in ("", "kept/", "forget/")]

    assert visit_by_phone(phone, ["/me/", "/me/WRONG/", *own]) == []


def test_phones(phone, alice):
    waiting = section_with(15, "skip-mitchell", by=alice)
    running = section_with(15, "skip-mitchell", round=2, by=alice)
    shared = section_with(12, "share-and-relay", round=6, by=alice)
    finished = section_with(8, "howell", round=7, by=alice)
    rounds.finish_session(finished, round=7, by=alice)
    sits_out = SessionEvening(running).sit_outs(2)[0]
    addresses = ["/p/", "/p/?code=O0O0O0", f"/p/{running.code}/", f"/p/{running.code}/NS99/"]
    addresses += [f"/p/{waiting.code}/NS1/", f"/p/{waiting.code}/EW2/"]
    addresses += [f"/p/{running.code}/NS3/", f"/p/{running.code}/EW3/"]
    addresses += [f"/p/{running.code}/{sits_out.slug}/", f"/p/{shared.code}/NS1/"]
    ended = section_with(8, "howell", round=7, by=alice)
    Section.objects.filter(pk=ended.pk).update(code_ends_at=timezone.now())
    addresses += [f"/p/{finished.code}/1/", f"/p/{ended.code}/1/"]
    changed = section_with(16, "skip-mitchell", round=4, by=alice)
    change(changed, exchange(3, 6))
    singles, teams = playing("rainbow", 5, size=1), playing("mitchell-teams", 8)
    halves = section_with(9, "two-way-rover", round=2, boards_per_round=4, by=alice)
    addresses += [f"/p/{changed.code}/NS3/", f"/p/{singles.code}/S1/", f"/p/{teams.code}/3/"]
    addresses += [f"/p/{halves.code}/4/", f"/p/{playing('swiss', 8, round=2).code}/1/"]
    matches = swiss(9, rounds=2)
    score(matches, random.Random(3))
    token = publishing.publish_results(matches, by=alice).token
    addresses += [f"/p/{matches.code}/2/results/", f"/r/{token}/match/A/1/2/6/"]

    assert visit_by_phone(phone, addresses) == []


def test_a_phone_without_network(page, alice, wire):
    running = section_with(15, "skip-mitchell", round=2, by=alice)
    phone = page(PHONE, reduced_motion="reduce", base_url=wire.plain)
    phone.goto(f"/p/{running.code}/EW3/")
    bring_axe(phone)
    wire.cut()
    expect(phone.locator("#offline")).to_be_visible()

    assert look(phone, [PHONE, SMALL_PHONE]) == []


def test_a_page_with_faults_is_found_out(page):
    faulty = page(PHONE)
    faulty.set_content(
        "<html lang=en><title>Faults</title><img src=data:,>"
        "<p style='color: #999; background: #fff'>pale</p><div style='width: 900px'>wide</div>"
    )
    faulty.evaluate(AXE.read_text())

    found = [line.split(": ", 1)[1].split(", ")[0] for line in look(faulty, [PHONE])]

    assert found == ["scrolls sideways", "color-contrast", "image-alt", "color-contrast"]

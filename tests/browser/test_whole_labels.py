"""No label is cut, and no row is blank: the main pages in German, on a desk's screen, a tablet and a phone."""

import pytest
from playwright.sync_api import Page

from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.scoring.services import publishing
from tests.browser.conftest import DESKTOP, PHONE, sign_in, wait_for_fonts
from tests.browser.pictures import names
from tests.factories import ClubFactory, director_of, section_with
from tests.scoring.test_doubts import usual, written_down

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = (DESKTOP, (1024, 768), PHONE)
#: Each element with text of its own whose text is wider or higher than its place, each field whose value or visible
#: placeholder is, and each row of a table without a word. What only screen readers read is one pixel wide.
CUT = """() => {
    const canvas = document.createElement("canvas").getContext("2d"), found = [];
    const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const say = (one, text) => found.push(`${one.localName}.${one.className}: ${text.trim().slice(0, 60)}`);
    const FIELDS = "input:is([type=text], [type=search], [type=email], [type=number], :not([type])), select";
    for (const field of document.querySelectorAll(FIELDS)) {
        if (!seen(field)) continue;
        const style = getComputedStyle(field), hint = getComputedStyle(field, "::placeholder");
        const shown = field.value || (hint.color === "rgba(0, 0, 0, 0)" ? "" : field.placeholder);
        const text = field.localName === "select" ? field.selectedOptions[0]?.text || "" : shown || "";
        canvas.font = style.font;
        const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        if (canvas.measureText(text).width > room + 1) say(field, text);
    }
    for (const one of document.querySelectorAll("body :not(script, style, option, svg, svg *)")) {
        const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!hasText || one.clientWidth < 2 || one.closest("svg, select, .sr") || !seen(one)) continue;
        const style = getComputedStyle(one);
        const isCut = style.overflowY !== "visible" && style.overflowY !== "auto";
        if (one.scrollWidth > one.clientWidth + 1 && style.overflowX !== "auto") say(one, one.textContent);
        else if (isCut && one.scrollHeight > one.clientHeight + 3) say(one, one.textContent);
    }
    for (const row of document.querySelectorAll("tbody tr")) {
        if (seen(row) && !row.textContent.trim() && !row.querySelector("input, select, svg, img")) say(row, "blank");
    }
    return found;
}"""


@pytest.fixture
def alice(transactional_db):
    club = ClubFactory(name="Bridgeclub Lindenhof", language="de")
    return director_of(club, email="anna@example.org")


def evening(club, by, begun, pairs=14):
    """Make a Mitchell whose players have names, with all results of the rounds begun."""
    section = section_with(0, club=club, by=by)
    entries.add_pairs(section, names(pairs), by=by)
    section = movement.choose_movement(section, "mitchell", boards_per_round=3, by=by)
    for after in range(begun):
        section = rounds.start_next_round(section, after=after, by=by)
    section.refresh_from_db()
    return section


def cut_on(page: Page, addresses: list[str]) -> list[str]:
    """Return the texts that are cut off, with page and width."""
    found = []
    for address in addresses:
        answer = page.goto(address)
        assert getattr(answer, "ok", False), address
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            wait_for_fonts(page)
            found += [f"{address} {width}: {cut}" for cut in page.evaluate(CUT)]
    return found


def test_pages_of_a_club_show_whole_labels(page, alice):
    club = alice.memberships.get().club
    evening(club, alice, 2)
    desk = page(DESKTOP, locale="de-DE")
    sign_in(desk, alice)
    at = f"/clubs/{club.pk}"
    groups = ("", "paper/", "privacy/", "federation/", "page/", "members/", "money/prices/")
    stops = ["/", "/sessions/new/", "/account/", "/help/?q=Hammelsprung", "/movements/"]
    stops += [f"{at}/{name}" for name in (*groups, "players/", "season/", "weeks/", "series/")]
    stops += [f"{at}/{name}" for name in ("handicaps/", "chart/", "moving-in/", "kept/")]

    assert cut_on(desk, stops) == []


def test_pages_of_an_evening_show_whole_labels(page, alice):
    club = alice.memberships.get().club
    before, running = evening(club, alice, 0), evening(club, alice, 3)
    passed = {"passed": True}
    written_down(running, lambda play: passed if play.board == 1 else usual(play.board))
    token = publishing.publish_results(running, by=alice).token
    desk = page(DESKTOP, locale="de-DE")
    sign_in(desk, alice)
    stops = [f"/s/{before.code}/{name}/" for name in ("entries", "movement", "desk", "coming")]
    at = f"/s/{running.code}"
    stops += [f"{at}/{name}/" for name in ("entries", "desk", "print", "rounds", "history")]
    stops += [f"{at}/desk/?table=2", f"{at}/change/places/", f"{at}/laws/", f"{at}/edit/"]
    of_results = ("", "boards/", "board/1/", "ranking/", "classes/", "phones/", "slips/", "of/NS1/")
    stops += [f"{at}/results/{name}" for name in of_results]
    stops += [f"/r/{token}/", f"/r/{token}/boards/A/1/", f"/r/{token}/sheets/A/NS1/"]
    stops += [f"/p/{running.code}/", f"/p/{running.code}/NS1/"]

    assert cut_on(desk, stops) == []


def test_a_label_that_is_cut_is_found_out(page):
    faulty = page(PHONE)
    faulty.set_content(
        "<p style='width: 3rem; overflow: hidden; white-space: nowrap'>durchgepasst</p>"
        "<p style='width: 20rem'>whole</p><input value='a value that is too long' style='width: 3rem'>"
        "<table><tbody><tr><td></td></tr></tbody></table>"
    )

    kinds = [line.split(".")[0] for line in faulty.evaluate(CUT)]

    assert kinds == ["input", "p", "tr"]

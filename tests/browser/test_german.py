"""German needs more room than English: no page may need a sideways scroll for it."""

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from bridgebuddy.director.changes.wishes import WISHES, possible_wishes
from bridgebuddy.events.queries.plan.evening import SessionEvening
from tests.director.reading import in_which_one_can
from tests.factories import section_with

from .conftest import DESKTOP, PHONE, TABLET, sign_in, wait_for_fonts

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: a page one has to scroll sideways, a button that the edge of the window cuts, or that its words leave
IS_TOO_WIDE = """() => document.documentElement.scrollWidth > innerWidth
    || [...document.querySelectorAll("a.btn, button")].some(
        (one) => !one.closest(".scroll, .tabs, .desk .actions") && (
            one.clientWidth && one.scrollWidth > one.clientWidth + 1
            || one.getBoundingClientRect().right > innerWidth))"""
SCROLLS_SIDEWAYS = "sheet => sheet.scrollWidth > sheet.clientWidth"
LONG = ("Anneliese von Hohenlohe-Langenburg-Weikersheim", "Konstantin Freiherr von Reitzenstein")


@pytest.fixture
def evenings(club, alice, live_server, settings, monkeypatch):
    """Evenings: no movement yet, not begun, and one that runs: a pair has long names, one has left."""
    monkeypatch.setattr("movements.switches.choices.TRIALS", 2_000)  # a search that is over at once
    cache.clear()
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    new = section_with(7, club=club, by=alice)
    planned = section_with(10, "mitchell", boards_per_round=5, club=club, by=alice)
    running = section_with(15, "skip-mitchell", round=4, club=club, by=alice)
    for person, name in zip(running.entries.first().people.all(), LONG, strict=True):
        person.name = name
        person.save()
    return new, planned, in_which_one_can("back", running, alice)


@pytest.fixture
def german(page, alice):
    """Open a German page of a size in which alice is signed in."""

    def open_page(viewport):
        browser = page(viewport, locale="de-DE")
        sign_in(browser, alice)
        return browser

    return open_page


def test_german_pages_need_no_sideways_scroll(german, evenings):
    new, planned, running = evenings
    browser = german(DESKTOP)

    too_wide = []
    for address in (
        "/",
        "/sessions/new/",
        "/movements/",
        "/movements/skip-mitchell/8/",
        "/movements/howell/7/",
        f"/clubs/{running.club.pk}/",
        f"/s/{new.code}/entries/",
        f"/s/{new.code}/strengths/",
        f"/s/{new.code}/movement/",
        f"/s/{planned.code}/movement/switches/",
        f"/s/{planned.code}/entries/",
        f"/s/{running.code}/entries/",
        f"/s/{running.code}/desk/",
        f"/s/{running.code}/break/",
        f"/s/{running.code}/history/",
        *(f"/s/{running.code}/change/{wish}/" for wish in WISHES if wish != "rebuild"),
        f"/s/{running.code}/change/leaves/?contestant=3",
        f"/s/{running.code}/change/places/?round=4&one=9&other=10",
        f"/s/{running.code}/rounds/",
        f"/s/{running.code}/print/",
        "/p/",
        f"/p/{running.code}/",
        f"/p/{running.code}/NS1/",
        f"/p/{running.code}/EW3/",
    ):
        browser.goto(address)
        wait_for_fonts(browser)
        assert browser.evaluate("document.documentElement.lang") == "de"
        for width, height in (DESKTOP, PHONE):
            browser.set_viewport_size({"width": width, "height": height})
            if browser.evaluate(IS_TOO_WIDE):
                too_wide.append((address, width))

    assert too_wide == []


def test_the_german_sheet_needs_no_sideways_scroll(german, evenings):
    running = evenings[-1]
    browser = german(DESKTOP)

    too_wide = []
    for wish in (wish.name for wish in possible_wishes(running, SessionEvening(running))):
        if wish == "rebuild":
            continue
        browser.goto(f"/s/{running.code}/desk/")
        browser.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        browser.locator(f"#main a[href$='/change/{wish}/']").first.click()
        expect(browser.get_by_role("dialog")).to_be_visible()
        wait_for_fonts(browser)
        for width, height in (DESKTOP, TABLET, PHONE):
            browser.set_viewport_size({"width": width, "height": height})
            if browser.evaluate(IS_TOO_WIDE) or browser.locator("#sheet").evaluate(
                SCROLLS_SIDEWAYS
            ):
                too_wide.append((wish, width))

    assert too_wide == []


def test_all_tabs_of_a_session_are_seen_on_a_german_phone(german, evenings):
    browser = german(PHONE)
    browser.goto(f"/s/{evenings[-1].code}/desk/")
    wait_for_fonts(browser)

    tabs = browser.locator(".tabs a")
    assert tabs.all_inner_texts() == ["Spieler", "Movement", "Leitung", "Ergebnisse", "Drucken"]
    assert tabs.last.bounding_box()["x"] + tabs.last.bounding_box()["width"] <= PHONE[0]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_the_name_of_a_session_breaks_inside_no_word(german, evenings, size):
    running = evenings[2]
    running.session.event.name = "Dienstagsturnier"
    running.session.event.save()
    browser = german(size)

    browser.goto(f"/s/{running.code}/desk/")

    wait_for_fonts(browser)
    lines = browser.evaluate(
        """() => {
            const name = document.createRange();
            name.selectNodeContents(document.querySelector(".topbar .where").firstChild);
            return name.getClientRects().length;
        }"""
    )
    assert lines == 1
    assert not browser.evaluate("document.documentElement.scrollWidth > innerWidth")

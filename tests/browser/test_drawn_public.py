"""Measurable promises of the drawings of published results and of the season."""

import datetime

import pytest
from playwright.sync_api import expect

from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.cards import deals
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.services.championships import store_championship
from tests.director.test_results_journey import truth
from tests.factories import ClubFactory, director_of, section_with
from tests.players.test_own_page import evening
from tests.scoring.test_doubts import written_down
from tests.scoring.test_tonight import scored_section

from .conftest import DESKTOP, PHONE, scrolls_sideways, sign_in, wait_for_fonts
from .test_drawn_pages import TABLET_ACROSS, bottom_of, measured
from .test_drawn_results import named

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCREEN = 800
#: bytes of a file that somebody's phone fetches to read a result
HEAVIEST = 60_000
DEAL = "N:AK83.QT4.AJ.9872 QT5.A2.T9876.KQ3 J94.K9873.Q52.A4 762.J65.K43.JT65"
#: rows of a list that are lower than a finger
LOW = """() => [...document.querySelectorAll(".rank tbody a")]
  .map((one) => one.getBoundingClientRect().height).filter((height) => height < 43.5).length"""


@pytest.fixture
def published(transactional_db):
    """16 pairs in two lines, all results and deals, published."""
    section = section_with(16, "skip-mitchell", round=7)
    named(section)
    section = written_down(section, truth)
    deals.store_deals(section, dict.fromkeys(range(1, 25), DEAL), by=None)
    publishing.make_list_final(section, by=None)
    return section, publishing.publish_results(section, by=None).token


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_published_session_is_one_page_and_a_deal_one_screen_of_a_phone(page, published, locale):
    section, token = published
    opened = page(DESKTOP, locale=locale)
    files = []
    opened.on("requestfinished", lambda letter: files.append(letter))

    opened.goto(f"/r/{token}/")
    assert measured(opened).height <= 910
    measured(opened, PHONE)
    assert opened.evaluate(LOW) == 0
    assert opened.locator(".pubtabs").evaluate("(one) => one.scrollWidth - one.clientWidth") == 0
    opened.locator(".rank tbody a").first.click()  # list, sheet, board: two presses
    opened.wait_for_url("**/sheets/**")
    measured(opened, PHONE)
    opened.locator(f"main a[href*='/boards/{section.name}/']").first.click()
    opened.wait_for_url("**/boards/**")
    measured(opened, PHONE)
    assert bottom_of(opened, ".cards") <= PHONE[1]
    assert opened.locator("meta[name=robots]").get_attribute("content").startswith("noindex")

    texts = [file for file in files if ".woff" not in file.url]
    assert len(texts) >= 8
    assert [text.url for text in texts if text.sizes()["responseBodySize"] > HEAVIEST] == []


#: a suit of eight cards beside one of five, and a whole suit in each hand
LONG_SUITS = {
    1: "N:J875.A732.AT763. AQ42.KQ.KQ952.Q9 KT9632.T85.4.A32 .J964.J8.KJT87654",
    2: "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
}
#: how far the hands reach out of the panel around them, and how many lines of cards take more than one line
OUT_OF_PANEL = """() => {
    const panel = document.querySelector(".deal7").getBoundingClientRect();
    const range = document.createRange();
    let out = 0;
    for (const holding of document.querySelectorAll(".cards .holding")) {
        range.selectNodeContents(holding);
        for (const box of range.getClientRects()) out = Math.max(out, box.right - panel.right, panel.left - box.left);
    }
    return out;
}"""
#: how far apart the suit symbols of a hand begin
SHIFTED_SUITS = """() => Math.max(...[...document.querySelectorAll(".cards .hand")].map((hand) => {
    const left = [...hand.querySelectorAll(".holding > :first-child")].map((mark) => mark.getBoundingClientRect().left);
    return Math.max(...left) - Math.min(...left);
}))"""
HIGHEST_HOLDING = """() => Math.max(...[...document.querySelectorAll(".cards .holding")]
    .map((holding) => holding.getBoundingClientRect().height))"""


def test_long_suits_stay_in_the_panel_of_their_board(page, published):
    section, token = published
    deals.store_deals(section, LONG_SUITS, by=None, replaces=True)
    opened = page(DESKTOP)
    for board in LONG_SUITS:
        opened.goto(f"/r/{token}/boards/{section.name}/{board}/")
        for width in (1280, 1024, 900, 600, 375, 320):
            opened.set_viewport_size({"width": width, "height": 800})
            wait_for_fonts(opened)
            assert (board, width, opened.evaluate(OUT_OF_PANEL) <= 0) == (board, width, True)
            assert (board, width, scrolls_sideways(opened)) == (board, width, False)
            assert opened.evaluate(SHIFTED_SUITS) < 1
            if (board, width) in ((1, 1280), (1, 375)):
                assert opened.evaluate(HIGHEST_HOLDING) < 30


#: words and numbers of a ranking that are broken within themselves, and its highest row
BROKEN_IN_LIST = """() => {
    const range = document.createRange();
    const texts = document.createTreeWalker(document.querySelector(".league tbody"), NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
            range.setStart(texts.currentNode, index);
            range.setEnd(texts.currentNode, index + word.length);
            const lines = new Set([...range.getClientRects()].filter((box) => box.width).map((box) => box.top));
            if (lines.size > 1) found.push(word);
        }
    }
    return found;
}"""
HIGHEST_ROW = """() => Math.max(...[...document.querySelectorAll(".league tbody tr")]
    .map((row) => row.getBoundingClientRect().height))"""
TEAMS = ("Dorchester", "Bromley", "Chester", "Exeter", "Frome", "Ashford")


def test_the_public_ranking_of_teams_is_read_on_a_phone(page, transactional_db):
    """Names whole, totals beside them; the points of each round from 900 pixels on."""
    section = scored_section(6, "team-round-robin", contest="teams")
    by = director_of(section.club)
    for entry, name in zip(section.entries.order_by("contestant"), TEAMS, strict=True):
        entry.name = name
        entry.save()
    publishing.make_list_final(section, by=by)
    token = publishing.publish_results(section, by=by).token
    opened = page(PHONE, locale="de-DE")
    opened.goto(f"/r/{token}/")
    for width, rounds_shown in ((375, 0), (600, 0), (899, 0), (900, section.rounds)):
        opened.set_viewport_size({"width": width, "height": 667})
        wait_for_fonts(opened)
        assert opened.locator("thead .of-round:visible").count() == rounds_shown
        assert (width, opened.evaluate(BROKEN_IN_LIST)) == (width, [])
        assert width > 600 or opened.evaluate(HIGHEST_ROW) <= 62
        assert (
            opened.locator(".pubtabs").evaluate("tabs => tabs.scrollWidth - tabs.clientWidth") == 0
        )
        assert (width, scrolls_sideways(opened)) == (width, False)


def a_year(club, by):
    """A dozen evenings of six pairs, each with other results."""
    for number in range(12):
        evening(
            club, by, str(datetime.date(2026, 1, 6) + datetime.timedelta(weeks=number)), seed=number
        )


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_list_of_the_season_is_set_up_on_one_screen_and_read_on_another(
    page, transactional_db, locale
):
    club = ClubFactory()
    by = director_of(club)
    a_year(club, by)
    opened = page(DESKTOP, locale=locale)
    sign_in(opened, by)

    opened.goto(f"/clubs/{club.pk}/season/new/")
    measures = measured(opened)
    fold = opened.locator("#new").bounding_box()  # its address leads to it
    assert (fold["height"] <= SCREEN, measures.filled) == (True, 1)
    answers = opened.locator("form.new8 .panel > :is(fieldset, .field)")
    expect(answers).to_have_count(5)  # name, who, which evenings, what counts, by what
    assert answers.locator("input[type=text]").first.input_value()
    assert answers.locator("input[type=radio]:checked").count() == 2

    one = store_championship(
        Championship(club=club, name="2026", of=Championship.Of.PLAYER, best=8, least=2), by=by
    )
    opened.goto(f"/clubs/{club.pk}/season/{one.pk}/")
    assert opened.locator(".season8 tbody tr").count() == 12
    assert measured(opened).height <= 850
    measured(opened, TABLET_ACROSS)
    measured(opened, PHONE)


def test_the_end_leads_to_the_published_list_by_one_press_and_from_it_to_paper(
    page, transactional_db
):
    section = scored_section(8, "howell", rounds=7)
    desk = page()
    sign_in(desk, director_of(section.club))
    desk.goto(f"/s/{section.code}/desk/")

    desk.get_by_role("button", name="Finish the session").click()
    desk.get_by_role("button", name="Make final and publish").click()

    expect(desk.locator(".steps3 .addr a")).to_be_visible()
    assert 4 <= measured(desk).buttons <= 7
    paper = desk.get_by_role("link", name="Print the ranking")
    assert paper.get_attribute("href") == f"/s/{section.code}/print/ranking.pdf"
    desk.goto("/")  # and from home the ranking of the evening is one press away
    desk.locator(f"main a[href='/s/{section.code}/results/ranking/']").first.click()
    expect(desk.locator(".steps3 .addr a")).to_be_visible()

"""Clicks, screens and words of the tasks of an evening, counted and compared with docs/dev/clicks.md."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.services import publishing
from tests.factories import ClubFactory, section_with
from tests.scoring.test_tonight import scored_section

from .conftest import DESKTOP, PHONE, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLE = Path(__file__).parents[2] / "docs" / "dev" / "clicks.md"
#: of which somebody of seventy reads a page that is known
WORDS_A_SECOND = 4
PAIRS = "\n".join(f"Anna North{n} & Bob South{n}" for n in range(1, 17))


class Hand:
    """A user's hand on a page: counts its presses and the pages that they open."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = self.screens = self.words = 0
        self._read = -1
        page.on("response", self._opens)

    def _opens(self, answer: Response) -> None:
        """Count a page when it is answered, which is before anything of it is seen or pressed."""
        if answer.request.is_navigation_request() and answer.ok:
            self.screens += 1

    def reads(self) -> None:
        """Count the words of a page that has not been read yet, as far as they are seen."""
        if self._read != self.screens:
            self._read = self.screens
            self.words += len(self.page.locator("main").first.inner_text().split())

    def press(self, what: Locator) -> None:
        self.clicks += 1
        what.wait_for()
        self.reads()
        what.click()

    def button(self, name: str | re.Pattern) -> None:
        self.press(self.page.get_by_role("button", name=name))

    def link(self, name: str) -> None:
        self.press(self.page.get_by_role("link", name=name, exact=True))

    def text(self, text: str) -> None:
        self.press(self.page.get_by_text(text, exact=True))

    def choose(self, label: str, choice: str) -> None:
        """Open a list and choose from it: two presses."""
        self.clicks += 2
        self.page.get_by_role("combobox", name=label).select_option(label=choice)

    def sees(self, text: str | re.Pattern) -> None:
        expect(self.page.get_by_role("heading", level=1).first).to_contain_text(text)

    def types_names(self) -> None:
        """Type names where the cursor is."""
        expect(self.page.get_by_label("First player")).to_be_focused()
        self.page.keyboard.type("Eve Engel")
        self.page.keyboard.press("Tab")
        self.page.keyboard.type("Max Late")


def a_list_to_round_1(hand: Hand, section: Section) -> None:
    hand.link("New session")
    hand.page.get_by_label("Name", exact=True).fill("Tuesday")
    hand.text("Paste a list at once")
    hand.page.locator("textarea[name=pairs]").fill(PAIRS)
    hand.button("Go on to the entries")
    hand.link("Choose the movement")
    hand.button(re.compile("^Choose this movement"))
    hand.button("Start round 1")
    hand.sees("Round 1 of")


def the_next_round(hand: Hand, section: Section) -> None:
    hand.button("Start round 2")
    hand.sees("Round 2 of")


def back_to_the_round_before(hand: Hand, section: Section) -> None:
    hand.button(re.compile("Undo"))
    hand.sees("Before round 1")


def a_late_pair(hand: Hand, section: Section) -> None:
    hand.link("Late pair")
    hand.types_names()
    hand.button("Seat the pair as rover")
    expect(hand.page.locator(".log")).to_contain_text("came and play as rover")


def another_place_for_a_late_pair(hand: Hand, section: Section) -> None:
    hand.link("Late pair")
    hand.types_names()
    hand.press(hand.page.locator(".choice", has_text="Rover, East-West").first)
    hand.button("Seat the pair as rover")
    expect(hand.page.locator(".log")).to_contain_text("came and play as rover")


def a_pair_leaves(hand: Hand, section: Section) -> None:
    hand.link("Pair leaves")
    hand.choose("Who leaves?", "EW 4  Anna North8 & Bob South8")
    hand.button("Show what is possible")
    hand.button("Remove the pair")
    expect(hand.page.locator(".log")).to_contain_text("Anna North8 & Bob South8 left")


def the_clock_is_paused(hand: Hand, section: Section) -> None:
    hand.button("Pause the clock")
    expect(hand.page.get_by_role("button", name="Resume the clock")).to_be_visible()


def the_evening_ends_early(hand: Hand, section: Section) -> None:
    hand.text("More")
    hand.link("End the session")
    hand.button("Make round 1 the last one")
    hand.sees(re.compile(r"Round 1\s+of 1\b"))


def all_for_tonight_is_printed(hand: Hand, section: Section) -> None:
    hand.link("Print")
    # a browser without windows takes the file, and its new tab may be gone before anybody has seen it; that it is asked
    # for is what counts here, and nobody waits until all has been drawn
    hand.page.context.route("**/*.pdf*", lambda route: route.abort())
    with hand.page.context.expect_event("request", lambda letter: ".pdf" in letter.url):
        hand.button(re.compile(r"^Print \d+ sheets"))
    hand.page.context.unroute_all()


def the_list_in_two_sections(hand: Hand, section: Section) -> None:
    hand.page.goto(f"/s/{section_of_27(section).code}/entries/")
    hand.screens = 0
    hand.link("Divide into sections")
    hand.button("Divide into A and B")
    hand.sees("All sections")


def section_of_27(section: Section) -> Section:
    by = section.club.memberships.first().user
    return section_with(27, club=section.club, by=by)


def to_the_federation(hand: Hand, section: Section) -> None:
    """Send the results to the federation, from the page of a finished session without missing numbers."""
    section = published_of_numbered(section)
    hand.page.goto(f"/s/{section.code}/results/ranking/")
    hand.screens = 0
    hand.link("To the federation")
    hand.sees("To the federation")
    expect(hand.page.get_by_role("main")).to_contain_text("Everybody has a number.")
    with hand.page.expect_download() as file:
        hand.link("USEBIO")
    assert file.value.suggested_filename.endswith(".xml")


def published_of_numbered(section: Section) -> Section:
    by = section.club.memberships.first().user
    played = scored_section(14, "mitchell", rounds=7, club=section.club, by=by)
    rounds.finish_session(played, round=7, by=by)
    publishing.make_list_final(played, by=by)
    publishing.publish_results(played, by=by)
    Club.objects.filter(pk=section.club.pk).update(federation_number="123456")
    for number, person in enumerate(section.club.people.all(), start=1):
        section.club.people.filter(pk=person.pk).update(national_number=str(1000 + number))
    return played


def a_player_finds_the_table(hand: Hand, section: Section) -> None:
    hand.page.get_by_label("Your name or number").fill("north3 south3")
    hand.press(hand.page.get_by_role("link", name="Anna North3").first)
    expect(hand.page.locator("#now")).to_contain_text("Table")


#: each task of the table, where it begins, and how it is done
HOME, DESK, PLAYERS = "/", "/s/{}/desk/", "/p/{}/"
TASKS: dict[str, tuple[str, Callable[[Hand, Section], None]]] = {
    "from home to round 1, with a pasted list": (HOME, a_list_to_round_1),
    "the next round": (DESK, the_next_round),
    "back to the round before": (DESK, back_to_the_round_before),
    "a late pair, where the desk proposes": (DESK, a_late_pair),
    "a late pair, in another place": (DESK, another_place_for_a_late_pair),
    "a pair leaves": (DESK, a_pair_leaves),
    "the clock is paused": (DESK, the_clock_is_paused),
    "this round is the last one": (DESK, the_evening_ends_early),
    "all sheets for tonight": (DESK, all_for_tonight_is_printed),
    "the list in two sections": (DESK, the_list_in_two_sections),
    "a published session to the federation, from its page": (DESK, to_the_federation),
    "a player finds the table on the phone": (PLAYERS, a_player_finds_the_table),
}


def table() -> dict[str, tuple[int, ...]]:
    """Return the rows of the page in the docs: task, clicks, screens, words, and reading time."""
    lines = re.findall(
        r"^\| (.+?) \| (\d+) \| (\d+) \| (\d+) \| (\d+) s \|", TABLE.read_text("utf-8"), re.M
    )
    return {task: tuple(map(int, numbers)) for task, *numbers in lines}


def test_the_table_names_every_task_that_is_counted():
    assert list(table()) == list(TASKS)
    assert all(seconds == words // WORDS_A_SECOND for *_, words, seconds in table().values())


def test_each_task_takes_as_many_clicks_and_screens_as_the_table_says(page):
    desk, phone = page(DESKTOP), page(PHONE)
    counted, said, longer = {}, {}, {}
    for task, (address, do) in TASKS.items():
        section = section_with(16, "skip-mitchell", round=1, club=ClubFactory())
        shown = phone if address == PLAYERS else desk
        if shown is desk:
            sign_in(desk, section.club.memberships.get().user)
        shown.goto(address.format(section.code))
        shown.wait_for_load_state()
        hand = Hand(shown)

        do(hand, section)

        clicks, screens, words, _seconds = table()[task]
        counted[task], said[task] = (hand.clicks, hand.screens), (clicks, screens)
        if hand.words > words:
            longer[task] = hand.words
    assert counted == said
    assert longer == {}, str(longer)

"""Every page can be reached by links: from home, from a session's code, or from an address in a mail or on paper.

Every page that is empty in a new club explains itself and shows an example.
"""

import re
from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import reverse

from bridgebuddy.clubs.models import Club
from bridgebuddy.demo.season import make_demo_club
from bridgebuddy.events.models import Session
from bridgebuddy.money.services.settings import turn_on_money
from bridgebuddy.registration import registering
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.cards import dealing
from bridgebuddy.seasons.models import MasterpointEntry, MasterpointReport
from tests.factories import UserFactory, repeat_weekly, section_to_enter, section_with
from tests.security.rights import addresses_of, patterns

from .links import Walk
from .screens import LEADS_ON
from .test_every_state import deleted, in_two

pytestmark = pytest.mark.django_db

#: addresses that no page of a walk links to, each with the place where a person finds it
ELSEWHERE = {
    "invitation": "a mail",
    "club-embedded": "a line of HTML for the club's own site",
    "table-join": "the QR code on a table's card",
    "service-worker": "a script",
    "publish": "an old address, which leads to the ranking",
    "attendance": "an old address, which leads to the list of members",
    "suggestions": "the fields for names, while somebody types",
    "own-claim": "a phone that is a player's own",
    "own-code": "the page of such a phone",
    "door": "the QR code at the door",
    "mail-address": "a mail",
    "member-mails-off": "a mail",
    "new-member-mail": "the mails to members, on a server that sends mails",
    "club-results": "the sessions of a member who only enters results",
    "club-player": "the search for a player on the club's page",
    "club-year": "a club's page with more months than it lists",
    "guide-law-board": "the last answer of a question to the guide to the laws",
    "money-sheet": "table money whose cash has been counted",
    "public-deals": "published results with deals that were made here",
}
#: pages of a phone that has joined its table
AT_TABLE = {name for name in patterns() if name.startswith("table-")}
HTML = "text/html"


def make_states(club, director):
    """Make sessions in the states that show other links. Return an address of each name."""
    turn_on_money(club, by=director)
    section = section_with(10, "mitchell", round=3, club=club, by=director)
    made = addresses_of(section, director)
    in_two(club, director)
    deleted(club, director)
    section_with(26, club=club, by=director)
    drawn = {"rounds": 4, "options": {"contest": "pairs", "first": "slide"}}
    section_with(8, "swiss", round=1, club=club, by=director, **drawn)
    dealt = section_with(10, "mitchell", club=club, by=director)
    dealing.begin_dealing(dealt, range(1, 16), by=director)
    today = section_to_enter(club, director)
    registering.register_names(today.session, ["Anna North", "Bob South"], by=director)
    repeat_weekly(today.session, 2, by=director)
    section_with(4, "team-round-robin", contest="teams", club=club, by=director)
    teams = section_with(4, "team-round-robin", round=3, contest="teams", club=club, by=director)
    publishing.publish_results(teams, by=director)
    person = section.entries.first().players[0]
    report = MasterpointReport.objects.get(club=club)
    MasterpointEntry.objects.create(
        report=report, person=person, day=club.today, name="Cup", points=1
    )
    return made


def is_page(answer):
    return answer.status_code == 200 and answer.headers["Content-Type"].startswith(HTML)


#: README's features, each with the addresses where a director finds them
FEATURES = {
    "before": "new-series who-comes door-code entries choose-movement deals print",
    "during": "desk room-display phones results slips change guide-laws",
    "after": "ranking look-at boards score-sheet results-state hand-in results-file",
    "over a season": "season championship handicaps rating classes masterpoints players edit-player",
    "the club": "members club-money money-month member-mails club-public club-settings",
    "for a federation": "club-federation player-numbers moving-in library",
}
MOST_PRESSES = 3


#: pages that list something in a full club, and ask or wait in an empty one, each with the reason
NO_LIST = {
    "import-movement": "a form",
    "use-movement": "a choice among sessions",
    "choose-movement": "waits for pairs, and leads to them",
    "entries": "the fields of the first pair; the field for a list says its form",
    "print": "waits for a movement, and leads to it",
    "lookup": "a phone that waits for its table",
}
FEWEST_WORDS = 8
MAIN = re.compile(r"<main.*?</main>", re.DOTALL)
APART = re.compile(r"<(script|style|svg|template|nav|thead)\b.*?</\1>", re.DOTALL)
EXAMPLE = re.compile(r'<(section|div) class="panel example.*?</\1>', re.DOTALL)


class KeptWalk(Walk):
    """A walk that keeps the main part of each page by the name of its address."""

    def __init__(self, browser: Client) -> None:
        super().__init__(browser)
        self.mains: dict[str, list[str]] = {}

    def seen(self, name: str, page: str) -> None:
        """Keep the main part of a page."""
        main = MAIN.search(page)
        self.mains.setdefault(name, []).append(APART.sub("", main[0] if main else page))


def has_rows(main: str) -> bool:
    return re.search(r"<(tr|li)\b", EXAMPLE.sub("", main)) is not None


def words_in(html: str) -> list[str]:
    return re.sub(r"<[^>]+>", " ", html).split()


@dataclass
class FullClub:
    """Results of walks through the demo club in many states."""

    walk: KeptWalk
    #: pages to which no page of any walk links
    orphans: list[str]


#: the club as walked, for the tests that follow
WALKED: list[FullClub] = []


@pytest.fixture
def full_club(monkeypatch):
    """Return the findings in the full club, which is made and walked once."""
    if not WALKED:
        monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
        WALKED.append(walked_club())
    return WALKED[0]


def walked_club():
    director = make_demo_club("x" * 12)
    made = make_states(Club.objects.get(), director)
    browser, newcomer = Client(), Client()
    browser.force_login(director)
    newcomer.force_login(UserFactory())
    full = KeptWalk(browser).follow("/")
    walks = [
        full,
        Walk(newcomer).follow("/"),
        Walk(Client()).follow("/"),
        Walk(Client()).follow(made["own-page"]),
        Walk(Client()).follow(made["club-page"]),
    ]
    missing = set(patterns()).difference(ELSEWHERE, AT_TABLE, *(walk.reached for walk in walks))
    return FullClub(full, [name for name in sorted(missing) if is_page(browser.get(made[name]))])


def test_each_feature_is_three_presses_from_home(full_club):
    presses = full_club.walk.presses

    def presses_to(name):
        """Return the presses to a page; to a fold, which its page's link opens, one more."""
        return presses.get(name) or presses.get(LEADS_ON.get(name), 99) + 1

    names = [name for words in FEATURES.values() for name in words.split()]
    far = {name: presses_to(name) for name in names if presses_to(name) > MOST_PRESSES}
    assert far == {}


def test_every_page_is_reached_by_links(full_club):
    assert full_club.orphans == [], (
        "a page must link to each, or ELSEWHERE in tests/pages/test_links.py name it"
    )


def test_each_empty_page_says_what_it_is_for_and_shows_an_example(full_club, club, alice):
    new = Client()
    new.force_login(alice)
    empty = KeptWalk(new).follow("/")
    section = section_with(0, club=club, by=alice)
    Session.objects.filter(pk=section.session_id).update(date=club.today)
    empty_session = KeptWalk(new).follow(reverse("deals", args=[section.code]))

    empty_pages = {
        name: main
        for walk in (empty, empty_session)
        for name, mains in walk.mains.items()
        for main in mains
        if not has_rows(main) and any(map(has_rows, full_club.walk.mains.get(name, [])))
    }

    assert empty_pages.keys() >= {"coming-weeks", "member-mails", "deals", "players"}
    assert empty_pages.keys() >= NO_LIST.keys()
    examples = {name: EXAMPLE.search(main) for name, main in empty_pages.items()}
    bare = {name for name, example in examples.items() if not example}
    assert [name for name, shown in examples.items() if shown and len(words_in(shown[0])) < 3] == []
    assert bare == NO_LIST.keys()
    assert [
        name
        for name, main in empty_pages.items()
        if len(words_in(EXAMPLE.sub("", main))) < FEWEST_WORDS
    ] == []

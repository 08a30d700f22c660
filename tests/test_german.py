"""A German evening: on no page and no sheet does anything speak English."""

import re
from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser
from typing import Any
from zoneinfo import available_timezones

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.cache import cache as kept
from django.core.files.base import ContentFile
from django.test import Client

from bridgebuddy.director.changes.wishes import WISHES
from bridgebuddy.events.models import CODE_ALPHABET
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.play.changes import ArrivingEntry, change_options, take_proposal
from bridgebuddy.printing.sheets import OF_RESULTS, SHEETS
from movements.engine.changes import FewerBoards, PairArrives, PairLeaves
from movements.switches.choices import switch_choices
from tests.director.reading import in_which_one_can
from tests.factories import section_with
from tests.lists import difference
from tests.markup import markup
from tests.printing.test_logo import picture

pytestmark = pytest.mark.django_db

SHOWN_ATTRIBUTES = ("aria-label", "placeholder", "alt", "title")
OWN_NAMES = ("English",)  # a language is listed as those who speak it call it
ZONES = {name.replace("_", " ") for name in available_timezones()}
PLACEHOLDER = re.compile(r"%\(\w+\)s")
#: words no German sentence has; a sentence nobody marked for translation has one of them
ENGLISH_WORDS = (
    "the of and to is are this that these with without from your you who which what where when "
    "round rounds table tables pair pairs player players must may not nobody everybody first "
    "next back date language sits stays choose save change seats session ew"
)
ENGLISH = frozenset(re.findall(r"\w+", ENGLISH_WORDS))


class Words(HTMLParser):
    """Collects the visible and read-out words of a page, except for titles of books, which keep their language."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.is_title = False

    def handle_data(self, data: str) -> None:
        if (text := " ".join(data.split())) and not self.is_title:
            self.found.append(text)

    def handle_endtag(self, tag: str) -> None:
        self.is_title = self.is_title and tag != "cite"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.is_title = self.is_title or tag == "cite"
        self.found += [value for name, value in attrs if name in SHOWN_ATTRIBUTES and value]


def words_of(response) -> list[str]:
    parser = Words()
    parser.feed(response.content.decode())
    return parser.found


class English:
    """All sentences that differ in German. Pages repeat many: each text is tried once."""

    def __init__(self, catalogue: Iterable[Any]) -> None:
        self.whole: set[str] = set()
        patterns = []
        for message in catalogue:
            pairs = (
                zip(message.id, message.string, strict=True)
                if isinstance(message.id, tuple)
                else [(message.id, message.string)]
            )
            for written, german in pairs:
                words = PLACEHOLDER.sub("", written).strip(" .,:()–×=·")
                if written == german or len(words) <= 1 or words in OWN_NAMES:
                    continue
                if PLACEHOLDER.search(written):
                    parts = (re.escape(part) for part in PLACEHOLDER.split(written))
                    patterns.append(".+".join(parts))
                else:
                    self.whole.add(written)
        self.patterns = re.compile("|".join(patterns))
        self.tried: dict[str, bool] = {}

    def is_in(self, text: str) -> bool:
        """Return whether a text is one of the sentences, or has a word that no German sentence has."""
        if text not in self.tried:
            self.tried[text] = self.has(text) or bool(ENGLISH & tokens(text))
        return self.tried[text]

    def has(self, text: str) -> bool:
        return text in self.whole or bool(self.patterns.fullmatch(text))


@cache
def english_sentences() -> English:
    path = settings.LOCALE_PATHS[0] / "de" / "LC_MESSAGES" / "django.po"
    with path.open("rb") as file:
        return English(read_po(file))


@pytest.fixture(scope="module")
def english() -> English:
    return english_sentences()


@pytest.fixture
def german_speaks_german(english):
    """Return a check that a page, or the answer to a form, has no English in it."""

    def check(
        browser: Client,
        address: str,
        status: int = 200,
        send: dict | None = None,
        or_else: tuple[int, ...] = (),
    ) -> None:
        response = (
            browser.get(address, follow=True)
            if send is None
            else browser.post(address, send, follow=True)
        )
        if response.status_code in or_else:
            return
        assert response.status_code == status, address
        found = [words for words in words_of(response) if words not in ZONES]
        assert '<html lang="de"' in response.content.decode()
        left = [text for text in found if english.is_in(text)]
        assert left == [], address

    return check


CODE = re.compile(rf"\b[{CODE_ALPHABET}]{{3}} ?[{CODE_ALPHABET}]{{3}}\b")


def tokens(text: str) -> set[str]:
    """The words of a text that is not a source or a web address; a session's code is none ("KY4 AND")."""
    if text.startswith("Voraussetzung:") or "://" in text:
        return set()
    return set(re.findall(r"[\w’'-]+", CODE.sub("", text).lower()))


@pytest.fixture
def german(alice, settings):
    """Alice's browser, in German."""
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    browser = Client(headers={"accept-language": "de"})
    browser.force_login(alice)
    return browser


@pytest.fixture
def evening_with(club, alice):
    """Make a section of alice's club; no name in it is an English word."""

    def make(pairs, family=None, **choice):
        section = section_with(pairs, family, club=club, by=alice, **choice)
        section.session.event.name = "Dienstagsturnier"
        section.session.event.save()
        return section

    return make


EVENINGS = {
    "no movement": {"pairs": 7},
    "before the start": {"pairs": 15, "family": "skip-mitchell"},
    "skip": {"pairs": 15, "family": "skip-mitchell", "round": 4},
    "stands and shares": {"pairs": 12, "family": "share-and-relay", "round": 2},
    "rover": {"pairs": 17, "family": "ew-rover", "round": 3},
    "parts": {"pairs": 12, "family": "scissors-mitchell", "round": 3},
    "one winner": {"pairs": 10, "family": "howell", "round": 2},
    "last round": {"pairs": 10, "family": "mitchell", "round": 5},
}


@pytest.fixture(params=EVENINGS)
def evening(request, evening_with):
    section = evening_with(**EVENINGS[request.param])
    section.called = request.param
    return section


def test_the_directors_evening_is_german(german, evening, german_speaks_german):
    for page in ("entries", "movement", "edit", "print", "strengths"):
        german_speaks_german(german, f"/s/{evening.code}/{page}/")
    if evening.movement:
        for page in ("desk", "rounds", "history"):
            german_speaks_german(german, f"/s/{evening.code}/{page}/")
        german_speaks_german(german, f"/s/{evening.code}/entries/{evening.entries.first().pk}/")


QUESTIONS = {
    "late": "",
    "leaves": "?contestant=3",
    "back": "",
    "stays": "?contestant=12",
    "skip": "",
    "arrows": "?round=6",
    "length": "?rounds=6",
    "boards": "?boards=2",
    "places": "?round=4&one=9&other=10",
    "wrong-boards": "?round=4&table=1&other_table=2",
    "other-way": "?round=4&table=1",
    "line": "?round=4&line=ew&up=1",
    "rebuild": "",
}


@pytest.mark.guard
def test_every_live_change_is_asked_for(german):
    assert difference(WISHES, QUESTIONS, "QUESTIONS in tests/test_german.py") == []


@pytest.mark.parametrize("wish", QUESTIONS)
def test_live_changes_are_german(german, evening_with, alice, german_speaks_german, wish):
    evening = evening_with(**EVENINGS["one winner" if wish == "arrows" else "skip"])
    if wish == "back":
        in_which_one_can(wish, evening, alice)

    german_speaks_german(german, f"/s/{evening.code}/change/{wish}/{QUESTIONS[wish]}")


IMPOSSIBLE = {
    "skip": "one winner",
    "arrows": "skip",
    "back": "skip",
    "leaves": "last round",
}


@pytest.mark.parametrize("wish", IMPOSSIBLE)
def test_why_a_change_makes_no_sense_is_german(german, evening_with, german_speaks_german, wish):
    evening = evening_with(**EVENINGS[IMPOSSIBLE[wish]])

    german.get(f"/s/{evening.code}/change/{wish}/")

    german_speaks_german(german, f"/s/{evening.code}/desk/")


def test_what_changed_is_told_in_german(german, evening_with, alice, german_speaks_german):
    evening = evening_with(16, "skip-mitchell", round=1)
    newcomer = ArrivingEntry(names=("Eva Engel", "Max Reuter"))
    simple = ("rover", "half-table", "fewer-boards")
    for change, arguments in (
        (PairArrives(), {"newcomer": newcomer}),
        (PairLeaves(5), {}),
        (FewerBoards(2, of=3), {}),
    ):
        evening.refresh_from_db()
        way = next(way for way in change_options(evening, change) if way.proposal.kind in simple)
        take_proposal(evening, way, change, plan=evening.plan, by=alice, **arguments)

    for page in ("desk", "history", "rounds", "print"):
        german_speaks_german(german, f"/s/{evening.code}/{page}/")
    for label in ("NS1", "EW1", "EW2", "NS3", "NS4"):
        german_speaks_german(german, f"/p/{evening.code}/{label}/")
    german_speaks_german(german, f"/p/{evening.code}/room/")
    for sheet in ("table-cards", "guide-cards", "rover-cards", "seating"):
        german_speaks_german(german, f"/s/{evening.code}/print/{sheet}.html")


@pytest.fixture
def quick_switches(monkeypatch):
    """A search that is over at once; a better switch is announced in the same words."""
    monkeypatch.setattr("movements.switches.choices.TRIALS", 2_000)
    kept.clear()


@pytest.mark.parametrize("level", ["rounds", "room", "tables"])
def test_turned_boards_are_told_in_german(
    german, evening_with, alice, quick_switches, german_speaks_german, level
):
    evening = evening_with(10, "mitchell", boards_per_round=5)
    page = f"/s/{evening.code}/movement/switches/"
    number = [choice.level for choice in switch_choices(evening.movement)].index(level)
    german_speaks_german(german, page)

    german_speaks_german(german, page, 422, send={"of": evening.movement_id})
    german_speaks_german(german, page, 422, send={"of": 0, "choice": number})
    german_speaks_german(german, page, send={"of": evening.movement_id, "choice": number})
    german_speaks_german(german, page)
    evening.refresh_from_db()
    for after in range(4):
        rounds.start_next_round(evening, after=after, by=alice)
    for page in ("desk", "history", "rounds", "movement/switches"):
        german_speaks_german(german, f"/s/{evening.code}/{page}/")
    for page in ("room", "1", "10"):
        german_speaks_german(german, f"/p/{evening.code}/{page}/")
    for sheet in ("table-cards", "guide-cards", "master"):
        german_speaks_german(german, f"/s/{evening.code}/print/{sheet}.html")


@pytest.mark.parametrize("family", ["mitchell", "howell"])
def test_strengths_are_weighed_in_german(german, evening_with, german_speaks_german, family):
    evening = evening_with(10, family)
    people = [person for entry in evening.entries.all() for person in entry.players]
    answers = {f"strength-{record.pk}": 9 - place % 7 for place, record in enumerate(people[2:])}

    first = f"strength-{people[0].pk}"
    page = f"/s/{evening.code}/strengths/"
    german_speaks_german(german, page, 422, send={**answers, first: "stark"})
    german_speaks_german(german, page, send=answers)
    german_speaks_german(german, f"/s/{evening.code}/seats/", send={"method": "even"})


def test_seats_without_strengths_are_refused_in_german(german, evening_with, german_speaks_german):
    evening = evening_with(10, "mitchell")

    german_speaks_german(german, f"/s/{evening.code}/seats/", send={"method": "even"})


def test_a_break_is_planned_and_told_in_german(german, evening_with, alice, german_speaks_german):
    evening = evening_with(10, "mitchell", round=2)
    page = f"/s/{evening.code}/break/"

    german_speaks_german(german, page)
    german_speaks_german(german, page, 422, send={"after": 1, "minutes": 500})
    german_speaks_german(german, page, send={"after": 2, "minutes": 15})

    for page in ("history", "print"):
        german_speaks_german(german, f"/s/{evening.code}/{page}/")
    for page in ("room", "NS1", "EW3"):
        german_speaks_german(german, f"/p/{evening.code}/{page}/")


def test_a_logo_is_taken_refused_and_removed_in_german(german, club, german_speaks_german):
    page = f"/clubs/{club.pk}/logo/"

    german_speaks_german(german, page, 422, send={})
    for bad in (b"", b"GIF89a", bytes(500_001)):
        german_speaks_german(german, page, 422, send={"logo": ContentFile(bad, "logo.png")})
    german_speaks_german(german, page, send={"logo": ContentFile(picture(), "logo.png")})
    german_speaks_german(german, f"{page}remove/", send={})


def test_the_players_evening_is_german(german, evening, german_speaks_german):
    german_speaks_german(german, f"/p/{evening.code}/")
    german_speaks_german(german, f"/p/{evening.code}/?q=niemand")
    german_speaks_german(german, f"/p/{evening.code}/room/")
    german_speaks_german(german, f"/p/{evening.code}/77/", status=404)
    if evening.movement:
        labels = [
            evening.movement.without_seatings.label(n)
            for n in evening.movement.without_seatings.contestants
        ]
        for label in labels:
            address = f"/p/{evening.code}/{label.replace(' ', '')}/"
            german_speaks_german(german, address, or_else=(302, 404))  # nobody may have the seat


#: others need no such card
PRINTED = {
    "rover-cards": {"rover", "before the start", "skip"},
    "stand-cards": {"stands and shares", "one winner"},
    # no results yet
    **{item: set[str]() for item in ("draw", "draw-slips", "deal-slips", *OF_RESULTS)},
}


@pytest.mark.parametrize(
    "evening", [name for name, of in EVENINGS.items() if "family" in of], indirect=True
)
def test_the_sheets_are_german(german, evening, german_speaks_german):
    for sheet in SHEETS:
        is_empty = evening.called not in PRINTED.get(sheet, {evening.called})
        german_speaks_german(
            german, f"/s/{evening.code}/print/{sheet}.html", status=422 if is_empty else 200
        )


def test_a_code_is_no_word():
    assert tokens("KY4 AND") == set()
    assert tokens("Code KY4AND and more") == {"code", "and", "more"}


def test_a_finished_evening_is_german(german, evening_with, alice, german_speaks_german):
    evening = evening_with(8, "howell", round=3)
    rounds.finish_session(evening, round=3, by=alice)

    german_speaks_german(german, f"/s/{evening.code}/desk/")
    german_speaks_german(german, f"/p/{evening.code}/2/")
    german_speaks_german(german, f"/p/{evening.code}/room/")


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/sessions/new/",
        "/movements/import/",
        "/clubs/new/",
        "/movements/",
        "/movements/skip-mitchell/8/",
        "/movements/appendix-mitchell/8/",
        "/movements/ew-rover/8/",
        "/movements/swiss/6/",
        "/movements/howell/5/",
        "/movements/individual/3/",
        "/p/",
        "/accounts/password/change/",
    ],
)
def test_the_clubs_pages_are_german(german, address, german_speaks_german):
    german_speaks_german(german, address)


def test_settings_and_refusals_are_german(german, club, german_speaks_german):
    german_speaks_german(german, f"/clubs/{club.pk}/")
    german_speaks_german(german, "/movements/crisscross/6/", status=404)
    german_speaks_german(german, "/p/?code=ABC", status=404)
    german_speaks_german(german, "/p/?code=ABCDEF", status=404)
    german_speaks_german(german, "/nowhere/", status=404)


@pytest.mark.parametrize(
    "address",
    ["/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"],
)
def test_strangers_read_german(settings, address, german_speaks_german):
    settings.LANGUAGES = [("en", "English"), ("de", "German")]

    german_speaks_german(Client(headers={"accept-language": "de"}), address)


def test_the_check_sees_english(english):
    assert english.has("Round 4 of 7")
    assert english.has("Sits out now")
    assert english.is_in("Sits out now")
    assert english.is_in("Tisch 3 sits nowhere")
    assert not english.is_in("Runde 4 von 7")
    assert ENGLISH & tokens("First player")


def test_labels_lead_to_the_same_pair_in_every_language(german, evening_with):
    evening = evening_with(16, "skip-mitchell", round=1)

    for label in ("EW3", "OW3", "ow3"):
        page = markup(german.get(f"/p/{evening.code}/{label}/"))
        assert '<span class="pair me-no">OW 3</span>' in page
    found = markup(german.get(f"/p/{evening.code}/?q=ow 3"))
    assert re.findall(r'<span class="pair">([^<]*)</span>', found) == ["OW 3"]
    assert f'href="/p/{evening.code}/EW3/"' in found


def test_one_thing_has_one_word_in_german():
    path = settings.LOCALE_PATHS[0] / "de" / "LC_MESSAGES" / "django.po"
    with path.open("rb") as file:
        said = " ".join(str(message.string) for message in read_po(file))
    given_up = (
        "Handysn|Anschrift(en)?\b|bittet euch|alle gepasst|Rundenturnier|Spielzettel|N-S und O-W"
    )

    assert re.findall(given_up, said, re.IGNORECASE) == []

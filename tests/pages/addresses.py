"""Every address of a section that a director, a phone or a printer requests, with its data.

An address that is in none of these tables fails the test that reads the URL patterns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from bridgebuddy.events.models import EntryPerson, Section
from bridgebuddy.printing.sheets import SHEETS
from bridgebuddy.registration.door import entrance_key
from bridgebuddy.scoring.files.exports import FORMATS

#: they read no section, or nothing of it but that there is one
WITHOUT_SECTION = {
    *("new-session", "import-movement", "own-movement", "use-movement", "print-movement"),
    *("players", "new-player", "edit-player", "forget-player", "merge-players", "two-people"),
    *("player-numbers", "player-own-page", "players-own-pages"),
    *("member-home", "member-page", "member-come", "club-results"),
    *("own-code", "own-page", "own-kept", "own-forget", "own-file", "own-coming", "own-come"),
    *("help", "help-topic", "help-card", "help-read", "trial"),
    *("help-laws", "help-law", "help-laws-print"),
    *("anonymise-player", "person-data", "kept", "processing-record", "club-data", "delete-club"),
    *("club-settings", "club-paper", "club-privacy", "keep-logo", "remove-logo"),
    *(
        "club-chart",
        "chart-file",
        *("coming-weeks", "new-series", "series"),
        "club-public",
        "club-bridgewebs",
        "club-federation",
        "member-columns",
        "player-mail",
        "mail-address",
        "member-mails",
        "new-member-mail",
        "member-mail",
        "member-mails-off",
    ),
    *("club-page", "club-year", "club-month", "club-players", "club-player"),
    *("club-embedded", "club-feed", "club-calendar", "club-come"),
    *("season", "new-championship", "championship", "championship-line", "championship-rules"),
    *("championship-evenings", "championship-groups", "championship-state", "print-championship"),
    *("moving-in", "import", "attendance", "pace", "masterpoints", "points-file", "ledger"),
    *("rating", "handicaps", "handicap-by-hand", "public-championship", "public-championship-line"),
    *("code", "player-language", "service-worker", "manifest"),
    *("public-results", "public-sheets", "public-sheet", "public-boards", "public-board"),
    *("public-matches", "public-match", "public-pairs", "public-privacy", "public-find"),
    *("public-deals", "public-deals-file"),
    *("api-results", "api-board", "api-championship", "api-club", "api-club-results", "api-schema"),
    *("api-sheet", "api-match"),
    *("club-money", "money-month", "money-file", "money-accounts", "find-account"),
    *("money-account", "print-money-month"),
    "renew-code",  # leads to the page of the new code, and shows nothing
    "guide-known",  # leads to the desk
}
HTMX = {"HX-Request": "true"}
SEARCHING_ON = {**HTMX, "HX-Target": "ways"}
SHEET = {**HTMX, "HX-Target": "sheet"}


@dataclass(frozen=True)
class PageRequest:
    """A request: an address, its data, and whether it is a form."""

    name: str
    rest: Mapping[str, object] = field(default_factory=dict)
    sent: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    is_form: bool = False

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.name, *self.rest.values(), dict(self.sent)))

    def address_of(self, section: Section) -> str:
        """Return the address of a section."""
        code = {} if self.name == "home" else {"code": section.code}
        return reverse(self.name, kwargs={**code, **self.rest})

    def of(self, section: Section, browser: Client) -> HttpResponse:
        """Ask it of a section."""
        ask = browser.post if self.is_form else browser.get
        return ask(self.address_of(section), self.sent, headers=self.headers)


def pages(section: Section) -> list[PageRequest]:
    """Return every page there is of a section."""
    first, last = ends_of(section)
    play = play_of(section)
    return [
        PageRequest("home"),
        PageRequest("home", sent={"q": "no", "month": "2026-11"}),
        PageRequest("home", sent={"day": "2026-11-24"}),
        PageRequest("edit-session"),
        PageRequest("copy-session"),
        PageRequest("copy-session", sent={"second": 1}),
        PageRequest("delete-session"),
        PageRequest("event"),
        PageRequest("entries"),
        PageRequest("entries", sent={"move": 3}),
        PageRequest("entries", sent={"v": 0, "started": int(section.is_started)}, headers=HTMX),
        PageRequest("who-comes"),
        PageRequest("door-code"),
        PageRequest("door", {"door_key": "none"}),
        PageRequest("door", {"door_key": entrance_key(section.session)}),
        PageRequest("leave-door", {"door_key": entrance_key(section.session)}),
        PageRequest("add-pair"),
        PageRequest("add-list"),
        PageRequest("take-list"),
        PageRequest("seat"),
        PageRequest("suggestions", sent={"q": "an", "field": "first"}),
        PageRequest("edit-pair", {"entry": first.pk}),
        PageRequest("edit-pair", {"entry": last.pk}),
        PageRequest("line-up", {"entry": first.pk}),
        *(PageRequest(name) for name in ("money", "money-prices", "money-count", "money-sheet")),
        PageRequest("print-money-sheet"),
        PageRequest("money", sent={"by": "missing"}),
        PageRequest("substitutes"),
        PageRequest("substitutes", sent={"entry": last.pk}),
        *(PageRequest("correct-substitute", {"link": link}) for link in (1, *links_of(section))),
        PageRequest("strengths"),
        PageRequest("choose-movement"),
        PageRequest("choose-drawn"),
        PageRequest("choose-drawn", sent={"boards": 4, "rounds": 3}, headers=HTMX),
        PageRequest("arrow-switches"),
        PageRequest("match-boards"),
        PageRequest("desk"),
        PageRequest("desk", sent={"v": 0}, headers=HTMX),
        PageRequest("desk", sent={"table": 3}),
        PageRequest("guide-laws"),
        PageRequest("guide-laws", sent={"table": 3}),
        PageRequest("guide-laws-print"),
        PageRequest("guide-law", {"subject": "lead", "step": "who"}),
        PageRequest("guide-law", {"subject": "lead", "step": "opening-leave-helped"}),
        PageRequest("guide-law-board", {"subject": "lead", "step": "opening-leave-helped"}),
        *(PageRequest("change", {"wish": wish}, sent) for wish, sent in ANSWERS.items()),
        PageRequest("results"),
        PageRequest("results", sent={"round": 1}),
        PageRequest("results", sent={"v": "0-0"}, headers=HTMX),
        PageRequest("enter-result", {"play": play}),
        PageRequest("slips"),
        PageRequest("slips", sent={"round": 1, "table": 2}),
        PageRequest("slips", sent={"board": 4}),
        PageRequest("slip-reading", {"play": play}, {f"line-{play}": "4hs="}, HTMX),
        PageRequest("change", {"wish": "leaves"}, headers=SHEET),
        PageRequest("change", {"wish": "rebuild"}, {"effort": 4}, SEARCHING_ON),
        PageRequest("divide"),
        PageRequest("divide", sent={"sections": 2, "how": "strength"}, headers=HTMX),
        PageRequest("all-sections"),
        PageRequest("all-sections", sent={"v": 0, "ticks": 1, "start": "A"}, headers=HTMX),
        PageRequest("history"),
        PageRequest("all-rounds"),
        PageRequest("all-rounds", sent={"version": 1}),
        PageRequest("break"),
        PageRequest("finish"),
        PageRequest("finish", {}, {"how": "now"}, SHEET),
        PageRequest("print"),
        PageRequest("print", sent={"since": 1}),
        PageRequest("print-logo"),
        PageRequest("boards"),
        PageRequest("board-results", {"board": 1}),
        PageRequest("fouled-board", {"board": 1}),
        PageRequest("results-line", {"play": play}),
        PageRequest("score-sheet", {"label": "NS1"}),
        PageRequest("score-sheet", {"label": "NS1"}, {"board": 1}),
        PageRequest("look-at"),
        PageRequest("draw"),
        PageRequest("draw", sent={"round": 2}),
        PageRequest("phones"),
        PageRequest("ranking"),
        PageRequest("ranking", sent={"method": "butler"}),
        PageRequest("looking-back"),
        PageRequest("matches"),
        PageRequest("match", {"round": 1, "home": "1", "away": "2"}),
        PageRequest("butler"),
        PageRequest("publish"),
        PageRequest("hand-in"),
        PageRequest("classes"),
        PageRequest("session-handicaps"),
        PageRequest("deals"),
        PageRequest("deals-file", {"format": "pbn"}),
        PageRequest("type-cards", {"board": 1}),
        PageRequest("terminals"),
        PageRequest("i-play"),
        *(PageRequest("results-file", {"format": name}) for name in FORMATS),
        PageRequest("my-results", {"label": "NS1"}),
        PageRequest("own-claim", {"label": "NS1"}),
        PageRequest("print-pdf", {"name": "guide-cards"}),
        PageRequest("print-pdf", {"name": "together"}),
        *(PageRequest("print-preview", {"name": name}) for name in SHEETS),
        PageRequest("print-preview", {"name": "guide-cards"}, {"since": 1}),
        PageRequest("print-preview", {"name": "table-cards"}, {"since": 1}),
        PageRequest("print-preview", {"name": "score-cards"}, {"contestant": "EW4"}),
        PageRequest("print-preview", {"name": "score-slips"}, {"table": 5}),
        PageRequest("table", {"table": 1}, {"who": first.pk}),
        PageRequest("table-pads", {"table": 1}),
        PageRequest("table-coming", {"table": 1, "round": 1, "number": 1}),
        PageRequest("table-join", {"table": 1, "key": "none"}),
        PageRequest("table-board", {"table": 1, "play": play}),
        PageRequest("table-yes", {"table": 1, "play": play}),
        PageRequest("table-cards", {"table": 1, "play": play}),
        PageRequest("table-check", {"table": 1, "play": play, "came": "agreed"}),
        PageRequest("lookup"),
        PageRequest("player-deals"),
        PageRequest("lookup", sent={"q": "no", "v": 0}, headers={**HTMX, "HX-Target": "pairs"}),
        PageRequest("player-privacy"),
        PageRequest("room-display"),
        PageRequest("room-display", sent={"v": 0, "all": 1}, headers=HTMX),
        PageRequest("player", {"label": "NS1"}),
        PageRequest("player", {"label": "EW5"}),
        PageRequest("player", {"label": "EW5"}, {"v": 0, "entry": last.pk}, HTMX),
        PageRequest("player", {"label": "NS2"}, {"v": 0, "entry": last.pk}, HTMX),
    ]


@dataclass(frozen=True)
class Somebody:
    """Arguments that name an entry and its first player; by default of one that does not exist."""

    pk: int = 1000
    name: str = "Anna Nobody"
    person: int = 1000
    link: int = 1000


def ends_of(section: Section) -> tuple[Somebody, Somebody]:
    """Return the first entry and the last."""
    found = []
    for entry in section.entries.all():
        person, link = entry.players[0], entry.links_in(section.shown_round)[0]
        found.append(Somebody(entry.pk, person.name, person.pk, link.pk))
    found = found or [Somebody()]
    return found[0], found[-1]


def play_of(section: Section) -> int:
    """Return the key of a board that was played; before the first round of none."""
    played = section.plays.filter(taken_back_at=None).exclude(ns=None).exclude(ew=None)
    return getattr(played.last(), "pk", 1)


def links_of(section: Section) -> list[int]:
    """Return the keys by which pages name the section's substitutes."""
    links = EntryPerson.objects.filter(section=section).exclude(plays_for=None)
    return list(links.values_list("pk", flat=True))


def taken(*names: str) -> dict[str, object]:
    """Return the data of the page of a list with one clear line."""
    sent = {f"name-1-{place}": name for place, name in enumerate(names, start=1)}
    return {"line": 1, "clear-1": 1, "text-1": ", ".join(names), **sent}


def forms(section: Section) -> list[PageRequest]:
    """Return every form of a section, as it is refused and as it is answered with a page."""
    first, last = ends_of(section)
    known = {"first": last.name, "second": "Eve New"}
    person, link = first.person, first.link
    stint = {"substitute": "Eve New", "from_round": 2, "until_round": 3}
    round, plan = {"after": section.round}, {"plan": section.plan}
    list_length_error = {**plan, "reason": "x" * 300}
    at_a_version = {"version": 1}
    plain = section.unswitched_id or section.movement_id or 1000
    play = play_of(section)
    asked = [
        ("add-pair", {}, {}),
        ("add-pair", {}, known),
        ("add-list", {}, {"pairs": "one"}),
        ("add-list", {}, {"pairs": f"{known['first']}, Eve New"}),
        ("take-list", {}, {}),
        ("take-list", {}, taken("Eve New", "Max New")),
        ("take-list", {}, taken(known["first"], "Max New")),
        ("edit-pair", {"entry": first.pk}, {}),
        ("edit-pair", {"entry": first.pk}, known),
        ("edit-pair", {"entry": last.pk}, {"first": "Eve New", "second": "Max New"}),
        ("withdraw", {"entry": first.pk}, {}),
        ("who-comes", {}, {"do": "switch", "on": 1}),
        ("who-comes", {}, {"do": "switch", "on": 1, "most": 0}),
        ("who-comes", {}, {"do": "say", "first": "Eve New", "second": "Max New"}),
        ("who-comes", {}, {"do": "list"}),
        ("substitutes", {}, {}),
        ("substitutes", {}, {**stint, "who": f"{first.pk}-1-{link}"}),
        ("substitutes", {}, {**stint, "who": f"{first.pk}-1-1000"}),
        ("correct-substitute", {"link": link}, {}),
        ("correct-substitute", {"link": link}, stint),
        ("end-substitute", {"link": link}, {}),
        ("money", {}, {"tick": f"{person}:cash:0", "key": "a"}),
        ("money", {}, {"rest": f"{person},1000", "key": "b", "by": "name"}),
        ("money-prices", {}, {"members": "x"}),
        ("money-count", {}, {}),
        ("strengths", {}, {f"strength-{person}": -1}),
        ("strengths", {}, {f"strength-{person}": 7}),
        ("seat", {}, {"method": "repeat", "seed": "x"}),
        ("seat", {}, {"method": "even"}),
        ("swap", {}, {"one": 1, "other": 10}),
        ("swap", {}, {"one": 1, "table": 5, "line": "ew"}),
        ("edit-session", {}, {"name": ""}),
        ("copy-session", {}, {"name": ""}),
        (
            "copy-session",
            {},
            {"name": "A", "date": "2027-03-01", "starts_at": "19:00", "sit": "even"},
        ),
        ("delete-session", {}, {"name": "another"}),
        ("rehearse", {}, {}),
        ("press-on", {}, {}),
        ("bring-back", {}, {}),
        ("choose-movement", {}, {"family": "none"}),
        ("choose-movement", {}, {"own": 1, "boards": 3}),
        ("choose-drawn", {}, {}),
        ("choose-drawn", {}, {"boards": 4, "rounds": 3, "first": "slide"}),
        ("draw", {}, {}),
        ("invent-results", {}, {}),
        ("draw-back", {}, {"round": 2, **plan}),
        ("arrow-switches", {}, {}),
        ("match-boards", {}, {}),
        ("match-boards", {}, {"cards": "duplicated", "numbers": "on", "from_board": 1}),
        ("arrow-switches", {}, {"of": 1, "choice": "none"}),
        ("arrow-switches", {}, {"of": plain, "choice": "none"}),
        *(("change", {"wish": text}, {**ANSWERS[text], **plan}) for text in ("leaves", "rebuild")),
        ("change", {"wish": "late"}, {"plan": 1, "way": "x", "first": "A B", "second": "C D"}),
        ("change", {"wish": "late"}, {**plan, "way": "x", **known}),
        ("undo", {}, plan),
        ("undo", {}, list_length_error),
        ("redo", {}, plan),
        ("divide", {}, {"sections": 1, "how": "hand", "deals": "same", f"in-{first.pk}": "A"}),
        ("divide", {}, {"sections": "x"}),
        ("start-rounds", {}, {"after-A": section.round}),
        ("start-rounds", {}, {"at": "desk"}),
        ("section-clocks", {}, {"clocks": "one"}),
        ("play-as", {}, {"as": "B"}),
        ("enter-result", {"play": play}, {}),
        ("enter-result", {"play": play}, {"how": "line", "line": "4h", "after": 0}),
        ("enter-result", {"play": play}, {"how": "line", "line": "4hs=", "after": 0}),
        ("enter-result", {"play": play}, {"how": "passed", "after": 7}),
        ("slips", {}, {}),
        ("slips", {}, {f"line-{play}": "4h"}),
        ("slips", {}, {f"line-{play}": "4hs=", f"after-{play}": 0}),
        ("next-round", {}, round),
        ("next-round", {}, {}),
        ("back", {}, round),
        ("back", {}, {**round, "reason": "x" * 300}),
        ("line-up", {"entry": first.pk}, {"north": "A"}),
        ("cross", {"entry": first.pk}, {"round": 2, "crossed": 1}),
        *([("finish", {}, round)] if section.is_started else []),  # before, nobody is asked to tell
        ("finish", {}, {**round, "told": "on"}),
        ("results-line", {"play": play_of(section)}, {}),
        (
            "results-line",
            {"play": play_of(section)},
            {"kind": "not_played", "why_not": "later", "after": 0},
        ),
        ("fouled-board", {"board": 1}, {}),
        ("fouled-board", {"board": 1}, {"where": "round", "from_round": 1}),
        ("unfoul-board", {"fouled": 1000}, {}),
        ("results-undo", {"result": 1000}, {}),
        ("score-sheet", {"label": "NS1"}, {}),
        ("score-sheet", {"label": "NS1"}, {"kind": "time", "amount": 10, "unit": "top"}),
        ("penalty-back", {"penalty": 1000}, {}),
        ("results-doubt", {}, {"doubt": "none"}),
        ("results-profile", {}, {"method": "butler"}),
        ("results-profile", {}, {"method": "dice"}),
        ("phones", {}, {}),
        ("phones", {}, {"mode": "secret", "agreement": "accept", "feedback": "none"}),
        ("renew-secrets", {}, {}),
        ("take-call", {"call": 1}, {}),
        ("let-phone", {"phone": 1}, {}),
        ("classes", {}, {"strata": "A, B", "min_played": 75}),
        ("classes", {}, {"min_played": "x"}),
        ("deals", {}, {}),
        ("terminals", {}, {}),
        ("terminals-back", {"readout": 1000}, {}),
        ("i-play", {}, {"entry": first.pk}),
        ("i-play", {}, {"entry": "x"}),
        ("look-early", {"board": 1}, {}),
        ("deals-away", {}, {}),
        ("deals-make", {}, {"boards": "1-3"}),
        ("deals-word", {}, {"word": "tulip"}),
        ("deals-close", {}, {}),
        ("type-cards", {"board": 1}, {"NS": "AKQ"}),
        ("remind-table", {"table": 1}, {"round": section.round}),
        ("results-state", {}, {"do": "final-publish"}),
        ("hand-in", {}, {"do": "numbers"}),
        ("hand-in", {}, {"do": "bridgewebs"}),
        ("hand-in", {}, {"do": "asked", "charge_code": "10", "embargo_until": "2026-11-24T23:00"}),
        ("results-beside", {}, {"method": "butler"}),
        ("same-cards", {}, {"same": 1}),
        ("rule-match", {"round": 1, "home": "1", "away": "2"}, {}),
        ("extra-boards", {"round": 1, "home": "1", "away": "2"}, {"boards": 2, **at_a_version}),
        ("match-ruling-back", {"ruling": 1000}, {}),
        ("results-room", {}, {"do": "rounds"}),
        ("break", {}, {"after": 1, "minutes": 0}),
        ("break", {}, {"after": 2, "minutes": 10}),
        ("seen", {}, at_a_version),
        ("clock", {}, {"do": "pause"}),
        ("table-digits", {"table": 1}, {"digits": "0000"}),
        ("table-who", {"table": 1}, {"who": first.pk}),
        ("table-call", {"table": 1}, {"why": "call"}),
        ("table-swap", {"table": 1}, {}),
        ("table-choose", {"table": 1, "play": play}, {"version": "ns", "after": 0}),
        ("table-cards", {"table": 1, "play": play}, {"NS": "AKQ"}),
        ("table-exchange", {"table": 1, "play": play}, {"other": f"{play}-0", "after": 1}),
        ("player-deals-word", {}, {"word": "tulip"}),
        ("door-tablet", {}, {"code": "x"}),
        ("through-door", {"door_key": "none"}, {}),
        ("through-door", {"door_key": entrance_key(section.session)}, {"people": "1000"}),
        ("have-read", {"label": "NS1"}, {"entry": first.pk, "movement": plain}),
    ]
    return [PageRequest(name, rest, sent, HTMX, is_form=True) for name, rest, sent in asked]


#: an answer to what the page of every change asks, for 10 pairs in round 2
ANSWERS: Mapping[str, Mapping[str, object]] = {
    "late": {},
    "leaves": {"contestant": 10},
    "back": {"contestant": 2},
    "stays": {"contestant": 9},
    "skip": {},
    "arrows": {"round": 4, "table": 5},
    "length": {"rounds": 4},
    "boards": {"boards": 2},
    "places": {"round": 1, "one": 1, "other": 2},
    "wrong-boards": {"round": 1, "table": 1, "other_table": 5},
    "other-way": {"round": 1, "table": 5},
    "line": {"round": 1, "line": "ew", "up": 1},
    "rebuild": {"effort": 1, "arrives": "on"},
}

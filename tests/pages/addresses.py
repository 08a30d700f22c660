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
class Asked:
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


def pages(section: Section) -> list[Asked]:
    """Return every page there is of a section."""
    first, last = ends_of(section)
    play = play_of(section)
    return [
        Asked("home"),
        Asked("home", sent={"q": "no", "month": "2026-11"}),
        Asked("home", sent={"day": "2026-11-24"}),
        Asked("edit-session"),
        Asked("copy-session"),
        Asked("copy-session", sent={"second": 1}),
        Asked("delete-session"),
        Asked("event"),
        Asked("entries"),
        Asked("entries", sent={"move": 3}),
        Asked("entries", sent={"v": 0, "started": int(section.is_started)}, headers=HTMX),
        Asked("who-comes"),
        Asked("door-code"),
        Asked("door", {"door_key": "none"}),
        Asked("door", {"door_key": entrance_key(section.session)}),
        Asked("leave-door", {"door_key": entrance_key(section.session)}),
        Asked("add-pair"),
        Asked("add-list"),
        Asked("take-list"),
        Asked("seat"),
        Asked("suggestions", sent={"q": "an", "field": "first"}),
        Asked("edit-pair", {"entry": first.pk}),
        Asked("edit-pair", {"entry": last.pk}),
        Asked("line-up", {"entry": first.pk}),
        *(Asked(name) for name in ("money", "money-prices", "money-count", "money-sheet")),
        Asked("print-money-sheet"),
        Asked("money", sent={"by": "missing"}),
        Asked("substitutes"),
        Asked("substitutes", sent={"entry": last.pk}),
        *(Asked("correct-substitute", {"link": link}) for link in (1, *links_of(section))),
        Asked("strengths"),
        Asked("choose-movement"),
        Asked("choose-drawn"),
        Asked("choose-drawn", sent={"boards": 4, "rounds": 3}, headers=HTMX),
        Asked("arrow-switches"),
        Asked("match-boards"),
        Asked("desk"),
        Asked("desk", sent={"v": 0}, headers=HTMX),
        Asked("desk", sent={"table": 3}),
        Asked("guide-laws"),
        Asked("guide-laws", sent={"table": 3}),
        Asked("guide-laws-print"),
        Asked("guide-law", {"subject": "lead", "step": "who"}),
        Asked("guide-law", {"subject": "lead", "step": "opening-leave-helped"}),
        Asked("guide-law-board", {"subject": "lead", "step": "opening-leave-helped"}),
        *(Asked("change", {"wish": wish}, sent) for wish, sent in ANSWERS.items()),
        Asked("results"),
        Asked("results", sent={"round": 1}),
        Asked("results", sent={"v": "0-0"}, headers=HTMX),
        Asked("enter-result", {"play": play}),
        Asked("slips"),
        Asked("slips", sent={"round": 1, "table": 2}),
        Asked("slips", sent={"board": 4}),
        Asked("slip-reading", {"play": play}, {f"line-{play}": "4hs="}, HTMX),
        Asked("change", {"wish": "leaves"}, headers=SHEET),
        Asked("change", {"wish": "rebuild"}, {"effort": 4}, SEARCHING_ON),
        Asked("divide"),
        Asked("divide", sent={"sections": 2, "how": "strength"}, headers=HTMX),
        Asked("all-sections"),
        Asked("all-sections", sent={"v": 0, "ticks": 1, "start": "A"}, headers=HTMX),
        Asked("history"),
        Asked("all-rounds"),
        Asked("all-rounds", sent={"version": 1}),
        Asked("break"),
        Asked("finish"),
        Asked("finish", {}, {"how": "now"}, SHEET),
        Asked("print"),
        Asked("print", sent={"since": 1}),
        Asked("print-logo"),
        Asked("boards"),
        Asked("board-results", {"board": 1}),
        Asked("fouled-board", {"board": 1}),
        Asked("results-line", {"play": play}),
        Asked("score-sheet", {"label": "NS1"}),
        Asked("score-sheet", {"label": "NS1"}, {"board": 1}),
        Asked("look-at"),
        Asked("draw"),
        Asked("draw", sent={"round": 2}),
        Asked("phones"),
        Asked("ranking"),
        Asked("ranking", sent={"method": "butler"}),
        Asked("looking-back"),
        Asked("matches"),
        Asked("match", {"round": 1, "home": "1", "away": "2"}),
        Asked("butler"),
        Asked("publish"),
        Asked("hand-in"),
        Asked("classes"),
        Asked("session-handicaps"),
        Asked("deals"),
        Asked("deals-file", {"format": "pbn"}),
        Asked("type-cards", {"board": 1}),
        Asked("terminals"),
        Asked("i-play"),
        *(Asked("results-file", {"format": name}) for name in FORMATS),
        Asked("my-results", {"label": "NS1"}),
        Asked("own-claim", {"label": "NS1"}),
        Asked("print-pdf", {"name": "guide-cards"}),
        Asked("print-pdf", {"name": "together"}),
        *(Asked("print-preview", {"name": name}) for name in SHEETS),
        Asked("print-preview", {"name": "guide-cards"}, {"since": 1}),
        Asked("print-preview", {"name": "table-cards"}, {"since": 1}),
        Asked("print-preview", {"name": "score-cards"}, {"contestant": "EW4"}),
        Asked("print-preview", {"name": "score-slips"}, {"table": 5}),
        Asked("table", {"table": 1}, {"who": first.pk}),
        Asked("table-pads", {"table": 1}),
        Asked("table-coming", {"table": 1, "round": 1, "number": 1}),
        Asked("table-join", {"table": 1, "key": "none"}),
        Asked("table-board", {"table": 1, "play": play}),
        Asked("table-yes", {"table": 1, "play": play}),
        Asked("table-cards", {"table": 1, "play": play}),
        Asked("table-check", {"table": 1, "play": play, "came": "agreed"}),
        Asked("lookup"),
        Asked("player-deals"),
        Asked("lookup", sent={"q": "no", "v": 0}, headers={**HTMX, "HX-Target": "pairs"}),
        Asked("player-privacy"),
        Asked("room-display"),
        Asked("room-display", sent={"v": 0, "all": 1}, headers=HTMX),
        Asked("player", {"label": "NS1"}),
        Asked("player", {"label": "EW5"}),
        Asked("player", {"label": "EW5"}, {"v": 0, "entry": last.pk}, HTMX),
        Asked("player", {"label": "NS2"}, {"v": 0, "entry": last.pk}, HTMX),
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


def forms(section: Section) -> list[Asked]:
    """Return every form of a section, as it is refused and as it is answered with a page."""
    first, last = ends_of(section)
    known = {"first": last.name, "second": "Eve New"}
    person, link = first.person, first.link
    stint = {"substitute": "Eve New", "from_round": 2, "until_round": 3}
    round, plan = {"after": section.round}, {"plan": section.plan}
    too_long = {**plan, "reason": "x" * 300}
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
        ("undo", {}, too_long),
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
    return [Asked(name, rest, sent, HTMX, is_form=True) for name, rest, sent in asked]


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

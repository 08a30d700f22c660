"""A session in another program's file: people, places and results. Numbers stay as written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

#: of a session, well above any real number of lists and lines
MOST_LINES = 500
LONGEST_NAME, LONGEST_TITLE = 60, 80


class NotRead(ValueError):
    """Error: an imported file cannot be read; `why` is "large", "many", "unknown", "broken", "empty" …"""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


class ImportDoubt:
    """The reasons why a director should check a session before importing it."""

    NO_DATE = "no date"
    PER_CENT = "per cent"  # more than possible
    PLACES = "places"  # not consecutive
    NO_PLACES = "no places"
    NOBODY = "nobody"  # a line without names
    NOT_FINAL = "not final"  # the list was never final in the original program


@dataclass(frozen=True)
class ImportedPlayer:
    """A person in an imported file, with their federation and club numbers."""

    name: str
    national: str = ""
    member: str = ""
    #: other fields of that club's roster: the name of the column, and its value
    noted: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ImportedLine:
    """A contestant's row in an imported ranking; `joined` holds all names if the file does not separate them."""

    place: int | None
    label: str = ""
    players: tuple[ImportedPlayer, ...] = ()
    joined: str = ""
    team: str = ""
    total: str = ""
    percent: str = ""
    masterpoints: str = ""
    boards: int | None = None


@dataclass(frozen=True)
class ImportedRanking:
    """An imported ranking of a direction ("NS", "EW"), of a section, or of all contestants."""

    lines: tuple[ImportedLine, ...]
    field: str = ""
    section: str = ""


@dataclass(frozen=True)
class PastSession:
    """A session read from a file of another program."""

    name: str
    date: date | None
    rankings: tuple[ImportedRanking, ...]
    contest: str = "pairs"
    #: unit of `total`: "mp", "imp", "vp"; empty if the file does not give it
    unit: str = ""
    #: the format of its file, and the club and the program named there
    format: str = ""
    club: str = ""
    program: str = ""
    #: False if another BridgeBuddy marks the list as never final
    is_final: bool = True
    #: the other program's identifier of the event, the same before and after a correction
    identifier: str = ""
    #: entries for missing pairs, as the file writes them ("DIRECTOR", "Bye"): they are no people
    left_out: tuple[str, ...] = ()

    @property
    def doubts(self) -> tuple[str, ...]:
        """Return the reasons to check the session before importing it, each once."""
        return tuple(dict.fromkeys(self._doubts()))

    def _doubts(self) -> Iterable[str]:
        """Yield the reasons to check the session before importing it."""
        if self.date is None:
            yield ImportDoubt.NO_DATE
        if not self.is_final:
            yield ImportDoubt.NOT_FINAL
        for ranking in self.rankings:
            if any(_is_beyond_percent(line.percent) for line in ranking.lines):
                yield ImportDoubt.PER_CENT
            if not any(line.place for line in ranking.lines):
                yield ImportDoubt.NO_PLACES
            elif not are_places_consecutive(ranking.lines):
                yield ImportDoubt.PLACES
            if not all(line.players or line.joined or line.team for line in ranking.lines):
                yield ImportDoubt.NOBODY


def _is_beyond_percent(percent: str) -> bool:
    """Return whether a percentage is outside 0 to 100."""
    return bool(percent) and not 0 <= Decimal(percent) <= 100


def are_places_consecutive(lines: Iterable[ImportedLine]) -> bool:
    """Return whether the rows' places are those of one ranking, each one more than the rows above.

    >>> [are_places_consecutive([ImportedLine(place) for place in found]) for found in ([1, 2, 2, 4], [1, 1, 2, 2], [2, 3])]
    [True, False, False]
    """
    counts = Counter(line.place for line in lines if line.place is not None)
    before = 0
    for place in sorted(counts):
        if place != before + 1:
            return False
        before += counts[place]
    return True


def joined_rankings(rankings: Iterable[ImportedRanking]) -> tuple[ImportedRanking, ...]:
    """Return the rankings, with sections joined if their places run through all of them."""
    with_lines = [ranking for ranking in rankings if ranking.lines]
    for group in (
        lambda item: ("", ""),
        lambda item: (item.field, ""),
        lambda item: (item.field, item.section),
    ):
        lines_of_list: dict[tuple[str, str], list[ImportedLine]] = {}
        for ranking in with_lines:
            lines_of_list.setdefault(group(ranking), []).extend(ranking.lines)
        if all(map(are_places_consecutive, lines_of_list.values())):
            break
    return tuple(
        ImportedRanking(tuple(sorted(lines, key=lambda line: line.place or 10_000)), field, section)
        for (field, section), lines in lines_of_list.items()
    )


# ── values of cells ──

PLACE = re.compile(r"\s*=?\s*(\d{1,4})\s*(?:=|\.|st|nd|rd|th)?\s*$")
#: exponents of numbers that remain as written
PLACES = range(-6, 1)
#: values of an empty cell
NOTHING = {"-", "–", "?", "n/a"}
#: words of programs for a missing player
_NO_PERSON = r"(the )?(director|td|turnierleit(er|erin|ung)|sit ?-?out|bye|missing|fehlpaar|aussetzer|freilos|nobody|n\.?n\.?)"
#: names without a person, also repeated or with a number: "BYE BYE", "Director 2", "missing pair"
NOBODY = re.compile(
    rf"(phantom.*|{_NO_PERSON}([\s&,/+-]+({_NO_PERSON}|pair|paar|player|spieler|\d+))*|[-–?.]*)",
    re.IGNORECASE,
)
DATES = (
    (re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})"), "ymd"),
    (re.compile(r"(\d{1,2})[-./](\d{1,2})[-./](\d{4})"), "dmy"),
    (re.compile(r"(20\d\d)(\d\d)(\d\d)"), "ymd"),
)


def cell_text(cell: str, maximum: int = LONGEST_TITLE) -> str:
    """Return a cell's text in one line of at most `maximum` characters, without an apostrophe that stops formulas.

    >>> cell_text("'=1+1"), cell_text(" - "), cell_text("'t Hart")
    ('=1+1', '', "'t Hart")
    """
    plain = " ".join(
        "".join(character if character.isprintable() else " " for character in cell).split()
    )
    if plain[:1] == "'" and plain[1:2] in "=+-@":
        plain = plain[1:]
    return "" if plain in NOTHING else plain[:maximum]


def place_in_cell(cell: str) -> int | None:
    """Return the place in a cell, with or without a suffix ("3="); None if there is none."""
    match = PLACE.match(cell)
    return (int(match[1]) or None) if match else None


def number_in_cell(cell: str) -> str:
    """Return the number in a cell as text in a standard form with up to six decimals; empty if it is none.

    >>> number_in_cell("57,25 %"), number_in_cell("'-12"), number_in_cell("1.234,5"), number_in_cell("x"), number_in_cell("1e9")
    ('57.25', '-12', '1234.5', '', '')
    >>> number_in_cell("57.291666666666664"), number_in_cell("\N{MINUS SIGN}3")
    ('57.291667', '-3')
    """
    plain = cell.strip().lstrip("'").rstrip("%").strip().replace("\xa0", "")
    plain = plain.replace("\N{MINUS SIGN}", "-")
    if "," in plain:
        plain = plain.replace(".", "") if plain.rfind(",") > plain.rfind(".") else plain
        plain = plain.replace(",", "." if "." not in plain else "")
    if not re.fullmatch(r"[+-]?\d{1,7}(\.\d{1,20})?", plain):
        return ""
    number = Decimal(plain)
    return str(number if number.as_tuple().exponent in PLACES else round(number, -PLACES[0]))


def board_count_in_cell(cell: str) -> int | None:
    """Return the number of boards in a cell; None if there is none."""
    match = re.fullmatch(r"\s*(\d{1,3})(?:[.,]0*)?\s*", cell)
    return int(match[1]) if match else None


def date_in(text: str) -> date | None:
    """Return the date in a text, read with the day before the month; None if there is none.

    >>> date_in("Results 2025-03-04 Tuesday.csv"), date_in("04/03/2025"), date_in("31.02.2025")
    (datetime.date(2025, 3, 4), datetime.date(2025, 3, 4), None)
    """
    for pattern, order in DATES:
        if match := pattern.search(text):
            parts = dict(zip(order, map(int, match.groups()), strict=True))
            try:
                return date(parts["y"], parts["m"], parts["d"])
            except ValueError:
                return None
    return None


def present_players(players: Iterable[ImportedPlayer]) -> tuple[ImportedPlayer, ...]:
    """Return these players without placeholders for a missing pair.

    >>> present_players([ImportedPlayer("Bye"), ImportedPlayer("Ann  Lee ")])
    (ImportedPlayer(name='Ann Lee', national='', member='', noted=()),)
    >>> present_players([ImportedPlayer(name) for name in ("DIRECTOR", "bye bye", "Bye 2", "Phantom")])
    ()
    """
    named = (replace(player, name=cell_text(player.name, LONGEST_NAME)) for player in players)
    return tuple(player_named for player_named in named if not NOBODY.fullmatch(player_named.name))


def is_nobody(name: str) -> bool:
    """Return whether a name is a placeholder for a missing pair, such as "sit out"."""
    return bool(NOBODY.fullmatch(name.strip()))


def missing_pair_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names among these that are placeholders for a missing pair, each once.

    >>> missing_pair_names(["DIRECTOR", "Ann Lee", "Bye ", "Bye", "-", ""])
    ('DIRECTOR', 'Bye')
    """
    plain = (cell_text(name, LONGEST_NAME) for name in names)
    missing_names = (name for name in plain if is_nobody(name) and any(map(str.isalpha, name)))
    return tuple(dict.fromkeys(missing_names))

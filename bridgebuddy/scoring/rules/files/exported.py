"""What is written into files of results: the document, what the rules made of it, and whose it is."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..document import profile_of
from ..model import Outcome, PassedOut, Played, ScoreOnly
from ..outcomes import read
from ..reading import load
from ..report import VALUE_PLACES, number

#: each list of a section has its hundred: NS 3 is 103, EW 3 is 203
HUNDREDS = {"NS": 100, "EW": 200, "N": 100, "E": 200, "S": 300, "W": 400}
#: rules of a side that has nothing of a board
NOTHING = {"open", "pending", "not-played"}
_DIGITS = re.compile(r"\d+$")

Who = tuple[str, str]
Row = dict[str, Any]


class NotInThisFormat(ValueError):
    """A format knows nothing of this kind of contest."""


@dataclass(frozen=True)
class Exported:
    """A session with its results, as every format writes it.

    `lists` are the rankings that tell who has won, as in the results; `titles` says what a team is called.
    """

    document: Mapping[str, Any]
    results: Mapping[str, Any]
    lists: tuple[Mapping[str, Any], ...]
    club: str
    event: str
    date: date
    version: str
    titles: Mapping[Who, str]
    rounds: int
    is_drawn: bool = False
    #: everybody's line in the ranking of all sessions together, where earlier ones are counted
    overall: Mapping[Who, Row] = field(default_factory=dict)

    @property
    def contest(self) -> str:
        return str(self.document["contest"])

    @property
    def method(self) -> str:
        usual = "team-imps" if self.contest == "teams" else "matchpoints"
        return str(self.document["profile"].get("method") or usual)

    @cached_property
    def _shows_halves(self) -> bool:
        return self.method == "matchpoints" and profile_of(self.document).half

    def points(self, side: Row) -> float | None:
        """Return what a side has of a play: two for each result beaten, also where halves of that are shown."""
        if not self._shows_halves or side["exact"] is None:
            return side["value"]  # type: ignore[no-any-return]
        return number(2 * Fraction(side["exact"]), VALUE_PLACES, Fraction(str(side["top"])))

    @property
    def sections(self) -> list[Row]:
        return list(self.document["sections"])

    @property
    def has_several(self) -> bool:
        return len(self.sections) > 1

    @property
    def winners(self) -> int:
        return max((one["winners"] for one in self.sections), default=1)

    def contestants(self, section: str | None = None) -> list[Row]:
        """Return who plays, best first as far as there is a list; in one section, or all."""
        order = {who: place for place, who in enumerate(self.rows)}
        found = [
            one
            for one in self.document["contestants"]
            if section is None or one["section"] == section
        ]
        return sorted(found, key=lambda one: order.get(who(one), len(order)))

    @cached_property
    def rows(self) -> dict[Who, Row]:
        """Everybody's line in the list they stand in."""
        return {
            (row["section"], row["contestant"]): row for one in self.lists for row in one["rows"]
        }

    @cached_property
    def _fields(self) -> dict[Who, str]:
        return {who(one): one["field"] for one in self.document["contestants"]}

    def number(self, section: str, label: str) -> str:
        """Return a contestant's number, which nobody else in the section has.

        Where there are several lists, pairs are numbered in hundreds.
        """
        digits = _DIGITS.search(label)
        if not digits:
            return label
        return str(HUNDREDS.get(self._fields.get((section, label), ""), 0) + int(digits[0]))

    def name(self, section: str, label: str) -> str:
        """Return a contestant's label, with its section where there are several."""
        return f"{section}{label}" if self.has_several else label

    @cached_property
    def lines(self) -> list[Line]:
        """Every play of which somebody has something, in the order of the document."""
        return [
            Line(play, row, read(load(json.dumps(play.get("outcome")))))
            for play, row in zip(self.document["plays"], self.results["plays"], strict=True)
            if {row["ns"]["rule"], row["ew"]["rule"]} - NOTHING
        ]

    def boards(self, section: str | None = None) -> dict[int, list[Line]]:
        """Return the lines of each board, in its order; of one section, or of all."""
        found: dict[int, list[Line]] = {}
        for line in self.lines:
            if section is None or line.section == section:
                found.setdefault(line.board, []).append(line)
        return dict(sorted(found.items()))

    @property
    def deals(self) -> list[tuple[str | None, dict[int, list[Line]]]]:
        """The boards of every set of deals: of a section, or of all (None) where they play the same."""
        own = any(one.get("deals") for one in self.sections)
        names = [one["section"] for one in self.sections] if own else [None]
        return [(name, self.boards(name)) for name in names]

    def pbn(self, section: str | None, board: int) -> str:
        """Return the cards of a board as PBN writes them; nothing where they are not known."""
        for deal in self.document.get("deals", ()):
            if deal["board"] == board and deal.get("section") in (None, section):
                return str(deal["pbn"])
        return ""


@dataclass(frozen=True)
class Line:
    """A result: the play, what each side has of it, and what came of it."""

    play: Row
    row: Row
    outcome: Outcome

    @property
    def section(self) -> str:
        return str(self.play["section"])

    @property
    def board(self) -> int:
        return int(self.play["board"])

    @property
    def score(self) -> int | None:
        """North-South's score; of an adjusted one there is none."""
        found: int | None = self.row["score"]
        return found

    @property
    def contract(self) -> Row:
        """Contract ("4Sx"), declarer, tricks and lead, as far as they are known."""
        if isinstance(self.outcome, Played):
            return {
                "contract": str(self.outcome.contract),
                "declarer": self.outcome.declarer,
                "tricks": self.outcome.tricks,
                "lead": self.outcome.lead,
            }
        if isinstance(self.outcome, ScoreOnly) and self.outcome.beside:
            return {
                key: str(value) if key == "contract" else value
                for key, value in self.outcome.beside.items()
            }
        return {}

    @property
    def is_passed(self) -> bool:
        return isinstance(self.outcome, PassedOut)

    def side(self, line: str) -> Row:
        """Return what a side has: value, percent, rule …"""
        found: Row = self.row[line]
        return found

    def sitting(self, line: str) -> tuple[str, ...]:
        """Return the labels of those who sat in a line: of single players two."""
        if line in self.play:
            return (self.play[line],)
        return tuple(self.play[seat] for seat in line)


def who(contestant: Mapping[str, Any]) -> Who:
    """Return by what a contestant is known."""
    return contestant["section"], contestant["label"]


def plain(number: float | None, places: int | None = None) -> str:
    """Write a number as programs read it, with a point.

    >>> plain(56.25), plain(4.0), plain(61.5, 2), plain(None)
    ('56.25', '4', '61.50', '')
    """
    if number is None:
        return ""
    if places is not None:
        return f"{number:.{places}f}"
    return str(int(number)) if number == int(number) else str(number)


def visible(text: str) -> str:
    """Return a text without characters that break lines or files, in one line.

    >>> visible("O'Neill\\x00\\n Ada")
    "O'Neill Ada"
    """
    spaced = "".join(" " if one.isspace() else one for one in text)
    kept = "".join(one for one in spaced if unicodedata.category(one)[0] != "C")
    return " ".join(kept.split())


def players(contestant: Mapping[str, Any]) -> Iterator[str]:
    """Return the names of who plays, each in one line."""
    return map(visible, contestant.get("names", ()))

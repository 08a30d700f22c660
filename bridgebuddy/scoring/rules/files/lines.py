"""What files write of a result and of a contestant, and how they write numbers and names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..model import Outcome, PassedOut, Played, ScoreOnly
from ..report import PLACES, number
from ..results import Play, Side

Who = tuple[str, str]
Row = dict[str, Any]


def names_of(pair: str) -> tuple[str, ...]:
    """Return the names of a pair of a team, as the document joins them."""
    return tuple(pair.split(" & "))


@dataclass(frozen=True)
class TeamPair:
    """A pair of a team: "3-1-2", who they are, and what they have of each board, all against all."""

    number: str
    names: tuple[str, ...]
    values: list[Fraction]

    @property
    def boards(self) -> int:
        return len(self.values)

    @property
    def imps(self) -> Fraction:
        return sum(self.values, Fraction(0))


@dataclass(frozen=True)
class Has:
    """What somebody has: a total that has the adjustment in it, and agrees with the percentage."""

    total: Fraction
    adjustment: Fraction
    middle: Fraction  # from which halves are rounded away
    percent: float | None

    def written(self, scale: int = 1) -> float | None:
        """The total as pages print it."""
        return number(self.total / scale, PLACES, self.middle / scale)


@dataclass(frozen=True)
class Line:
    """A result: the play, its place in the document, what each side has of it, and what came of it."""

    index: int
    play: Row
    row: Play
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
        return self.row.score

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

    def side(self, line: str) -> Side:
        """Return what a side has: value, percent, rule …"""
        return self.row.ns if line == "ns" else self.row.ew

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

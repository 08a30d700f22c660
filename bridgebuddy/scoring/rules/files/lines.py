"""What files write of a result and of a contestant, and how they write numbers and names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .. import model
from ..model import Bid, PassedOut, Played, ScoreOnly
from ..report import PLACES, number
from ..results import Play, Side

Who = tuple[str, str]


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
    """A result: the play, what came of it, and what each side has of it."""

    play: model.Play
    row: Play

    @property
    def section(self) -> str:
        return self.play.section

    @property
    def round(self) -> int:
        return self.play.round or 0

    @property
    def table(self) -> int:
        return self.play.table or 0

    @property
    def board(self) -> int:
        return self.play.board

    @property
    def score(self) -> int | None:
        """North-South's score; of an adjusted one there is none."""
        return self.row.score

    @property
    def bid(self) -> Bid:
        """Contract, declarer, tricks and lead, as far as they are known."""
        match self.play.outcome:
            case Played(contract, declarer, tricks, lead):
                return Bid(contract, declarer, tricks, lead)
            case ScoreOnly(beside=Bid() as beside):
                return beside
        return Bid()

    @property
    def contract(self) -> str | None:
        """The contract as files write it ("4Sx"), where there is one."""
        return None if self.bid.contract is None else str(self.bid.contract)

    @property
    def is_passed(self) -> bool:
        return isinstance(self.play.outcome, PassedOut)

    def side(self, line: str) -> Side:
        """Return what a side has: value, percent, rule …"""
        return self.row.ns if line == "ns" else self.row.ew

    def sitting(self, line: str) -> tuple[str, ...]:
        """Return the labels of those who sat in a line: of single players two."""
        return self.play.ns if line == "ns" else self.play.ew

    def pair(self, line: str) -> str | None:
        """Return what the pair of a team is called that sat in a line."""
        return self.play.ns_pair if line == "ns" else self.play.ew_pair


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
    spaced = "".join(" " if character.isspace() else character for character in text)
    kept = "".join(character for character in spaced if unicodedata.category(character)[0] != "C")
    return " ".join(kept.split())


def players(contestant: model.Contestant) -> Iterator[str]:
    """Return the names of who plays, each in one line."""
    return map(visible, contestant.names)

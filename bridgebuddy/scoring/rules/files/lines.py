"""Results and contestants in files: formats of numbers and names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .. import model
from ..model import PartialContract, PassedOut, PlayedContract, ScoreOnly
from ..reports.report import PLACES, json_number
from ..reports.results import PlayResult, SideResult

Who = tuple[str, str]


def names_of_pair(pair: str) -> tuple[str, ...]:
    """Return the names of a pair of a team, as the document joins them."""
    return tuple(pair.split(" & "))


@dataclass(frozen=True)
class TeamPairImps:
    """A pair of a team: its number ("3-1-2"), its players, and its cross-IMPs on each board."""

    number: str
    names: tuple[str, ...]
    values: list[Fraction]

    @property
    def board_count(self) -> int:
        """Return the number of boards that the pair has played."""
        return len(self.values)

    @property
    def imps(self) -> Fraction:
        """Return the sum of the pair's IMPs."""
        return sum(self.values, Fraction(0))


@dataclass(frozen=True)
class ContestantTotal:
    """A contestant's total for a file, including penalties, consistent with the percentage."""

    total: Fraction
    adjustment: Fraction
    middle: Fraction  # the middle from which halves are rounded away
    percent: float | None

    def printed_total(self, scale: int = 1) -> float | None:
        """Return the total rounded as pages print it."""
        return json_number(self.total / scale, PLACES, self.middle / scale)


@dataclass(frozen=True)
class ResultLine:
    """A play for a file: its outcome, and each side's score."""

    play: model.Play
    row: PlayResult

    @property
    def section(self) -> str:
        """Return the name of the section."""
        return self.play.section

    @property
    def round(self) -> int:
        """Return the number of the round."""
        return self.play.round or 0

    @property
    def table(self) -> int:
        """Return the number of the table."""
        return self.play.table or 0

    @property
    def board(self) -> int:
        """Return the number of the board."""
        return self.play.board

    @property
    def score(self) -> int | None:
        """Return North-South's bridge score; None for an adjusted score."""
        return self.row.score

    @property
    def known_contract(self) -> PartialContract:
        """Return the contract, declarer, tricks and lead of the play, as far as they are known."""
        match self.play.outcome:
            case PlayedContract(contract, declarer, tricks, lead):
                return PartialContract(contract, declarer, tricks, lead)
            case ScoreOnly(beside=PartialContract() as beside):
                return beside
        return PartialContract()

    @property
    def contract(self) -> str | None:
        """Return the contract as files write it ("4Sx"); None without one."""
        return None if self.known_contract.contract is None else str(self.known_contract.contract)

    @property
    def is_passed(self) -> bool:
        """Return whether the board was passed out."""
        return isinstance(self.play.outcome, PassedOut)

    def side(self, direction: str) -> SideResult:
        """Return the score, percentage and rule of the side that sits in a direction."""
        return self.row.ns if direction == "ns" else self.row.ew

    def sitting(self, direction: str) -> tuple[str, ...]:
        """Return the labels of the contestants in a direction: one, or two players of an individual."""
        return self.play.ns if direction == "ns" else self.play.ew

    def pair(self, direction: str) -> str | None:
        """Return the name of the team's pair that sits in a direction."""
        return self.play.ns_pair if direction == "ns" else self.play.ew_pair


def plain_number(number: float | None, places: int | None = None) -> str:
    """Format a number for programs, with a decimal point.

    >>> plain_number(56.25), plain_number(4.0), plain_number(61.5, 2), plain_number(None)
    ('56.25', '4', '61.50', '')
    """
    if number is None:
        return ""
    if places is not None:
        return f"{number:.{places}f}"
    return str(int(number)) if number == int(number) else str(number)


def visible_text(text: str) -> str:
    """Return a text in one line, without characters that break lines or files.

    >>> visible_text("O'Neill\\x00\\n Ada")
    "O'Neill Ada"
    """
    spaced = "".join(" " if character.isspace() else character for character in text)
    printable = "".join(
        character for character in spaced if unicodedata.category(character)[0] != "C"
    )
    return " ".join(printable.split())


def player_names(contestant: model.Contestant) -> Iterator[str]:
    """Return the players' names, each in one line."""
    return map(visible_text, contestant.names)

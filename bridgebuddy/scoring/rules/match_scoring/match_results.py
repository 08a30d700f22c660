"""The result of a match, as returned by all counting functions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..model import ContestantKey, Match

Two = tuple[Fraction, Fraction]
ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class MatchBoard:
    """A board of a match with each side's score; None while it is open or does not count."""

    board: int
    home: Fraction | None
    away: Fraction | None
    is_open: bool = False
    #: both before rounding, if the profile rounds every board
    exact: Two | None = None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match; pairs of numbers are of the home and the away side."""

    match: Match
    rule: str
    boards: tuple[MatchBoard, ...] = ()
    imps: Two | None = None
    points: Two | None = None
    percent: Two | None = None
    vps: Two | None = None
    #: for tie-breaks: each side's total over the boards
    net: Two | None = None
    #: for a match by IMPs: home's lead, which decides a knock-out. Boards that sum up to nothing else count as
    #: the mean of both sides (Law 86B3), penalties whole
    lead: Fraction | None = None

    @property
    def is_over(self) -> bool:
        """Return whether the match has a result."""
        return self.rule not in ("open", "cancelled")

    def number_of_side(self, contestant: ContestantKey, two: Two | None) -> Fraction | None:
        """Return a contestant's number from a pair of numbers (home, away)."""
        if two is None:
            return None
        return two[0] if contestant == self.match.sides[0] else two[1]

    def opponent_of(self, contestant: ContestantKey) -> ContestantKey | None:
        """Return the contestant's opponent in the match; None in a bye."""
        return next((side for side in self.match.sides if side != contestant), None)

"""Par: the result of best bidding by both sides with all cards known, from the table of tricks.

Each side may bid on as long as it gains by it; a failing contract is doubled. If both sides could make the same
contract, the dealer matters, because the side that opens gets it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .model import Compass, Contract, Strain
from .points import dealer, declarers_score, is_vulnerable

#: strains in bidding order, and their names in tables of tricks
STRAINS: dict[Strain, str] = {"C": "C", "D": "D", "H": "H", "S": "S", "N": "NT"}
SIDES: tuple[tuple[Compass, Compass], ...] = (("N", "S"), ("E", "W"))
Tricks = Mapping[str, Mapping[str, int]]
"""Double-dummy tricks, by declarer and strain (S, H, D, C, NT)."""


@dataclass(frozen=True, slots=True)
class ParScore:
    """The par of a board: the score from North-South, and the contracts that give it: "4S-E", "5Dx-N"."""

    score: int
    contracts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Bid:
    """A contract that a side can bid, with the double-dummy score of its better declarer from North-South's view."""

    level: int
    strain: Strain
    declarers: str
    score: int
    is_doubled: bool

    def names(self) -> Iterator[str]:
        """Yield the par contract once for each declarer who makes as many tricks in it: "4S-N"."""
        for seat in self.declarers:
            yield f"{self.level}{STRAINS[self.strain]}{'x' * self.is_doubled}-{seat}"


def par_of_board(board: int, tricks: Tricks) -> ParScore:
    """Return the par of a board from its double-dummy tricks.

    >>> always = {"S": 10, "H": 3, "D": 3, "C": 3, "NT": 6}
    >>> never = {"S": 3, "H": 9, "D": 10, "C": 8, "NT": 7}
    >>> par_of_board(1, {"N": always, "E": never, "S": always, "W": never})
    ParScore(score=100, contracts=('5Dx-E', '5Dx-W'))
    """
    return _Auction(board, tricks).par_score


@dataclass(frozen=True)
class _Auction:
    """Computes par: an auction in which both sides know all cards."""

    board: int
    tricks: Tricks
    _ends: dict[tuple[int, int], int] = field(default_factory=dict)

    @cached_property
    def bids(self) -> list[tuple[_Bid, _Bid]]:
        """Return every contract from one club up, as bid by each side."""
        return [
            (self._best_bid(level, strain, 0), self._best_bid(level, strain, 1))
            for level in range(1, 8)
            for strain in STRAINS
        ]

    def _best_bid(self, level: int, strain: Strain, side: int) -> _Bid:
        """Return a side's bid at a level in a strain by its better declarer."""
        tricks = {seat: self.tricks[seat][STRAINS[strain]] for seat in SIDES[side]}
        most = max(tricks.values())
        declarers = "".join(seat for seat in SIDES[side] if tricks[seat] == most)
        is_doubled = most < level + 6
        vulnerable = is_vulnerable(self.board, SIDES[side][0])
        score = declarers_score(
            Contract(level, strain, int(is_doubled)), most, vulnerable=vulnerable
        )
        return _Bid(level, strain, declarers, -score if side else score, is_doubled)

    def _better_score(self, side: int, first: int, second: int) -> int:
        """Return which of two scores a side prefers."""
        return min(first, second) if side else max(first, second)

    def ends(self, index: int, side: int) -> int:
        """Return the score in which the auction ends after a side's bid: the other side passes or outbids."""
        score = self._ends.get((index, side))
        if score is None:
            score = self.bids[index][side].score
            for higher in range(len(self.bids) - 1, index, -1):
                score = self._better_score(1 - side, score, self.ends(higher, 1 - side))
            self._ends[index, side] = score
        return score

    def _result_of_opening(self, side: int, otherwise: int) -> int:
        """Return the final score if a side opens the auction as it likes best, or `otherwise` if it passes."""
        for index in reversed(range(len(self.bids))):
            otherwise = self._better_score(side, otherwise, self.ends(index, side))
        return otherwise

    @cached_property
    def par_score(self) -> ParScore:
        """Return the par score and its contracts."""
        first = 0 if dealer(self.board) in SIDES[0] else 1
        score = 0
        for seat in reversed(range(4)):  # the last one to open first
            score = self._result_of_opening((first + seat) % 2, score)
        return ParScore(score, tuple(self._par_contracts(score))) if score else ParScore(0)

    def _par_contracts(self, score: int) -> Iterator[str]:
        """Yield the lowest contract in each strain that gives par and that opponents cannot profitably outbid.

        No trumps come first, as in the solver that most programs use.
        """
        for strain in reversed(STRAINS):
            for side in (0, 1):
                for index in range(self._highest_gain(1 - side, score) + 1, len(self.bids)):
                    bid = self.bids[index][side]
                    if bid.strain == strain and bid.score == score:
                        yield from bid.names()
                        break

    def _highest_gain(self, side: int, score: int) -> int:
        """Return the index of the highest contract that gives a side more than `score`; -1 if none does."""
        return max(
            (
                index
                for index, both in enumerate(self.bids)
                if self._better_score(side, both[side].score, score) != score
            ),
            default=-1,
        )

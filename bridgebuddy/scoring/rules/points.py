"""The score of a contract (Laws 2 and 77), and the IMPs of a difference (Law 78B)."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from functools import cache

from .model import (
    ArtificialScore,
    AssignedScore,
    Compass,
    Contract,
    Outcome,
    Parts,
    PassedOut,
    PlayedContract,
    ScoreOnly,
    Strain,
)

DEALERS: tuple[Compass, ...] = ("N", "E", "S", "W")
STRAINS: tuple[Strain, ...] = ("C", "D", "H", "S", "N")
#: by board 1-16, and so on: none, N-S, E-W, both, and one further each time (Law 2)
_VULNERABLE = tuple("-NEB"[(index + index // 4) % 4] for index in range(16))
_LEAST = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750),
    *(2000, 2250, 2500, 3000, 3500, 4000),
)


def dealer(board: int) -> Compass:
    """Return the dealer of a board.

    >>> dealer(17), dealer(32)
    ('N', 'W')
    """
    return DEALERS[(board - 1) % 4]


def is_vulnerable(board: int, seat: Compass) -> bool:
    """Return whether a seat is vulnerable on a board.

    >>> [is_vulnerable(board, "N") for board in (1, 2, 3, 4, 20)]
    [False, True, False, True, True]
    """
    state = _VULNERABLE[(board - 1) % 16]
    return state == "B" or state == ("N" if seat in "NS" else "E")


def declarers_score(contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """Return the score of a contract with these tricks, positive for declarer's side. Law 77.

    >>> declarers_score(Contract(3, "N"), 9, vulnerable=False)
    400
    >>> declarers_score(Contract(4, "S", 2), 7, vulnerable=True)
    -1600
    """
    over = tricks - 6 - contract.level
    return (
        _score_if_made(contract, over, vulnerable)
        if over >= 0
        else -_penalty_for_undertricks(contract, -over, vulnerable)
    )


def _score_if_made(contract: Contract, overtricks: int, vulnerable: bool) -> int:
    """Return declarer's score for a contract made with `overtricks`."""
    each = 20 if contract.strain in "CD" else 30
    first = 10 if contract.strain == "N" else 0
    bid = (each * contract.level + first) << contract.doubled
    bonus = 50 if bid < 100 else 500 if vulnerable else 300
    if contract.level >= 6:
        slam = 500 if contract.level == 6 else 1000
        bonus += slam * 3 // 2 if vulnerable else slam
    overtrick = 100 * contract.doubled * (2 if vulnerable else 1) if contract.doubled else each
    return bid + bonus + 50 * contract.doubled + overtricks * overtrick


def _penalty_for_undertricks(contract: Contract, undertricks: int, vulnerable: bool) -> int:
    """Return the defenders' score for a contract that failed by `undertricks`."""
    if not contract.doubled:
        return undertricks * (100 if vulnerable else 50)
    if vulnerable:
        doubled = 300 * undertricks - 100
    else:
        doubled = 300 * undertricks - (
            200 if undertricks == 1 else 300 if undertricks == 2 else 400
        )
    return doubled * contract.doubled


def score_of_contract(board: int, contract: PlayedContract) -> int:
    """Return the score of a played contract on a board, from North-South's view.

    >>> score_of_contract(2, PlayedContract(Contract(4, "H"), "S", 10))
    620
    """
    points = declarers_score(
        contract.contract, contract.tricks, vulnerable=is_vulnerable(board, contract.declarer)
    )
    return points if contract.declarer in "NS" else -points


def single_score(board: int, outcome: Outcome) -> int | None:
    """Return North-South's score of an outcome on a board; None for averages and weighted scores."""
    match outcome:
        case PlayedContract():
            return score_of_contract(board, outcome)
        case PassedOut():
            return 0
        case ScoreOnly():
            return outcome.score
        case AssignedScore() if outcome.ns == outcome.ew and len(outcome.ns) == 1:
            return outcome.ns[0][1]
    return None


def weighted_parts(board: int, outcome: Outcome) -> tuple[Parts, Parts] | None:
    """Return the weighted scores of an outcome for North-South and for East-West; None without scores."""
    if isinstance(outcome, AssignedScore):
        return outcome.ns, outcome.ew
    if isinstance(outcome, ArtificialScore):
        return None
    points = single_score(board, outcome)
    if points is None:
        return None
    both = ((Fraction(1), points),)
    return both, both


def possible_scores(board: int) -> frozenset[int]:
    """Return every North-South score that a contract can have on a board, and 0."""
    return _possible_scores(is_vulnerable(board, "N"), is_vulnerable(board, "E"))


@cache
def _possible_scores(ns: bool, ew: bool) -> frozenset[int]:
    """Return all North-South scores that are possible with this vulnerability of both sides."""
    return frozenset(
        {0}
        | {
            sign * declarers_score(Contract(level, strain, doubled), tricks, vulnerable=vulnerable)
            for sign, vulnerable in ((1, ns), (-1, ew))
            for level in range(1, 8)
            for strain in STRAINS
            for doubled in (0, 1, 2)
            for tricks in range(14)
        }
    )


@cache
def imps_of_difference(difference: int) -> int:
    """Convert a difference in points to IMPs. Law 78B.

    >>> imps_of_difference(430), imps_of_difference(-620), imps_of_difference(10)
    (10, -12, 0)
    """
    value = bisect_right(_LEAST, abs(difference))
    return value if difference > 0 else -value

"""Simulated evenings of known strength: does the stated range of the draw's luck contain the true value?

    python -m tests.proofs.luck [EVENINGS]

Each contestant has a strength; a table's result is the strengths' difference and chance, scored by matchpoints.
The truth is worked out, not played: how often a side beats another table follows from the normal distribution. It is
a contestant's expected result at these tables, less the expected average over all other draws.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import erf, pi
from random import Random
from statistics import mean

from bridgebuddy.seasons.rules.luck import ComparedResult, SessionLuck
from movements.engine.model import Movement, players_of
from movements.engine.offers import movement_for

#: strengths and a table's chance, in the same unit: of a per cent point some five and thirty
STRONG, CHANCE = 5.0, 30.0
BOARDS = 3
#: numbers are shown with one place: so far off nobody sees
ROUNDED = 0.05
#: how much strengths differ in a club of equals, a usual one, and one of beginners and masters
EQUAL, VERY_UNEQUAL = 3.5, 8.0
#: what a point of strength is worth at a table: about a point of a per cent
WORTH = 50 / (CHANCE * pi**0.5)
KINDS = (
    ("skip-mitchell", 16),
    ("skip-mitchell", 15),
    ("howell", 10),
    ("howell", 9),
    ("scrambled-mitchell", 14),
)
#: by how much a club's rating of a pair is wrong, in strength
UNSURE = 2.5
#: board, North-South, East-West
Play = tuple[int, int, int]


def plays_of(movement: Movement, rounds: int | None = None) -> list[Play]:
    """Return every board of a movement, or of so many rounds of it, with who met there, by their numbers."""
    sets = {name: number for number, name in enumerate(movement.sets)}
    return [
        (BOARDS * sets[name] + board, ns, ew)
        for seating in movement.seatings
        if seating.is_played and seating.round <= (rounds or movement.rounds)
        for ns, ew in [(players_of(seating.ns)[0], players_of(seating.ew)[0])]
        for name in seating.sets
        for board in range(BOARDS)
    ]


@dataclass
class RangeCounts:
    """Counts of an evening: how often ranges contained the truth, and their widths."""

    held: list[bool]
    ranges: list[float]
    truths: list[float]
    errors: list[float]


def measured(
    movement: Movement, seed: int, strong: float = STRONG, unsure: float | None = None
) -> RangeCounts:
    """Return the stated ranges of an evening beside the truth; `unsure` is the error of a rating."""
    dice = Random(seed)
    plays = plays_of(movement)
    strengths = {contestant: dice.gauss(0, strong) for contestant in movement.contestants}
    fields = [list(movement.members(field)) for field in movement.fields]
    lucks = SessionLuck(
        results(plays, strengths, dice),
        [[str(item) for item in field] for field in fields],
        strengths=None
        if unsure is None
        else {str(item): WORTH * (s + dice.gauss(0, unsure)) for item, s in strengths.items()},
    )
    here = expected(plays, strengths)
    drawn = fairly(strengths, fields)
    told = RangeCounts([], [], [], [])
    for strength in strengths:
        luck, truth = lucks.luck_of(str(strength)), here[strength] - drawn[strength]
        told.held.append(abs(luck.total_luck - truth) <= luck.give_or_take + ROUNDED)
        told.ranges.append(luck.give_or_take)
        told.truths.append(truth)
        told.errors.append(luck.total_luck - truth)
    return told


def results(
    plays: Sequence[Play], strengths: Mapping[int, float], dice: Random
) -> list[ComparedResult]:
    """Return an evening's matchpoints, in points of a per cent beyond 50."""
    tables = defaultdict[int, list[tuple[int, int, float]]](list)
    for board, ns, ew in plays:
        tables[board].append((ns, ew, strengths[ns] - strengths[ew] + dice.gauss(0, CHANCE)))
    found = []
    for board, there in tables.items():
        for ns, ew, score in there:
            beaten = sum(score > other for *_, other in there)
            value = 100 * beaten / (len(there) - 1) - 50
            found.append(ComparedResult(board, (str(ns),), (str(ew),), value))
    return found


def expected(plays: Sequence[Play], strengths: Mapping[int, float]) -> dict[int, float]:
    """Return the percentages that are expected at these tables."""
    tables = defaultdict[int, list[tuple[int, int, float]]](list)
    for board, ns, ew in plays:
        tables[board].append((ns, ew, strengths[ns] - strengths[ew]))
    sums = defaultdict[int, list[float]](list)
    for there in tables.values():
        for ns, ew, mine in there:
            wins = sum(50 * (1 + erf((mine - other) / (2 * CHANCE))) for *_, other in there) - 50
            sums[ns].append(wins / (len(there) - 1))
            sums[ew].append(100 - wins / (len(there) - 1))
    return {contestant: mean(found) for contestant, found in sums.items()}


def fairly(strengths: Mapping[int, float], fields: Sequence[Collection[int]]) -> dict[int, float]:
    """Return the expected average if all numbers are drawn anew, each line among itself.

    A result is compared with one of three other contestants; all of them are equally likely.
    """
    found = {}
    for field in fields:
        lines = [item for item in fields if item is not field]
        for contestant in field:
            own = [item for item in field if item != contestant]
            threes = _of_two_lines(own, lines[0]) if lines else _of_one_line(own)
            beyond = [
                erf(
                    (strengths[contestant] - strengths[b] - strengths[c] + strengths[d])
                    / (2 * CHANCE)
                )
                for b, c, d in threes
            ]
            found[contestant] = 50 + 50 * mean(beyond)
    return found


def _of_two_lines(own: Sequence[int], other: Collection[int]) -> list[tuple[int, int, int]]:
    """Return triples: an opponent, a compared contestant of the own line, and its opponent."""
    return [(b, c, d) for c in own for b, d in permutations(other, 2)]


def _of_one_line(own: Sequence[int]) -> list[tuple[int, int, int]]:
    return [(b, c, d) for b, c in combinations(own, 2) for d in own if d not in (b, c)]


def main() -> int:
    evenings = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    for family, pairs in KINDS:
        movement = movement_for(family, pairs)
        for strong, unsure in (
            (EQUAL, None),
            (STRONG, None),
            (VERY_UNEQUAL, None),
            (STRONG, UNSURE),
        ):
            told = [measured(movement, seed, strong, unsure) for seed in range(evenings)]
            held = mean(item for each in told for item in each.held)
            wide = mean(range for each in told for range in each.ranges)
            truth = mean(item * item for each in told for item in each.truths) ** 0.5
            wrong = mean(error * error for each in told for error in each.errors) ** 0.5
            print(
                f"{family} {pairs}, strengths {strong:4.1f}{' rated' if unsure else ''}: held {held:.1%}, give or take {wide:.2f},"
                f" luck {truth:.2f}, error {wrong:.2f}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())

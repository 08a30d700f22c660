"""Provable limits with complete boards, with which searches and figures are compared."""

from __future__ import annotations

from collections import defaultdict
from math import sqrt

from movements.engine.fairness.bounds import equal_weights_matrix, highest_quality
from movements.engine.model import Movement
from movements.engine.options import merge_fields


def howell_bound(tables: int) -> float:
    """Return the smallest sd a complete Howell can have, all boards of a set the same way.

    With an even number of tables 0 is possible where a Hadamard matrix of twice the size exists.
    With an odd number each column of directions has an odd number of minus signs, so no two are
    orthogonal, and sd is at least 2 sqrt((t - 1) / t).
    """
    return 0.0 if tables % 2 == 0 else 2 * sqrt((tables - 1) / tables)


def howell_bound_by_boards(tables: int, boards_per_set: int) -> float:
    """Return the smallest sd (in boards) of a complete Howell whose boards are turned one by one.

    With an even number of boards the ideal is possible; with an odd one a parity remains.
    """
    if tables % 2 == 0 or boards_per_set % 2 == 0:
        return 0.0
    couples = tables * (2 * tables - 1)
    if tables % 4 == 1:
        return sqrt(4 * tables * (tables - 1) / couples)
    return sqrt(4 * (tables * tables - tables + 4) / couples)


def mitchell_bound(tables: int) -> float:
    """Return a lower bound of the sd of a complete one-winner Mitchell, sets turned as a whole.

    The matrix of directions has too low a rank to cancel the missing meetings within a line.
    """
    return tables * sqrt((tables - 1) / 2) / (2 * tables - 1)


def lowest_sd(movement: Movement, boards_per_set: int = 0) -> float:
    """Return the standard deviation of the weights (in sets) that goes with `highest_quality`.

    >>> from movements.engine.families.mitchells.mitchell import mitchell
    >>> round(lowest_sd(mitchell(7), 1), 6) == round(mitchell_bound(7), 6)
    True
    """
    movement = merge_fields(movement)
    _, mean = equal_weights_matrix(movement)
    spectral = mean * sqrt(max(0.0, 100 / highest_quality(movement, boards_per_set) - 1))
    return max(spectral, _parity_sd(movement, mean) if boards_per_set == 1 else 0.0)


def _parity_sd(movement: Movement, mean: float) -> float:
    """Return a bound from whole numbers, where every contestant plays every set and sets are turned whole.

    Two contestants' directions on r sets agree, less those that differ, r modulo 4 times where both
    sit E-W equally oddly often, and r - 2 otherwise: the weights nearest to the mean are seldom
    allowed. Each contestant belongs to one of two classes; the best division is no better than the one in
    which the couples between the classes are those that gain most from it.
    """
    people, sets = len(movement.contestants), len(movement.sets)
    if any(len(movement.sets_played(contestant)) != sets for contestant in movement.contestants):
        return 0.0
    tables = len(movement.in_round(1)) * movement.rounds / sets
    met: defaultdict[frozenset[int], int] = defaultdict(int)
    for seating in movement.seatings:
        met[frozenset(seating.contestants)] += len(seating.sets)
    never = people * (people - 1) // 2 - len(met)
    costs = [
        (_nearest(mean - tables * times, sets), _nearest(mean - tables * times, sets - 2))
        for times in [*met.values(), *[0] * never]
    ]
    alike = sum(same for same, _ in costs)
    gains = sorted(other - same for same, other in costs)
    sums = [alike]
    for gain in gains:
        sums.append(sums[-1] + gain)
    least = min(sums[size * (people - size)] for size in range(people // 2 + 1))
    return sqrt(least / len(costs))


def _nearest(value: float, residue: int) -> float:
    """Return how far, squared, a number is from the nearest that leaves a residue modulo 4."""
    off = (value - residue) % 4
    return min(off, 4 - off) ** 2

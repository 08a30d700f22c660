"""Upper bounds of the fairness in one field by arrow-switching.

Turning tables changes directions on a board, never opponents. Write the weights (see `balance`) as G + M: M holds k
for every board on which two contestants meet, and G is the sum, over boards, of x x' with x the directions (+1, -1,
0). However the tables are turned, G has no negative eigenvalue. The sum of its eigenvalues is the total number of
boards played by all. With equal weights, G would be known. If that matrix has negative eigenvalues it cannot be
reached, and its distance to the nearest possible one is the least unevenness (Hoffman and Wielandt).
"""

from __future__ import annotations

from collections import defaultdict
from math import sqrt

from ..model import Movement, Seating
from ..options import merge_fields
from .balance import percentage_factors

Rows = list[list[float]]

#: Jacobi's method doubles the correct digits with every sweep; so many sweeps are never needed
MOST_SWEEPS = 30
NOTHING = 1e-9


def highest_quality(movement: Movement, boards_per_set: int = 0) -> float:
    """Return the quality figure Qf that no arrow-switching of a pairs movement can exceed in one field.

    100 if there is no limit. It is also valid for boards turned one by one. With `boards_per_set` it is for so many
    boards a set (1: sets turned whole), and perhaps lower, because so few directions leave less freedom.

    >>> from movements.engine.families.mitchells.web import web
    >>> round(highest_quality(web(14, 9)), 1)
    59.9
    """
    movement = merge_fields(movement)
    wanted, mean = equal_weights_matrix(movement)
    people = len(wanted)
    if people < 2 or mean == 0:
        return 100.0
    room = boards_per_set * len(movement.sets) or people
    squares = _distance_to_possible(eigenvalues(wanted), room)
    return 100 / (1 + squares / (people * (people - 1)) / mean**2)


def highest_score(movement: Movement) -> int:
    """Return the fairness score that no arrow-switching of a pairs movement can exceed.

    Exact if all contestants play equally many boards at equally many tables; otherwise approximate.
    """
    people = len(merge_fields(movement).contestants)
    spread = sqrt(max(0.0, 100 / highest_quality(movement) - 1))
    return round(100 - 100 * spread * sqrt(people - 1) / people)


def equal_weights_matrix(movement: Movement) -> tuple[Rows, float]:
    """Return the matrix of opposition weights if all weights were equal, and that weight."""
    plays: defaultdict[str, list[Seating]] = defaultdict(list)
    for seating in movement.seatings:
        if isinstance(seating.ns, int) and isinstance(seating.ew, int):
            for name in seating.sets:
                plays[name].append(seating)
    unit, factors = percentage_factors(len(here) for here in plays.values())
    people = len(movement.contestants)
    boards = [0.0] * people
    meetings = [[0.0] * people for _ in range(people)]
    total = 0.0
    for here in plays.values():
        tables, factor = len(here), factors[len(here)] / unit
        total += factor * tables * (tables - 1)
        for seating in here:
            p, q = seating.contestants[0] - 1, seating.contestants[1] - 1
            boards[p] += factor
            boards[q] += factor
            meetings[p][q] += factor * tables
            meetings[q][p] += factor * tables
    mean = 2 * total / (people * (people - 1)) if people > 1 else 0.0
    return [
        [boards[p] if p == q else mean - meetings[p][q] for q in range(people)]
        for p in range(people)
    ], mean


def _distance_to_possible(values: list[float], room: int) -> float:
    """Return how far (squared) these eigenvalues are from those that a real movement could have.

    Possible ones have the same sum, none is negative, and at most `room` are not 0.
    """
    total, lowered, above = sum(values), 0.0, 0.0
    largest = sorted(values, reverse=True)
    for count, value in enumerate(largest[:room], start=1):
        above += value
        if value > (above - total) / count:
            lowered = (above - total) / count
    reached = [max(0.0, value - lowered) for value in largest[:room]]
    reached += [0.0] * (len(values) - len(reached))
    return sum((value - here) ** 2 for value, here in zip(largest, reached, strict=True))


def eigenvalues(matrix: Rows) -> list[float]:
    """Return the eigenvalues of a symmetric matrix, ascending, by Jacobi's rotations.

    >>> [round(value, 6) for value in eigenvalues([[2, 1], [1, 2]])]
    [1.0, 3.0]
    """
    rows = [[float(value) for value in row] for row in matrix]
    size = len(rows)
    whole = sum(value * value for row in rows for value in row)
    for _ in range(MOST_SWEEPS):
        beside = sum(rows[p][q] ** 2 for p in range(size) for q in range(size) if p != q)
        if beside <= NOTHING * NOTHING * whole:
            break
        for p in range(size - 1):
            for q in range(p + 1, size):
                _rotate_plane(rows, p, q)
    return sorted(rows[index][index] for index in range(size))


def _rotate_plane(rows: Rows, p: int, q: int) -> None:
    """Rotate the plane of two axes so that their entry becomes 0."""
    between = rows[p][q]
    if between == 0:
        return
    half = (rows[q][q] - rows[p][p]) / (2 * between)
    tangent = (1 if half >= 0 else -1) / (abs(half) + sqrt(half * half + 1))
    cosine = 1 / sqrt(tangent * tangent + 1)
    sine = tangent * cosine
    one = [cosine * a - sine * b for a, b in zip(rows[p], rows[q], strict=True)]
    other = [sine * a + cosine * b for a, b in zip(rows[p], rows[q], strict=True)]
    rows[p], rows[q] = one, other
    for row in rows:
        row[p], row[q] = cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]

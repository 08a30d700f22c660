"""Linear equations, symmetric and as large as a club: Cholesky's decomposition in plain Python.

What takes the time are products of two long rows. Of two points `dist` tells their distance three times as fast as
`sum(map(mul, ...))` multiplies them, and with the squares of both that is their product: |a - b|² = |a|² + |b|² - 2ab.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, sqrt
from operator import mul

#: a triangle: each row one longer than the row before
Lower = list[list[float]]


def cholesky(matrix: Sequence[Sequence[float]]) -> Lower:
    """Return the lower triangle whose product with itself is the matrix, of which no more than that is read."""
    lower: Lower = []
    #: by row: what is left of its diagonal, the sum of its squares, and the diagonal
    rows: list[tuple[tuple[float, ...], float, float]] = []
    for line in matrix:
        row: list[float] = []
        square = 0.0
        for value, (other, its_square, last) in zip(line, rows, strict=False):
            away = dist(row, other)
            found = (value - (square + its_square - away * away) / 2) / last
            row.append(found)
            square += found * found
        last = sqrt(line[len(row)] - square)
        rows.append((tuple(row), square, last))
        row.append(last)
        lower.append(row)
    return lower


def forward(lower: Lower, right: Sequence[float]) -> list[float]:
    """Return half a solution: its product with itself is what `right` is worth in the inverse."""
    found: list[float] = []
    for row, value in zip(lower, right, strict=True):
        found.append((value - sum(map(mul, found, row))) / row[-1])
    return found


def solved(lower: Lower, right: Sequence[float]) -> list[float]:
    """Return the solution.

    >>> [round(one, 9) for one in solved(cholesky([[4.0, 2.0], [2.0, 5.0]]), [8.0, 12.0])]
    [1.0, 2.0]
    """
    found = forward(lower, right)
    for index in range(len(lower) - 1, -1, -1):
        row = lower[index]
        value = found[index] = found[index] / row[index]
        for before in range(index):
            found[before] -= row[before] * value
    return found


def diagonal(lower: Lower) -> list[float]:
    """Return the diagonal of the inverse: how little is known of each.

    >>> [round(one, 9) for one in diagonal(cholesky([[4.0, 2.0], [2.0, 5.0]]))]
    [0.3125, 0.25]
    """
    rows = [tuple(one / row[-1] for one in row[:-1]) for row in lower]
    squares = [sum(map(mul, row, row)) for row in rows]
    found = []
    for start, line in enumerate(lower):
        column, square = [1.0], 1.0
        for index in range(start + 1, len(lower)):
            row = rows[index][start:]
            away = dist(column, row)
            value = (away * away - square - squares[index]) / 2
            column.append(value)
            square += value * value
            squares[index] -= row[0] * row[0]
        found.append(square / line[-1] ** 2)
    return found

"""Linear equations, symmetric and as large as a club: Cholesky's decomposition in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from operator import mul

#: a triangle: each row one longer than the row before
Lower = list[list[float]]


def cholesky(matrix: Sequence[Sequence[float]]) -> Lower:
    """Return the lower triangle whose product with itself is the matrix."""
    lower: Lower = []
    for index, line in enumerate(matrix):
        row: list[float] = []
        for before in range(index):
            other = lower[before]
            row.append((line[before] - sum(map(mul, row, other))) / other[before])
        row.append(sqrt(line[index] - sum(map(mul, row, row))))
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
    count = len(lower)
    found = [0.0] * count
    for start in range(count):
        column = [1 / lower[start][start]]
        for index in range(start + 1, count):
            row = lower[index]
            column.append(-sum(map(mul, column, row[start:index])) / row[index])
        found[start] = sum(map(mul, column, column))
    return found

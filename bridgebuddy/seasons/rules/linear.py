"""Linear equations, symmetric and as large as a club: Cholesky's decomposition in plain Python.

What takes the time are products of two long rows. Of two points `dist` tells their distance three times as fast as
`sum(map(mul, ...))` multiplies them, and with the squares of both that is their product: |a - b|² = |a|² + |b|² - 2ab.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist, sqrt
from operator import mul

#: a triangle: each row one longer than the row before
Lower = list[list[float]]
Matrix = list[list[float]]


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


def _halves(lower: Lower) -> Iterator[tuple[tuple[float, ...], float]]:
    """Yield the columns of the triangle's inverse, each from its diagonal on, and the sum of its squares."""
    rows = [tuple(one / row[-1] for one in row[:-1]) for row in lower]
    squares = [sum(map(mul, row, row)) for row in rows]
    for start, line in enumerate(lower):
        column, square = [1.0], 1.0
        for index in range(start + 1, len(lower)):
            row = rows[index][start:]
            away = dist(column, row)
            value = (away * away - square - squares[index]) / 2
            column.append(value)
            square += value * value
            squares[index] -= row[0] * row[0]
        last = line[-1]
        yield tuple([one / last for one in column]), square / (last * last)


def diagonal(lower: Lower) -> list[float]:
    """Return the diagonal of the inverse: how little is known of each.

    >>> [round(one, 9) for one in diagonal(cholesky([[4.0, 2.0], [2.0, 5.0]]))]
    [0.3125, 0.25]
    """
    return [square for _, square in _halves(lower)]


def inverse(lower: Lower) -> Matrix:
    """Return the whole inverse.

    >>> [[round(one, 9) for one in row] for row in inverse(cholesky([[4.0, 2.0], [2.0, 5.0]]))]
    [[0.3125, -0.125], [-0.125, 0.25]]
    """
    halves = list(_halves(lower))
    found = [[0.0] * len(lower) for _ in lower]
    for at, (column, square) in enumerate(halves):
        found[at][at] = square
        rest, its_square = column, square
        for other in range(at + 1, len(lower)):
            its_square -= rest[0] * rest[0]
            rest = rest[1:]
            column, square = halves[other]
            away = dist(rest, column)
            found[at][other] = found[other][at] = (its_square + square - away * away) / 2
    return found


def change(whole: Matrix, here: Sequence[int], rows: Sequence[Sequence[float]], sign: int) -> None:
    """Let an inverse be that of its equations with some rows more (`sign` 1), or without them (-1).

    Of a row there is nothing but in the columns that are `here` (Woodbury's formula).

    >>> whole = inverse(cholesky([[4.0, 0.0], [0.0, 4.0]]))
    >>> change(whole, [0, 1], [[1.0, 2.0], [1.0, 0.0]], 1)
    >>> change(whole, [0], [[1.0]], -1)
    >>> [[round(one, 6) for one in row] for row in whole]
    [[0.222222, -0.055556], [-0.055556, 0.138889]]
    """
    times = []
    for line in whole:
        mine = [line[at] for at in here]
        times.append([sum(map(mul, mine, row)) for row in rows])
    columns = list(zip(*[times[at] for at in here], strict=True))
    lower = cholesky(
        [
            [sign * sum(map(mul, row, column)) + (at == to) for to, column in enumerate(columns)]
            for at, row in enumerate(rows)
        ]
    )
    halves = [tuple(forward(lower, line)) for line in times]
    squares = [sum(map(mul, half, half)) for half in halves]
    for at, (half, square) in enumerate(zip(halves, squares, strict=True)):
        line = whole[at]
        for to in range(at + 1):
            away = dist(half, halves[to])
            line[to] -= sign * (square + squares[to] - away * away) / 2
            whole[to][at] = line[to]

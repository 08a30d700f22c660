"""Exact numbers until they are printed; an exact half is rounded away from the average of its quantity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from fractions import Fraction
from math import lcm


def round_half_away(value: Fraction, places: int, midpoint: Fraction | int = 0) -> Fraction:
    """Return the value rounded to `places` decimals; an exact half is rounded away from `midpoint`.

    >>> round_half_away(Fraction(145, 10), 0, 10), round_half_away(Fraction(55, 10), 0, 10)
    (Fraction(15, 1), Fraction(5, 1))
    >>> round_half_away(Fraction(-15, 10), 0)
    Fraction(-2, 1)
    """
    return Fraction(rounded_units(value, places, midpoint), 10**places)


def rounded_units(value: Fraction | int, places: int, midpoint: Fraction | int = 0) -> int:
    """Return the value rounded as by `round_half_away`, in units of the last decimal place.

    >>> rounded_units(Fraction(145, 10), 0, 10), rounded_units(Fraction(1, 3), 2)
    (15, 33)
    """
    unit: int = 10**places
    whole, rest = divmod(value.numerator * unit, value.denominator)
    if 2 * rest == value.denominator:
        return whole + (value >= midpoint)
    return whole + (2 * rest > value.denominator)


def rounded_number(number: float | Fraction, places: int, midpoint: Fraction | int = 0) -> Fraction:
    """Return a number rounded to decimal places; an exact half moves away from `midpoint`, the average.

    >>> rounded_number(62.5, 0, 50), rounded_number(37.5, 0, 50), rounded_number(9.625, 2)
    (Fraction(63, 1), Fraction(37, 1), Fraction(963, 100))
    """
    return round_half_away(
        Fraction(repr(number) if isinstance(number, float) else number), places, midpoint
    )


def exact_sum(values: Iterable[Fraction | int]) -> Fraction:
    """Return the exact sum of fractions, added by denominator, which is faster."""
    return Fraction(*_exact_sum(values))


def exact_mean(values: Collection[Fraction]) -> Fraction:
    """Return the exact mean of at least one value.

    >>> str(exact_mean([Fraction(1, 2), Fraction(1, 3)]))
    '5/12'
    """
    above, below = _exact_sum(values)
    return Fraction(above, below * len(values))


def _exact_sum(values: Iterable[Fraction | int]) -> tuple[int, int]:
    """Return a sum as numerator and denominator."""
    sums: dict[int, int] = defaultdict(int)
    for value in values:
        sums[value.denominator] += value.numerator
    below = lcm(*sums)
    return sum(many * (below // of) for of, many in sums.items()), below

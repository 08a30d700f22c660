"""The value of a match against the wrong opponents. White Book 3.5."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

#: a team's compensation: none, as it neither gained nor lost by it; more, as it met stronger opponents without fault;
#: less, as it met weaker ones by its own fault
Relief = Literal["as-played", "more", "less"]
RELIEFS: tuple[Relief, ...] = ("as-played", "more", "less")


def points_after_mismatch(actual: Fraction, relief: Relief, greatest: Fraction) -> Fraction:
    """Return a team's victory points after a match against wrong opponents, by the kind of relief.

    >>> [float(points_after_mismatch(Fraction(12), relief, Fraction(20))) for relief in RELIEFS]
    [12.0, 14.0, 10.25]
    """
    quarter = greatest / 4
    if relief == "more":
        return quarter + actual * 3 / 4
    if relief == "less":
        return actual - max(Fraction(0), actual - quarter) / 4
    return actual

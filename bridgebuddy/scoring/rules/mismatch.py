"""The value of a match against the wrong opponents. White Book 3.5."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

#: what is done for a team: nothing, since it gained or lost nothing by it; more, since it met stronger
#: opponents without fault; less, since it met weaker ones by its own
Relief = Literal["as-played", "more", "less"]
RELIEFS: tuple[Relief, ...] = ("as-played", "more", "less")


def after_mismatch(actual: Fraction, relief: Relief, greatest: Fraction) -> Fraction:
    """Return a team's victory points out of `greatest`. Fractions stay, whatever the scale.

    >>> [float(after_mismatch(Fraction(12), one, Fraction(20))) for one in RELIEFS]
    [12.0, 14.0, 10.25]
    """
    quarter = greatest / 4
    if relief == "more":
        return quarter + actual * 3 / 4
    if relief == "less":
        return actual - max(Fraction(0), actual - quarter) / 4
    return actual

"""Cross-IMPs: IMPs against every other result of the board, averaged or summed."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ..comparing import ComparedField
from ..model import Line
from ..points import imps_of_difference
from ..profile import Profile
from .comparison import FieldComparison


def compare(field: ComparedField, profile: Profile) -> FieldComparison:
    """Score a board's results by cross-IMPs: the sum of IMPs against each other result. White Book 4.2.4.

    By proportion it is the average of the existing comparisons.
    """
    has, expected = field.result_count, field.expected
    rule = "compared"
    if has < expected:
        rule = "own-top" if profile.unequal == "own-tops" else profile.unequal
    factor = Fraction(expected, has) if rule == "neuberg" else Fraction(1)
    if rule == "proportion":
        factor = Fraction(expected - 1, max(1, has - 1))
    if profile.ximp == "average":
        factor /= max(1, (has if rule == "own-top" else expected) - 1)

    @cache
    def value_of_score(direction: Line, score: int) -> Fraction:
        """Return the sum of a score's IMPs against all other results."""
        if direction == "ew" and not field.is_split:
            return -value_of_score("ns", -score)
        others = field.frequencies(direction).items()
        return factor * sum(many * imps_of_difference(score - other) for other, many in others)

    return FieldComparison(value_of_score, rule)

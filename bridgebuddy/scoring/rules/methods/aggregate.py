"""Aggregate: the scores themselves are added (total points)."""

from __future__ import annotations

from fractions import Fraction

from ..comparing import ComparedField
from ..model import Line
from ..profile import Profile
from .comparison import FieldComparison


def compare(field: ComparedField, profile: Profile) -> FieldComparison:
    """Return each score unchanged: nothing is compared."""

    def worth(line: Line, score: int) -> Fraction:
        return Fraction(score)

    return FieldComparison(worth, "compared")

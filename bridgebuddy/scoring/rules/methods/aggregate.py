"""Aggregate: the scores themselves are added (total points)."""

from __future__ import annotations

from fractions import Fraction

from ..comparing import ComparedField
from ..model import Line
from ..profile import Profile
from .comparison import FieldComparison


def compare(field: ComparedField, profile: Profile) -> FieldComparison:
    """Score a board's results by total points: each bridge score counts unchanged."""

    def value_of_score(direction: Line, score: int) -> Fraction:
        """Return the value of a score: the score itself."""
        return Fraction(score)

    return FieldComparison(value_of_score, "compared")

"""Aggregate: the scores themselves are added (total points)."""

from __future__ import annotations

from fractions import Fraction

from ..comparing import Field
from ..model import Line
from ..profile import Profile
from .comparison import Comparison


def compare(field: Field, profile: Profile) -> Comparison:
    """Return each score unchanged: nothing is compared."""

    def worth(line: Line, score: int) -> Fraction:
        return Fraction(score)

    return Comparison(worth, "compared")

"""Matchpoints (Law 78A): two for each result beaten, one for each equal one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate

from ..comparing import Field
from ..model import LINES, Line
from ..profile import Profile
from .comparison import Comparison


def compare(field: Field, profile: Profile) -> Comparison:
    """Return what each score is worth, with fewer results than expected by the profile's rule.

    Neuberg: (m + 1) · E / A - 1 of 2(E - 1); White Book 4.2.3.
    """
    tables = {line: _points(field.frequencies(line)) for line in LINES}
    rule, top, adjusted = _for_missing(field, profile)

    def worth(line: Line, score: int) -> Fraction:
        return adjusted(Fraction(tables[line][score]) - 1)

    return Comparison(worth, rule, top)


def _points(frequencies: Counter[int]) -> dict[int, Fraction]:
    """Return for each score twice the results below it and once those equal to it, its own too."""
    scores = sorted(frequencies)
    below = accumulate((frequencies[score] for score in scores), initial=0)
    return {
        score: Fraction(2 * less + frequencies[score])
        for score, less in zip(scores, below, strict=False)
    }


def _for_missing(
    field: Field, profile: Profile
) -> tuple[str, Fraction, Callable[[Fraction], Fraction]]:
    has, expected = field.results, field.expected
    full = Fraction(2 * (expected - 1))
    if has == expected:
        return "compared", full, lambda m: m
    if profile.unequal == "own-tops":
        return "own-top", Fraction(2 * (has - 1)), lambda m: m
    if profile.unequal == "tie-for-missing":
        return "tie-for-missing", full, lambda m: m + expected - has
    if profile.small_groups and field.is_closed and has in (2, 3) and 3 * has <= expected:
        return "small-group", full, lambda m: full * (60 + 5 * (m - (has - 1))) / 100
    return "neuberg", full, lambda m: (m + 1) * expected / has - 1

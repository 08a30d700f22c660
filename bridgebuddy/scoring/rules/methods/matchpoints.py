"""Matchpoints (Law 78A): two for each result beaten, one for each equal one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from ..comparing import ComparedField
from ..model import Line
from ..profile import Profile
from .comparison import FieldComparison


def compare(field: ComparedField, profile: Profile) -> FieldComparison:
    """Score a board's results by matchpoints, with the profile's rule if results are missing.

    Neuberg: (m + 1) · E / A - 1 of 2(E - 1); White Book 4.2.3. Ascherman: (m + 1) · E / A of 2E. Proportion: m · (E -
    1) / (A - 1) of 2(E - 1), so that every board has the same weight.
    """
    rule, top, adjusted = _missing_result_rule(field, profile)

    @cache
    def value_of_score(direction: Line, score: int) -> Fraction:
        """Return the matchpoints of a score."""
        beaten, equal = (
            field.beaten_counts(direction)[score],
            field.frequencies(direction)[score] - 1,
        )
        return adjusted(Fraction(2 * beaten + equal))

    return FieldComparison(value_of_score, rule, top)


def _missing_result_rule(
    field: ComparedField, profile: Profile
) -> tuple[str, Fraction, Callable[[Fraction], Fraction]]:
    """Return the name of the rule for missing results, the top, and a function that adjusts matchpoints."""
    has, expected = field.result_count, field.expected
    if profile.ascherman:
        rule = "compared" if has == expected else "neuberg"
        return rule, Fraction(2 * expected), lambda m: (m + 1) * expected / has
    full = Fraction(2 * (expected - 1))
    if has == expected:
        return "compared", full, lambda m: m
    if profile.unequal == "own-tops":
        return "own-top", Fraction(2 * (has - 1)), lambda m: m
    if profile.unequal == "tie-for-missing":
        return "tie-for-missing", full, lambda m: m + expected - has
    if profile.unequal == "proportion":
        # an only result, while others are expected, counts as much as all: half
        return "proportion", full, lambda m: m * full / (2 * (has - 1)) if has > 1 else full / 2
    if profile.small_groups and field.is_closed and has in (2, 3) and 3 * has <= expected:
        return "small-group", full, lambda m: full * (60 + 5 * (m - (has - 1))) / 100
    return "neuberg", full, lambda m: (m + 1) * expected / has - 1

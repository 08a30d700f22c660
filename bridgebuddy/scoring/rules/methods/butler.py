"""Butler: IMPs against a datum, the mean of the field's scores without its ends."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from ..comparing import ComparedField
from ..model import LINES, Line
from ..points import imps_of_difference
from ..profile import Datum, Profile
from ..rounding import exact_sum, round_half_away, rounded_units
from .comparison import FieldComparison


def compare(field: ComparedField, profile: Profile) -> FieldComparison:
    """Score a board's results by Butler: each score in IMPs against the datum (mean or median of all scores)."""
    data = {line: datum(field, line, profile) for line in LINES}
    is_alone = (
        field.result_count < 2
    )  # current rule: parts of a weighted score do not meet each other

    @cache
    def value_of_score(direction: Line, score: int) -> Fraction:
        """Return the IMPs of a score against the datum."""
        if is_alone:
            return Fraction(0)
        return Fraction(imps_of_difference(score - data[direction]))

    ns, ew = data["ns"], -data["ew"]
    return FieldComparison(
        value_of_score, "compared", datum=ns, datum_ew=ew if field.is_split else None
    )


def datum(field: ComparedField, direction: Line, profile: Profile) -> int:
    """Return a board's Butler datum in the view of one side: the mean or median of its scores."""
    how = profile.datum
    if how.kind == "median":
        return _rounded_datum(_median_of_scores(field.frequencies(direction)), direction, how)
    frequencies = _counted_frequencies(field, direction, profile)
    total = exact_sum(score * many for score, many in frequencies.items())
    return _rounded_datum(total / exact_sum(frequencies.values()), direction, how)


def trimmed_scores(field: ComparedField, profile: Profile) -> dict[int, Fraction]:
    """Return, for each North-South score, how many of its results the datum leaves out as extremes."""
    frequencies = field.frequencies("ns")
    if profile.datum.kind == "median" or not frequencies:
        return {}
    trimmed = _counted_frequencies(field, "ns", profile)
    return {score: Fraction(many - trimmed[score]) for score, many in frequencies.items()}


def _count_trimmed_per_end(results: int, datum: Datum) -> int:
    """Return how many of the highest, and of the lowest, scores the datum leaves out."""
    if datum.least is not None and results < datum.least:
        return 0
    if datum.trim == "seventh":
        return (
            int(round_half_away(Fraction(results, 7), 0))
            if results > 4 or datum.least is not None
            else 0
        )
    if datum.trim is not None:
        return datum.trim
    return 0 if results < 5 else 1 if results < 12 else 2


def _counted_frequencies(
    field: ComparedField, direction: Line, profile: Profile
) -> dict[int, Fraction | int]:
    """Return, for each score, how many of its results count for the datum; extremes are left out.

    With fewer results than expected each represents E / A. So A / E as many results are left out, unless the profile
    counts results as they are.
    """
    frequencies: dict[int, Fraction | int] = dict(field.frequencies(direction))
    counted = field.expected if profile.scales_missing else field.result_count
    most = min(_count_trimmed_per_end(field.result_count, profile.datum), max(0, counted - 1) // 2)
    trim = Fraction(most * field.result_count, counted)
    for order in (sorted(frequencies), sorted(frequencies, reverse=True)):
        left: Fraction | int = trim
        for score in order:
            if not left:
                break
            removed = min(left, frequencies[score])
            frequencies[score] -= removed
            left -= removed
    return frequencies


def _median_of_scores(frequencies: Mapping[int, int]) -> Fraction:
    """Return the median of scores with their frequencies."""
    half, below = Fraction(sum(frequencies.values())) / 2, 0
    scores = sorted(frequencies)
    for index, score in enumerate(scores):
        below += frequencies[score]
        if below == half and index + 1 < len(scores):
            return Fraction(score + scores[index + 1], 2)
        if below > half:
            return Fraction(score)
    return Fraction(scores[-1])


def _rounded_datum(value: Fraction, direction: Line, datum: Datum) -> int:
    """Return the datum rounded to the profile's unit, upward in North-South's view."""
    in_units = value / datum.round
    if in_units.denominator != 2:
        return rounded_units(in_units, 0) * datum.round
    below = in_units.numerator // 2
    match datum.halves:
        case "away":
            is_up = in_units > 0
        case "towards":
            is_up = in_units < 0
        case _:
            is_up = direction == "ns"
    return (below + is_up) * datum.round

"""Butler: IMPs against a datum, the mean of the field's scores without its ends."""

from __future__ import annotations

from fractions import Fraction

from ..comparing import Field
from ..model import LINES, Line
from ..points import imps
from ..profile import Datum, Profile
from ..rounding import away
from .comparison import Comparison


def compare(field: Field, profile: Profile) -> Comparison:
    """Return what each score is worth against the datum; the sides of split scores have their own."""
    data = {line: datum(field, line, profile.datum) for line in LINES}

    def worth(line: Line, score: int) -> Fraction:
        return Fraction(imps(int(score - data[line])))

    ns, ew = data["ns"], -data["ew"]
    return Comparison(worth, "compared", datum=ns, datum_ew=ew if field.is_split else None)


def datum(field: Field, line: Line, how: Datum) -> Fraction:
    """Return the datum of a side's scores, as that side sees them.

    Fewer results than expected count E / A times each before the ends are left out.
    """
    has = field.results
    frequencies = {
        score: Fraction(many) * field.expected / has
        for score, many in field.frequencies(line).items()
    }
    if how.kind == "median":
        return _rounded(_median(frequencies), how.round)
    kept = _without_ends(frequencies, Fraction(_trim_of(field, how)))
    mean = sum((score * many for score, many in kept.items()), Fraction(0)) / sum(kept.values())
    return _rounded(mean, how.round)


def left_out(field: Field, how: Datum) -> dict[int, Fraction]:
    """Return how many of each North-South score the mean leaves out at its ends, of those that were made."""
    found = field.frequencies("ns")
    if how.kind == "median" or not found:
        return {}
    scale = Fraction(field.expected, field.results)
    expected = {score: many * scale for score, many in found.items()}
    kept = _without_ends(expected, Fraction(_trim_of(field, how)))
    return {score: (expected[score] - kept[score]) / scale for score in expected}


def _trim_of(field: Field, how: Datum) -> int:
    """Return how many are left out at each end, never all."""
    trim = _trimmed(field.results, how)
    while trim and 2 * trim >= field.expected:
        trim -= 1
    return trim


def _trimmed(results: int, how: Datum) -> int:
    """Return how many are left out at each end."""
    if how.trim == "seventh":
        return int(away(Fraction(results, 7), 0)) if results > 4 else 0
    if how.trim is not None:
        return how.trim
    return 0 if results < 5 else 1 if results < 12 else 2


def _without_ends(frequencies: dict[int, Fraction], trim: Fraction) -> dict[int, Fraction]:
    kept = dict(frequencies)
    for order in (sorted(kept), sorted(kept, reverse=True)):
        left = trim
        for score in order:
            taken = min(left, kept[score])
            kept[score] -= taken
            left -= taken
    return kept


def _median(frequencies: dict[int, Fraction]) -> Fraction:
    half, below = sum(frequencies.values()) / Fraction(2), Fraction(0)
    scores = sorted(frequencies)
    for index, score in enumerate(scores):
        below += frequencies[score]
        if below == half and index + 1 < len(scores):
            return Fraction(score + scores[index + 1], 2)
        if below > half:
            return Fraction(score)
    return Fraction(scores[-1])


def _rounded(value: Fraction, unit: int) -> Fraction:
    return away(value / unit, 0) * unit

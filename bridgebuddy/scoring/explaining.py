"""Explanations of a side's value for a board, as a sentence with the calculation."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from .rules.model import Award
from .rules.profile import Profile
from .rules.reports.results import Number, SideResult
from .rules.rounding import rounded_number
from .rules.valuing import artificial_imps, artificial_percentage, imps_scale
from .words import MINUS, number_text, signed_score

UNCOUNTED = {
    "open": gettext_lazy("There is no result yet."),
    "pending": gettext_lazy("It will be played later."),
    "not-played": gettext_lazy("It does not count."),
}
ALONE = gettext_lazy("It is the only result of the board: %(percent)s %% of %(top)s.")
WEIGHTED = gettext_lazy("Compared with results some of which count in parts: %(value)s of %(top)s.")
#: averages from a director, in per cent: `own` is the contestant's own average, if better or worse
GIVEN = {
    "AVE+": gettext_lazy("Average plus:"),
    "AVE+ own": gettext_lazy("Average plus: their own average, which is more than %(plus)s %%."),
    "AVE": gettext_lazy("Average:"),
    "AVE-": gettext_lazy("Average minus:"),
    "AVE- own": gettext_lazy("Average minus: their own average, which is less than %(minus)s %%."),
    "fixed": gettext_lazy("As the director has ruled:"),
}
GIVEN_IMPS = {
    "AVE+": gettext_lazy("Average plus: %(value)s."),
    "AVE": gettext_lazy("Average: %(value)s."),
    "AVE-": gettext_lazy("Average minus: %(value)s."),
    "fixed": gettext_lazy("As the director has ruled: %(value)s."),
    "single": gettext_lazy("It is the only result of the board: %(value)s."),
}


def explain_value(side: SideResult, profile: Profile, *, datum: float | None = None) -> str:
    """Return a sentence that explains a side's score on a board; `datum` is the board's datum for IMPs.

    >>> explain_value(SideResult(None, None, "mp", None, None, "open"), Profile())
    'There is no result yet.'
    """
    rule = side.rule
    if rule == "single" and side.value is None:  # only at one table
        rule = "not-played"
    if rule in UNCOUNTED:
        return str(UNCOUNTED[rule])
    if side.unit == "mp":
        return _MatchpointExplanation(side, profile).sentence
    return _imps_sentence(side, profile, datum)


def has_own_average(side: SideResult, profile: Profile) -> bool:
    """Return whether an average plus or minus became the contestant's own average, as the Laws prescribe.

    >>> worse = SideResult(3, Fraction(3), "mp", 8, 37.5, "AVE-", counted=Fraction(3))
    >>> has_own_average(worse, Profile())
    True
    """
    if side.rule not in ("AVE+", "AVE-") or side.exact is None:
        return False
    award: Award = "AVE+" if side.rule == "AVE+" else "AVE-"
    if side.unit == "mp":
        usual = Fraction(str(side.top)) * artificial_percentage(award, profile, None) / 100
    else:
        usual = artificial_imps(award, profile, None, imps_scale(profile, side.expected or 0))
    return side.exact > usual if award == "AVE+" else side.exact < usual


def own_average_sentence(side: SideResult, profile: Profile) -> str:
    """Return why an average plus or minus is the contestant's own average; empty if it is the usual one."""
    if not has_own_average(side, profile):
        return ""
    if side.rule == "AVE+":
        return _("Their own average counts: it is higher.")
    return _("Their own average counts: it is lower.")


def short_number(value: float | Fraction | None) -> str:
    """Format a number with as many decimals as it needs, two at most."""
    if value is None:
        return ""
    text = rounded_number(value, 2)
    places = next(places for places in range(3) if text == rounded_number(text, places))
    return number_text(text, places)


class _MatchpointExplanation:
    """Builds the sentence that explains a side's matchpoints on a board."""

    def __init__(self, side: SideResult, profile: Profile) -> None:
        self.side = side
        self.profile = profile
        self.facts = {
            "results": side.results,
            "expected": side.expected,
            "value": short_number(side.shown_points),
            "top": short_number(side.top),
            "percent": short_number(side.percent),
        }

    @property
    def sentence(self) -> str:
        """Return the sentence that explains the matchpoints."""
        rule = self.side.rule
        if rule == "assigned":
            return self._assigned_sentence
        if rule in GIVEN:
            return self._artificial_sentence
        if rule == "single":
            return str(ALONE % self.facts)
        return str(WEIGHTED % self.facts) if self.side.beaten is None else self._compared_sentence

    @property
    def _points_of_results(self) -> int:
        """Return how results beaten and tied make the points: two for each beaten, one for each tied."""
        return 2 * (self.side.beaten or 0) + (self.side.tied or 0)

    @property
    def _compared_sentence(self) -> str:
        """Return the sentence about matchpoints won by comparing with other results."""
        beaten, tied, points = self.side.beaten, self.side.tied, self._points_of_results
        results, expected = self.side.results or 0, self.side.expected or 0
        text = _("Beats %(beaten)s, ties %(tied)s.") % {"beaten": beaten, "tied": tied}
        counted = f"2 · {beaten} + {tied}" if tied else f"2 · {beaten}"
        match self.side.rule:
            case "compared" if self.profile.ascherman:
                counted = f"{counted} + 1"
            case "neuberg" if self.profile.ascherman:
                text += " " + _results_of_expected(self.side)
                counted = f"({points} + 1) · {expected} / {results}"
            case "neuberg":
                text += " " + _results_of_expected(self.side)
                counted = f"({points} + 1) · {expected} / {results} {MINUS} 1"
            case "proportion":
                text += " " + _results_of_expected(self.side)
                counted = f"{points} · {expected - 1} / {results - 1}" if points else "0"
                if results == 1:
                    counted = f"{expected - 1}"
            case "tie-for-missing":
                text += " " + _results_of_expected(self.side)
                counted = f"{points} + {expected - results}"
            case "small-group":
                least = results - 1
                text += " " + _results_of_expected(self.side)
                counted = f"60 % + ({points} {MINUS} {least}) · 5 %"
                return text + f" {counted} = {self.facts['percent']} %."
        if self.profile.half:
            counted = f"({counted}) / 2"
        return text + " " + _("%(sum)s = %(value)s of %(top)s.") % {**self.facts, "sum": counted}

    @property
    def _assigned_sentence(self) -> str:
        """Return the sentence about the matchpoints of an assigned adjusted score."""
        parts = self.side.parts
        if not parts:
            return _("A ruling, compared as a result: %(value)s of %(top)s.") % self.facts
        return _("A weighted ruling: %(sum)s = %(value)s of %(top)s.") % {
            **self.facts,
            "sum": parts_sum(parts),
        }

    @property
    def _artificial_sentence(self) -> str:
        """Return the sentence about the matchpoints of an artificial adjusted score."""
        plus, minus = float(self.profile.ave.plus), float(self.profile.ave.minus)
        facts = {**self.facts, "plus": short_number(plus), "minus": short_number(minus)}
        rule = self.side.rule
        if has_own_average(self.side, self.profile):
            rule += " own"
        return str(GIVEN[rule] % facts) + self._share_formula

    @property
    def _share_formula(self) -> str:
        """Return the formula of the percentage: matchpoints divided by the top."""
        return " " + _("%(percent)s %% of %(top)s = %(value)s.") % self.facts


def _results_of_expected(side: SideResult) -> str:
    """Return how many of the expected results of the board exist, as a sentence."""
    return ngettext(
        "%(results)s result of %(expected)s expected.",
        "%(results)s results of %(expected)s expected.",
        side.results or 0,
    ) % {"results": side.results, "expected": side.expected}


def parts_sum(parts: Iterable[tuple[Fraction, Number | None]]) -> str:
    """Format the calculation of a weighted score: each weight with its value.

    >>> parts_sum([(Fraction(3, 5), 10), (Fraction(2, 5), 2)])
    '60 % · 10 + 40 % · 2'
    """
    return " + ".join(f"{_weight_text(weight)} · {short_number(value)}" for weight, value in parts)


def _weight_text(weight: Fraction) -> str:
    """Return the weight of a weighted score as per cent, or as a fraction."""
    per_cent = 100 * weight
    return f"{short_number(per_cent)} %" if (100 * per_cent).denominator == 1 else str(weight)


def _imps_sentence(side: SideResult, profile: Profile, datum: float | None) -> str:
    """Return the sentence that explains a side's IMPs on a board."""
    method = profile.method
    facts = {
        "value": _signed_number(side.shown_points),
        "results": side.results,
        "expected": side.expected,
    }
    if side.rule in GIVEN_IMPS:
        return f"{GIVEN_IMPS[side.rule] % facts} {own_average_sentence(side, profile)}".rstrip()
    if side.parts:
        return _("A weighted ruling: %(sum)s = %(value)s.") % {
            **facts,
            "sum": parts_sum(side.parts),
        }
    if method == "butler" and datum is not None:
        return _("Against a datum of %(datum)s: %(value)s.") % {
            **facts,
            "datum": signed_score(int(datum)),
        }
    if method == "cross-imps" and side.results is not None:
        others = side.results - 1
        text = ngettext(
            "IMPs against %(others)s other result: %(value)s.",
            "IMPs against %(others)s other results: %(value)s.",
            others,
        ) % {**facts, "others": others}
        if side.rule == "neuberg":
            text += " " + _results_of_expected(side)
        return text
    if method == "aggregate":
        return _("The score counts as it is.")
    return _("Compared with the other table: %(value)s.") % facts


def _signed_number(value: Fraction | None) -> str:
    """Format IMPs or points with their sign."""
    written = short_number(value)
    return f"+{written}" if value is not None and value > 0 else written

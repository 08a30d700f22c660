"""The rules by which a season's values make a total.

A rule is one row of `RULES`: the values that count, their total, its sentences, its calculation, and the properties
by which the result still needed is found. Pages, forms, `manage.py season` and the documents read the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bridgebuddy.scoring.rules.rounding import exact_mean, exact_sum

from .model import Championship, SessionValue

DROPPED = "dropped"
#: bits after the point that tell most fractions apart
PRECISE = 48
NumberText = Callable[[Fraction], str]


def _(sentence: str) -> str:
    """Mark a sentence for translation; `bridgebuddy.seasons.words` translates it."""
    return sentence


@dataclass(frozen=True)
class TotalRule:
    """A way to add up a championship's values, with the sentences that explain it."""

    #: return all values with those marked that do not count
    mark_counting: Callable[[Championship, Sequence[SessionValue]], list[SessionValue]]
    #: return the total of the counting values, oldest first
    total_of: Callable[[list[Fraction]], Fraction]
    #: return the calculation of a total, without the total itself, line by line
    steps: Callable[[list[Fraction], NumberText], list[str]]
    #: fewest values that have a total
    fewest: int
    #: True if the total is on the scale of a session: the total of percentages is a percentage
    is_on_scale: bool
    #: True if only the best values count, should the club say how many
    keeps_best: bool
    #: True if one value is omitted for each `each` values
    uses_each: bool
    #: True if the total is linear in a new value between the values already reached, and never falls
    is_linear: bool
    #: rule that replaces this one for values that are counted (wins, evenings); empty: none
    when_counted: str
    #: name in a form
    label: str
    #: the rule as a sentence; the second one is used with a number of best values
    sentence: str
    sentence_of_best: str
    #: reason for which a value does not count
    reason_omitted: str


def sort_key(value: Fraction) -> tuple[int, Fraction]:
    """Return a key that sorts fractions fast: integers decide, and the fraction only if they are equal.

    >>> sort_key(Fraction(1, 3)) < sort_key(Fraction(1, 3) + Fraction(1, 10**30)) < sort_key(Fraction(1, 2))
    True
    """
    return (value.numerator << PRECISE) // value.denominator, value


def _drop_lowest(values: Sequence[SessionValue], count: int) -> list[SessionValue]:
    """Mark the `count` lowest values as dropped, the later of equal ones first; return all values."""
    if not count:
        return list(values)
    by_amount = sorted(
        range(len(values)), key=lambda index: (*sort_key(values[index].amount), -index)
    )
    dropped = set(by_amount[:count])
    return [
        # faster than `replace`, and there are thousands
        SessionValue(value.session, value.amount, False, DROPPED, value.handicap)
        if index in dropped
        else value
        for index, value in enumerate(values)
    ]


def _keep_best(rules: Championship, values: Sequence[SessionValue]) -> list[SessionValue]:
    """Mark the best values as counting, as many as the championship's rules say; return all values."""
    return _drop_lowest(values, max(0, len(values) - rules.best) if rules.best else 0)


def _drop_by_number(rules: Championship, values: Sequence[SessionValue]) -> list[SessionValue]:
    """Mark one of the lowest values as dropped for every `rules.each` values above the minimum; return all.

    Clubs print it as "the lowest of every two above five is dropped": of nine the best seven count, of fifteen the
    best ten.
    """
    above = len(values) - (rules.least or 1)
    return _drop_lowest(values, above // rules.each if rules.each else 0)


def _keep_all_values(rules: Championship, values: Sequence[SessionValue]) -> list[SessionValue]:
    """Return all values, each of which counts."""
    return list(values)


def _improvement_of(amounts: list[Fraction]) -> Fraction:
    """Return the improvement: the mean of the later half minus the mean of the earlier half.

    >>> str(_improvement_of([Fraction(40), Fraction(50), Fraction(60)]))
    '15'
    """
    half = len(amounts) // 2
    return exact_mean(amounts[half:]) - exact_mean(amounts[:half])


def _median_of(amounts: list[Fraction]) -> Fraction:
    """Return the median of the amounts.

    >>> str(_median_of([Fraction(60), Fraction(40), Fraction(45), Fraction(52)]))
    '97/2'
    """
    return exact_mean(_middle_amounts(amounts))


def _middle_amounts(amounts: list[Fraction]) -> list[Fraction]:
    """Return the middle amount, or both middle ones of an even number."""
    ordered = sorted(amounts)
    return ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]


def _sum_text(amounts: Sequence[Fraction], text: NumberText) -> str:
    """Return a sum as text: "60 + 55"; `text` formats an amount."""
    return " + ".join(map(text, amounts))


def _steps_of_sum(amounts: list[Fraction], text: NumberText) -> list[str]:
    """Return the steps that explain a sum; `text` formats an amount."""
    return [_sum_text(sorted(amounts, reverse=True), text)]


def _steps_of_mean(amounts: list[Fraction], text: NumberText) -> list[str]:
    """Return the steps that explain a mean; `text` formats an amount."""
    steps = _steps_of_sum(amounts, text)
    return steps if len(amounts) < 2 else [*steps, f"= {text(exact_sum(amounts))} ÷ {len(amounts)}"]


def _steps_of_improvement(amounts: list[Fraction], text: NumberText) -> list[str]:
    """Return the lines that explain by how much a better result raises a total; `text` formats an amount."""
    half = len(amounts) // 2
    return [
        f"({_sum_text(amounts[half:], text)}) ÷ {len(amounts) - half}",
        f"− ({_sum_text(amounts[:half], text)}) ÷ {half}",
    ]


def _steps_of_median(amounts: list[Fraction], text: NumberText) -> list[str]:
    """Return the steps that explain a median: the values in order, and the mean of the two in the middle.

    >>> _steps_of_median([Fraction(60), Fraction(40), Fraction(50), Fraction(52)], str)
    ['40 · 50 · 52 · 60', '= (50 + 52) ÷ 2']
    """
    in_order = " · ".join(map(text, sorted(amounts)))
    middle = _middle_amounts(amounts)
    return [in_order] if len(middle) < 2 else [in_order, f"= ({_sum_text(middle, text)}) ÷ 2"]


RULES: Mapping[str, TotalRule] = {
    "mean": TotalRule(
        _keep_best,
        exact_mean,
        _steps_of_mean,
        fewest=1,
        is_on_scale=True,
        keeps_best=True,
        uses_each=False,
        is_linear=True,
        when_counted="sum",
        label=_("their mean"),
        sentence=_("The mean of all counts, at least %(least)s."),
        sentence_of_best=_("The best %(best)s of all count, at least %(least)s."),
        reason_omitted=_("not among the best %(best)s"),
    ),
    "sum": TotalRule(
        _keep_best,
        exact_sum,
        _steps_of_sum,
        fewest=1,
        is_on_scale=False,
        keeps_best=True,
        uses_each=False,
        is_linear=True,
        when_counted="",
        label=_("their sum"),
        sentence=_("All are added up, at least %(least)s."),
        sentence_of_best=_("The best %(best)s are added up, at least %(least)s."),
        reason_omitted=_("not among the best %(best)s"),
    ),
    "drop": TotalRule(
        _drop_by_number,
        exact_mean,
        _steps_of_mean,
        fewest=1,
        is_on_scale=True,
        keeps_best=False,
        uses_each=True,
        is_linear=True,
        when_counted="",
        label=_("the mean without the lowest"),
        sentence=_("Above %(least)s sessions the lowest of every %(each)s is left out."),
        sentence_of_best="",
        reason_omitted=_("one of the lowest"),
    ),
    "improved": TotalRule(
        _keep_all_values,
        _improvement_of,
        _steps_of_improvement,
        fewest=2,
        is_on_scale=False,
        keeps_best=False,
        uses_each=False,
        is_linear=False,
        when_counted="",
        label=_("who improved most"),
        sentence=_(
            "The mean of the later half minus that of the earlier half, at least %(least)s sessions."
        ),
        sentence_of_best="",
        reason_omitted="",
    ),
    "median": TotalRule(
        _keep_all_values,
        _median_of,
        _steps_of_median,
        fewest=1,
        is_on_scale=True,
        keeps_best=False,
        uses_each=False,
        is_linear=True,
        when_counted="sum",
        label=_("their median"),
        sentence=_("The median of all counts, at least %(least)s."),
        sentence_of_best="",
        reason_omitted="",
    ),
}


def is_a_percentage(counted_value: str, rule: str) -> bool:
    """Return whether a championship's totals are percentages, whose exact halves round away from 50."""
    return counted_value == "percentage" and RULES[rule].is_on_scale

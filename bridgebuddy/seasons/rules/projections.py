"""The results a contestant needs in coming sessions to lead, if the others do not gain."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from .model import Championship, Session, SessionValue, StandingLine
from .standing import fewest_values, line_of
from .totals import RULES

#: types of value that can be named as needed: a percentage, or points, of a session
NAMED = {"percentage": Fraction(100), "imps": None, "vps": None}
_TO_COME = Session("", date.max, ())


def value_needed(
    rules: Championship, line: StandingLine, goal: Fraction, times: int
) -> Fraction | None:
    """Return the value that a contestant needs in each of the next `times` sessions to reach the total `goal`.

    Returns None if no percentage is enough, if too few sessions remain, or if the value cannot be named. Between the
    values already reached, the total is linear.

    >>> values = tuple(SessionValue(_TO_COME, Fraction(percent)) for percent in (60, 50))
    >>> line = StandingLine(("A",), Fraction(55), 2, values)
    >>> str(value_needed(Championship("", rule="mean", best=2), line, Fraction(58), 1))
    '56'
    """
    if rules.counts not in NAMED or not RULES[rules.rule].is_linear or times < 1:
        return None
    if len(line.values) + times < fewest_values(rules):
        return None
    top = NAMED[rules.counts]
    own = sorted({value.amount for value in line.values})
    lowest = min([Fraction(0), *own])
    highest = top if top is not None else _bound_on_needed(rules, line, goal, times)
    at = sorted({lowest, highest, *(value for value in own if lowest < value < highest)})
    totals = [_projected_total(rules, line, value, times) for value in at]
    if totals[-1] < goal:
        return None
    if totals[0] >= goal:
        return at[0]
    index = next(index for index, total in enumerate(totals) if total >= goal)
    below, above = at[index - 1], at[index]
    start, end = totals[index - 1], totals[index]
    return below + (goal - start) / (end - start) * (above - below)


def _bound_on_needed(
    rules: Championship, line: StandingLine, goal: Fraction, times: int
) -> Fraction:
    """Return an upper limit for the value needed to reach the total `goal`."""
    count = len(line.values) + times
    return (abs(goal) + sum(abs(value.amount) for value in line.values) + 1) * count


def _projected_total(
    rules: Championship, line: StandingLine, value: Fraction, times: int
) -> Fraction:
    """Return a contestant's total after `times` more sessions with this value."""
    more = [SessionValue(_TO_COME, value)] * times
    return line_of(rules, line.who, [*_bare_values(line), *more]).total


def _bare_values(line: StandingLine) -> Sequence[SessionValue]:
    """Return a contestant's values as if it were not decided yet which of them count."""
    return [SessionValue(value.session, value.amount) for value in line.values]


def weakest_counting(rules: Championship, line: StandingLine) -> SessionValue | None:
    """Return the counting value that a better one would replace; None if a new value would just be added."""
    counted = [value for value in line.values if value.counts]
    if not RULES[rules.rule].keeps_best or not rules.best or len(counted) < rules.best:
        return None
    return min(counted, key=lambda value: value.amount)

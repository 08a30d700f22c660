"""Tie-breaks of a list: each rule gives a line a key, and the greater key is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from .model import Championship, StandingLine

Key = tuple[Fraction, ...]


def _next_best(line: StandingLine) -> Key:
    """Return sort values for the tie-break by the best results that do not count in the total."""
    return tuple(sorted((value.amount for value in line.values if not value.counts), reverse=True))


def _best_single_results(line: StandingLine) -> Key:
    """Return sort values for the tie-break by the best single results, best first."""
    return tuple(sorted((value.amount for value in line.values), reverse=True))


def _count_of_results(line: StandingLine) -> Key:
    """Return the sort value for the tie-break by the number of results."""
    return (Fraction(len(line.values)),)


def _latest_session(line: StandingLine) -> Key:
    """Return sort values for the tie-break by the last session played: its day, then the result in it."""
    last = line.values[-1]
    return Fraction(last.session.date.toordinal()), last.amount


#: tie-breaks a club may choose: "" leaves equals with a shared place
TIES: Mapping[str, Callable[[StandingLine], Key]] = {
    "next": _next_best,
    "single": _best_single_results,
    "played": _count_of_results,
    "latest": _latest_session,
}


def chosen_rules(rules: Championship) -> dict[str, Callable[[StandingLine], Key]]:
    """Return the tie-breaks of a championship, in order.

    >>> list(chosen_rules(Championship("", ties="next", then="latest"))), list(chosen_rules(Championship("")))
    (['next', 'latest'], [])
    """
    return {name: TIES[name] for name in (rules.ties, rules.then) if name}

"""What splits equal totals of a list: by each rule a line has a key, and the greater key is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from .model import Championship, Line

Key = tuple[Fraction, ...]


def _next_best(line: Line) -> Key:
    """The best value that does not count, then the one after it: whoever has none is behind."""
    return tuple(sorted((value.amount for value in line.values if not value.counts), reverse=True))


def _best_single(line: Line) -> Key:
    return tuple(sorted((value.amount for value in line.values), reverse=True))


def _more_often(line: Line) -> Key:
    return (Fraction(len(line.values)),)


def _latest(line: Line) -> Key:
    """What each had in the session they played last, the later day being better."""
    last = line.values[-1]
    return Fraction(last.session.date.toordinal()), last.amount


#: what a club may choose: "" leaves equals with a shared place
TIES: Mapping[str, Callable[[Line], Key]] = {
    "next": _next_best,
    "single": _best_single,
    "played": _more_often,
    "latest": _latest,
}


def chosen(rules: Championship) -> dict[str, Callable[[Line], Key]]:
    """Return what splits the equals of a list, one after the other.

    >>> list(chosen(Championship("", ties="next", then="latest"))), list(chosen(Championship("")))
    (['next', 'latest'], [])
    """
    return {name: TIES[name] for name in (rules.ties, rules.then) if name}

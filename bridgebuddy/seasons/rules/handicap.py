"""Handicaps worked out from what people had before: 50 minus the mean of their last percentages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from .model import Handicap, Row, Session

HALF = Fraction(50)


class Form:
    """Everybody's percentages, session by session.

    >>> from datetime import date
    >>> form = Form(Handicap(last=2))
    >>> for day, percentage in enumerate((40, 60, 56), 1):
    ...     rows = (Row(("P1",), Fraction(percentage)),)
    ...     form.add(Session(str(day), date(2026, 1, day), rows))
    >>> form.of("P1"), form.of("P2")
    (Fraction(-8, 1), Fraction(0, 1))
    """

    def __init__(self, rule: Handicap) -> None:
        self.rule = rule
        self._of: defaultdict[str, list[Fraction]] = defaultdict(list)

    def add(self, session: Session) -> None:
        """Remember what everybody had in a session; who played twice in it, in the mean of both."""
        found: defaultdict[str, list[Fraction]] = defaultdict(list)
        for row in session.rows:
            if row.percentage is not None:
                for player in row.who:
                    found[player].append(row.percentage)
        for player, percentages in found.items():
            self._of[player].append(mean(percentages))

    def of(self, player: str) -> Fraction:
        """Return a player's handicap in the session that comes next; 0 for who is too new to have one."""
        before = self._of.get(player, [])
        if len(before) < self.rule.least:
            return Fraction(0)
        last = before if self.rule.last is None else before[-self.rule.last :]
        return (HALF - mean(last)) * self.rule.times

    def of_row(self, row: Row) -> Fraction:
        """Return what is added to a row: the mean of its people's handicaps."""
        return mean([self.of(player) for player in row.who])


def mean(values: Iterable[Fraction]) -> Fraction:
    """Return the mean of some values, of which there is at least one."""
    found = list(values)
    return sum(found, Fraction(0)) / len(found)

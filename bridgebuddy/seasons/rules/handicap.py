"""Handicaps worked out from what people had before: 50 minus the mean of their last percentages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from bridgebuddy.scoring.rules.rounding import added

from .model import Handicap, Row, Session

HALF = Fraction(50)
A_YEAR = 12


@dataclass(frozen=True, slots=True)
class Worked:
    """A handicap with its arithmetic."""

    handicap: Fraction
    #: the percentages it is made of, oldest first; fewer than are needed where somebody `is_new`
    of: tuple[Fraction, ...] = ()
    #: 50 minus their mean, times what the club multiplies by
    exact: Fraction | None = None
    is_new: bool = False
    is_by_hand: bool = False
    is_capped: bool = False

    @property
    def mean(self) -> Fraction | None:
        return mean(self.of) if self.of else None


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
        self._of: defaultdict[str, list[tuple[date, Fraction]]] = defaultdict(list)
        #: of each what the first so many add up to: the sum of any that follow each other is a difference
        self._sums: dict[str, list[Fraction]] = {}

    def add(self, session: Session) -> None:
        """Remember what everybody had in a session; who played twice in it, in the mean of both."""
        if self.rule.frozen is not None and session.date >= self.rule.frozen:
            return
        found: defaultdict[str, list[Fraction]] = defaultdict(list)
        for row in session.rows:
            if row.percentage is not None:
                for player in row.who:
                    found[player].append(row.percentage)
        for player, percentages in found.items():
            had = mean(percentages)
            self._of[player].append((session.date, had))
            sums = self._sums.setdefault(player, [Fraction(0)])
            sums.append(sums[-1] + had)

    def of(self, player: str, on: date | None = None) -> Fraction:
        """Return a player's handicap in the session that comes next, or on a day."""
        return self.worked(player, on).handicap

    def worked(self, player: str, on: date | None = None) -> Worked:
        """Return the same with its arithmetic; who is too new has what the club gives them."""
        rule = self.rule
        before = self._of.get(player, [])
        first = 0 if rule.last is None else max(0, len(before) - rule.last)
        if rule.months is not None:
            since = months_before(self._day(on), rule.months)
            first = max(first, sum(day < since for day, _ in before))
        last = tuple(value for _, value in before[first:])
        if player in rule.by_hand:
            return Worked(rule.by_hand[player], last, is_by_hand=True)
        if len(last) < rule.least or not last:
            return Worked(rule.new, last, is_new=True)
        sums = self._sums[player]
        exact = (HALF - (sums[-1] - sums[first]) / len(last)) * rule.times
        found = exact if rule.band is None else _in_bands(exact, rule.band)
        if rule.most is not None and abs(found) > rule.most:
            return Worked(rule.most if found > 0 else -rule.most, last, exact, is_capped=True)
        return Worked(found, last, exact)

    def _day(self, on: date | None) -> date:
        if self.rule.frozen is not None and (on is None or on > self.rule.frozen):
            return self.rule.frozen
        return on or max((one[-1][0] for one in self._of.values() if one), default=date.max)

    def of_row(self, row: Row, on: date | None = None) -> Fraction:
        """Return what is added to a row: the mean of its people's handicaps."""
        return mean([self.of(player, on) for player in row.who])


def _in_bands(value: Fraction, band: Fraction) -> Fraction:
    """Return a value to whole bands, a half one away from 0.

    >>> str(_in_bands(Fraction(5, 4), Fraction(1, 2))), str(_in_bands(Fraction(-17, 10), Fraction(1)))
    ('3/2', '-2')
    """
    whole = (abs(value) / band + Fraction(1, 2)).__floor__() * band
    return whole if value > 0 else -whole


def months_before(day: date, months: int) -> date:
    """Return the day so many months before, or the last of that month.

    >>> months_before(date(2026, 3, 31), 13)
    datetime.date(2025, 2, 28)
    """
    year, month = divmod(day.year * A_YEAR + day.month - 1 - months, A_YEAR)
    for last in (day.day, 30, 29, 28):
        try:
            return date(max(year, 1), month + 1, last)
        except ValueError:
            continue
    raise ValueError(day)


def mean(values: Iterable[Fraction]) -> Fraction:
    """Return the mean of some values, of which there is at least one."""
    found = list(values)
    return found[0] if len(found) == 1 else added(found) / len(found)

"""Handicaps from earlier results: 50 minus the mean of the last percentages."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import pairwise
from math import lcm

from bridgebuddy.scoring.rules.rounding import exact_mean

from .model import Handicap, People, SeasonRow, Session

HALF = 50
A_YEAR = 12
_Row = tuple[People, int, int]
"""A player, and numerator and denominator of the percentage."""
"""The days; and by player, one after another: index of the day, numerator, denominator."""


@dataclass(frozen=True, slots=True)
class WorkedHandicap:
    """A handicap with the percentages and steps from which it was calculated."""

    handicap: Fraction
    #: the percentages in it, oldest first; too few if `is_new`
    of: tuple[Fraction, ...] = ()
    #: 50 minus their mean, times the club's factor
    exact: Fraction | None = None
    is_new: bool = False
    is_by_hand: bool = False
    is_capped: bool = False

    @property
    def mean(self) -> Fraction | None:
        """Return the mean of the percentages that the handicap is calculated from; None without any."""
        return exact_mean(self.of) if self.of else None


class _PastPercentages:
    """A player's percentages as integers over a common denominator, which are faster to add."""

    __slots__ = ("below", "days", "new", "sums")

    def __init__(self) -> None:
        #: values not yet sorted in: day, numerator and denominator
        self.new: list[tuple[date, int, int]] = []
        self.days: list[date] = []
        #: prefix sums: the sum of consecutive values is a difference
        self.sums = [0]
        self.below = 1

    def add_up(self, last: int | None) -> None:
        """Extend the running sums by the new percentages; keep only the latest `last` ones."""
        if last is not None and len(self.new) >= last:
            self.days, self.sums = [], [0]
            self.new = self.new[-last:]
        for day, above, below in self.new:
            if self.below % below:
                whole = lcm(self.below, below)
                times, self.below = whole // self.below, whole
                self.sums = [times * total for total in self.sums]
            self.days.append(day)
            self.sums.append(self.sums[-1] + above * (self.below // below))
        self.new = []

    @property
    def last(self) -> date:
        """Return the day of the player's last result."""
        return self.new[-1][0] if self.new else self.days[-1]

    def values(self, start: int) -> tuple[Fraction, ...]:
        """Return the player's percentages from index `start` on."""
        pairs = pairwise(self.sums[start:])
        return tuple(Fraction(after - before, self.below) for before, after in pairs)


_NOTHING = _PastPercentages()


class RecentResults:
    """All players' percentages, session by session, from which handicaps are calculated.

    >>> from datetime import date
    >>> form = RecentResults(Handicap(last=2))
    >>> for day, percentage in enumerate((40, 60, 56), 1):
    ...     rows = (SeasonRow(("P1",), Fraction(percentage)),)
    ...     form.add(Session(str(day), date(2026, 1, day), rows))
    >>> form.of("P1"), form.of("P2")
    (Fraction(-8, 1), Fraction(0, 1))
    """

    def __init__(self, rule: Handicap) -> None:
        self.rule = rule
        self._times = rule.times.as_integer_ratio()
        self._band = rule.band.as_integer_ratio() if rule.band else None
        self._of: defaultdict[str, _PastPercentages] = defaultdict(_PastPercentages)
        #: the handicap of so many bands, and whether it exceeds the limit
        self._bands: dict[int, tuple[Fraction, bool]] = {}
        #: the mean of several people's handicaps: with bands there are few values
        self._means: dict[tuple[tuple[int, int], ...], Fraction] = {}

    def add(self, session: Session) -> None:
        """Add the percentages of a session; a player with two rows gets the mean of both."""
        rows = (
            (row.who, had.numerator, had.denominator)
            for row in session.rows
            if (had := row.percentage) is not None
        )
        self.add_all(session.date, rows)

    def add_all(self, day: date, rows: Iterable[_Row]) -> None:
        """Add the rows of a session: people, and their percentage as numerator and denominator."""
        if self.rule.frozen is not None and day >= self.rule.frozen:
            return
        new_rows = list(rows)
        players = [player for person, _, _ in new_rows for player in person]
        if len(set(players)) < len(players):
            new_rows = _mean_by_player(new_rows)
        of = self._of
        for person, above, below in new_rows:
            had = day, above, below
            for player in person:
                of[player].new.append(had)

    def handicap_of(self, player: str, on: date | None = None) -> Fraction:
        """Return a player's handicap in the next session, or on the day `on`."""
        if self._is_by_hand(player, on):
            return self.rule.by_hand[player]
        had, first = self._counting_percentages(player, on)
        exact = self._exact_handicap(had, first)
        return self.rule.new if exact is None else self._banded_handicap(*exact)[0]

    def derived_handicap(self, player: str, on: date | None = None) -> WorkedHandicap:
        """Return a player's handicap with its calculation; a new player has the club's value for new ones."""
        rule = self.rule
        had, first = self._counting_percentages(player, on)
        last = had.values(first)
        if self._is_by_hand(player, on):
            return WorkedHandicap(rule.by_hand[player], last, is_by_hand=True)
        exact = self._exact_handicap(had, first)
        if exact is None:
            return WorkedHandicap(rule.new, last, is_new=True)
        handicap, is_capped = self._banded_handicap(*exact)
        return WorkedHandicap(handicap, last, Fraction(*exact), is_capped=is_capped)

    def _is_by_hand(self, player: str, on: date | None) -> bool:
        """Return whether the player's handicap was set by hand on the day `on`."""
        if player not in self.rule.by_hand:
            return False
        since = self.rule.by_hand_since.get(player)
        return since is None or self._last_counted_day(on) >= since

    def _counting_percentages(self, player: str, on: date | None) -> tuple[_PastPercentages, int]:
        """Return a player's percentages, and the index of the first that counts."""
        rule, had = self.rule, self._of.get(player, _NOTHING)
        if had.new:
            had.add_up(rule.last)
        first = 0 if rule.last is None else max(0, len(had.days) - rule.last)
        if rule.months is not None:
            since = months_before(self._last_counted_day(on), rule.months)
            first = max(first, bisect_left(had.days, since))
        return had, first

    def _exact_handicap(self, percentages: _PastPercentages, start: int) -> tuple[int, int] | None:
        """Return 50 minus the mean percentage, times the club's factor, as numerator and denominator.

        Returns None with too few results.
        """
        many = len(percentages.days) - start
        if many < self.rule.least or not many:
            return None
        times, over = self._times
        below = many * percentages.below
        above = HALF * below - (percentages.sums[-1] - percentages.sums[start])
        return above * times, below * over

    def _banded_handicap(self, numerator: int, denominator: int) -> tuple[Fraction, bool]:
        """Return a handicap (`numerator`/`denominator`) rounded to bands, and whether the limit reduced it."""
        if self._band is None:
            return self._limited_handicap(Fraction(numerator, denominator))
        band, over = self._band
        many = _rounded_half_away(numerator * over, denominator * band)
        if many not in self._bands:
            self._bands[many] = self._limited_handicap(Fraction(many * band, over))
        return self._bands[many]

    def _limited_handicap(self, handicap: Fraction) -> tuple[Fraction, bool]:
        """Return a handicap reduced to the club's limit, and whether the limit applied."""
        most = self.rule.most
        if most is None or abs(handicap) <= most:
            return handicap, False
        return (most if handicap > 0 else -most), True

    def _last_counted_day(self, on: date | None) -> date:
        """Return the day up to which results count for handicaps on the day `on`."""
        if self.rule.frozen is not None and (on is None or on > self.rule.frozen):
            return self.rule.frozen
        return on or max((form.last for form in self._of.values()), default=date.max)

    def handicap_of_row(self, row: SeasonRow, on: date | None = None) -> Fraction:
        """Return the handicap of a row's contestant: the mean of its players' handicaps."""
        handicaps = [self.handicap_of(player, on) for player in row.who]
        key = tuple([value.as_integer_ratio() for value in handicaps])
        average = self._means.get(key)
        if average is None:
            average = self._means[key] = exact_mean(handicaps)
        return average


def _mean_by_player(rows: Iterable[_Row]) -> list[_Row]:
    """Return each player of a session with the mean of their percentages."""
    percentages: defaultdict[str, list[Fraction]] = defaultdict(list)
    for person, above, below in rows:
        for player in person:
            percentages[player].append(Fraction(above, below))
    return [
        ((player,), *exact_mean(every).as_integer_ratio()) for player, every in percentages.items()
    ]


def _rounded_half_away(numerator: int, denominator: int) -> int:
    """Return the fraction `numerator`/`denominator` rounded to a whole number, halves away from 0.

    >>> _rounded_half_away(5, 2), _rounded_half_away(-17, 10)
    (3, -2)
    """
    whole = (2 * abs(numerator) + denominator) // (2 * denominator)
    return whole if numerator > 0 else -whole


def months_before(day: date, months: int) -> date:
    """Return the day `months` months earlier, or the last day of that month.

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

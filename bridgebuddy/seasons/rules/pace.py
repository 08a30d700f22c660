"""Slow pairs, measured by when the results of each round arrived: the pair, never the table.

A table's time per board beyond the other tables of its round is modelled as the sum of its two pairs, plus chance.
The best fit is found as in `rating`: a round is a field, a table a row, and its pairs are the row's people. So no
pair counts as slow for having met a slow pair. Each number comes with its uncertainty.

A time counts if a table entered its boards during play. Its last result came after the round began, and not long
after the next round began. If less than half of a session's rounds qualify, none counts, because results typed at the
end are no times.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .rating import HALF, FieldOfPlay, FieldResult, Ratings

#: prior boards of an average pair for all: measured in simulated clubs
STIFFNESS = 20.0
#: a pair is named from the third evening on, and from so many minutes a board on
FEWEST_EVENINGS, FEWEST_MINUTES = 3, 0.6
#: least distance above all others, in multiples of the range that holds nine in ten
SURE = 1.8
#: minutes into the next round in which a result still belongs to the round before
AFTERWARDS = 7.0
#: least possible time of a board, in minutes
SHORTEST = 1.0
FEWEST_TABLES = 3


@dataclass(frozen=True, slots=True)
class TableRound:
    """A round at a table: its pairs, and how many minutes after its start the last result was entered.

    `until` is the start of the next round, or None if unknown. `at` is None if a board was not entered at the table.
    """

    evening: str
    round: int
    pairs: tuple[str, str]
    boards: int
    at: float | None
    until: float | None = None

    @property
    def is_timed(self) -> bool:
        """Return whether the times of this round are complete and plausible."""
        if self.at is None or self.at < SHORTEST * self.boards:
            return False
        return self.until is not None and self.at <= self.until + AFTERWARDS


@dataclass(frozen=True, slots=True)
class SlowPace:
    """A slow pair: how many minutes per board it takes more than others, with the uncertainty."""

    pair: str
    minutes: float
    give_or_take: float
    evenings: int
    rounds: int


@dataclass(frozen=True, slots=True)
class PaceReport:
    """The slow pairs, slowest first, and the number of sessions with times."""

    slow: tuple[SlowPace, ...]
    evenings: int


def pace_report(rounds: Iterable[TableRound]) -> PaceReport:
    """Return the pairs that are slower than others beyond doubt, from all rounds at tables."""
    timed = list(_timed_rounds(rounds))
    evenings: defaultdict[str, set[str]] = defaultdict(set)
    count: defaultdict[str, int] = defaultdict(int)
    for timed_round in timed:
        for pair in timed_round.pairs:
            evenings[pair].add(timed_round.evening)
            count[pair] += 1
    all_evenings = len({timed_round.evening for timed_round in timed})
    if all_evenings < FEWEST_EVENINGS:
        return PaceReport((), all_evenings)
    figures = Ratings(
        _fields_of_play(timed), STIFFNESS, least_luck=0.0
    ).all()  # of minutes, not of per cent
    slow = [
        SlowPace(
            pair, figure.percentage - HALF, figure.give_or_take, len(evenings[pair]), count[pair]
        )
        for pair, figure in figures.items()
        if len(evenings[pair]) >= FEWEST_EVENINGS
        and figure.percentage - HALF >= max(FEWEST_MINUTES, SURE * figure.give_or_take)
    ]
    return PaceReport(tuple(sorted(slow, key=lambda item: -item.minutes)), all_evenings)


def _timed_rounds(rounds: Iterable[TableRound]) -> Iterator[TableRound]:
    """Yield the rounds with known times, from sessions in which most rounds have them."""
    by_evening: defaultdict[str, list[TableRound]] = defaultdict(list)
    for round_played in rounds:
        by_evening[round_played.evening].append(round_played)
    for all_of_it in by_evening.values():
        timed = [timed_round for timed_round in all_of_it if timed_round.is_timed]
        if 2 * len(timed) > len(all_of_it):
            yield from timed


def _fields_of_play(timed: Sequence[TableRound]) -> Iterator[FieldOfPlay]:
    """Yield for each round the minutes per board at its tables, relative to the other tables."""
    rounds: defaultdict[tuple[str, int], list[TableRound]] = defaultdict(list)
    for timed_round in timed:
        rounds[timed_round.evening, timed_round.round].append(timed_round)
    for _, tables in sorted(rounds.items()):
        if len(tables) < FEWEST_TABLES:
            continue
        minutes = [(table.at or 0.0) / table.boards for table in tables]
        others, whole = len(tables) - 1, sum(minutes)
        yield [
            FieldResult(
                table_played.pairs, HALF + mine - (whole - mine) / others, table_played.boards
            )
            for table_played, mine in zip(tables, minutes, strict=True)
        ]

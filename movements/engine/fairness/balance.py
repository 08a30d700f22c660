"""The fairness of a movement: how often and how evenly contestants are compared.

The measure is the opposition weight of two contestants, in comparisons (one pair's score set against another's on one
board), as counted by the encyclopaedia, Manning and Moore. On each board two contestants have

    opponents at a table         + (k - 1)     k: tables at which the board is played
    same direction elsewhere     + 1
    opposite direction elsewhere - 1
    partners (individuals)       - (k - 1)

and 0 if one of the two does not play the board. A movement is fair if all weights within a field are equal. If boards
are played unequally often, scores are percentages and each board's weights are divided by k - 1. A team's two halves
count together, and each match is scored by itself (board-a-match).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import lcm, sqrt
from operator import add
from typing import Literal

from ..model import Movement, players_of

Weight = int | Fraction
Matrix = tuple[tuple[int, ...], ...]
Word = Literal["very even", "even", "fair", "uneven"]

#: The words for fairness scores from these limits on (decision 0002).
WORDS: tuple[tuple[int, Word], ...] = ((95, "very even"), (85, "even"), (75, "fair"))
Plays = list[tuple[tuple[int, ...], tuple[int, ...]]]
"""A board set's plays: the contestants N-S and E-W, numbered from 0."""


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The numbers of boards on which two contestants are compared: in the same direction, opposite, as opponents."""

    same: int  # same direction, other tables
    opposite: int  # opposite directions, other tables
    against: int  # at one table, as opponents
    together: int  # at one table, as partners


@dataclass(frozen=True, slots=True)
class FieldBalance:
    """The figures that say how evenly the contestants of one field are compared.

    `mean`, `minimum`, `maximum` and `sd` (of the whole population) are of the weights of all couples in the field.
    `quality` is the figure Qf, 0 to 100: 100 for equal weights. `luck` and `largest_luck` are the schedule luck U,
    root mean square and maximum over the contestants.
    """

    name: str
    contestants: range
    mean: Fraction
    minimum: Weight
    maximum: Weight
    sd: float
    quality: float
    luck: float
    largest_luck: float


@dataclass(frozen=True)
class Balance:
    """The opposition weights between all contestants of a movement, and the fairness that follows from them.

    `weights[p - 1][q - 1]` is the weight of contestants p and q, in one field or not; the diagonal is 0. `lucks[p -
    1]` is contestant p's schedule luck U. The schedule alone shifts the effective strength by that share of the
    spread of strength in the field.
    """

    weights: tuple[tuple[Weight, ...], ...]
    fields: tuple[FieldBalance, ...]
    lucks: tuple[float, ...]
    is_percentage: bool
    same: Matrix
    opposite: Matrix
    against: Matrix
    together: Matrix

    def weight(self, first: int, second: int) -> Weight:
        """Return how strongly two contestants' results depend on each other (opposition weight)."""
        return self.weights[first - 1][second - 1]

    def comparisons(self, first: int, second: int) -> Comparisons:
        """Return on how many boards two contestants are compared, by kind."""
        p, q = first - 1, second - 1
        return Comparisons(
            self.same[p][q], self.opposite[p][q], self.against[p][q], self.together[p][q]
        )

    @property
    def mean(self) -> Fraction:
        """Return the mean opposition weight of two contestants of the same field."""
        couples = [len(field.contestants) * (len(field.contestants) - 1) for field in self.fields]
        total = sum((f.mean * n for f, n in zip(self.fields, couples, strict=True)), Fraction(0))
        return total / (sum(couples) or 1)

    @property
    def smallest_weight(self) -> Weight:
        """Return the smallest opposition weight of two contestants of the same field."""
        return min(field.minimum for field in self.fields)

    @property
    def largest_weight(self) -> Weight:
        """Return the largest opposition weight of two contestants of the same field."""
        return max(field.maximum for field in self.fields)

    @property
    def sd(self) -> float:
        """Return the standard deviation of the opposition weights, each measured from its field's mean."""
        couples = [len(field.contestants) * (len(field.contestants) - 1) for field in self.fields]
        squares = sum(f.sd * f.sd * n for f, n in zip(self.fields, couples, strict=True))
        return sqrt(squares / (sum(couples) or 1))

    @property
    def quality(self) -> float:
        """Return the quality figure Qf of the field whose contestants are compared least evenly."""
        return min(field.quality for field in self.fields)

    @cached_property
    def luck(self) -> float:
        """Return the figure U, the luck of the schedule, as the root mean square over all contestants."""
        return _root_mean_square(self.lucks)

    @property
    def largest_luck(self) -> float:
        """Return the luck of the schedule (figure U) for the contestant that it affects most."""
        return max(self.lucks, default=0.0)

    @property
    def score(self) -> int:
        """Return the fairness that pages show: 100 less the luck of the schedule in per cent, at least 0."""
        return max(0, round(100 - 100 * self.luck))

    @property
    def word(self) -> Word:
        """Return the key of the word ("uneven" …) that pages show next to the fairness score."""
        return next((word for least, word in WORDS if self.score >= least), "uneven")


def balance(movement: Movement, boards_per_set: int | Mapping[str, int] = 1) -> Balance:
    """Return how evenly a movement compares its contestants.

    `boards_per_set` scales the weights to boards, by set if they differ; if sets are single boards already (a refined
    movement, see `switching`) it stays 1. Seatings without opponents are not played. Nothing is checked: an unlawful
    movement has a balance too.

    >>> from movements.engine.families.mitchells.mitchell import mitchell
    >>> balance(mitchell(5)).score
    100
    """
    by_tables: defaultdict[int, list[Plays]] = defaultdict(list)
    sizes: Mapping[str, int] = {}
    if not isinstance(boards_per_set, int):
        sizes, boards_per_set = boards_per_set, 1
    for name, plays in _plays_scored_together(movement).items():
        board_set = name[0] if isinstance(name, tuple) else name
        by_tables[len(plays)] += [plays] * sizes.get(str(board_set), 1)
    unit, factors = percentage_factors(by_tables)

    people = len(movement.contestants)
    raw = _zero_matrix(people)
    totals = [_zero_matrix(people) for _ in range(4)]
    for tables in by_tables:
        counts = _count_comparisons(by_tables[tables], people, boards_per_set)
        for total, count in zip(totals, counts, strict=True):
            _add_matrix(total, count)
        _add_matrix(raw, _weigh_counts(counts, tables, factors[tables]))
    fields = tuple(
        range(field.start - 1, field.stop - 1)
        for field in (movement.members(field) for field in movement.fields)
    )
    lucks = [0.0] * people
    for members in fields:
        for contestant, luck in zip(members, _lucks_of_field(raw, members, people), strict=True):
            lucks[contestant] = luck
    return Balance(
        weights=tuple(tuple(_scaled_weight(w, unit) for w in row) for row in raw),
        fields=tuple(
            _field_balance(movement_field.name, raw, members, unit, lucks)
            for movement_field, members in zip(movement.fields, fields, strict=True)
        ),
        lucks=tuple(lucks),
        is_percentage=unit > 1,
        same=_frozen_matrix(totals[0]),
        opposite=_frozen_matrix(totals[1]),
        against=_frozen_matrix(totals[2]),
        together=_frozen_matrix(totals[3]),
    )


def percentage_factors(tables: Iterable[int]) -> tuple[int, dict[int, int]]:
    """Return the common unit of weights, and the weight of a board by the number of tables that play it.

    Boards played equally often need none (1, and factors of 1). Otherwise a board's weights are divided by its tables
    less one. To keep whole numbers they are multiplied by unit / (k - 1) here, and a weight counts 1 / unit. A board
    played once is compared with nothing.

    >>> percentage_factors([3, 4])
    (6, {3: 3, 4: 2})
    """
    counts = set(tables)
    compared = {count - 1 for count in counts if count > 1}
    unit = lcm(*compared) if len(compared) > 1 else 1
    return unit, {count: unit // (count - 1) if min(unit, count) > 1 else 1 for count in counts}


def _plays_scored_together(movement: Movement) -> dict[Hashable, Plays]:
    """Return the plays that are scored together: all of a board set, or in teams those of one match."""
    plays: defaultdict[Hashable, Plays] = defaultdict(list)
    for ns, ew, sets in _meetings_with_sets(movement):
        if movement.contest.has_halves and ns == ew:
            continue  # unlawful; a team cannot be compared with itself
        for name in sets:
            key = (name, frozenset(ns + ew)) if movement.contest.has_halves else name
            plays[key].append((ns, ew))
    return plays


def _meetings_with_sets(
    movement: Movement,
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...]]]:
    """Yield the two sides and the board sets of each game."""
    matches = [(s.ns, s.ew) for s in movement.seatings if s.is_played] if movement.is_draw else []
    matches += [two for three in movement.triangles for two in combinations(three.teams, 2)]
    for number, (first_pair, other) in enumerate(matches):
        ns, ew = _indexes_of_side(first_pair, movement), _indexes_of_side(other, movement)
        yield ns, ew, (f"match {number}",)
        yield ew, ns, (f"match {number}",)
    if not movement.is_draw:
        for seating in movement.seatings:
            if seating.is_played:
                ns, ew = (
                    _indexes_of_side(seating.ns, movement),
                    _indexes_of_side(seating.ew, movement),
                )
                yield ns, ew, seating.sets


def _indexes_of_side(side: int | tuple[int, int] | None, movement: Movement) -> tuple[int, ...]:
    """Return the indexes of the contestants on a side."""
    return tuple(player - 1 for player in players_of(side) if player in movement.contestants)


def _zero_matrix(people: int) -> list[list[int]]:
    """Return a square matrix of zeros."""
    return [[0] * people for _ in range(people)]


def _add_matrix(total: list[list[int]], matrix: Sequence[Sequence[int]]) -> None:
    """Add a matrix to `total` in place."""
    for index, row in enumerate(matrix):
        total[index] = list(map(add, total[index], row))


def _frozen_matrix(rows: Sequence[Sequence[int]]) -> Matrix:
    """Return a matrix that cannot be changed."""
    return tuple(map(tuple, rows))


def _count_comparisons(
    boards: Sequence[Plays], people: int, boards_per_set: int
) -> tuple[list[list[int]], list[list[int]], list[list[int]], list[list[int]]]:
    """Return on how many boards every two contestants are compared, by kind."""
    same, opposite, against, together = (_zero_matrix(people) for _ in range(4))
    for plays in boards:
        north_south, east_west = [0] * people, [0] * people
        for ns, ew in plays:
            for p in ns:
                north_south[p] += boards_per_set
            for p in ew:
                east_west[p] += boards_per_set
        for ns, ew in plays:
            for p in ns:
                same[p] = list(map(add, same[p], north_south))
                opposite[p] = list(map(add, opposite[p], east_west))
            for p in ew:
                same[p] = list(map(add, same[p], east_west))
                opposite[p] = list(map(add, opposite[p], north_south))
            # those at the same table are no comparison with another table
            for contestant, other in [(p, q) for p in ns for q in ew]:
                for p, q in ((contestant, other), (other, contestant)):
                    against[p][q] += boards_per_set
                    opposite[p][q] -= boards_per_set
            for side in (ns, ew):
                for p, q in [(p, q) for p in side for q in side if p != q]:
                    together[p][q] += boards_per_set
                    same[p][q] -= boards_per_set
    for p in range(people):  # a contestant and itself; or one seated unlawfully at two places
        same[p][p] = opposite[p][p] = against[p][p] = together[p][p] = 0
    return same, opposite, against, together


def _weigh_counts(
    counts: Sequence[Sequence[Sequence[int]]], tables: int, factor: int
) -> list[list[int]]:
    """Return the opposition weight of each two contestants, computed from the counts of comparisons."""
    own = tables - 1
    return [
        [
            factor * (same - opposite + own * (against - together))
            for same, opposite, against, together in zip(*rows, strict=True)
        ]
        for rows in zip(*counts, strict=True)
    ]


def _scaled_weight(weight: int, unit: int) -> Weight:
    """Return a weight in units of a board."""
    return weight if unit == 1 else Fraction(weight, unit)


def _lucks_of_field(raw: list[list[int]], members: range, people: int) -> Iterator[float]:
    """Yield the luck of the schedule (figure U) for each contestant of a field.

    With strengths s, a contestant p scores R s_p - sum of w s_q, R being the row sum. In a fair schedule all w are
    equal; the difference, divided by p's own weight, is U. Against the other fields it is enough that all contestants
    of the field meet them equally.
    """
    if len(members) < 2:
        yield from (0.0 for _ in members)
        return
    size = len(members)
    inside = {p: raw[p][members.start : members.stop] for p in members}
    mean = Fraction(sum(map(sum, inside.values())), size * (size - 1))
    columns = [sum(column) for column in zip(*(raw[p] for p in members), strict=True)]
    outside = [q for q in range(people) if q not in members]
    for p in members:
        usual = Fraction(sum(inside[p]), size - 1) if not outside else mean
        squares = sum(w * w for w in inside[p])
        error = squares - 2 * usual * sum(inside[p]) + (size - 1) * usual * usual
        across = sum((size * raw[p][q] - columns[q]) ** 2 for q in outside)
        error += Fraction(across, size * size)
        own = sum(raw[p]) + usual
        yield sqrt(error) / float(own) if own > 0 else 0.0


def _field_balance(
    name: str, raw: list[list[int]], members: range, unit: int, lucks: Sequence[float]
) -> FieldBalance:
    """Return how evenly the contestants of a field are compared."""
    weights = [raw[p][q] for p, q in combinations(members, 2)]
    couples, total = len(weights), sum(weights)
    squares = sum(w * w for w in weights)
    mean = Fraction(total, couples * unit) if couples else Fraction(0)
    variance = Fraction(couples * squares - total * total, (couples * unit) ** 2) if couples else 0
    inside = [lucks[p] for p in members]
    return FieldBalance(
        name=name,
        contestants=range(members.start + 1, members.stop + 1),
        mean=mean,
        minimum=_scaled_weight(min(weights, default=0), unit),
        maximum=_scaled_weight(max(weights, default=0), unit),
        sd=sqrt(variance),
        quality=100 * total * total / (couples * squares) if squares else 100.0,
        luck=_root_mean_square(inside),
        largest_luck=max(inside, default=0.0),
    )


def _root_mean_square(values: Sequence[float]) -> float:
    """Return the root of the mean square; 0 without values."""
    return sqrt(sum(value * value for value in values) / len(values)) if values else 0.0

"""The effect of the draw on a result: a contestant's opponents and comparisons, and their strength.

A result relative to the average is modelled as the strength of the two sides at the table plus chance. The mean
strength at the tables it is compared with is subtracted. Strengths are estimated from the same session's other
results (ridge regression), held towards equality or towards a rating. The stiffness is unknown too, so several values
are weighed by how well they explain the results. The reference is a fair draw: every other contestant of a line
weighs the same, as opponent and in comparison (the weights of opposition, `fairness.balance`). The difference is the
luck of the draw, with a range that holds the true value nine times in ten.

It is no result and no second ranking: numbers are floats, and no place depends on them. If results decide the
pairings, there is no such draw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, lcm, log, sqrt
from operator import mul

import numpy as np

from .rating import NINE_IN_TEN, Numbers

#: prior boards at average strength for all contestants, from sessions of beginners and masters to those of equals
STIFFNESSES = (4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)
#: the same if ratings are known: they are seldom far from them
STIFFER = (16.0, 32.0, 64.0, 128.0, 256.0)
#: weight of better explanations of the results: with 1 the range of equals is too wide (it holds the truth 97 times
#: in a hundred), with 2 that of very unequal ones too narrow (decision 0024)
SHARPNESS = 1.5
#: least number of results per contestant for a statement
LEAST = 4


@dataclass(frozen=True, slots=True)
class ComparedResult:
    """A result of a board that is compared with others: its contestants, and its value above average.

    Results with the same `board` are compared. `value` is in per cent beyond 50, or in IMPs. `turned` says that an
    arrow-switch exchanged the sides' cards.
    """

    board: Hashable
    ns: tuple[str, ...]
    ew: tuple[str, ...]
    value: float
    turned: bool = False

    @property
    def without_arrow_switch(self) -> ComparedResult:
        """Return the result with North-South and East-West as they would be without an arrow-switch."""
        return replace(self, ns=self.ew, ew=self.ns, turned=False) if self.turned else self


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of the draw of a contestant per board, in the unit of the results."""

    opponents: float  # of the opponents met
    comparisons: float  # of the contestants compared with
    give_or_take: float
    #: share that would not exist without arrow-switches
    turned: float = 0.0

    @property
    def total_luck(self) -> float:
        """Return the contestant's whole luck of the draw over all boards."""
        return self.opponents + self.comparisons


@dataclass(frozen=True, slots=True)
class LuckShare:
    """The part of a contestant's luck that one other contestant caused, as opponent or by comparison."""

    other: str
    brought: float
    is_met: bool  # they sat at one table
    is_at_the_table: bool  # most of it comes from meetings, not from comparisons
    is_more: bool  # they had more weight than in a fair draw


Weights = list[list[float]]


class SessionLuck:
    """The luck of the draw of all contestants, estimated from all compared results.

    `fields` are the groups ranked against each other: one, or the two lines. `strengths` gives prior strengths relative
    to the average, in the unit of the results. Raises `ValueError` with too few results (`LEAST`).
    """

    def __init__(
        self,
        plays: Iterable[ComparedResult],
        fields: Sequence[Collection[str]],
        strengths: Mapping[str, float] | None = None,
    ) -> None:
        boards = defaultdict[Hashable, list[ComparedResult]](list)
        for play in plays:
            boards[play.board].append(play)
        self._boards = [on_board for on_board in boards.values() if len(on_board) > 1]
        played = {
            contestant
            for on_board in self._boards
            for result in on_board
            for contestant in result.ns + result.ew
        }
        self._fields = [sorted(played.intersection(field)) for field in fields]
        self.people = [contestant for field in self._fields for contestant in field]
        self._index = {contestant: index for index, contestant in enumerate(self.people)}
        self._tables = {
            couple
            for on_board in self._boards
            for result in on_board
            for ns in result.ns
            for ew in result.ew
            for couple in ((ns, ew), (ew, ns))
        }
        results = sum(map(len, self._boards))
        if not played or played != set(self.people) or results < LEAST * len(self.people):
            raise ValueError("too few results")
        self._known = [float((strengths or {}).get(person, 0.0)) for person in self.people]
        self._stiffnesses = STIFFER if strengths else STIFFNESSES
        self._weights, self._at_table = self._excess_weights(self._boards)
        self._unturned = self._weights_without_turning()
        self._strength, self._means, self._spread = self._estimated_luck()

    def _excess_weights(
        self, boards: Sequence[Sequence[ComparedResult]]
    ) -> tuple[Weights, Weights]:
        """Return by how much each contestant's strength influences another's result more than in a fair draw.

        Counted in integers, so that equal weights give exactly 0.
        """
        unit = lcm(*(len(results) - 1 for results in boards))
        count = len(self.people)
        weights, met = [[0] * count for _ in range(count)], [[0] * count for _ in range(count)]
        played = [0] * count
        for results in boards:
            factor = unit // (len(results) - 1)
            rows = [self._equation_row(result) for result in results]
            total = [sum(column) for column in zip(*rows, strict=True)]
            for result, row in zip(results, rows, strict=True):
                beyond = [
                    factor * (len(results) * weight - all_)
                    for weight, all_ in zip(row, total, strict=True)
                ]
                for sign, side, others in ((1, result.ns, result.ew), (-1, result.ew, result.ns)):
                    for contestant in (self._index[name] for name in side):
                        played[contestant] += 1
                        weights[contestant] = [
                            a + sign * b for a, b in zip(weights[contestant], beyond, strict=True)
                        ]
                        for other in others:
                            met[contestant][self._index[other]] -= 1
        return (
            [
                self._weights_less_fair_draw(contestant, row, unit * played[contestant])
                for contestant, row in enumerate(weights)
            ],
            [
                self._weights_less_fair_draw(contestant, row, played[contestant])
                for contestant, row in enumerate(met)
            ],
        )

    def _signed_seats(self, play: ComparedResult) -> list[tuple[int, int]]:
        """Return the contestants of a play, and the sign of their strength for North-South."""
        seats = [(self._index[contestant], 1) for contestant in play.ns]
        return seats + [(self._index[contestant], -1) for contestant in play.ew]

    def _equation_row(self, play: ComparedResult) -> list[int]:
        """Return the row of the least-squares equations for a play."""
        row = [0] * len(self.people)
        for seat, sign in self._signed_seats(play):
            row[seat] += sign
        return row

    def _weights_less_fair_draw(self, people: int, weights: list[int], boards: int) -> list[float]:
        """Return the weights per board, less the equal weights of a fair draw."""
        differences = [0.0] * len(weights)
        for field in self._fields:
            others = [
                self._index[contestant] for contestant in field if self._index[contestant] != people
            ]
            total = sum(weights[other] for other in others)
            for other in others:
                differences[other] = (len(others) * weights[other] - total) / (len(others) * boards)
        return differences

    def _weights_without_turning(self) -> Weights | None:
        """Return the weights as if no board had been arrow-switched; None if no board was."""
        if not any(result.turned for results in self._boards for result in results):
            return None
        return self._excess_weights(
            [[result.without_arrow_switch for result in results] for results in self._boards]
        )[0]

    def _normal_equations(self) -> tuple[list[list[float]], list[float], float, int]:
        """Return the normal equations of all results, their sum of squares, and the degrees of freedom."""
        count = len(self.people)
        matrix, right = [[0.0] * count for _ in range(count)], [0.0] * count
        squares, free = 0.0, 0
        for results in self._boards:
            tables = len(results)
            free += tables - 1
            # a result above the others' mean, as one above the mean of all
            values = [
                result.value * (tables - 1) / tables
                - sum(sign * self._known[seat] for seat, sign in self._signed_seats(result))
                for result in results
            ]
            middle = sum(values) / tables
            total = [0.0] * count
            for result, value in zip(results, values, strict=True):
                seats = self._signed_seats(result)
                squares += (value - middle) ** 2
                for seat, sign in seats:
                    total[seat] += sign
                    right[seat] += sign * (value - middle)
                    for other, its in seats:
                        matrix[seat][other] += sign * its
            here = [(index, times) for index, times in enumerate(total) if times]
            for index, times in here:
                for other, theirs in here:
                    matrix[index][other] -= times * theirs / tables
        return matrix, right, squares, free

    def _estimated_luck(self) -> tuple[list[float], list[float], list[list[float]]]:
        """Return each contestant's strength, its expected luck, and the covariances."""
        matrix, right, squares, free = self._normal_equations()
        models = [
            self._fitted_model(np.array(matrix), np.array(right), squares, free, stiffness)
            for stiffness in self._stiffnesses
        ]
        best = max(likely for likely, *_ in models)
        shares = [exp(SHARPNESS * (likely - best)) for likely, *_ in models]
        whole = sum(shares)
        count = len(self.people)
        weights = np.array(self._weights).reshape(count, count)
        strengths, means, spread = np.zeros(count), np.zeros(count), np.zeros((count, count))
        for share, (_, noise, beyond, inverse) in zip(shares, models, strict=True):
            share /= whole
            strength = np.array(self._known) + beyond
            mean = weights @ strength
            strengths += share * strength
            means += share * mean
            spread += share * (noise * weights @ inverse @ weights.T + np.outer(mean, mean))
        spread -= np.outer(means, means)
        return strengths.tolist(), means.tolist(), spread.tolist()

    @staticmethod
    def _fitted_model(
        matrix: Numbers, right: Numbers, squares: float, free: int, stiffness: float
    ) -> tuple[float, float, Numbers, Numbers]:
        """Return the model for a stiffness: log likelihood, variance of chance, strengths and inverse."""
        count = len(matrix)
        held = matrix + stiffness * np.eye(count)
        inverse = np.linalg.inv(held)
        strength = inverse @ right
        left = max(squares - float(right @ strength), 1e-9)
        volume = float(np.linalg.slogdet(held)[1]) / 2 - count / 2 * log(stiffness)
        return -free / 2 * log(left) - volume, left / free, strength, inverse

    def luck_of(self, contestant: str) -> Luck:
        """Return a contestant's luck of the draw. Raises `KeyError` without compared results."""
        index = self._index[contestant]
        opponents = sum(map(mul, self._at_table[index], self._strength))
        mean, turned = self._means[index], 0.0
        if self._unturned:
            turned = mean - sum(map(mul, self._unturned[index], self._strength))
        give_or_take = NINE_IN_TEN * sqrt(max(0.0, self._spread[index][index]))
        return Luck(opponents, mean - opponents, give_or_take, turned)

    def shares(self, people: str, minimum: float) -> list[LuckShare]:
        """Return the contestants that caused at least this much of a contestant's luck, largest first."""
        index, by_other = self._index[people], []
        for field in self._fields:
            usual = sum(self._strength[self._index[contestant]] for contestant in field) / max(
                1, len(field)
            )
            for other in field:
                at = self._index[other]
                beyond = self._strength[at] - usual
                weight, at_table = self._weights[index][at], self._at_table[index][at]
                if abs(brought := weight * beyond) >= minimum:
                    is_at_the_table = at_table * weight > 0 and 2 * abs(at_table) >= abs(weight)
                    is_met = (people, other) in self._tables
                    by_other.append(LuckShare(other, brought, is_met, is_at_the_table, weight < 0))
        return sorted(by_other, key=lambda item: (-abs(item.brought), item.other))

    def would_lead_in_fair_draw(self, leader: str, rival: str, by: float) -> bool:
        """Return whether `leader`, ahead by `by` per board, would very probably lead in a fair draw too."""
        first, second = self._index[leader], self._index[rival]
        spread = self._spread
        strays = spread[first][first] + spread[second][second] - 2 * spread[first][second]
        fair = by - (self._means[first] - self._means[second])
        return fair > NINE_IN_TEN * sqrt(max(0.0, strays))


def firm_places(lucks: SessionLuck, listed: Sequence[tuple[str, float]]) -> list[int]:
    """Return the places after which the ranking can be cut, because a fair draw would not mix the two parts.

    `listed` holds contestants and their results per board, the best first.
    """
    return [
        cut
        for cut in range(1, len(listed))
        if all(
            lucks.would_lead_in_fair_draw(pair_ahead, other, share - theirs)
            for pair_ahead, share in listed[:cut]
            for other, theirs in listed[cut:]
        )
    ]

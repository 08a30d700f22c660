"""Strength ratings: one number for each player from all results of the club, with its uncertainty.

A pair's result beyond 50 % is modelled as the sum of its two players plus luck. The mean of the other players in its
field is subtracted. Luck shrinks with more boards. The ratings are the best fit, held towards 0 as by so many boards
of an average player (ridge regression, `STIFFNESS`). The uncertainty is a range that holds the true value nine times
in ten. Two players that only played together are one unknown, and are reported so.

A rating is no result: numbers are floats, and the same sessions in any order agree to many places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.floating[Any]]

#: prior boards of an average player for all: measured in simulated clubs (decision 0024)
STIFFNESS = 100.0
#: half-width of the nine-in-ten range, in standard deviations
NINE_IN_TEN = 1.645
#: default variance of a board's percentage if too little was played: five per cent points over 24 boards
USUAL_LUCK = 24 * 25.0
#: least variance: sessions in which all had equal results do not show future equality
LEAST_LUCK = USUAL_LUCK / 4
PAIR = 2
HALF = 50.0


@dataclass(frozen=True, slots=True)
class FieldResult:
    """A contestant's result among the contestants it was compared with: people, percentage, boards."""

    who: tuple[str, ...]
    percentage: float
    boards: int


#: results compared with each other: a list of a session
FieldOfPlay = Sequence[FieldResult]


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating: the expected percentage with an average partner against average pairs."""

    percentage: float
    #: half-width of the nine-in-ten range
    give_or_take: float
    boards: int
    #: the only partner, if there is just one: then only the pair's strength is known
    only_with: str = ""


@dataclass(frozen=True, slots=True)
class ExpectedRange:
    """An expected percentage; nine times in ten the result is within `give_or_take` of it."""

    percentage: float
    give_or_take: float


@dataclass(frozen=True, slots=True)
class RatingExcerpt:
    """The ratings of some people, sufficient to predict results among them."""

    strengths: Mapping[str, float]
    #: uncertainty of each two together, in their order: a triangle, each row one longer than the row before
    unknown: Sequence[Sequence[float]]
    luck: float
    stiffness: float = STIFFNESS

    @property
    def people(self) -> list[str]:
        """Return the keys of the rated people."""
        return list(self.strengths)

    def expected_range(self, weights: Mapping[str, float], boards: int) -> ExpectedRange:
        """Return the expected percentage over `boards` boards; `weights` is how much each rating counts."""
        counts = np.array([weights.get(person, 0.0) for person in self.strengths])
        strangers = [weight for person, weight in weights.items() if person not in self.strengths]
        unsure = sum(weight**2 for weight in strangers) / self.stiffness
        lower = np.zeros((len(counts), len(counts)))
        for index, row in enumerate(self.unknown):
            lower[index, : index + 1] = row
        both = lower + lower.T - np.diag(lower.diagonal())
        return ExpectedRange(
            HALF + float(counts @ np.array(list(self.strengths.values()))),
            NINE_IN_TEN * sqrt(self.luck * (float(counts @ both @ counts) + unsure + 1 / boards)),
        )


class Ratings:
    """Strength ratings of all people, computed from session results; the order of the results does not matter.

    `stiffness` holds all ratings towards average, in boards; `least_luck` is the smallest variance of one board.
    """

    def __init__(
        self,
        fields: Iterable[FieldOfPlay],
        stiffness: float = STIFFNESS,
        least_luck: float = LEAST_LUCK,
    ) -> None:
        self.fields = [field for field in fields if len(field) > 1]
        self.people = sorted(
            {person for field in self.fields for row in field for person in row.who}
        )
        self._index = {person: index for index, person in enumerate(self.people)}
        self._stiffness, self._least_luck = stiffness, least_luck
        equations = stiffness * np.eye(len(self.people))
        right = np.zeros(len(self.people))
        for field in self.fields:
            seats, weights = self._weights_of_field(field)
            boards = np.array([row.boards for row in field], dtype=float)
            beyond = np.array([row.percentage - HALF for row in field])
            equations[np.ix_(seats, seats)] += (weights.T * boards) @ weights
            right[seats] += weights.T @ (boards * beyond)
        self._covariance: Numbers = np.linalg.inv(equations)
        self._strength: Numbers = self._covariance @ right
        self.luck = self._unexplained_variance()

    def _weights_of_field(self, field: FieldOfPlay) -> tuple[list[int], Numbers]:
        """Return the people of a comparison, and how much each one's strength counts in each result.

        A row counts its own people, less the mean of all other rows. A single player is half of a pair.
        """
        seats = sorted({self._index[person] for row in field for person in row.who})
        column = {seat: at for at, seat in enumerate(seats)}
        own = np.zeros((len(field), len(seats)))
        for at, row in enumerate(field):
            for person in row.who:
                own[at, column[self._index[person]]] += PAIR / len(row.who)
        others = 1 / (len(field) - 1)
        return seats, (1 + others) * own - others * own.sum(axis=0)

    def _unexplained_variance(self) -> float:
        """Return the variance of a board's percentage that strengths do not explain."""
        rows = sum(len(field) for field in self.fields)
        if rows <= 2 * len(self.people):
            return USUAL_LUCK
        left = 0.0
        for field in self.fields:
            for row, expected in zip(field, self.expected(field), strict=True):
                left += row.boards * (row.percentage - expected) ** 2
        return max(self._least_luck, left / (rows - len(self.people)))

    def strength(self, players: Iterable[str]) -> float:
        """Return the joint strength of people relative to an average pair; unknown people count as 0."""
        people = list(players)
        total = sum(
            float(self._strength[self._index[person]]) for person in people if person in self._index
        )
        return total * PAIR / len(people)

    def expected(self, field: FieldOfPlay) -> list[float]:
        """Return the expected percentage of each contestant among those it was compared with."""
        strengths = [self.strength(row.who) for row in field]
        whole, others = sum(strengths), max(1, len(field) - 1)
        return [HALF + strength - (whole - strength) / others for strength in strengths]

    def all(self) -> dict[str, Rating]:
        """Return the rating of every person."""
        boards: defaultdict[str, int] = defaultdict(int)
        partners: defaultdict[str, set[str]] = defaultdict(set)
        for field in self.fields:
            for row in field:
                for person in row.who:
                    boards[person] += row.boards
                    partners[person].update(set(row.who) - {person} or {""})
        ratings = {}
        for person, unknown in zip(self.people, self._covariance.diagonal(), strict=True):
            only = next(iter(partners[person])) if len(partners[person]) == 1 else ""
            is_fixed_pair = bool(only) and partners[only] == {person}
            ratings[person] = Rating(
                HALF + self.strength((person,)) / PAIR,
                NINE_IN_TEN * sqrt(self.luck * float(unknown)),
                boards[person],
                only if is_fixed_pair else "",
            )
        return ratings

    def uncertainty_of_row(self, row: FieldResult, field: FieldOfPlay) -> float:
        """Return the standard deviation of a contestant's percentage from its expected percentage."""
        others = 1 / max(1, len(field) - 1)
        weights: defaultdict[str, float] = defaultdict(float)
        for other in field:
            for person in other.who:
                weights[person] += PAIR / len(other.who) * (1.0 if other is row else -others)
        return self._strength_deviation(weights, row.boards)

    def excerpt(self, people: Iterable[str]) -> RatingExcerpt:
        """Return an extract with the ratings of some people; a person without a result is left out."""
        here = sorted({self._index[person] for person in people if person in self._index})
        covariance = self._covariance[np.ix_(here, here)]
        return RatingExcerpt(
            {self.people[index]: float(self._strength[index]) for index in here},
            [covariance[at, : at + 1].tolist() for at in range(len(here))],
            self.luck,
            self._stiffness,
        )

    def _strength_deviation(self, weights: Mapping[str, float], boards: int) -> float:
        """Return the standard deviation of a weighted sum of strengths over `boards` boards."""
        seats, unknown = np.zeros(len(self.people)), 0.0
        for person, weight in weights.items():
            if person in self._index:
                seats[self._index[person]] += weight
            else:
                unknown += weight * weight / self._stiffness
        variance = float(seats @ self._covariance @ seats)
        return sqrt(self.luck * (variance + unknown + 1 / boards))

"""Who is strong now: one number a player, from everything the club played, with how sure it is.

What a pair has beyond 50 % is taken to be what its two bring, less the mean of what the others in its field bring, and
luck, of which there is less the more boards are played. The numbers that fit best, held towards 0 as by so many boards
of an average player (ridge regression, `STIFFNESS`), are the ratings. With them come what is not known: a range that
holds the truth nine times in ten. Two who have only played together are one unknown, and are told so.

It is no result: numbers are floats here, and the same sessions in any order give the same to many places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from operator import mul

from .linear import Matrix, cholesky, diagonal, forward, inverse, solved

#: boards of an average player that everybody begins with: measured in simulated clubs (decision 0024)
STIFFNESS = 100.0
#: how far from it the truth is, nine times in ten, in standard deviations
NINE_IN_TEN = 1.645
#: what a board's percentage strays where too little was played to tell: of 24 boards five per cent points
USUAL_LUCK = 24 * 25.0
#: and at least, whatever was played: evenings on which everybody had the same say nothing of who is sure to
LEAST_LUCK = USUAL_LUCK / 4
PAIR = 2
HALF = 50.0


@dataclass(frozen=True, slots=True)
class Played:
    """What a contestant had in a field: who they were, the percentage, and how many boards."""

    who: tuple[str, ...]
    percentage: float
    boards: int


#: those who are compared with each other: a list of a session
FieldOfPlay = Sequence[Played]


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is: what they would have with an average partner in an average field."""

    percentage: float
    #: nine times in ten the truth is no further away
    give_or_take: float
    boards: int
    #: with whom alone they have played, if with one: of the two only the pair is known
    only_with: str = ""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is to be expected of an evening; nine times in ten what comes of it is no further away."""

    percentage: float
    give_or_take: float


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is known of some people, without all the others': enough to say what to expect where they meet."""

    strengths: Mapping[str, float]
    #: how little is known of each two together, in their order: a triangle, each row one longer than the row before
    unknown: Sequence[Sequence[float]]
    luck: float
    stiffness: float = STIFFNESS

    @property
    def people(self) -> list[str]:
        return list(self.strengths)

    def outlook(self, weights: Mapping[str, float], boards: int) -> Outlook:
        """Return what is to be expected where each of some people counts so often, over so many boards."""
        counts = [weights.get(who, 0.0) for who in self.strengths]
        unsure = sum(one**2 for who, one in weights.items() if who not in self.strengths)
        unsure /= self.stiffness
        for at, row in enumerate(self.unknown):
            twice = 2 * sum(map(mul, row, counts[:at])) + row[at] * counts[at]
            unsure += counts[at] * twice
        return Outlook(
            HALF + sum(map(mul, self.strengths.values(), counts)),
            NINE_IN_TEN * sqrt(self.luck * (unsure + 1 / boards)),
        )


class Strengths:
    """What people bring, and how much is left to luck, however the equations were solved."""

    _strength: Sequence[float]
    luck: float

    def __init__(self, fields: Iterable[FieldOfPlay], stiffness: float, least_luck: float) -> None:
        self.fields = [one for one in fields if len(one) > 1]
        self.people = sorted({who for one in self.fields for row in one for who in row.who})
        self._index = {who: index for index, who in enumerate(self.people)}
        self._stiffness, self._least_luck = stiffness, least_luck

    def _right(self) -> list[float]:
        """The right side of the equations: what people's own rows had, less their part of what all had."""
        right = [0.0] * len(self.people)
        for field in self.fields:
            others = 1 / (len(field) - 1)
            moment = others * sum(row.boards * (row.percentage - HALF) for row in field)
            for row in field:
                mine = (1 + others) * row.boards * (row.percentage - HALF) - moment
                for who in row.who:
                    right[self._index[who]] += PAIR / len(row.who) * mine
        return right

    def _luck(self) -> float:
        """How much a board's percentage strays, squared: what is left over."""
        rows = sum(len(one) for one in self.fields)
        if rows <= 2 * len(self.people):
            return USUAL_LUCK
        left = 0.0
        for field in self.fields:
            for row, expected in zip(field, self.expected(field), strict=True):
                left += row.boards * (row.percentage - expected) ** 2
        return max(self._least_luck, left / (rows - len(self.people)))

    def strength(self, who: Iterable[str]) -> float:
        """Return what people bring together beyond an average pair; of whom nothing is known: nothing."""
        people = list(who)
        known = sum(self._strength[self._index[one]] for one in people if one in self._index)
        return known * PAIR / len(people)

    def expected(self, field: FieldOfPlay) -> list[float]:
        """Return the percentages that a field is expected to have."""
        strengths = [self.strength(row.who) for row in field]
        whole, others = sum(strengths), max(1, len(field) - 1)
        return [HALF + one - (whole - one) / others for one in strengths]

    def all(self) -> dict[str, Rating]:
        """Return everybody's rating."""
        boards: defaultdict[str, int] = defaultdict(int)
        partners: defaultdict[str, set[str]] = defaultdict(set)
        for field in self.fields:
            for row in field:
                for who in row.who:
                    boards[who] += row.boards
                    partners[who].update(set(row.who) - {who} or {""})
        found = {}
        for who, unknown in zip(self.people, self._unknown(), strict=True):
            with_one = next(iter(partners[who])) if len(partners[who]) == 1 else ""
            is_one = bool(with_one) and partners[with_one] == {who}
            found[who] = Rating(
                HALF + self.strength((who,)) / PAIR,
                NINE_IN_TEN * sqrt(self.luck * unknown),
                boards[who],
                with_one if is_one else "",
            )
        return found

    def _unknown(self) -> list[float]:
        """How little is known of each."""
        raise NotImplementedError


class Ratings(Strengths):
    """Everybody's rating, from fields of play in any order."""

    def __init__(
        self,
        fields: Iterable[FieldOfPlay],
        stiffness: float = STIFFNESS,
        least_luck: float = LEAST_LUCK,
    ) -> None:
        super().__init__(fields, stiffness, least_luck)
        self._lower = cholesky(self._equations())
        self._strength = solved(self._lower, self._right())
        self.luck = self._luck()

    def _equations(self) -> list[list[float]]:
        """What the best numbers fulfil: a row for each player, to the diagonal, as columns are the same."""
        count = len(self.people)
        matrix = [[0.0] * index + [self._stiffness] for index in range(count)]
        for field in self.fields:
            self._add(field, matrix)
        return matrix

    def _add(self, field: FieldOfPlay, matrix: list[list[float]]) -> None:
        """Add a field: each row is what its own bring, less the mean of what all the others bring."""
        others = 1 / (len(field) - 1)
        own = 1 + others
        times: defaultdict[int, float] = defaultdict(float)
        weighted: defaultdict[int, float] = defaultdict(float)
        weight = 0.0
        for row in field:
            share = PAIR / len(row.who)  # a single player is half of any pair they are in
            seats = sorted([self._index[who] for who in row.who])
            weight += row.boards
            for at, seat in enumerate(seats):
                times[seat] += share
                weighted[seat] += share * row.boards
                for other in seats[: at + 1]:
                    matrix[seat][other] += row.boards * own * own * share * share
        here = [(index, times[index], weighted[index]) for index in sorted(times)]
        for at, (index, mine, my_weight) in enumerate(here):
            line = matrix[index]
            by_times = others * (weight * others * mine - own * my_weight)
            by_weight = others * own * mine
            for other, its, its_weight in here[: at + 1]:
                line[other] += by_times * its - by_weight * its_weight

    def _unknown(self) -> list[float]:
        return diagonal(self._lower)

    def inverse(self) -> Matrix:
        """Return how little is known of each together with each."""
        return inverse(self._lower)

    def unsure(self, row: Played, field: FieldOfPlay) -> float:
        """Return how far a row's percentage strays from what is expected, as a standard deviation."""
        others = 1 / max(1, len(field) - 1)
        weights: defaultdict[str, float] = defaultdict(float)
        for one in field:
            for who in one.who:
                weights[who] += PAIR / len(one.who) * (1.0 if one is row else -others)
        return self._strays(weights, row.boards)

    def excerpt(self, wanted: Iterable[str]) -> Excerpt:
        """Return what is known of some people; who has not played is left out."""
        here = sorted({self._index[who] for who in wanted if who in self._index})
        halves = []
        for index in here:
            seat = [0.0] * len(self.people)
            seat[index] = 1.0
            halves.append(forward(self._lower, seat))
        return Excerpt(
            {self.people[index]: self._strength[index] for index in here},
            [
                [sum(map(mul, one, two)) for two in halves[: at + 1]]
                for at, one in enumerate(halves)
            ],
            self.luck,
            self._stiffness,
        )

    def _strays(self, weights: Mapping[str, float], boards: int) -> float:
        """How far what so many boards come to is from the sum of some strengths, as a standard deviation."""
        seats, unknown = [0.0] * len(self.people), 0.0
        for who, weight in weights.items():
            if who in self._index:
                seats[self._index[who]] += weight
            else:
                unknown += weight * weight / self._stiffness
        half = forward(self._lower, seats)
        return sqrt(self.luck * (sum(map(mul, half, half)) + unknown + 1 / boards))

"""Seating of pairs by strength, so that lines are even and strong opponents are evenly distributed.

With strengths s, the schedule shifts contestant p's score by the strength of those it is compared with (fairness: the
linear model of decision 0002). In p's own field it is compared with q by the weight w(p, q). Two figures measure a
seating:

difference  how much stronger the strongest field is than the weakest, in units of strength
shift       the root mean square, over all contestants, of the mean strength of those they are compared
            with, less the mean of their field: the effect of the draw

A search by exchanges makes both small; the same seed gives the same seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from ..model import Movement
from .balance import balance

EXCHANGES_TRIED = 6000


@dataclass(frozen=True, slots=True)
class SeedingFigure:
    """The unevenness of seated strengths: the difference between fields, and the effect of opponents."""

    difference: float
    shift: float

    @property
    def cost(self) -> float:
        """Return one number for both kinds of unevenness, which the search minimizes."""
        return self.difference**2 + self.shift**2


def seeding_figure(movement: Movement, strengths: Sequence[float]) -> SeedingFigure:
    """Return how evenly strengths are seated; `strengths[n - 1]` is that of contestant n.

    Raises `ValueError` unless there is a strength for each contestant.
    """
    return SeedingEvenness(movement).figure(strengths)


def seed_seats(
    movement: Movement,
    strengths: Sequence[float],
    *,
    fixed_seats: Mapping[int, int] | None = None,
    rng: Random,
) -> tuple[int, ...]:
    """Return a seat (contestant number) for each entry, with strengths as even as can be found.

    `strengths` are the entries' in their order; `fixed_seats` gives entries (counted from 0) the numbers they must
    have. Deterministic for a given `rng`. Raises `ValueError` unless there are as many entries as contestants.
    """
    room = SeedingEvenness(movement)
    people = list(movement.contestants)
    if len(strengths) != len(people):
        raise ValueError("there must be one strength for every contestant")
    fixed_seats = dict(fixed_seats or {})
    seats = _first_seats(movement, strengths, fixed_seats)
    free = [entry for entry in range(len(strengths)) if entry not in fixed_seats]
    seated = [0.0] * len(people)
    for entry, number in enumerate(seats):
        seated[number - 1] = strengths[entry]
    best = room.figure(seated).cost
    for _ in range(EXCHANGES_TRIED if len(free) > 1 else 0):
        one, other = rng.sample(free, 2)
        if strengths[one] == strengths[other]:
            continue
        a, b = seats[one] - 1, seats[other] - 1
        seated[a], seated[b] = seated[b], seated[a]
        cost = room.figure(seated).cost
        if cost < best - 1e-12:
            best = cost
            seats[one], seats[other] = seats[other], seats[one]
        else:
            seated[a], seated[b] = seated[b], seated[a]
    return tuple(seats)


def _first_seats(
    movement: Movement, strengths: Sequence[float], fixed_seats: Mapping[int, int]
) -> list[int]:
    """Return seats to begin with: entries by strength, alternating between the fields."""
    assigned = set(fixed_seats.values())
    columns = [
        [number for number in movement.members(field) if number not in assigned]
        for field in movement.fields
    ]
    order: list[int] = []
    is_forth = True
    while any(columns):
        filled = [column for column in columns if column]
        for column in filled if is_forth else reversed(filled):
            order.append(column.pop(0))
        is_forth = not is_forth
    by_strength = sorted(
        (entry for entry in range(len(strengths)) if entry not in fixed_seats),
        key=lambda entry: -strengths[entry],
    )
    seats = dict(fixed_seats) | dict(zip(by_strength, order, strict=True))
    return [seats[entry] for entry in range(len(strengths))]


class SeedingEvenness:
    """Computes how evenly strengths are seated, prepared for many seatings of one movement."""

    def __init__(self, movement: Movement) -> None:
        measured = balance(movement)
        self.fields = [list(movement.members(field)) for field in movement.fields]
        self.shares: list[tuple[int, list[tuple[int, float]]]] = []
        for members in self.fields:
            for p in members:
                weights = [(q - 1, float(measured.weight(p, q))) for q in members if q != p]
                total = sum(weight for _, weight in weights)
                even = 1 / len(weights) if weights else 0.0
                if total:
                    self.shares.append(
                        (p - 1, [(q, weight / total - even) for q, weight in weights])
                    )
        self.people = len(movement.contestants)

    def figure(self, strengths: Sequence[float]) -> SeedingFigure:
        """Return how evenly these strengths are seated; raise `ValueError` for a wrong number of them."""
        if len(strengths) != self.people:
            raise ValueError("there must be one strength for every contestant")
        means = [sum(strengths[p - 1] for p in members) / len(members) for members in self.fields]
        shifts = [
            sum(share * strengths[q] for q, share in shares if share) for _, shares in self.shares
        ]
        return SeedingFigure(
            difference=max(means) - min(means),
            shift=sqrt(sum(s * s for s in shifts) / len(shifts)) if shifts else 0.0,
        )

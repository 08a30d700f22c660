"""Choosing among ways to play each round, so that over the whole evening no law is broken.

Where a change leaves a few possibilities for every round (the free seat or a wait, two pairs exchanged
or not), the cheapest choice over all rounds is found by trying, the cheapest first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..model import Seating

MOST_STEPS = 6000
WAITS = 20.0
"""What a layout costs in which the newcomer sits out; above all that shares and stands cost."""


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to play a round; `note` says which (for whoever proposed it).

    `claims` names what may be used up once in all rounds, besides meetings and sets.
    """

    seatings: tuple[Seating, ...]
    cost: float = 0
    note: int = 0
    claims: tuple[Hashable, ...] = ()


def best_layouts(
    history: Iterable[Seating], choices: Sequence[Sequence[Layout]], steps: int = MOST_STEPS
) -> tuple[Layout, ...] | None:
    """Return one layout for every round: nobody meets twice, nobody plays a set twice, least cost.

    `history` is what stays as it is. What is broken within it already is not looked at. For contests
    of pairs. Deterministic; after so many `steps` the best found by then. None where none was found.
    """
    done: set[Hashable] = set()
    for seating in history:
        done.update(_claims(seating))
    claims = [
        [
            (layout, claimed)
            for layout in layouts
            if (claimed := _all_claims(layout, done)) is not None
        ]
        for layouts in choices
    ]
    if not all(claims):
        return None
    for layouts in claims:
        layouts.sort(key=lambda item: item[0].cost)
    least = [layouts[0][0].cost for layouts in claims]
    search = _Search(claims, least, steps)
    search.descend(0, frozenset(), 0.0)
    return tuple(search.best) if search.best is not None else None


class _Search:
    def __init__(
        self,
        claims: Sequence[Sequence[tuple[Layout, frozenset[Hashable]]]],
        least: Sequence[float],
        steps: int,
    ) -> None:
        self.claims = claims
        self.to_come = [sum(least[index:]) for index in range(len(least) + 1)]
        self.steps = steps
        self.chosen: list[Layout] = []
        self.best: list[Layout] | None = None
        self.best_cost = float("inf")

    def descend(self, index: int, done: frozenset[Hashable], cost: float) -> None:
        if cost + self.to_come[index] >= self.best_cost:
            return
        if index == len(self.claims):
            self.best, self.best_cost = list(self.chosen), cost
            return
        for layout, claimed in self.claims[index]:
            self.steps -= 1
            if self.steps < 0 and self.best is not None:
                return
            if self.steps < -MOST_STEPS:
                return
            if done.isdisjoint(claimed):
                self.chosen.append(layout)
                self.descend(index + 1, done | claimed, cost + layout.cost)
                self.chosen.pop()


def _all_claims(layout: Layout, done: set[Hashable]) -> frozenset[Hashable] | None:
    """What a layout uses up; None where something of it is used up already, or twice."""
    claimed: set[Hashable] = set(layout.claims)
    met: set[Hashable] = set()
    for seating in layout.seatings:
        for claim in _claims(seating):
            if claim in done or (claim in claimed and claim not in met):
                return None
            if isinstance(claim, frozenset):
                met.add(claim)  # at a table played in parts two meet in every part
            claimed.add(claim)
    return frozenset(claimed)


def _claims(seating: Seating) -> Iterable[Hashable]:
    """The couples that meet, and who has played which set."""
    if not seating.is_played:
        return
    for couple in combinations(seating.contestants, 2):
        yield frozenset(couple)
    for contestant in seating.contestants:
        for name in seating.sets:
            yield contestant, name

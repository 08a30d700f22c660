"""Choice of a layout for each round, so that the whole session breaks no law.

A change leaves a few possibilities for every round, such as a free seat or a wait, or two pairs exchanged or not. The
cheapest combination is found by a search that tries cheaper ones first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..model import Seating

MOST_STEPS = 6000
WAITS = 20.0
"""Cost of a layout in which the newcomer sits out; above the cost of all shares and stands."""


@dataclass(frozen=True, slots=True)
class RoundLayout:
    """A possible seating of a round, with its cost; `note` identifies it for the caller.

    `claims` are further things that may be used once in all rounds, besides meetings and sets.
    """

    seatings: tuple[Seating, ...]
    cost: float = 0
    note: int = 0
    claims: tuple[Hashable, ...] = ()


def best_layouts(
    history: Iterable[Seating], choices: Sequence[Sequence[RoundLayout]], steps: int = MOST_STEPS
) -> tuple[RoundLayout, ...] | None:
    """Choose a seating for every round at the least cost, without repeated meetings or board sets.

    `history` stays as it is, and broken laws within it are ignored. For contests of pairs. Deterministic; after
    `steps` steps the best so far is returned. None if none was found.
    """
    done: set[Hashable] = set()
    for seating in history:
        done.update(_claims_of_seating(seating))
    remaining = [_common_seatings(layouts) for layouts in choices]
    for seatings in remaining:
        claimed = _SeatingClaims(done).claims_of(seatings.values())
        if claimed is None:
            return None
        done |= claimed
    used = _SeatingClaims(done)
    claims = [
        [
            (layout, claimed.union(layout.claims))
            for layout in layouts
            if (claimed := used.claims_of(_changed_seatings(layout, seatings))) is not None
        ]
        for layouts, seatings in zip(choices, remaining, strict=True)
    ]
    if not all(claims):
        return None
    for layouts in claims:
        layouts.sort(key=lambda item: item[0].cost)
    least = [layouts[0][0].cost for layouts in claims]
    search = _LayoutSearch(claims, least, steps)
    search.search_from(0, frozenset(), 0.0)
    return tuple(search.best) if search.best is not None else None


def _common_seatings(layouts: Sequence[RoundLayout]) -> dict[int, Seating]:
    """Return the seatings that all layouts of a round have, which are checked only once.

    Seatings at a table that plays in parts are left out, because two contestants may meet in every part.
    """
    first = layouts[0].seatings if layouts else ()
    parts = Counter(seating.table for seating in first)
    remaining = {id(seating): seating for seating in first if parts[seating.table] == 1}
    for layout in layouts:
        here = set(map(id, layout.seatings))
        remaining = {key: seating for key, seating in remaining.items() if key in here}
    return remaining


def _changed_seatings(layout: RoundLayout, kept_seatings: Mapping[int, Seating]) -> list[Seating]:
    """Return the seatings of a layout that are not among `kept_seatings`."""
    return [seating for seating in layout.seatings if id(seating) not in kept_seatings]


class _LayoutSearch:
    """Searches the cheapest lawful choice of one seating for each round."""

    def __init__(
        self,
        claims: Sequence[Sequence[tuple[RoundLayout, frozenset[Hashable]]]],
        minimum_costs: Sequence[float],
        steps: int,
    ) -> None:
        self.claims = claims
        self.to_come = [sum(minimum_costs[index:]) for index in range(len(minimum_costs) + 1)]
        self.steps = steps
        self.chosen: list[RoundLayout] = []
        self.best: list[RoundLayout] | None = None
        self.best_cost = float("inf")

    def search_from(self, index: int, claimed_keys: frozenset[Hashable], cost: float) -> None:
        """Search the rounds from this index on, after the meetings and sets in `claimed_keys`."""
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
            if claimed_keys.isdisjoint(claimed):
                self.chosen.append(layout)
                self.search_from(index + 1, claimed_keys | claimed, cost + layout.cost)
                self.chosen.pop()


class _SeatingClaims:
    """The meetings and board sets that seatings use up, cached for the search."""

    def __init__(self, claimed: set[Hashable]) -> None:
        self.done = claimed
        self.known: dict[int, frozenset[Hashable] | None] = {}

    def claims_of(self, seatings: Iterable[Seating]) -> frozenset[Hashable] | None:
        """Return the meetings and sets that a round's seatings use up; None if one is already used."""
        all_claims = []
        for seating in seatings:
            if id(seating) not in self.known:
                claims = frozenset(_claims_of_seating(seating))
                self.known[id(seating)] = claims if claims.isdisjoint(self.done) else None
            claimed = self.known[id(seating)]
            if claimed is None:
                return None
            all_claims.append(claimed)
        together = frozenset[Hashable]().union(*all_claims)
        if len(together) < sum(map(len, all_claims)):
            times = Counter(claim for claims in all_claims for claim in claims)
            if any(n > 1 and not isinstance(claim, frozenset) for claim, n in times.items()):
                return None  # at a table played in parts two meet in every part; once is enough
        return together


def _claims_of_seating(seating: Seating) -> Iterable[Hashable]:
    """Yield what a seating uses up: its meeting, and each contestant with each board set."""
    if not seating.is_played:
        return
    for couple in combinations(seating.contestants, 2):
        yield frozenset(couple)
    for contestant in seating.contestants:
        for name in seating.sets:
            yield contestant, name

"""A rover's path if no complete path without harm exists: improved step by step.

A search without going back finds complete paths, but soon fails in a long session. Here the rounds with a wait or a
repeated displacement get another table one after another. The conflicts that follow are repaired next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from movements.engine.families.rovers.transversal import Line, possible_stops
from movements.engine.model import Movement

STEPS = 4000
SHORTEST_REST, LONGEST_REST = 3, 10
"""Number of steps for which the rover does not return to a table that it has left."""


@dataclass(frozen=True, slots=True)
class _RoverVisit:
    """A table at which a rover could play in a round: whom it displaces, whom it meets, and the sets."""

    table: int
    displaced: int
    claims: tuple[int | str, ...]


def least_harmful_path(
    movement: Movement, first_round: int, direction: Line, exempt: Collection[int] = ()
) -> dict[int, int]:
    """Return a rover's table in each round from `first_round` on that displaces others as evenly as possible.

    Opponents and sets are all different. Repeated displacements and waits are avoided if possible: see `harm`.
    Deterministic.
    """
    walk = _RoverWalk(
        {
            round: visits
            for round in range(first_round, movement.rounds + 1)
            if (visits := _rover_visits(movement, round, direction, exempt))
        },
        came_late=first_round > 1,
    )
    path, least = walk.path, walk.path_harm
    for step in range(STEPS):
        walk.improve_round(step)
        if walk.path_harm < least:
            path, least = walk.path, walk.path_harm
            if not least:
                break
    return path


def path_harm(displaced: Iterable[int], waiting_rounds: int, came_late: bool) -> int:
    """Return how much a rover's path harms the contestants that it displaces, and the rover itself.

    Sitting out once is no harm, a third time twice as bad as a second time. A late contestant has waited once
    already. If both are equal, the rover plays.
    """
    again = sum(_cost_of_repeats(times) for times in Counter(displaced).values())
    return 10 * again + _harm_of_waiting(waiting_rounds, came_late)


def _cost_of_repeats(times: int) -> int:
    """Return the cost of displacing the same contestant `times` times."""
    return times * (times - 1) // 2


def _harm_of_waiting(waiting_rounds: int, came_late: bool) -> int:
    """Return the cost of the rounds in which the rover has no seat."""
    return (
        10 * _cost_of_repeats(waiting_rounds + came_late) if waiting_rounds else 0
    ) + waiting_rounds


def _rover_visits(
    movement: Movement, round: int, direction: Line, exempt: Collection[int]
) -> tuple[_RoverVisit, ...]:
    """Return the tables at which a rover could play in a round."""
    visits = []
    for stop in possible_stops(movement, round):
        displaced, opponent = (stop.ns, stop.ew) if direction == "ns" else (stop.ew, stop.ns)
        if displaced not in exempt:
            visits.append(_RoverVisit(stop.table, displaced, (opponent, *stop.sets)))
    return tuple(visits)


class _RoverWalk:
    """A rover's path under search: its table in every round, without repeated opponents and sets."""

    def __init__(self, visits: Mapping[int, Sequence[_RoverVisit]], came_late: bool) -> None:
        self.visits = visits
        self.came_late = came_late
        self.at: dict[int, _RoverVisit] = {}
        self.taken: dict[int | str, int] = {}
        self.times: Counter[int] = Counter()
        self.again = 0
        self.rests: dict[tuple[int, int], int] = {}
        self.rng = Random(1)

    @property
    def path(self) -> dict[int, int]:
        """Return the rover's table in each round."""
        return {round: self.at[round].table for round in self.visits if round in self.at}

    @property
    def path_harm(self) -> int:
        """Return how much the path harms contestants, updated with each step of the search."""
        waits = len(self.visits) - len(self.at)
        return 10 * self.again + _harm_of_waiting(waits, self.came_late)

    def improve_round(self, step: int) -> None:
        """Move the rover, in a round with a problem, to the table with the fewest conflicts."""
        troubled = [
            round
            for round in self.visits
            if round not in self.at or self.times[self.at[round].displaced] > 1
        ]
        if not troubled:
            return
        round = self.rng.choice(troubled)
        least: float = float("inf")
        best: list[tuple[_RoverVisit, set[int]]] = []
        for visit in self.visits[round]:
            if visit is self.at.get(round):
                continue
            upset = {self.taken[claim] for claim in visit.claims if claim in self.taken} - {round}
            cost = self._cost_of_visit(round, visit, upset)
            if cost > 0 and self.rests.get((round, visit.table), -1) > step:
                continue
            if cost < least:
                least, best = cost, []
            if cost == least:
                best.append((visit, upset))
        if best:
            visit, upset = self.rng.choice(best)
            for other in (*sorted(upset), round):
                self._remove_visit(other, step)
            self._add_visit(round, visit)

    def _cost_of_visit(self, round: int, visit: _RoverVisit, upset: Collection[int]) -> int:
        """Return the cost of a table: 2 for each round to give up, 1 for each repeated displacement."""
        cost = 2 * len(upset) + self.times[visit.displaced]
        if round in self.at and self.at[round].displaced == visit.displaced:
            cost -= 1
        for other in upset:
            displaced = self.at[other].displaced
            cost -= (self.times[displaced] > 1) + (displaced == visit.displaced)
        return cost

    def _remove_visit(self, round: int, step: int) -> None:
        """Remove a round's table from the path, and do not choose it again for some steps."""
        left = self.at.pop(round, None)
        if left is not None:
            for claim in left.claims:
                del self.taken[claim]
            self.times[left.displaced] -= 1
            self.again -= self.times[left.displaced]
            rest = self.rng.randint(SHORTEST_REST, LONGEST_REST)
            self.rests[round, left.table] = step + rest

    def _add_visit(self, round: int, visit: _RoverVisit) -> None:
        """Add a table for a round to the path."""
        self.at[round] = visit
        self.taken.update(dict.fromkeys(visit.claims, round))
        self.again += self.times[visit.displaced]
        self.times[visit.displaced] += 1

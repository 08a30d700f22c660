"""Pairs that asked to stay seated, and whose seat moves."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.events.services.setup.seats import stationary_seats


@dataclass(frozen=True)
class ForcedMove:
    """A contestant that asked to keep its seat but must move, and a stationary one to exchange with."""

    contestant: Contestant
    exchange: Contestant | None


def forced_moves(plan: SectionPlan) -> list[ForcedMove]:
    """Return the contestants that asked to keep their seats but have to move in the chosen movement.

    The other one sits in a stationary seat and did not ask for it; at the same table, if there is one. Where boards
    are turned, a pair keeps its chair.
    """
    evening = plan.plan_of_moves.evening
    places: defaultdict[int, set[tuple[int, str]]] = defaultdict(set)
    for game in (game for games in evening.games.values() for game in games):
        for sitting in game.ns + game.ew:
            places[sitting.contestant.number].add((game.table, sitting.line))
    people = evening.contestants
    asking = [
        contestant
        for contestant in people.values()
        if contestant.must_stay_seated and len(places[contestant.number]) > 1
    ]
    movement = plan.section.stored.movement if asking else None
    seats = stationary_seats(movement, list(people)) if movement else []
    free = [people[number] for number in seats if not people[number].must_stay_seated]
    moving = []
    for contestant in asking:
        here = {game.table for game in evening.round_turn(contestant.number, 1).games}
        near = [other for other in free if {table for table, _line in places[other.number]} <= here]
        exchange = next(iter(near or free), None)
        if exchange:
            free.remove(exchange)
        moving.append(ForcedMove(contestant, exchange))
    return moving

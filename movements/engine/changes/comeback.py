"""A contestant that left comes back with number and history: to a free seat, or as a rover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from movements.engine.declarations import Exemption

from ..model import Movement, Seating
from .absences import declare_without_play
from .arrivals.arrival import joined_seating, newcomer_in_empty_seat
from .change import PairReturns
from .departure import exchanged_seating, may_sit
from .layouts import WAITS, RoundLayout, best_layouts
from .newcomer import GrownMovement
from .proposal import Proposal, identity_numbers

DISPLACES = 11.0
"""Cost of taking another's seat for a round: less than a sit-out of one's own, more than a free seat."""


def return_proposals(
    movement: Movement, fixed_rounds: int, change: PairReturns
) -> Iterator[Proposal]:
    """Yield proposals by which a contestant that left plays again from the next round on.

    Unlike a newcomer it has met some opponents and played some boards already; neither may repeat.
    """
    contestant = change.contestant
    if contestant not in movement.absent(fixed_rounds + 1):
        return
    grown_movement = return_contestant(movement, fixed_rounds, contestant)
    if not movement.sets or movement.open_rounds:
        yield from _proposals_for_drawn_return(grown_movement)
        return
    seated = newcomer_in_empty_seat(grown_movement, fixed_rounds)
    proposal = seated and grown_movement.proposal("free-seat", seated)
    if proposal:
        yield proposal
    if movement.contest.fills_a_side:
        yield from _rover_proposals(grown_movement)


def _proposals_for_drawn_return(grown: GrownMovement) -> Iterator[Proposal]:
    """Yield the movement with a returned contestant in later draws; in drawn rounds it meets one that sits out.

    Without such an opponent it has none either. In a knock-out a team can return only if its match was played in the
    round before. There is no other match to go on from.
    """
    movement, contestant = grown.movement, grown.newcomer
    drawn = tuple(round for round in grown.rounds if round not in movement.open_rounds)
    played = grown.from_round - 1
    if (
        movement.family == "knockout"
        and played
        and contestant not in _contestants_with_opponent(movement, played)
    ):
        return
    if drawn and (seated := _add_opponents(movement, contestant, drawn)):
        proposal = grown.proposal("free-seat", seated)
        if proposal:
            yield proposal
            return
    if len(drawn) == len(grown.rounds):
        return
    idle = Exemption("draw", 0, "came back after the draw", (contestant,), drawn)
    more = (idle,) if drawn else ()
    proposal = grown.proposal(
        "drawn-again", replace(movement, exemptions=movement.exemptions + more)
    )
    if proposal:
        yield proposal


def _contestants_with_opponent(movement: Movement, round: int) -> set[int]:
    """Return the contestants with an opponent in a drawn round."""
    pairs = {n for s in movement.in_round(round) if s.is_played for n in s.contestants}
    return pairs | {team for t in movement.triangles if round in t.rounds for team in t.teams}


def _idle_contestants(movement: Movement, round: int) -> set[int]:
    """Return the present contestants without an opponent in a drawn round."""
    return (
        {*movement.contestants}
        - _contestants_with_opponent(movement, round)
        - movement.absent(round)
    )


def _add_opponents(
    movement: Movement, contestant: int, opponents: tuple[int, ...]
) -> Movement | None:
    """Return the movement with an opponent for a contestant in each drawn round; None if one is lacking."""
    for round in opponents:
        met = {n for seating in movement.seatings_of(contestant) for n in seating.contestants}
        waiting = sorted(_idle_contestants(movement, round) - met - {contestant})
        if not waiting:
            return None
        movement = _add_match(movement, round, waiting[0], contestant)
    return movement


def _add_match(movement: Movement, round: int, opponent: int, contestant: int) -> Movement:
    """Return the movement with a match of two contestants added to a drawn round."""
    seats = [s for s in movement.seatings_of(opponent) if s.round == round]
    if seats:
        seatings = tuple(
            joined_seating(seating, contestant) if seating in seats else seating
            for seating in movement.seatings
        )
    else:
        tables = {s.table for s in movement.in_round(round)}
        table = next(n for n in count(1) if n not in tables)
        more = (*movement.seatings, Seating(round, table, opponent, contestant, ()))
        seatings = tuple(sorted(more, key=lambda s: (s.round, s.table)))
    two = {opponent, contestant}
    exemptions = tuple(
        item
        for item in movement.exemptions
        if not (
            item.law == "draw"
            and item.rounds == (round,)
            and two.issuperset(item.contestants or (0,))
        )
    )
    return replace(movement, seatings=seatings, exemptions=exemptions)


def return_contestant(movement: Movement, fixed_rounds: int, contestant: int) -> GrownMovement:
    """Return the movement with a contestant present again from the next round on, but without a seat.

    Contestants that play in no round, which its absence excused, are declared.
    """
    exemptions = []
    for item in movement.exemptions:
        if item.law == "present" and contestant in item.contestants:
            item = replace(item, rounds=tuple(r for r in item.rounds if r <= fixed_rounds))
            if not item.rounds:
                continue
        exemptions.append(item)
    present = replace(movement, exemptions=tuple(exemptions))
    there = declare_without_play(present, "there are too few rounds")
    return GrownMovement(there, contestant, identity_numbers(movement), fixed_rounds + 1, movement)


def _rover_proposals(movement: GrownMovement) -> Iterator[Proposal]:
    """Yield proposals that seat the returned contestant in free seats, or as a rover."""
    choices = [_places_in_round(movement, round) for round in movement.rounds]
    chosen = best_layouts(movement.movement.seatings_of(movement.newcomer), choices)
    if chosen is None or not any(layout.cost == DISPLACES for layout in chosen):
        return
    places = {layout.seatings[0] for layout in chosen if layout.seatings}
    at = {(seating.round, seating.table): seating for seating in places}
    after = tuple(at.get((s.round, s.table), s) for s in movement.movement.seatings)
    line = "ns" if all(seating.ns == movement.newcomer for seating in places) else "ew"
    proposal = movement.proposal(
        "rover",
        replace(movement.movement, seatings=after),
        facts={
            "ns": int(line == "ns"),
            "rounds": len(places),
            "of": len(movement.rounds),
            "exchange": 0,
        },
    )
    if proposal:
        yield proposal


def _places_in_round(grown: GrownMovement, round: int) -> list[RoundLayout]:
    """Return the seats that a returned contestant could have in a round: none, empty ones, or as rover."""
    movement, contestant = grown.movement, grown.newcomer
    layouts = [RoundLayout((), WAITS)]
    for seating in movement.in_round(round):
        if len(movement.seatings_at_table(round, seating.table)) > 1 or not seating.sets:
            continue
        for line in ("ns", "ew"):
            there = getattr(seating, line)
            if there is None and seating.contestants and may_sit(movement, contestant, seating):
                layouts.append(RoundLayout((joined_seating(seating, contestant),)))
            elif seating.is_played and movement.field_of(there) == movement.field_of(contestant):
                seats = exchanged_seating(seating, there, contestant)
                layouts.append(RoundLayout((seats,), DISPLACES, claims=(there,)))
    return layouts

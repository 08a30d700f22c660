"""A leaving or absent pair, team or player: a half table, or others take its places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from movements.engine.declarations import OPPONENTS_LEFT, Exemption

from ..model import Movement, Seating, Side, players_of
from .absences import declare_absence
from .arrivals.arrival import joined_seating
from .change import PairLeaves
from .layouts import RoundLayout, best_layouts
from .proposal import Kind, Proposal, identity_numbers, lawful_proposal
from .table_count.idle_tables import remove_idle_tables
from .table_count.tables import smaller_movements
from .table_count.under_way import smaller_continuations

SITS_OUT = 10.0
MOVES = 1.0


def departure_proposals(
    movement: Movement, fixed_rounds: int, change: PairLeaves
) -> Iterator[Proposal]:
    """Yield proposals to continue without a contestant from the next round on."""
    left = with_declared_absence(movement, fixed_rounds, change.contestant)
    emptied = replace(
        left,
        seatings=tuple(
            seating
            if seating.round <= fixed_rounds
            else _seating_without(seating, change.contestant)
            for seating in movement.seatings
        ),
    )
    if not movement.sets:
        emptied = _remove_team_matches(left, fixed_rounds, change.contestant)
    proposal = _lawful_proposal("half-table", movement, emptied, fixed_rounds)
    if proposal:
        yield proposal
    if movement.contest.fills_a_side and fixed_rounds < movement.rounds:
        yield from _fill_empty_places(movement, emptied, fixed_rounds)
        if fixed_rounds:
            yield from smaller_continuations(movement, fixed_rounds, change.contestant)
        else:
            yield from smaller_movements(movement, change.contestant)


def with_declared_absence(movement: Movement, fixed_rounds: int, contestant: int) -> Movement:
    """Return the movement with a contestant declared absent from the next round on; nobody changes seats."""
    away = declare_absence(contestant, range(fixed_rounds + 1, movement.rounds + 1), "left")
    return replace(movement, exemptions=movement.exemptions + away)


def _lawful_proposal(
    kind: Kind, old_movement: Movement, new_movement: Movement, fixed_rounds: int
) -> Proposal | None:
    """Return a proposal without unused tables; None if its movement breaks a law."""
    return lawful_proposal(
        Proposal(
            kind=kind,
            before=old_movement,
            movement=remove_idle_tables(new_movement, fixed_rounds),
            from_round=fixed_rounds + 1,
            numbers=identity_numbers(old_movement),
        )
    )


def _seating_without(seating: Seating, contestant: int) -> Seating:
    """Return a seating with a contestant's side empty."""

    def remaining_side(old: Side) -> Side:
        """Return a side; None if the contestant sat there."""
        return None if contestant in players_of(old) else old

    return replace(seating, ns=remaining_side(seating.ns), ew=remaining_side(seating.ew))


def _remove_team_matches(movement: Movement, fixed_rounds: int, team: int) -> Movement:
    """Return a draw without a team's coming matches; its opponents then have none.

    In a triangle the two others play against each other.
    """
    seatings = tuple(
        s for s in movement.seatings if s.round <= fixed_rounds or team not in s.contestants
    )
    idle = [
        (opponent, seating.round)
        for seating in movement.seatings
        if seating.round > fixed_rounds and team in seating.contestants
        for opponent in seating.contestants
        if opponent != team
    ]
    triangles = []
    for triangle in movement.triangles:
        last = triangle.rounds[-1]
        left = [t for t in triangle.teams if last <= fixed_rounds or t not in movement.absent(last)]
        if team in triangle.teams and last > fixed_rounds and len(left) < 2:
            idle += [(t, r) for t in left for r in triangle.rounds if r > fixed_rounds]
            begun = tuple(r for r in triangle.rounds if r <= fixed_rounds)
            triangles += [replace(triangle, rounds=begun)] if begun else []
        else:
            triangles.append(triangle)
    spared = tuple(
        Exemption("draw", 0, OPPONENTS_LEFT, (opponent,), (round,)) for opponent, round in idle
    )
    return replace(
        movement,
        seatings=seatings,
        triangles=tuple(triangles),
        exemptions=movement.exemptions + spared,
    )


def _fill_empty_places(
    old_movement: Movement, emptied: Movement, fixed_rounds: int
) -> Iterator[Proposal]:
    """Yield proposals in which a rover or others that sit out take the empty seats."""
    history = [seating for seating in emptied.seatings if seating.round <= fixed_rounds]
    rounds = range(fixed_rounds + 1, emptied.rounds + 1)
    choices = [_layouts_of_round(emptied, round) for round in rounds]
    if all(len(layouts) == 1 for layouts in choices):
        return
    chosen = best_layouts(history, choices)
    if chosen is None or not any(layout.note for layout in chosen):
        return
    future = tuple(seating for layout in chosen for seating in layout.seatings)
    after = replace(emptied, seatings=(*history, *future))
    proposal = _lawful_proposal("places-taken", old_movement, after, fixed_rounds)
    if proposal:
        yield proposal


def _layouts_of_round(movement: Movement, round: int) -> list[RoundLayout]:
    """Return the ways to play a round: with the empty seats, and with each filled by one that sits out.

    A rover may take one too, and the contestant it displaces returns to its seat. Or the rover waits once, to take a
    place in another round.
    """
    seatings = movement.in_round(round)
    waiting = [number for number, share in movement.sit_outs(round) if share == 1]
    as_many, two_less = SITS_OUT * len(waiting), SITS_OUT * (len(waiting) - 2)
    layouts = [RoundLayout(seatings, as_many)]
    empty = [
        seating
        for seating in seatings
        if not seating.is_played and seating.contestants and seating.sets
    ]
    at_table = {n for seating in seatings for n in seating.contestants}
    bench = [n for n in waiting if n not in at_table]
    for seat in empty:
        for number in bench:
            if may_sit(movement, number, seat):
                seated = tuple(
                    joined_seating(seating, number) if seating is seat else seating
                    for seating in seatings
                )
                layouts.append(RoundLayout(seated, two_less + MOVES, 1))
    for home, there, rover in _displacement_options(movement, seatings, bench):
        back = tuple(
            exchanged_seating(seating, rover, home) if seating is there else seating
            for seating in seatings
        )
        if empty:
            layouts.append(RoundLayout(back, as_many + MOVES, 2))
        for seat in empty:
            if may_sit(movement, rover, seat):
                moved = tuple(joined_seating(s, rover) if s is seat else s for s in back)
                layouts.append(RoundLayout(moved, two_less + 2 * MOVES, 2))
    return layouts


def _displacement_options(
    movement: Movement, seatings: tuple[Seating, ...], bench: list[int]
) -> Iterator[tuple[int, Seating, int]]:
    """Yield the ways in which a contestant that sits out could take the seat of another of its field."""
    for home in bench:
        for there in seatings:
            if there.is_played:
                for rover in there.contestants:
                    if movement.field_of(rover) == movement.field_of(home):
                        yield home, there, rover


def may_sit(movement: Movement, number: int, seat: Seating) -> bool:
    """Return whether a contestant may take a seat: with two winners its opponent must be of the other field."""
    other = seat.contestants[0]
    return movement.is_one_winner or movement.field_of(number) != movement.field_of(other)


def exchanged_seating(seating: Seating, old: int, new: int) -> Seating:
    """Return a seating with one contestant replaced by another."""
    return replace(seating, ns=new) if seating.ns == old else replace(seating, ew=new)

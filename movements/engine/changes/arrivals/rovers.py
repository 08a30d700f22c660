"""A late pair as rover: it moves around and takes another place every round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from movements.engine.errors import MovementError
from movements.engine.families.rovers.rover import (
    BASES,
    exchange_pairs,
    late_rover_path,
    stored_path,
)
from movements.engine.families.rovers.transversal import (
    Line,
    is_rover_path,
    path_from_tables,
    rover_path,
)
from movements.engine.families.rovers.two_way_rover import full_path
from movements.engine.model import Movement, Seating, players_of
from movements.engine.options import merge_fields

from ..change import PairArrives
from ..newcomer import add_newcomer, grown_in_line
from ..proposal import Proposal
from .least_harm import least_harmful_path, path_harm

PATH_STEPS = 2500
LARGE = 600
"""Tables times rounds above which a step takes so long that fewer are made."""


def rover_sessions(
    movement: Movement, fixed_rounds: int, direction: Line, change: PairArrives
) -> Iterator[Proposal]:
    """Yield proposals in which the newcomer is a rover in a direction, for as many rounds as possible.

    It uses the published sequence if there is one, otherwise a searched one. If a complete path needs two pairs to
    exchange places in some rounds (9, 15, 21 … tables), that is offered too.
    """
    published = tabulated_rover_path(movement, fixed_rounds, change)
    path = published or _longest_path(movement, fixed_rounds + 1, direction, change)
    if path:
        yield from _add_rover(movement, movement, fixed_rounds, direction, path)
    if not published:
        for exchanged, path in _exchanged_movements(movement, fixed_rounds, change):
            yield from _add_rover(movement, exchanged, fixed_rounds, direction, path)


def _add_rover(
    old_movement: Movement,
    movement: Movement,
    fixed_rounds: int,
    direction: Line,
    path: Mapping[int, int],
) -> Iterator[Proposal]:
    """Yield the proposal in which the newcomer is a rover on this path."""
    grown_movement = replace(grown_in_line(movement, fixed_rounds, direction), before=old_movement)
    seatings = tuple(
        _seating_with_rover(
            grown_movement.movement, seating, direction, path, grown_movement.newcomer
        )
        for seating in grown_movement.movement.seatings
    )
    proposal = grown_movement.proposal(
        "rover",
        replace(grown_movement.movement, seatings=seatings),
        facts={
            "ns": int(direction == "ns"),
            "rounds": len(path),
            "of": len(grown_movement.rounds),
            "exchange": int(movement is not old_movement),
        },
    )
    if proposal:
        yield proposal


def tabulated_rover_path(
    movement: Movement, fixed_rounds: int, change: PairArrives
) -> dict[int, int] | None:
    """Return the rover path of the published tables for a late pair in round 1; empty if they have none.

    Returns None unless the sequence lasts to the end and displaces no spared contestant.
    """
    if fixed_rounds > 1 or not _is_as_published(movement):
        return None
    for path in (late_rover_path(movement.family, movement.tables), _stored_late_path(movement)):
        if len(path) < movement.rounds - 1:
            continue
        tables = path_from_tables(path[: movement.rounds - 1])
        displaced = {n for r, t in tables.items() for n in movement.at(r, t).contestants}
        if tables and is_rover_path(movement, tables) and displaced.isdisjoint(change.spared):
            return tables
    return None


def _stored_late_path(movement: Movement) -> tuple[int, ...]:
    """Return the stored path of a late rover for this movement; empty if there is none."""
    return stored_path(movement.family, movement.tables, "late")


def _is_as_published(movement: Movement) -> bool:
    """Return whether a movement is as published, complete or curtailed, so that published paths fit it."""
    if movement.family not in BASES or movement.tables < 4:
        return False
    try:
        built = BASES[movement.family](movement.tables)
    except MovementError:
        return False
    if movement.is_one_winner:
        built = merge_fields(built)
    same_pairs = [field.labels for field in built.fields] == [f.labels for f in movement.fields]
    so_far = tuple(seating for seating in built.seatings if seating.round <= movement.rounds)
    return same_pairs and so_far == movement.seatings


def _exchanged_movements(
    movement: Movement, fixed_rounds: int, change: PairArrives
) -> Iterator[tuple[Movement, dict[int, int]]]:
    """Yield a Mitchell in which two pairs exchange places, with the rover's path that this allows."""
    if (
        fixed_rounds > 1
        or movement.family != "mitchell"
        or movement.tables % 3
        or movement.rounds < movement.tables
        or not _is_as_published(movement)
    ):
        return
    path = path_from_tables(late_rover_path(movement.family, movement.tables))
    if len(path) < movement.rounds - 1:
        return
    exchanged = exchange_pairs(movement)
    if any(
        seating.round <= fixed_rounds and seating not in movement.seatings
        for seating in exchanged.seatings
    ):
        exchanged = _exchange_in_other_rounds(movement, exchanged)
    displaced = {n for r, t in path.items() for n in exchanged.at(r, t).contestants}
    if is_rover_path(exchanged, path) and displaced.isdisjoint(change.spared):
        yield exchanged, path


def _exchange_in_other_rounds(movement: Movement, exchanged: Movement) -> Movement:
    """Return the movement with the same exchange of two pairs in all other rounds instead."""
    two = next(
        (s.ew, t.ew) for s, t in zip(movement.seatings, exchanged.seatings, strict=True) if s != t
    )
    names = {two[0]: two[1], two[1]: two[0]}
    return replace(
        exchanged,
        seatings=tuple(
            replace(seating, ew=names.get(seating.ew, seating.ew)) for seating in exchanged.seatings
        ),
    )


def _longest_path(
    movement: Movement, first_round: int, direction: Line, change: PairArrives
) -> dict[int, int] | None:
    """Return a rover's path through all coming rounds, or through as many as possible."""
    steps = _path_search_limit(movement)
    complete = rover_path(
        movement, first_round, None, steps, replaces=direction, spared=change.spared
    )
    harm_of_it = _harm_of_path(movement, first_round, direction, complete or {})
    if not harm_of_it:
        return complete
    improved = least_harmful_path(movement, first_round, direction, change.spared)
    is_better = _harm_of_path(movement, first_round, direction, improved) < harm_of_it
    return (improved if is_better else complete) or None


def _harm_of_path(
    movement: Movement, first_round: int, direction: Line, path: Mapping[int, int]
) -> int:
    """Return how much a rover's path harms the displaced contestants."""
    there = [movement.at(round, table) for round, table in path.items()]
    displaced = [
        number for s in there for number in players_of(s.ns if direction == "ns" else s.ew)
    ]
    return path_harm(
        displaced, movement.rounds - first_round + 1 - len(path), came_late=first_round > 1
    )


def _path_search_limit(movement: Movement) -> int:
    """Return the limit of steps for the search for a rover's path: lower in larger movements."""
    return PATH_STEPS * LARGE // max(LARGE, movement.tables * movement.rounds)


def _seating_with_rover(
    movement: Movement, seating: Seating, direction: Line, path: Mapping[int, int], rover: int
) -> Seating:
    """Return a seating in which the rover has taken the seat of its direction."""
    if path.get(seating.round) != seating.table:
        return seating
    there = movement.at(seating.round, seating.table)
    displaced = there.ns if direction == "ns" else there.ew
    return replace(seating, ns=rover) if seating.ns == displaced else replace(seating, ew=rover)


def two_way_rover_proposals(
    movement: Movement, fixed_rounds: int, change: PairArrives
) -> Iterator[Proposal]:
    """Yield proposals with the newcomer as two-way rover: N-S in one half of each round, E-W in the other.

    No contestant sits out for more than half a round. It needs one winner, and sets that can be halved.
    """
    path = _printed_full_path(movement, fixed_rounds, change)
    path = path or rover_path(
        movement, fixed_rounds + 1, None, _path_search_limit(movement), spared=change.spared
    )
    if not path or any(len(movement.seatings_at_table(r, t)) > 1 for r, t in path.items()):
        return
    grown_movement = add_newcomer(movement, fixed_rounds, 0)
    on_path = {name for r, t in path.items() for name in movement.at(r, t).sets}
    if len(on_path) != len(path):
        return
    halves = {name: _names_of_halves(name) for name in movement.sets if name in on_path}

    def parts_of_sets(names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the halves of these sets where they are divided."""
        return tuple(part for name in names for part in halves.get(name, (name,)))

    def seatings_with_rover(seating: Seating) -> tuple[Seating, ...]:
        """Return the seatings of a table; where the rover is, it plays in both lines, half a round each."""
        if path.get(seating.round) != seating.table:
            return (replace(seating, sets=parts_of_sets(seating.sets)),)
        first, second = parts_of_sets(seating.sets)
        return (
            replace(seating, ns=grown_movement.newcomer, sets=(first,)),
            replace(seating, ew=grown_movement.newcomer, sets=(second,)),
        )

    bigger = replace(
        grown_movement.movement,
        sets=parts_of_sets(movement.sets),
        seatings=tuple(
            part for s in grown_movement.movement.seatings for part in seatings_with_rover(s)
        ),
        stands=tuple(replace(stand, sets=parts_of_sets(stand.sets)) for stand in movement.stands),
        shared=tuple(replace(s, sets=parts_of_sets(s.sets)) for s in movement.shared),
    )
    half = Fraction(1, 2)
    proposal = grown_movement.proposal(
        "two-way-rover",
        bigger,
        parts={
            part: (name, half * index, half * (index + 1))
            for name, both in halves.items()
            for index, part in enumerate(both)
        },
    )
    if proposal:
        yield proposal


def _printed_full_path(
    movement: Movement, fixed_rounds: int, change: PairArrives
) -> dict[int, int] | None:
    """Return the published path of a two-way rover for an unchanged one-winner movement; empty if none."""
    if fixed_rounds > 1 or not _is_as_published(movement):
        return None
    path = path_from_tables(full_path(movement.family, movement.tables)[: movement.rounds], 1)
    path = {round: table for round, table in path.items() if round > fixed_rounds}
    displaced = {n for r, t in path.items() for n in movement.at(r, t).contestants}
    is_whole = len(path) == movement.rounds - fixed_rounds and is_rover_path(movement, path)
    return path if is_whole and displaced.isdisjoint(change.spared) else None


def _names_of_halves(name: str) -> tuple[str, str]:
    """Return the names of the two halves into which a board set is divided."""
    return (f"{name}.1", f"{name}.2") if name[-1:].isdigit() else (f"{name}1", f"{name}2")

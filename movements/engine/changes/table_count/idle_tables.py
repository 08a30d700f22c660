"""Removal of the last tables of the room, if they are no longer used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from movements.engine.declarations import Exemption, Stand
from movements.engine.model import Movement, Seating


def remove_idle_tables(movement: Movement, fixed_rounds: int) -> Movement:
    """Return the movement without its last tables from the round on in which they are no longer used.

    Boards there wait beside the last remaining table.
    """
    if not movement.sets or movement.open_rounds:
        return movement
    rounds = range(fixed_rounds + 1, movement.rounds + 1)
    needed = dict.fromkeys(rounds, 0)
    most = 1
    for round in reversed(rounds):
        used = (s.table for s in movement.in_round(round) if s.contestants)
        most = needed[round] = max(most, *used, 1)
    idle = [
        seating
        for seating in movement.seatings
        if seating.round in needed and seating.table > needed[seating.round]
    ]
    if not idle:
        return movement
    why = "nobody plays at the last tables"
    fewer = {round: needed[round] for round in sorted({s.round for s in idle})}
    return replace(
        movement,
        seatings=tuple(seating for seating in movement.seatings if seating not in idle),
        stands=tuple(
            stand
            for stand in movement.stands
            if stand.after_table <= fewer.get(stand.round, stand.after_table)
        )
        + tuple(_stands_for_removed_tables(movement, fewer, idle)),
        exemptions=movement.exemptions
        + tuple(
            Exemption("tables", tables, why, (), tuple(r for r, n in fewer.items() if n == tables))
            for tables in sorted(set(fewer.values()))
        ),
    )


def _stands_for_removed_tables(
    movement: Movement, tables: Mapping[int, int], idle: list[Seating]
) -> Iterator[Stand]:
    """Yield board stands for the sets that lie at removed tables or on board stands behind those."""
    for round, last in tables.items():
        waiting = movement.waiting(round)
        behind = [name for stand in waiting if stand.after_table > last for name in stand.sets]
        busy = {n for s in movement.in_round(round) if s.contestants for n in s.sets}
        busy |= {n for stand in waiting if stand.after_table <= last for n in stand.sets}
        lying = [n for s in idle if s.round == round for n in s.sets if n not in busy]
        names = tuple(dict.fromkeys((*lying, *behind)))
        if names:
            yield Stand(round, last, names)

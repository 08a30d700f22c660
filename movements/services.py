"""Storing movements."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from movements.engine import laws
from movements.engine.files import document
from movements.engine.files.document import MovementDocument

from .engine.boards import movement_boards
from .engine.model import Movement, Side, players_of
from .models import SeatingRow, StoredMovement


class BrokenMovement(ValueError):
    """Raised if a movement breaks a law and cannot be stored; carries the violations."""

    def __init__(self, violations: tuple[laws.Violation, ...]) -> None:
        self.violations = violations
        super().__init__(violations)


@transaction.atomic
def store_movement(
    movement: Movement,
    *,
    boards_per_round: int | None = None,
    total_boards: int | None = None,
    numbers: Mapping[str, range] | None = None,
) -> StoredMovement:
    """Check a movement by the laws and store it: its JSON, and one row per seating.

    Boards are given per round, in total, or set by set. Raises `BrokenMovement` if a law is broken and `TooFewBoards`
    if the boards do not fill the sets.
    """
    if violations := laws.find_errors(movement):
        raise BrokenMovement(violations)
    if numbers is None:
        numbers = movement_boards(movement, per_round=boards_per_round, total=total_boards)
    stored = unsaved_movement(movement, numbers)
    stored.save()
    rows = seating_rows(movement)
    for row in rows:
        row.movement = stored
    SeatingRow.objects.bulk_create(rows)
    return stored


def unsaved_movement(movement: Movement, numbers: Mapping[str, range]) -> StoredMovement:
    """Return a movement as a `StoredMovement` that is not saved."""
    return StoredMovement(
        family=movement.family,
        tables=movement.tables,
        rounds=movement.rounds,
        winners=movement.winners,
        contest=movement.contest,
        fields={field.name: list(field.labels) for field in movement.fields},
        document=document.movement_dict(MovementDocument(movement)),
        boards={name: [boards[0], boards[-1]] for name, boards in numbers.items()},
    )


def seating_rows(movement: Movement) -> list[SeatingRow]:
    """Return the seatings of a movement as `SeatingRow`s that are not saved."""
    return [
        SeatingRow(
            round=part.seating.round,
            table=part.seating.table,
            part=part.index,
            parts=part.parts,
            **_side_columns("ns", part.seating.ns),
            **_side_columns("ew", part.seating.ew),
            sets=" ".join(part.seating.sets),
            shares_with=" ".join(map(str, movement.shares_with(part.seating))),
        )
        for round in range(1, movement.rounds + 1)
        for part in movement.parts(round)
    ]


def _side_columns(name: str, side: Side) -> dict[str, int | None]:
    """Return the columns in which a seating's side is stored."""
    first, second = (*players_of(side), None, None)[:2]
    return {name: first, f"{name}2": second}

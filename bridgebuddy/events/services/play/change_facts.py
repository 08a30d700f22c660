"""Facts recorded about a change: what it names, boards played, and boards missed by late or leaving entries."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from bridgebuddy.events.queries.plan.games import board_text
from movements.engine.board_copies.borrowed_sets import boards_of_set
from movements.engine.changes import (
    BoardSpan,
    Change,
    LineSatElsewhere,
    PlayedTheOtherWay,
    Rebuild,
    TookOtherBoards,
)
from movements.engine.model import Movement


def change_facts(change: Change, movement: Movement) -> dict[str, object]:
    """Return the labels, rounds and tables that a live change concerns, for the audit record."""
    facts: dict[str, object] = {}
    if isinstance(change, Rebuild) and change.happened:
        facts |= change_facts(change.happened, movement)
    for field in ("contestant", "one", "other"):
        number = getattr(change, field, 0)
        if number:
            facts[field] = movement.label(number)
    for field in ("round", "table", "other_table"):
        value = getattr(change, field, 0)
        if value:
            facts[field] = value
    if isinstance(change, LineSatElsewhere):
        facts[f"{change.line}_{'up' if change.up > 0 else 'down'}"] = abs(change.up)
    if isinstance(change, Rebuild) and change.leaves:
        facts["leaves"] = [movement.label(number) for number in change.leaves]
    return facts


def describe_wrong_boards(change: Change, numbers: Mapping[str, range]) -> dict[str, object]:
    """Return the boards that a table played by mistake, and the right ones, for the audit record."""
    happened = change.happened if isinstance(change, Rebuild) else change
    if isinstance(happened, PlayedTheOtherWay):
        had = {"turned": happened.boards}
    elif isinstance(happened, TookOtherBoards):
        had = {"had": happened.boards, "instead": happened.instead}
    else:
        return {}
    return {
        fact: board_text(
            sorted(board for piece in some for board in _boards_in_span(piece, numbers))
        )
        for fact, some in had.items()
        if some
    }


def _boards_in_span(piece: BoardSpan, numbers: Mapping[str, range]) -> range:
    """Return the board numbers of a part of a board set."""
    boards = boards_of_set(piece.name, numbers)
    return boards[ceil(len(boards) * piece.low) : ceil(len(boards) * piece.high)]

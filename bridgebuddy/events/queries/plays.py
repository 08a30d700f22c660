"""The games played, read from plays, the only record of the past."""

from __future__ import annotations

from movements.engine.model import Movement, Side
from movements.engine.plays import BoardPlay as Line
from movements.engine.plays import movement_with_past

from ..models import Play, Section


def movement_as_played(section: Section) -> Movement:
    """Return the section's movement with past rounds as they were played and later ones as planned.

    Contestants have their present numbers. Raises `AssertionError` for a section without a movement.
    """
    stored = section.stored
    if not section.round:
        return stored.movement
    return movement_with_past(stored.movement, begun_plays(section), section.round, stored.numbers)


def begun_plays(section: Section) -> list[Line]:
    """Return the plays of the rounds that have begun, as the engine's values."""

    def side_of_numbers(first: int | None, second: int | None) -> Side:
        """Return a pair's number, or the two numbers of players in an individual."""
        return first if first is None or second is None else (first, second)

    rows = Play.objects.filter(section=section, taken_back_at=None).values_list(
        *("round", "table", "part", "parts", "board"),
        *("ns__contestant", "ns2__contestant", "ew__contestant", "ew2__contestant"),
    )
    return [
        Line(round, table, part, parts, board, side_of_numbers(ns, ns2), side_of_numbers(ew, ew2))
        for round, table, part, parts, board, ns, ns2, ew, ew2 in rows
    ]

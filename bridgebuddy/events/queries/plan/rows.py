"""The rows a session is read from: the movement's for coming rounds, plays for past ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from bridgebuddy.events.models import Play
from movements.models import SeatingRow

from ..compiled_queries import CompiledQuery


class MovementRow(NamedTuple):
    """The seating of a table in a round of a movement: the contestants by number, and the board sets."""

    round: int
    table: int
    part: int
    parts: int
    ns: int | None
    ns2: int | None
    ew: int | None
    ew2: int | None
    sets: str
    shares_with: str


def _seating_rows(
    movement: int, after_round: int, contestant: int | None = None
) -> QuerySet[SeatingRow, Any]:
    """Return the rows of a stored movement's seatings after `after_round`, of `contestant` or of all."""
    rows = SeatingRow.objects.filter(movement_id=movement, round__gt=after_round)
    return rows.filter(_condition_of_contestant(contestant)).values_list(*MovementRow._fields)


def _play_rows(section: int, until: int, entry: int | None = None) -> QuerySet[Play, Any]:
    """Return the rows of a section's plays up to a round, of one entry or of all."""
    plays = Play.objects.filter(section_id=section, taken_back_at=None, round__lte=until)
    return plays.filter(_condition_of_contestant(entry)).values_list(
        *("round", "table", "part", "parts", "board", "turned", "shares_with"),
        *("ns_id", "ns2_id", "ew_id", "ew2_id"),
    )


def _condition_of_contestant(contestant: int | None) -> Q:
    """Return a database condition for the seatings of `contestant`, or for all seatings if it is None."""
    return (
        Q()
        if contestant is None
        else Q(ns=contestant) | Q(ns2=contestant) | Q(ew=contestant) | Q(ew2=contestant)
    )


ROWS, PLAYS = CompiledQuery(_seating_rows), CompiledQuery(_play_rows)


def movement_rows(
    movement: int, contestant: int | None = None, after: int = 0
) -> list[MovementRow]:
    """Return the seatings after a round of the stored movement with this key, of `contestant` or of all."""
    rows_read = ROWS.rows(movement, after, *(() if contestant is None else (contestant,)))
    return [MovementRow(*row) for row in rows_read]


def movement_row(row: SeatingRow) -> MovementRow:
    """Convert a seating, stored or not, to the tuple that `movement_rows` returns."""
    return MovementRow(*(getattr(row, name) for name in MovementRow._fields))


@dataclass
class TableSitting:
    """A part of a round in which the same two sides play several boards at a table."""

    part: int
    parts: int
    ns: tuple[int | None, int | None]  # entries' keys
    ew: tuple[int | None, int | None]
    shares_with: str
    boards: list[int]


def table_sides(plays: list[tuple[Any, ...]], as_they_sit: bool) -> list[TableSitting]:
    """Group a table's plays of a round into parts with the same two sides.

    With `as_they_sit`, turned boards do not start a part of their own, because no people move.
    """
    turned = as_they_sit and any(play[5] for play in plays)
    sittings: list[TableSitting] = []
    for _, _, part, parts, board, is_turned, shares_with, ns, ns2, ew, ew2 in plays:
        sides = ((ns, ns2), (ew, ew2))
        if turned and is_turned:
            sides = (sides[1], sides[0])
        last = sittings[-1] if sittings else None
        is_same = last is not None and (last.ns, last.ew) == sides and (turned or last.part == part)
        if last is None or not is_same:
            last = TableSitting(part, parts, *sides, shares_with, [])
            sittings.append(last)
        last.boards.append(board)
    if turned:
        for place, sitting in enumerate(sittings, start=1):
            sitting.part, sitting.parts = place, len(sittings)
            sitting.boards.sort()
    return sittings

"""Small movements, written as a table of their rounds, to be broken in one place."""

from __future__ import annotations

from typing import Any

from movements.engine.declarations import Exemption
from movements.engine.model import Field, Movement, Seating, Side


def evening(*rounds: str, **facts: Any) -> Movement:
    """Return a movement of which each line is a round and each cell a table: NS-EW:sets.

    Parts of a table's round are joined by "/", partners in an individual and several sets by "+"; 0 is an
    empty seat, and a table with a number of its own begins with it ("7=1-2:A"). Contestants, sets and
    tables are as many as the text has, unless `facts` say otherwise.

    >>> evening("1-2:A 3-4:B").at(round=1, table=2)
    Seating(round=1, table=2, ns=3, ew=4, sets=('B',))
    """
    seatings = tuple(
        seating
        for round, line in enumerate(rounds, start=1)
        for table, cell in enumerate(line.split(), start=1)
        for seating in _table(round, table, cell)
    )
    most = max((contestant for s in seatings for contestant in s.contestants), default=0)
    contest = facts.get("contest", "pairs")
    written: dict[str, Any] = {
        "family": "written",
        "contest": contest,
        "tables": max(len(line.split()) for line in rounds),
        "rounds": len(rounds),
        "fields": (numbered(most, {"individual": "players"}.get(contest, contest)),),
        "sets": tuple(sorted({name for s in seatings for name in s.sets})),
        "seatings": seatings,
    }
    return Movement(**{**written, **facts})


def numbered(size: int, name: str = "pairs") -> Field:
    """Return a field of contestants 1 to `size`."""
    return Field(name, tuple(str(number) for number in range(1, size + 1)))


def absent(*contestants: int, rounds: tuple[int, ...]) -> Exemption:
    """Return the declaration that contestants are absent in some rounds."""
    return Exemption("present", 0, "late", contestants, rounds)


def _table(round: int, table: int, cell: str) -> list[Seating]:
    number, _, rest = cell.rpartition("=")
    return [_seating(round, int(number or table), part) for part in rest.split("/")]


def _seating(round: int, table: int, part: str) -> Seating:
    sides, _, sets = part.partition(":")
    ns, ew = (_side(side) for side in sides.split("-"))
    return Seating(round, table, ns, ew, tuple(sets.split("+")) if sets else ())


def _side(side: str) -> Side:
    numbers = tuple(int(number) for number in side.split("+"))
    if len(numbers) == 2:
        return numbers[0], numbers[1]
    return numbers[0] or None

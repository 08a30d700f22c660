"""Movements that are data: read from tables/ as they were printed, misprints corrected."""

from __future__ import annotations

from functools import lru_cache

from movements.engine.declarations import Exemption, Share, Stand

from ..model import Field, Movement, Seating, Side
from .tables import read_data_table


@lru_cache
def published_movement(name: str) -> Movement:
    """Return the published movement stored in `tables/<name>.toml`.

    >>> published_movement("howell-4x7").at(1, 1)
    Seating(round=1, table=1, ns=8, ew=1, sets=('A',))
    """
    data = read_data_table(name)
    fields = tuple(
        Field(field, tuple(str(number) for number in range(1, size + 1)))
        for field, size in data["fields"].items()
    )
    first = {}
    total = 0
    for field in fields:
        first[field.name] = total
        total += len(field.labels)

    def side_of_text(text: str, seats: str) -> Side:
        """Return the contestants of a side in a printed cell."""
        numbers = [
            int(label) + first.get(seat, first.get(seats, 0))
            for label, seat in zip(text.split("+"), seats, strict=False)
        ]
        return (numbers[0], numbers[1]) if len(numbers) == 2 else numbers[0]

    seatings = []
    for round, line in enumerate(data["seatings"], start=1):
        for place, cell in enumerate(line.split(), start=1):
            for part in cell.split("/"):
                sides, sets = part.split(":")
                ns, ew = sides.split("-")
                seatings.append(
                    Seating(
                        round,
                        place,
                        side_of_text(ns, "ns"),
                        side_of_text(ew, "ew"),
                        tuple(sets.split("+")),
                    )
                )
    return Movement(
        family=data["family"],
        contest=data["contest"],
        tables=data["tables"],
        rounds=len(data["seatings"]),
        fields=fields,
        sets=tuple(data["sets"].split()),
        seatings=tuple(seatings),
        copies=data["copies"],
        shared=tuple(
            Share(s["round"], tuple(s["tables"]), tuple(s["sets"].split()))
            for s in data.get("shared", [])
        ),
        stands=tuple(
            Stand(round, stand["after_table"], tuple(sets.split()))
            for stand in data.get("stands", [])
            for round, sets in enumerate(stand["sets"], start=1)
            if sets
        ),
        exemptions=tuple(
            Exemption(e["law"], e["limit"], e["why"]) for e in data.get("exemptions", [])
        ),
    )

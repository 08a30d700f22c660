"""Individuals in rainbows: every seat has a line of its own, with a winner of its own."""

from __future__ import annotations

from math import gcd

from movements.engine.contest import Contest
from movements.engine.errors import WrongTables
from movements.engine.model import Field, Movement, Seating, set_name, set_names
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family
from ..grid import require_allowed_rounds
from ..published import published_movement


def rainbow(tables: int, rounds: int | None = None) -> Movement:
    """Return the Rainbow individual: North stays, South goes up 1, East up 2, West down 2, boards down 1.

    For numbers of tables prime to 6 from 5, and an irregular printed one of 8. Every player plays every set once and
    meets each player of the other lines at most once.

    Raises `WrongTables`, `WrongRounds`. Source: catalogue 3 (Wikipedia).

    >>> rainbow(5).at(2, 1)
    Seating(round=2, table=1, ns=(1, 10), ew=(14, 18), sets=('B',))
    """
    if tables != 8 and (gcd(tables, 6) != 1 or tables < 5):
        raise WrongTables(
            "rainbow", tables=tables, needs="8 tables, or 5, 7, 11, 13 … (not divisible by 2 or 3)"
        )
    rounds = tables if rounds is None else rounds
    if tables == 8:
        require_allowed_rounds("rainbow", tables, rounds, (8,))
        return published_movement("rainbow-8x8")
    require_allowed_rounds("rainbow", tables, rounds, range(2, tables + 1))
    seatings = tuple(
        Seating(
            r + 1,
            t + 1,
            (t + 1, tables + (t - r) % tables + 1),
            (2 * tables + (t - 2 * r) % tables + 1, 3 * tables + (t + 2 * r) % tables + 1),
            (set_name((t + r) % tables),),
        )
        for r in range(rounds)
        for t in range(tables)
    )
    labels = tuple(str(number) for number in range(1, tables + 1))
    played = {name for seating in seatings for name in seating.sets}
    return Movement(
        family="rainbow",
        contest=Contest.INDIVIDUAL,
        tables=tables,
        rounds=rounds,
        fields=tuple(Field(seat, labels) for seat in "nsew"),
        sets=tuple(name for name in set_names(tables) if name in played),
        seatings=seatings,
    )


def _allowed_rounds(tables: int) -> range | tuple[int, ...]:
    """Return the possible numbers of rounds of a Rainbow individual for so many tables."""
    if tables == 8:
        return (8,)
    return range(2, tables + 1) if gcd(tables, 6) == 1 else ()


FAMILY = Family(
    name="rainbow",
    title=marked_for_players("Rainbow individual"),
    build=rainbow,
    rounds=_allowed_rounds,
    smallest=5,
    needs=marked("8 tables, or 5, 7, 11, 13 … (not divisible by 2 or 3)"),
    contest=Contest.INDIVIDUAL,
    winners=4,
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements",
)

"""The barometer form of a Mitchell: all tables play the same boards in the same round."""

from __future__ import annotations

from ..model import Movement
from .family import Family
from .grid import need_at_least, need_rounds, two_lines


def barometer(tables: int, rounds: int | None = None) -> Movement:
    """Return a Mitchell in which every table plays the same set in every round.

    With as many copies of the boards as tables nobody shares and the number of tables may be even;
    there can be a ranking after every round. Raises `TooFewTables`, `WrongRounds`.
    Source: catalogue 2.2 (Wikipedia).

    >>> barometer(4).is_barometer
    True
    """
    need_at_least("barometer", tables, 2)
    rounds = tables if rounds is None else rounds
    need_rounds("barometer", tables, rounds, range(2, tables + 1))
    return two_lines(
        "barometer",
        tables,
        rounds,
        east_west=lambda r, t: (t - r) % tables,
        board_set=lambda r, t: r,
        copies=tables,
    )


FAMILY = Family(
    name="barometer",
    title="Barometer Mitchell",
    build=barometer,
    rounds=lambda tables: range(2, tables + 1),
    smallest=2,
    needs="at least 2 tables",
    source="Wikipedia, Duplicate bridge movements",
)

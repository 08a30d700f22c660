"""The Crisscross or Double Weave: multiples of four tables, no sharing and no skip."""

from __future__ import annotations

from movements.engine.errors import WrongTables
from movements.engine.model import Movement
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family
from ..grid import require_allowed_rounds, two_lines


def crisscross(tables: int, rounds: int | None = None) -> Movement:
    """Return the Crisscross Mitchell for 4, 8, 12 … tables.

    East-West pairs with an odd number go down a table a round, those with an even number up. Odd sets go up and even
    ones down for half the rounds, then move half the room and reverse direction.

    Raises `WrongTables`, `WrongRounds`. Source: catalogue 2.5 (Wikipedia).

    >>> [s.ew - 4 for s in crisscross(4).in_round(2)]
    [4, 3, 2, 1]
    """
    if tables % 4 or tables < 4:
        raise WrongTables(
            "crisscross",
            tables=tables,
            needs="a multiple of 4 tables",
            instead=("share-and-relay", "skip-mitchell") if tables % 2 == 0 else ("mitchell",),
        )
    rounds = tables if rounds is None else rounds
    require_allowed_rounds("crisscross", tables, rounds, range(2, tables + 1))
    half = tables // 2

    def east_west(r: int, t: int) -> int:
        """Return the East-West pair at table `t` in round `r`, both counted from 0."""
        down = (t + r) % tables
        return down if down % 2 == 0 else (t - r) % tables

    def board_set(r: int, t: int) -> int:
        """Return the board set at table `t` in round `r`, both counted from 0."""
        if r < half:
            up = (t - r) % tables
            return up if up % 2 == 0 else (t + r) % tables
        back = (t + 1 + r - half) % tables
        return back if back % 2 == 0 else (t - 1 - r + half) % tables

    return two_lines("crisscross", tables, rounds, east_west=east_west, board_set=board_set)


FAMILY = Family(
    name="crisscross",
    title=marked_for_players("Crisscross Mitchell"),
    build=crisscross,
    rounds=lambda tables: range(2, tables + 1) if tables % 4 == 0 else range(0),
    smallest=4,
    needs=marked("a multiple of 4 tables"),
    source="Wikipedia, Duplicate bridge movements",
    also_called=("Double Weave",),
)

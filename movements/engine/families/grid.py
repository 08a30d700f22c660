"""Construction of movements from rules: sides and set in round r at table t (both from 0)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..contest import Contest
from ..errors import EvenTables, OddTables, TooFewTables, WrongRounds
from ..model import Field, Movement, Seating, set_name, set_names

Rule = Callable[[int, int], int]
"""A rule takes round and table, both counted from 0, and returns a pair or set counted from 0."""


def two_lines(
    family: str,
    tables: int,
    rounds: int,
    *,
    east_west: Rule,
    board_set: Rule,
    north_south: Rule = lambda _, table: table,
    sets: int | None = None,
    **more: Any,
) -> Movement:
    """Return a two-winner movement whose E-W pair and board set at each table follow the given rules.

    `sets` counts the board sets, one for each table by default; unplayed sets are left out. `more` goes to `Movement`
    (copies, shared, stands…).
    """
    seatings = tuple(
        Seating(
            round + 1,
            table + 1,
            north_south(round, table) + 1,
            tables + east_west(round, table) + 1,
            (set_name(board_set(round, table)),),
        )
        for round in range(rounds)
        for table in range(tables)
    )
    played = {name for seating in seatings for name in seating.sets}
    labels = tuple(str(number) for number in range(1, tables + 1))
    return Movement(
        family=family,
        contest=Contest.PAIRS,
        tables=tables,
        rounds=rounds,
        fields=(Field("ns", labels), Field("ew", labels)),
        sets=tuple(name for name in set_names(sets or tables) if name in played),
        seatings=seatings,
        **more,
    )


def require_odd_tables(
    family: str, tables: int, at_least: int, instead: Sequence[str] = ()
) -> None:
    """Raise `EvenTables` or `TooFewTables` unless the number of tables is odd and large enough."""
    if tables % 2 == 0:
        raise EvenTables(family, tables=tables, needs="an odd number of tables", instead=instead)
    require_enough_tables(family, tables, at_least)


def require_even_tables(
    family: str, tables: int, at_least: int, instead: Sequence[str] = ()
) -> None:
    """Raise `OddTables` or `TooFewTables` unless the number of tables is even and large enough."""
    if tables % 2:
        raise OddTables(family, tables=tables, needs="an even number of tables", instead=instead)
    require_enough_tables(family, tables, at_least)


def require_enough_tables(family: str, tables: int, at_least: int) -> None:
    """Raise `TooFewTables` if there are too few tables."""
    if tables < at_least:
        raise TooFewTables(family, tables=tables, needs=f"at least {at_least} tables")


def require_allowed_rounds(family: str, tables: int, rounds: int, allowed: Sequence[int]) -> None:
    """Raise `WrongRounds` unless the number of rounds is allowed."""
    if rounds not in allowed:
        raise WrongRounds(family, tables=tables, rounds=rounds, allowed=tuple(allowed))


def usual_switches(rounds: int) -> int:
    """Return how many rounds to arrow-switch: an eighth of them, at least one.

    >>> [usual_switches(rounds) for rounds in (5, 9, 12, 13)]
    [1, 1, 2, 2]
    """
    return max(1, round(rounds / 8))

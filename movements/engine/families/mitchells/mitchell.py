"""The Mitchell: North-South stay, East-West move up, the boards move down."""

from __future__ import annotations

from movements.engine.errors import EvenTables
from movements.engine.model import Movement
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family
from ..grid import require_allowed_rounds, require_enough_tables, two_lines

INSTEAD_WHEN_EVEN = ("skip-mitchell", "share-and-relay")


def mitchell(tables: int, rounds: int | None = None) -> Movement:
    """Return the plain Mitchell for an odd number of tables.

    North-South stay. After each round East-West move up a table and the board sets move down one, so boards and
    opponents never repeat. With an even number of tables East-West meet their first set again after half the tables:
    only that many rounds are possible.

    Raises `EvenTables` for an even number with more rounds: see `skip_mitchell` and `share_and_relay`; `WrongRounds`,
    `TooFewTables`. Source: catalogue 2.1 (Wikipedia; QBA).

    >>> mitchell(5).at(round=2, table=1)
    Seating(round=2, table=1, ns=1, ew=10, sets=('B',))
    """
    require_enough_tables("mitchell", tables, 3)
    if tables % 2 == 0 and (rounds is None or rounds > tables // 2):
        raise EvenTables(
            "mitchell",
            tables=tables,
            needs=f"an odd number of tables, or at most {tables // 2} rounds",
            instead=INSTEAD_WHEN_EVEN,
            most_rounds=tables // 2,
        )
    rounds = tables if rounds is None else rounds
    require_allowed_rounds("mitchell", tables, rounds, possible_rounds(tables))
    return two_lines(
        "mitchell",
        tables,
        rounds,
        east_west=lambda r, t: (t - r) % tables,
        board_set=lambda r, t: (t + r) % tables,
    )


def possible_rounds(tables: int) -> range:
    """Return the legal numbers of rounds of a plain Mitchell: 2 to T, or to T/2 for even T."""
    return range(2, (tables if tables % 2 else tables // 2) + 1)


FAMILY = Family(
    name="mitchell",
    title=marked_for_players("Mitchell"),
    build=mitchell,
    rounds=possible_rounds,
    smallest=3,
    needs=marked("an odd number of tables, or at most half as many rounds"),
    usual_rounds=lambda tables: tables if tables % 2 else None,
    source="Wikipedia, Duplicate bridge movements; QBA, J. Peach 2011",
)

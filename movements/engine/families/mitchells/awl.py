"""The American Whist League movement for pairs."""

from __future__ import annotations

from movements.engine.errors import UnknownOption
from movements.engine.model import Movement
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds, require_odd_tables, two_lines

DIRECTIONS = ("down", "up")


def awl(tables: int, rounds: int | None = None, direction: str = "down") -> Movement:
    """Return the American Whist League movement for an odd number of tables.

    East-West go down two tables a round and the boards down one (`direction` "up": both upwards, as in team events).
    Raises `EvenTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.6 (Wikipedia; QBA for the mirror image).

    >>> [s.ew - 5 for s in awl(5).in_round(2)]
    [3, 4, 5, 1, 2]
    """
    require_odd_tables("awl", tables, 3, instead=("two-stanza", "share-and-relay"))
    rounds = tables if rounds is None else rounds
    require_allowed_rounds("awl", tables, rounds, range(2, tables + 1))
    if direction not in DIRECTIONS:
        raise UnknownOption("awl", option="direction", value=direction, allowed="down, up")
    way = 1 if direction == "down" else -1
    return two_lines(
        "awl",
        tables,
        rounds,
        east_west=lambda r, t: (t + 2 * way * r) % tables,
        board_set=lambda r, t: (t + way * r) % tables,
    )


FAMILY = Family(
    name="awl",
    title=marked_for_players("American Whist League"),
    build=awl,
    rounds=lambda tables: range(2, tables + 1) if tables % 2 else range(0),
    smallest=3,
    needs=marked("an odd number of tables"),
    options=(FamilyOption("direction", "choice", marked("down or up"), DIRECTIONS),),
    source="Wikipedia, Duplicate bridge movements; QBA, J. Peach 2011",
)

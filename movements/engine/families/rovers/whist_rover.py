"""The whist rover: one pair more than the tables seat, in a Mitchell whose East-West go down two tables a round."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from movements.engine.declarations import Exemption
from movements.engine.errors import WrongTables
from movements.engine.model import Movement
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family
from ..grid import require_allowed_rounds, two_lines
from ..mitchells.awl import awl
from .transversal import add_rover, path_from_tables

FAMILY_NAME = "whist-rover"
#: printed tables from round 2 on: numbers of tables that 3 divides have no rule
PRINTED = {
    6: (1, 2, 4, 5, 6),
    9: (1, 2, 3, 5, 7, 4, 9, 6),
    12: (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12),
    15: (1, 2, 3, 4, 5, 7, 8, 10, 11, 6, 13, 14, 9, 15),
    18: (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18),
}


def whist_rover(tables: int, rounds: int | None = None) -> Movement:
    """Return a whist movement with a North-South rover, for one pair more than the tables seat.

    East-West go down two tables a round and the boards down one; with an even number of tables, East-West go down
    three once, after half the tables. The rover is NS T + 1, sits out round 1, and then goes up one table a round
    from table 2, and up two when East-West go down three. It displaces nobody twice and plays no board twice, but may
    meet East-West pairs twice: then that is declared. With an even number of tables a last round is possible, in
    which all meet an opponent again.

    Raises `WrongTables`, `WrongRounds`. Source: catalogue 2.10 (bridgecentral, whist rover pairs).

    >>> movement = whist_rover(7)
    >>> [seating.table for seating in movement.seatings_of(8)]
    [2, 3, 4, 5, 6, 7]
    """
    path = rover_tables(tables)
    if not path:
        raise WrongTables(FAMILY_NAME, tables=tables, needs=FAMILY.needs)
    rounds = _usual_rounds(tables) if rounds is None else rounds
    require_allowed_rounds(FAMILY_NAME, tables, rounds, possible_rounds(tables))
    whist = awl(tables, rounds) if tables % 2 else _even_whist(tables, rounds)
    roving = add_rover(whist, "ns", path_from_tables(path[: rounds - 1]))
    return replace(
        roving, family=FAMILY_NAME, exemptions=(*roving.exemptions, *_rover_exemptions(roving))
    )


def _even_whist(tables: int, rounds: int) -> Movement:
    """Return the whist movement for an even number of tables.

    In the last round East-West play the only boards they have not played, against opponents of an earlier round.
    """
    half = tables // 2

    def east_west(r: int, t: int) -> int:
        """Return the East-West pair at table `t` in round `r`, both counted from 0."""
        return (t - 1 + half if r == tables - 1 else t + 2 * r + (r >= half)) % tables

    again = next(r for r in range(tables) if east_west(r, 0) == east_west(tables - 1, 0))
    revenge = Exemption("meet-once", 2, "revenge round", rounds=(again + 1, tables))
    return two_lines(
        FAMILY_NAME,
        tables,
        rounds,
        east_west=east_west,
        board_set=lambda r, t: (t + r) % tables,
        exemptions=(revenge,) if rounds == tables else (),
    )


def _rover_exemptions(movement: Movement) -> list[Exemption]:
    """Return the exemptions for East-West pairs that the rover meets more than once."""
    rover = len(movement.fields[0].labels)
    met = Counter(
        seating.ew for seating in movement.seatings_of(rover) if isinstance(seating.ew, int)
    )
    why = "the rover meets this pair again"
    return [
        Exemption("meet-once", times, why, contestants=(rover, pair))
        for pair, times in sorted(met.items())
        if times > 1
    ]


def rover_tables(tables: int) -> tuple[int, ...]:
    """Return the rover's tables from round 2 on by a printed source; empty if none gives them."""
    if tables % 3 == 0:
        return PRINTED.get(tables, ())
    skipped = tables // 2 if tables % 2 == 0 else tables
    return tuple((r + (r >= skipped)) % tables + 1 for r in range(1, tables))


def possible_rounds(tables: int) -> range:
    """Return the legal numbers of rounds of a whist movement with a rover."""
    path = rover_tables(tables)
    return range(2, len(path) + 2) if path else range(0)


def _usual_rounds(tables: int) -> int:
    """Return the most rounds without repeated meetings of the rover."""
    return min(len(rover_tables(tables)) + 1, tables - (tables % 2 == 0))


FAMILY = Family(
    name=FAMILY_NAME,
    title=marked_for_players("Whist rover"),
    build=whist_rover,
    rounds=possible_rounds,
    smallest=4,
    needs=marked("a number of tables that 3 does not divide, or 6, 9, 12, 15 or 18"),
    usual_rounds=lambda tables: _usual_rounds(tables) if rover_tables(tables) else None,
    takes_missing_pair=False,
    source="bridgecentral.com, Whist rover pairs",
)

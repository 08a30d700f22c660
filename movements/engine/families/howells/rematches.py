"""Howells for 2 to 4 tables and more rounds than opponents: pairs meet some opponents twice."""

from __future__ import annotations

from collections.abc import Sequence

from movements.engine.contest import Contest
from movements.engine.declarations import Exemption, Stand
from movements.engine.errors import WrongTables
from movements.engine.model import Field, Movement, Seating, set_name, set_names
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family
from ..grid import require_allowed_rounds
from ..tables import read_data_table

WHY = "there are more rounds than opponents"


def rematch_howell(tables: int, rounds: int | None = None) -> Movement:
    """Return a Howell of 2 to 4 tables in which pairs meet every opponent once or twice.

    The boards go round a circle of tables and stands, so no tables share; every pair plays every set. With
    2 tables, and with 3 tables and 7 rounds, the last pair keeps table 1.

    Raises `WrongTables`, `WrongRounds`. Source: own search (`searches/rematches.py`).

    >>> rematch_howell(2).rounds, rematch_howell(3).rounds
    (6, 7)
    """
    legal = possible_rounds(tables)
    if not legal:
        raise WrongTables("rematch-howell", tables=tables, needs="2 to 4 tables")
    rounds = legal[0] if rounds is None else rounds
    require_allowed_rounds("rematch-howell", tables, rounds, legal)
    stored = next(
        row
        for row in read_data_table("rematches")["movements"]
        if (row["tables"], row["rounds"]) == (tables, rounds)
    )
    return build_movement(
        stored["stations"],
        [[_read_couple(cell) for cell in cells.split()] for cells in stored["pairs"]],
    )


def _read_couple(cell: str) -> tuple[int, int]:
    """Return both pairs in a cell such as "1-4", counted from 0."""
    north_south, east_west = cell.split("-")
    return int(north_south) - 1, int(east_west) - 1


def build_movement(
    stations: Sequence[int], couples: Sequence[Sequence[tuple[int, int]]]
) -> Movement:
    """Return the movement in which these pairs meet round by round, at tables on a circle of board sets."""
    tables, rounds = len(stations), len(couples)
    return Movement(
        family="rematch-howell",
        contest=Contest.PAIRS,
        tables=tables,
        rounds=rounds,
        fields=(Field("pairs", tuple(str(n) for n in range(1, 2 * tables + 1))),),
        sets=set_names(rounds),
        seatings=tuple(
            Seating(
                r + 1,
                t + 1,
                north_south + 1,
                east_west + 1,
                (set_name((stations[t] + r) % rounds),),
            )
            for r, row in enumerate(couples)
            for t, (north_south, east_west) in enumerate(row)
        ),
        stands=tuple(_stands_behind_tables(stations, rounds)),
        exemptions=(Exemption("meet-once", 2, WHY),),
    )


def _stands_behind_tables(stations: Sequence[int], rounds: int) -> list[Stand]:
    """Return the board stands behind the tables, each with the board sets between it and the next table."""
    ends = [*stations[1:], stations[0] + rounds]
    return [
        Stand(
            r + 1,
            place,
            tuple(set_name((station + r) % rounds) for station in range(begins + 1, end)),
        )
        for place, (begins, end) in enumerate(zip(stations, ends, strict=True), start=1)
        if end - begins > 1
        for r in range(rounds)
    ]


def possible_rounds(tables: int) -> tuple[int, ...]:
    """Return the numbers of rounds for which a Howell with rematches is stored for so many tables."""
    return tuple(
        row["rounds"]
        for row in read_data_table("rematches")["movements"]
        if row["tables"] == tables
    )


FAMILY = Family(
    name="rematch-howell",
    title=marked_for_players("Howell with rematches"),
    build=rematch_howell,
    rounds=possible_rounds,
    smallest=2,
    largest=4,
    needs=marked("2 to 4 tables"),
    winners=1,
    usual_rounds=lambda tables: next(iter(possible_rounds(tables)), None),
    source="own search",
)

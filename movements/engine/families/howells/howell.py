"""Howells: all meet all, in one field.

The movers and the sets go round modulo the rounds: round r + 1 is round r with 1 added to the movers' numbers and to
the sets. Tables are numbered in the order of their sets, so that the boards go down one station a round. Sets at no
table wait on stands between.
"""

from __future__ import annotations

from collections.abc import Sequence

from movements.engine.contest import Contest
from movements.engine.declarations import Share, Stand
from movements.engine.errors import UnknownOption, WrongTables
from movements.engine.model import Field, Movement, Seating, set_name, set_names
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds, require_enough_tables
from ..published import published_movement
from ..tables import read_data_table

Table = tuple[int | None, int, int]
"""N-S, E-W and set of a table in round 1, from 0; None is the pair that keeps its table as N-S."""

#: balance proved perfect (even tables) or at its optimum (odd tables)
STARTERS: dict[int, tuple[Table, ...]] = {
    2: ((None, 0, 0), (1, 2, 0)),
    4: ((None, 0, 0), (1, 6, 2), (2, 5, 4), (4, 3, 1)),
    5: ((None, 2, 0), (1, 7, 1), (6, 8, 7), (0, 5, 2), (4, 3, 8)),
    6: ((None, 0, 0), (2, 1, 3), (6, 3, 9), (8, 4, 1), (10, 5, 4), (7, 9, 5)),
    7: ((None, 3, 0), (1, 10, 1), (9, 2, 10), (4, 7, 6), (0, 5, 3), (12, 11, 4), (6, 8, 2)),
    8: (
        (None, 2, 0), (12, 1, 1), (0, 3, 5), (8, 13, 14),
        (11, 9, 4), (4, 10, 13), (5, 6, 2), (7, 14, 6),
    ),
    9: (
        (None, 10, 0), (1, 15, 1), (2, 14, 3), (5, 16, 7), (11, 4, 15),
        (12, 13, 5), (7, 3, 2), (8, 6, 4), (0, 9, 14),
    ),
    10: (
        (None, 0, 0), (2, 1, 3), (16, 12, 1), (4, 6, 9), (15, 8, 2),
        (11, 3, 18), (7, 17, 16), (13, 10, 5), (18, 5, 15), (9, 14, 7),
    ),
}  # fmt: skip
PRINTED = {3: "howell-3x5", 4: "howell-4x7"}
VERSIONS = ("best", "published")


def howell(tables: int, rounds: int | None = None, version: str = "best") -> Movement:
    """Return the complete Howell of 2 to 10 tables: 2T - 1 rounds, one winner.

    One pair, 2T, keeps its table; each mover follows the next lower number. `version` "published" is the printed one
    of 3 and 4 tables. For 3 tables there is no other, and in its last round all tables need the same set.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.19 (Wikipedia; QBA); starters chosen by
    own search, perfect for even tables (Hadamard matrices).

    >>> howell(4).rounds, howell(4).is_one_winner
    (7, True)
    """
    if not 2 <= tables <= 10:
        raise WrongTables("howell", tables=tables, needs="2 to 10 tables")
    rounds = 2 * tables - 1 if rounds is None else rounds
    require_allowed_rounds("howell", tables, rounds, (2 * tables - 1,))
    if version not in VERSIONS:
        raise UnknownOption("howell", option="version", value=version, allowed="best, published")
    if version == "published" and tables not in PRINTED:
        raise UnknownOption("howell", option="version", value=version, allowed="best")
    if tables == 3 or version == "published":
        return published_movement(PRINTED[tables])
    return cyclic_howell("howell", rounds, STARTERS[tables])


def partial_howell(tables: int, rounds: int | None = None, version: str = "best") -> Movement:
    """Return a three-quarter Howell: more rounds than tables, fewer than a complete Howell.

    2T - R pairs keep their tables, the others go round. The best ones were found by search, starter and
    arrow-switches together; `version` "published" is the printed one of 6 tables and 8 rounds.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.20; own search
    (`searches/partial_howells.py`).

    >>> partial_howell(6).rounds
    8
    """
    require_enough_tables("partial-howell", tables, 4)
    legal = possible_partial_rounds(tables)
    if not legal:
        raise WrongTables("partial-howell", tables=tables, needs="4 to 12 tables")
    if version not in VERSIONS:
        raise UnknownOption(
            "partial-howell", option="version", value=version, allowed="best, published"
        )
    rounds = usual_partial_rounds(tables) if rounds is None else rounds
    require_allowed_rounds("partial-howell", tables, rounds or 0, legal)
    if rounds not in possible_partial_rounds(tables, version):
        raise UnknownOption("partial-howell", option="version", value=version, allowed="best")
    if version == "published":
        return published_movement("partial-howell-6x8")
    printed = next(
        movement_data
        for movement_data in read_data_table("partial_howells")["movements"]
        if (movement_data["tables"], movement_data["rounds"]) == (tables, rounds)
    )
    starter = [_read_table(cell) for cell in printed["starter"]]
    turned = [{int(t) for t in row.split()} for row in printed["turned"]]
    return cyclic_howell("partial-howell", printed["rounds"], starter, turned)


def possible_rounds(tables: int, version: str = "best") -> tuple[int, ...]:
    """Return the only number of rounds of a complete Howell; empty if this version does not exist."""
    is_kept = version == "best" or (version == "published" and tables in PRINTED)
    return (2 * tables - 1,) if is_kept else ()


def possible_partial_rounds(tables: int, version: str = "best") -> tuple[int, ...]:
    """Return the numbers of rounds for which a three-quarter Howell is stored for so many tables."""
    if version == "published":
        return (8,) if tables == 6 else ()
    return tuple(
        movement_data["rounds"]
        for movement_data in read_data_table("partial_howells")["movements"]
        if movement_data["tables"] == tables
    )


def usual_partial_rounds(tables: int, version: str = "best") -> int | None:
    """Return the usual number of rounds of a three-quarter Howell: about three quarters of a complete one."""
    legal = possible_partial_rounds(tables, version)
    return min(legal, key=lambda r: abs(4 * r - 3 * (2 * tables - 1))) if legal else None


def _read_table(cell: str) -> Table:
    """Return both pairs and the board set in a cell of a printed Howell."""
    first, second, sets = cell.split()
    return (None if first == "-" else int(first), int(second), int(sets))


def cyclic_howell(
    family: str,
    rounds: int,
    starter: Sequence[Table],
    turned: Sequence[set[int]] = (),
) -> Movement:
    """Return the Howell that a starting round generates: each round adds one to every pair, modulo the rounds.

    `turned` holds, round by round, the tables (from 1, in the starter's order) whose sides are exchanged. Movers are
    pairs 1…R, followed by the pairs that keep their table.
    """
    tables = len(starter)
    order = sorted(range(tables), key=lambda index: (starter[index][2], index))
    keeps: dict[int, int] = {}
    for index in range(tables):
        if starter[index][0] is None:
            keeps[index] = rounds + len(keeps) + 1
    seatings = []
    for r in range(rounds):
        for place, index in enumerate(order, start=1):
            first, second, offset = starter[index]
            ns = keeps[index] if first is None else (first + r) % rounds + 1
            seating = Seating(
                r + 1, place, ns, (second + r) % rounds + 1, (set_name((offset + r) % rounds),)
            )
            seatings.append(seating.turned() if turned and index + 1 in turned[r] else seating)
    labels = tuple(str(number) for number in range(1, 2 * tables + 1))
    at_tables = [starter[index][2] for index in order]
    return Movement(
        family=family,
        contest=Contest.PAIRS,
        tables=tables,
        rounds=rounds,
        fields=(Field("pairs", labels),),
        sets=set_names(rounds),
        seatings=tuple(seatings),
        shared=tuple(
            Share(0, tuple(t + 1 for t, other in enumerate(at_tables) if other == offset))
            for offset in sorted(set(at_tables))
            if at_tables.count(offset) > 1
        ),
        stands=tuple(_stands_for_sets(rounds, at_tables)),
    )


def _stands_for_sets(rounds: int, at_tables: Sequence[int]) -> list[Stand]:
    """Return stands for waiting board sets, each after the table with the next lower set."""
    waiting: dict[int, list[int]] = {}
    for offset in range(rounds):
        if offset not in at_tables:
            lower = [t for t, other in enumerate(at_tables, start=1) if other < offset]
            waiting.setdefault(lower[-1] if lower else len(at_tables), []).append(offset)
    return [
        Stand(r + 1, after, tuple(set_name((offset + r) % rounds) for offset in offsets))
        for after, offsets in sorted(waiting.items())
        for r in range(rounds)
    ]


_VERSION = FamilyOption(
    "version", "choice", marked("the best known, or the printed one"), VERSIONS, sizes=True
)
HOWELL = Family(
    name="howell",
    title=marked_for_players("Howell"),
    build=howell,
    rounds=possible_rounds,
    smallest=2,
    largest=10,
    needs=marked("2 to 10 tables"),
    winners=1,
    options=(_VERSION,),
    source="Wikipedia, Duplicate bridge movements; QBA; own search for balance",
)
PARTIAL_HOWELL = Family(
    name="partial-howell",
    title=marked_for_players("Three-quarter Howell"),
    build=partial_howell,
    rounds=possible_partial_rounds,
    smallest=4,
    largest=12,
    needs=marked("4 to 12 tables"),
    winners=1,
    usual_rounds=usual_partial_rounds,
    options=(_VERSION,),
    source="own search; Wikipedia for the printed one",
    also_called=("¾ Howell", "Partial Howell", "Shortened Howell"),
)

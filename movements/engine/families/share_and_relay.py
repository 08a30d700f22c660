"""Share and Relay (relay and bye-stand): an even number of tables, every board played."""

from __future__ import annotations

from dataclasses import replace

from movements.engine.declarations import Share, Stand
from movements.engine.translation_marks import marked, marked_for_players

from ..errors import UnknownOption
from ..model import Movement, set_name
from .family import Family, FamilyOption
from .grid import need_even, need_rounds, two_lines


def share_and_relay(
    tables: int, rounds: int | None = None, share: int | None = None, two_copies: bool = False
) -> Movement:
    """Return the Share-and-Relay Mitchell for an even number of tables.

    Two neighbouring tables share their boards in all rounds and a stand is opposite. East-West move up one table,
    boards down one station, the stand counting as a station.

    `share` is the lower of the two sharing tables; by default (T) tables 1 and T share. With `two_copies` no tables
    share: each side of the room has a copy of its own, which enters at the sharing tables and waits beside them
    afterwards.

    Raises `OddTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.4 (any position works).

    >>> share_and_relay(8).shares(1)
    {'A': (1, 8)}
    """
    need_even("share-and-relay", tables, 4, instead=("mitchell",))
    rounds = tables if rounds is None else rounds
    need_rounds("share-and-relay", tables, rounds, range(2, tables + 1))
    share = tables if share is None else share
    if not 1 <= share <= tables:
        raise UnknownOption(
            "share-and-relay", option="share", value=share, allowed=f"1 to {tables}"
        )
    second = share % tables + 1
    stand_after = (share + tables // 2 - 1) % tables + 1

    stations, station = [], 0
    for table in range(1, tables + 1):
        stations.append(station % tables)
        station += 1 - (table == share) + (table == stand_after)
    on_stand = next(s for s in range(tables) if s not in stations)
    movement = two_lines(
        "share-and-relay",
        tables,
        rounds,
        east_west=lambda r, t: (t - r) % tables,
        board_set=lambda r, t: (stations[t] + r) % tables,
        shared=(Share(0, tuple(sorted((share, second)))),),
    )
    waiting = [(r + 1, set_name((on_stand + r) % tables)) for r in range(rounds)]
    stands = tuple(
        Stand(round, stand_after, (name,)) for round, name in waiting if name in movement.sets
    )
    movement = replace(movement, stands=stands)
    return replace(movement, shared=(), copies=2) if two_copies else movement


FAMILY = Family(
    name="share-and-relay",
    title=marked_for_players("Share-and-Relay Mitchell"),
    build=share_and_relay,
    rounds=lambda tables: range(2, tables + 1) if tables % 2 == 0 else range(0),
    smallest=4,
    needs=marked("an even number of tables"),
    options=(
        FamilyOption("share", "int", marked("the lower of the two tables that share boards")),
        FamilyOption(
            "two_copies", "flag", marked("a second copy of the boards, so that nobody shares")
        ),
    ),
    source="Wikipedia, Duplicate bridge movements; QBA, J. Peach 2011",
)

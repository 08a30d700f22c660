"""Rovers: one pair more than the tables seat moves around and takes another place every round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import gcd

from movements.engine.declarations import Exemption, Share
from movements.engine.errors import MovementError, UnknownOption, WrongTables
from movements.engine.model import Movement, Seating
from movements.engine.options import curtailed_movement
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds
from ..mitchells import mitchell as mitchell_family
from ..mitchells import share_and_relay as relay_family
from ..mitchells import skip as skip_family
from ..mitchells.crisscross import crisscross
from ..tables import read_data_table
from .transversal import Line, add_contestant, add_rover, is_rover_path, path_from_tables

BASES: dict[str, Callable[[int], Movement]] = {
    "mitchell": mitchell_family.mitchell,
    "skip-mitchell": skip_family.skip_mitchell,
    "share-and-relay": relay_family.share_and_relay,
    "crisscross": crisscross,
}

#: printed tables from round 2 on, for cases without a formula (QBA); 15 tables by search
PRINTED = {
    ("mitchell", 9): (2, 4, 6, 9, 3, 5, 7, 8),
    ("mitchell", 15): (1, 3, 15, 9, 6, 10, 14, 2, 5, 12, 4, 7, 11, 13),
    ("skip-mitchell", 12): (2, 10, 8, 6, 4, 1, 11, 9, 5, 3),
    ("share-and-relay", 6): (5, 3, 6, 4, 1),
    ("share-and-relay", 12): (3, 9, 4, 10, 5, 11, 6, 12, 7, 1, 8),
}


def ns_rover(
    tables: int, rounds: int | None = None, base: str = "usual", revenge: bool = False
) -> Movement:
    """Return a Mitchell with a North-South rover, for one pair more than the tables seat.

    The rover is NS T + 1, sits out round 1 and then takes a North-South place, whose pair sits out. `base` is
    mitchell (odd tables), skip-mitchell (usual for even tables), share-and-relay or crisscross. With 9, 15, 21 …
    tables two East-West pairs exchange places in some rounds of the complete movement. `revenge` adds the last round
    of a skip, if the rover has not yet played the set that is then at table 1.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.10 (QBA, J. Peach).

    >>> movement = ns_rover(7)
    >>> [movement.seatings_of(8)[i].table for i in range(6)]
    [2, 4, 6, 1, 3, 5]
    """
    return _build_rover("ns-rover", "ns", tables, rounds, base, revenge)


def ew_rover(tables: int, rounds: int | None = None, base: str = "usual") -> Movement:
    """Return a Mitchell with an East-West rover (a bump), for one pair more than the tables seat.

    The rover is EW T + 1, sits out round 1 and then takes an East-West place, whose pair sits out.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.9 (Wikipedia).

    >>> movement = ew_rover(5)
    >>> [seating.table for seating in movement.seatings_of(11)]
    [2, 4, 1, 3]
    """
    return _build_rover("ew-rover", "ew", tables, rounds, base, False)


def rover_party(tables: int, rounds: int | None = None, base: str = "usual") -> Movement:
    """Return a Mitchell with an East-West rover, and an extra (party) table for a second late pair.

    `tables` counts the party table. The late pair sits there North-South in all rounds. In round 1 it plays the rover
    on the set the rover never plays, and then each pair the rover has displaced, on the rover's boards, which its
    table shares.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.9 (Wikipedia).

    >>> rover_party(6).has_sit_out
    False
    """
    with_ew = _build_rover("rover-party", "ew", tables - 1, rounds, base, False, counted=tables)
    rover = with_ew.contestants[-1]
    grown, party = add_contestant(with_ew, 0, str(tables))
    rover += 1
    seatings: list[Seating] = []
    shares: list[Share] = []
    roved = {s.round: s for s in grown.seatings_of(rover)}
    spare = _spare_set(grown, rover)
    for round in range(1, grown.rounds + 1):
        seatings += grown.in_round(round)
        if round in roved:
            there = roved[round]
            displaced = next(number for number, _ in with_ew.sit_outs(round))
            guest, sets = displaced + 1, there.sets
        else:
            guest, sets = rover, (spare,)
        lenders = (s.table for s in grown.in_round(round) if set(s.sets) & set(sets))
        seatings.append(Seating(round, tables, party, guest, sets))
        shares.append(Share(round, (*lenders, tables), sets))
    # tables that share all evening share with the party table too
    return replace(grown, tables=tables, seatings=tuple(seatings), shared=(*shares, *grown.shared))


def _spare_set(movement: Movement, rover: int) -> str:
    """Return the board set for the extra (party) table in round 1: one that the rover never plays."""
    played = set(movement.sets_played(rover))
    first = sorted(movement.in_round(1), key=lambda seating: -seating.table)
    return next(name for seating in first for name in seating.sets if name not in played)


def _build_rover(
    family: str,
    direction: Line,
    tables: int,
    rounds: int | None,
    base: str,
    revenge: bool,
    counted: int | None = None,
) -> Movement:
    """Return a Mitchell with a rover that displaces pairs of a direction."""
    asked = counted or tables
    name = _base_name(family, tables, base, asked)
    path = late_rover_path(name, tables)
    if not path:
        raise WrongTables(
            family, tables=asked, needs="a number of tables for which a rover's path is known"
        )
    movement = BASES[name](tables)
    legal = range(2, min(movement.rounds, len(path) + 1) + 1)
    if revenge:
        if name != "skip-mitchell" or direction != "ns" or not _can_have_revenge_round(tables):
            raise UnknownOption(family, option="revenge", value="yes", allowed="no")
        movement = skip_family.skip_mitchell(tables, tables, revenge=True)
        path, legal = (*path, 1), range(tables, tables + 1)
    rounds = legal[-1] if rounds is None else rounds
    require_allowed_rounds(family, asked, rounds, legal)
    movement = curtailed_movement(movement, rounds)
    if name == "mitchell" and rounds == tables and tables % 3 == 0:
        movement = exchange_pairs(movement)
    elif not revenge and not is_rover_path(movement, path_from_tables(path[: rounds - 1])):
        path = stored_path(name, tables, "late")  # without the exchange, all rounds but the last
    roving = add_rover(movement, direction, path_from_tables(path[: rounds - 1]))
    if revenge and rounds == tables:
        why = "revenge round: the rover meets its first opponents again"
        meets = (tables + 1, tables + 2)
        roving = replace(
            roving,
            exemptions=(*roving.exemptions, Exemption("meet-once", 2, why, contestants=meets)),
        )
    return replace(roving, family=family)


def _can_have_revenge_round(tables: int) -> bool:
    """Return whether the rover can meet its first opponents again in a last round of a Skip Mitchell.

    It takes table 1; the set that is there then must be new to it.
    """
    path = late_rover_path("skip-mitchell", tables)
    if len(path) != tables - 2:
        return False
    movement = skip_family.skip_mitchell(tables, tables, revenge=True)
    roving = path_from_tables((*path, 1))
    sets = [movement.at(round, table).sets for round, table in roving.items()]
    return len(set(sets)) == len(sets)


def exchange_pairs(movement: Movement) -> Movement:
    """Return a Mitchell of 9, 15, 21 … tables with two East-West pairs exchanged in every third round.

    Without it no rover can play from round 2 to the end. 9 tables are printed (QBA). The others exchange pairs a
    third of the room apart, which meet the same opponents and sets in the end.
    """
    tables, third = movement.tables, movement.tables // 3
    pairs, rounds = ((6, 9), (3, 6, 9))
    if tables != 9:
        pairs, rounds = ((1, 1 + third), (1, 1 + third, 1 + 2 * third))
    one, other = (tables + pair for pair in pairs)
    swap = {one: other, other: one}
    return replace(
        movement,
        seatings=tuple(
            replace(seating, ew=swap.get(seating.ew, seating.ew))
            if seating.round in rounds and isinstance(seating.ew, int)
            else seating
            for seating in movement.seatings
        ),
    )


def _base_name(family: str, tables: int, base: str, counted: int | None = None) -> str:
    """Return the family of the Mitchell to which a rover is added: chosen, or usual for these tables."""
    if base == "usual":
        base = "mitchell" if tables % 2 else "skip-mitchell"
    if base not in BASES:
        raise UnknownOption(family, option="base", value=base, allowed=", ".join(BASES))
    fits = (
        tables % 2 == 1 if base == "mitchell" else tables % (4 if base == "crisscross" else 2) == 0
    )
    if not fits or tables < 4:
        needs = {"mitchell": "an odd number of tables", "crisscross": "a multiple of 4 tables"}
        raise WrongTables(
            family,
            tables=counted or tables,
            needs=f"{needs.get(base, 'an even number of tables')} in its base",
        )
    return base


def tables_by_formula(base: str, tables: int) -> tuple[int, ...] | None:
    """Return the rover's tables from round 2 on by a printed rule (QBA); None if none is known."""
    half = tables // 2
    if base == "mitchell" and gcd(tables, 6) == 1:
        return tuple((2 * r - 1) % tables + 1 for r in range(1, tables))
    if base == "skip-mitchell" and tables % 2 == 0 and tables % 3 and tables >= 6:
        return (*range(2, tables, 2)[: half - 1], *range(3, tables, 2))[: tables - 2]
    if base == "share-and-relay" and tables % 2 == 0 and tables % 3 and tables >= 8:
        return tuple(1 + i // 2 if i % 2 == 0 else half + 2 + i // 2 for i in range(tables - 1))
    return PRINTED.get((base, tables))


@lru_cache(maxsize=512)
def late_rover_path(base: str, tables: int) -> tuple[int, ...]:
    """Return the tables of a rover that arrives late, from round 2 on; empty if none is known.

    Complete if a complete one is known, otherwise all rounds but the last.
    """
    return (
        tables_by_formula(base, tables)
        or stored_path(base, tables, "exchange")
        or stored_path(base, tables, "late")
    )


@lru_cache(maxsize=512)
def stored_path(base: str, tables: int, kind: str) -> tuple[int, ...]:
    """Return a stored rover path (its tables by round) that a search found; empty if there is none."""
    for entry in read_data_table("rovers")["paths"]:
        if (entry["base"], entry["tables"], entry["kind"]) == (base, tables, kind):
            return tuple(entry["path"])
    return ()


def _allowed_rounds(tables: int, base: str = "usual", revenge: bool = False) -> range:
    """Return the possible numbers of rounds of a Mitchell with a rover for so many tables."""
    try:
        name = _base_name("ns-rover", tables, base)
    except MovementError:
        return range(0)
    if revenge:
        can_be = name == "skip-mitchell" and _can_have_revenge_round(tables)
        return range(tables, tables + 1) if can_be else range(0)
    path = late_rover_path(name, tables)
    most = tables - 1 if name == "skip-mitchell" else tables
    return range(2, min(most, len(path) + 1) + 1) if path else range(0)


def _party_rounds(tables: int, base: str = "usual") -> range:
    """Return the possible numbers of rounds of a Mitchell with a rover and an extra (party) table."""
    return _allowed_rounds(tables - 1, base)


_BASE = FamilyOption("base", "choice", marked("the movement below"), ("usual", *BASES), sizes=True)
NS_ROVER = Family(
    name="ns-rover",
    title=marked_for_players("Rover Mitchell, North-South"),
    build=ns_rover,
    rounds=_allowed_rounds,
    smallest=4,
    needs=marked("a number of tables for which a rover's path is known"),
    options=(
        _BASE,
        FamilyOption(
            "revenge", "flag", marked("a last round against the first opponents"), sizes=True
        ),
    ),
    takes_missing_pair=False,
    source="QBA, J. Peach 2011; own search",
    also_called=("Bump",),
)
EW_ROVER = Family(
    name="ew-rover",
    title=marked_for_players("Rover Mitchell, East-West"),
    build=ew_rover,
    rounds=_allowed_rounds,
    smallest=4,
    needs=marked("a number of tables for which a rover's path is known"),
    options=(_BASE,),
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements; own search",
    also_called=("Bump",),
)
ROVER_PARTY = Family(
    name="rover-party",
    title=marked_for_players("Rover with party table"),
    build=rover_party,
    rounds=_party_rounds,
    smallest=5,
    needs=marked("a number of tables for which a rover's path is known, and one more"),
    options=(_BASE,),
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements",
)

"""The Two-Way Rover: one pair too many, and sit-outs of at most half a round each."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from movements.engine.declarations import Share
from movements.engine.errors import UnknownOption, WrongTables
from movements.engine.model import Field, Movement, Seating
from movements.engine.options import curtailed_movement, merge_fields
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds
from ..mitchells.crisscross import crisscross
from ..mitchells.mitchell import mitchell
from ..mitchells.share_and_relay import share_and_relay
from ..mitchells.skip import skip_mitchell
from .rover import stored_path

BASES: dict[str, Callable[[int], Movement]] = {
    "mitchell": mitchell,
    "skip-mitchell": skip_mitchell,
    "crisscross": crisscross,
    "share-and-relay": share_and_relay,
}
WITH_PARTY = ("mitchell", "skip-mitchell", "crisscross")
PRINTED = {("crisscross", 4): (2, 4, 1, 3)}


def two_way_rover(tables: int, rounds: int | None = None, base: str = "usual") -> Movement:
    """Return a movement with a two-way rover: one winner, one pair more than the tables seat.

    Sets are in halves. The rover, pair 2T + 1, takes the North-South seat of a table for the first half of a round
    and the East-West seat for the second; each displaced pair sits out half a round. In round 1 the rover sits out
    the first half itself. `base` is mitchell, skip-mitchell, crisscross or share-and-relay. With the last one a pair
    sits out two halves, because there is no path through every round.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.15 (Wikipedia).

    >>> two_way_rover(7).longest_sit_out
    Fraction(1, 2)
    """
    name, path = _base_and_path("two-way-rover", tables, base, tables)
    rounds = len(path) if rounds is None else rounds
    require_allowed_rounds("two-way-rover", tables, rounds, range(2, len(path) + 1))
    return _add_rover(BASES[name](tables), path[:rounds], "two-way-rover")


def two_way_rover_party(tables: int, rounds: int | None = None, base: str = "usual") -> Movement:
    """Return a movement with a two-way rover, and an extra (party) table for a second late pair.

    `tables` counts the party table. The late pair, 2T, sits there North-South in first halves and East-West in second
    ones. It plays each pair the rover has displaced (the rover itself in the first half of round 1), sharing the
    boards of the rover's table.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.15 (Wikipedia).

    >>> two_way_rover_party(8).has_sit_out
    False
    """
    if base == "share-and-relay":  # the pair bumped twice would meet the late pair twice
        raise UnknownOption(
            "two-way-rover-party", option="base", value=base, allowed=", ".join(WITH_PARTY)
        )
    if base == "usual":
        base = _usual_base(tables - 1, WITH_PARTY)
    name, path = _base_and_path("two-way-rover-party", tables - 1, base, tables)
    rounds = len(path) if rounds is None else rounds
    require_allowed_rounds("two-way-rover-party", tables, rounds, range(2, len(path) + 1))
    base_movement = merge_fields(BASES[name](tables - 1))
    movement = _add_rover(BASES[name](tables - 1), path[:rounds], "two-way-rover-party")
    rover, late = 2 * tables - 1, 2 * tables
    seatings: list[Seating] = []
    shares = []
    for round in range(1, rounds + 1):
        there = base_movement.at(round, path[round - 1])
        first, second = _names_of_halves(there.sets[0])
        guests = (rover, there.ns) if round == 1 else (there.ns, there.ew)
        seatings += movement.in_round(round)
        seatings.append(Seating(round, tables, late, guests[0], (first,)))
        seatings.append(Seating(round, tables, guests[1], late, (second,)))
        shares.append(Share(round, (there.table, tables), (first, second)))
    field = movement.fields[0]
    return replace(
        movement,
        tables=tables,
        fields=(Field(field.name, (*field.labels, str(late))),),
        seatings=tuple(seatings),
        shared=(*movement.shared, *shares),
    )


def _names_of_halves(name: str) -> tuple[str, str]:
    """Return the names of the two halves into which a board set is divided."""
    return f"{name}1", f"{name}2"


def _add_rover(base: Movement, path: tuple[int, ...], family: str) -> Movement:
    """Return the movement with a rover that plays half of each round in either direction."""
    movement = merge_fields(curtailed_movement(base, len(path)))
    rover = 2 * base.tables + 1

    def halved_seating(seating: Seating) -> tuple[Seating, ...]:
        """Return a seating in two halves."""
        both = _names_of_halves(seating.sets[0])
        if path[seating.round - 1] != seating.table:
            return (replace(seating, sets=both),)
        first = replace(seating, sets=both[:1])
        second = replace(seating, sets=both[1:])
        if seating.round == 1:
            is_bumped_twice = base.family == "share-and-relay"
            bumped = replace(second, ew=rover) if is_bumped_twice else replace(second, ns=rover)
            return (first, bumped)
        return (replace(first, ns=rover), replace(second, ew=rover))

    return replace(
        movement,
        family=family,
        fields=(Field("pairs", tuple(str(n) for n in range(1, rover + 1))),),
        sets=tuple(half for name in movement.sets for half in _names_of_halves(name)),
        seatings=tuple(half for seating in movement.seatings for half in halved_seating(seating)),
        stands=tuple(
            replace(
                stand, sets=tuple(half for name in stand.sets for half in _names_of_halves(name))
            )
            for stand in movement.stands
        ),
    )


def _base_and_path(
    family: str, tables: int, base: str, counted: int
) -> tuple[str, tuple[int, ...]]:
    """Return the name of the base movement and the rover's table in every round."""
    if base == "usual":
        base = _usual_base(tables)
    if base not in BASES:
        raise UnknownOption(family, option="base", value=base, allowed=", ".join(BASES))
    path = full_path(base, tables)
    if not path:
        raise WrongTables(
            family, tables=counted, needs="a number of tables with a path through every round"
        )
    return base, path


def _usual_base(tables: int, bases: Collection[str] = BASES) -> str:
    """Return the first of these base movements that has a rover path for so many tables."""
    return next((base for base in bases if full_path(base, tables)), "mitchell")


def full_path(base: str, tables: int) -> tuple[int, ...]:
    """Return the two-way rover's table in every round from the first; empty if there is no such path."""
    if base == "mitchell":
        is_prime_to_six = tables % 2 and tables % 3 and tables >= 5
        return tuple((2 * r + 1) % tables + 1 for r in range(tables)) if is_prime_to_six else ()
    if base == "share-and-relay":
        return stored_path(base, tables, "twice")
    return PRINTED.get((base, tables)) or stored_path(base, tables, "full")


def _allowed_rounds(tables: int, base: str = "usual", bases: Collection[str] = BASES) -> range:
    """Return the possible numbers of rounds of a movement with a two-way rover for so many tables."""
    if tables < 4 or base not in ("usual", *bases):
        return range(0)
    path = full_path(_usual_base(tables, bases) if base == "usual" else base, tables)
    return range(2, len(path) + 1) if path else range(0)


def _party_rounds(tables: int, base: str = "usual") -> range:
    """Return the possible numbers of rounds with a two-way rover and an extra (party) table."""
    return _allowed_rounds(tables - 1, base, WITH_PARTY)


_BASE = FamilyOption("base", "choice", marked("the movement below"), ("usual", *BASES), sizes=True)
TWO_WAY_ROVER = Family(
    name="two-way-rover",
    title=marked_for_players("Two-Way Rover"),
    build=two_way_rover,
    rounds=_allowed_rounds,
    smallest=4,
    needs=marked("a number of tables with a path through every round"),
    winners=1,
    options=(_BASE,),
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements; own search",
    also_called=("Two-Way Bump",),
)
TWO_WAY_ROVER_PARTY = Family(
    name="two-way-rover-party",
    title=marked_for_players("Two-Way Rover with party table"),
    build=two_way_rover_party,
    rounds=_party_rounds,
    smallest=5,
    needs=marked("a number of tables with a path through every round, and one more"),
    winners=1,
    options=(
        FamilyOption(
            "base", "choice", marked("the movement below"), ("usual", *WITH_PARTY), sizes=True
        ),
    ),
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements",
)

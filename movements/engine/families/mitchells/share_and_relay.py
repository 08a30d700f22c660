"""Share and Relay (relay and bye-stand): an even number of tables, every board played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from movements.engine.declarations import Share, Stand
from movements.engine.errors import UnknownOption
from movements.engine.model import Movement, set_name
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds, require_even_tables, two_lines


def share_and_relay(
    tables: int,
    rounds: int | None = None,
    share: int | None = None,
    two_copies: bool = False,
    each_side: bool = False,
    extra: bool = False,
    opposite: bool = False,
    begins: int | None = None,
) -> Movement:
    """Return the Share-and-Relay Mitchell for an even number of tables.

    Two neighbouring tables share their boards in all rounds and a stand is opposite. East-West move up one table,
    boards down one station, the stand counting as a station.

    `share` is the lower of the two sharing tables; by default (T) tables 1 and T share. Three options let no tables
    share, with a second copy of the boards. `two_copies`: the second copy of a set enters play at the lower of the two
    tables while the first retires after the higher one. `each_side`: each side of the room has a copy of its own,
    played there only, so that an error in a copy concerns half of the plays; a copy waits on a stand where its side
    begins. `extra`: the second copy is for the last table only and lies on a stand beside it.

    Table 1 begins with the set `begins`. Sections with `extra` that begin with different sets can use one extra copy.
    `opposite` is for the second of two sections with the same boards: it shares where the other has its stand, and
    begins with the second set. Then each section's stand holds the set that the other shares (`virtual_sharing`).

    Raises `OddTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.4 (any position works; remedies for
    sharing).

    >>> share_and_relay(8).shares(1), share_and_relay(8, opposite=True).shares(1)
    ({'A': (1, 8)}, {'E': (4, 5)})
    """
    require_even_tables("share-and-relay", tables, 4, instead=("mitchell",))
    rounds = tables if rounds is None else rounds
    require_allowed_rounds("share-and-relay", tables, rounds, range(2, tables + 1))
    usual = tables // 2 if opposite else tables
    share = usual if share is None else share
    begins = 1 + opposite if begins is None else begins
    _check_remedies(two_copies=two_copies, each_side=each_side, extra=extra, opposite=opposite)
    # copies keep their order in the room, so no side of a copy may go over the end of the tables
    sides = (tables // 2, tables) if each_side else (tables,) if extra else range(1, tables + 1)
    _check_place("share", share, sides)
    _check_place("begins", begins, range(1, tables + 1))
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
        board_set=lambda r, t: (stations[t] + r + begins - 1) % tables,
        shared=(Share(0, tuple(sorted((share, second)))),),
    )
    waiting = (set_name((on_stand + r + begins - 1) % tables) for r in range(rounds))
    stands = tuple(
        Stand(r, stand_after, (name,)) for r, name in enumerate(waiting, 1) if name in movement.sets
    )
    if each_side:
        stands = tuple(_stands_of_sides(movement, share, stand_after))
    elif extra:
        stands += _stands_of_extra_copy(movement, share)
    movement = replace(movement, stands=stands)
    if two_copies or each_side or extra:
        return replace(movement, shared=(), copies=2)
    return movement


def _check_place(option: str, value: int, allowed: Sequence[int]) -> None:
    """Raise `UnknownOption` if the table chosen by an option is not an allowed one."""
    if value not in allowed:
        named = ", ".join(map(str, allowed))
        text = f"{allowed[0]} to {allowed[-1]}" if isinstance(allowed, range) else named
        raise UnknownOption("share-and-relay", option=option, value=value, allowed=text)


def possible_rounds(tables: int, **remedies: bool) -> range:
    """Return the legal numbers of rounds of a Share-and-Relay; none for odd tables or clashing options."""
    is_possible = tables % 2 == 0 and sum(map(bool, remedies.values())) <= 1
    return range(2, tables + 1) if is_possible else range(0)


def _check_remedies(**chosen: bool) -> None:
    """Raise `UnknownOption` if two options are chosen that both replace the sharing of boards."""
    names = [name for name, is_chosen in chosen.items() if is_chosen]
    if len(names) > 1:
        raise UnknownOption(
            "share-and-relay", option=names[1], value="yes", allowed=f"no, with {names[0]}"
        )


def _stands_of_sides(movement: Movement, share: int, stand_after: int) -> Iterator[Stand]:
    """Yield the board stands of a Share-and-Relay with two copies, each on its own side of the room.

    The tables from `share` down to the one after the stand are one side, all others the other one. A copy that is
    still to be played on its side waits at the entrance: of the first side after table `share`, of the other after
    `stand_after`. The last table of a side brings boards there at once, so the director need not carry them back
    before mid-session (as in the article).
    """
    half = movement.tables // 2
    first_side = {(share - 1 - step) % movement.tables + 1 for step in range(half)}
    for after, is_first in ((share, True), (stand_after, False)):
        rounds_by_set = _rounds_by_set(movement, first_side, is_first=is_first)
        for round in range(1, movement.rounds + 1):
            sets = tuple(
                name
                for name, rounds in rounds_by_set.items()
                if round not in rounds and any(played > round for played in rounds)
            )
            if sets:
                yield Stand(round, after, sets)


def _rounds_by_set(
    movement: Movement, first_side: set[int], *, is_first: bool
) -> dict[str, set[int]]:
    """Return the rounds in which each board set is played on one side of the room."""
    rounds_by_set: dict[str, set[int]] = {name: set() for name in movement.sets}
    for seating in movement.seatings:
        if (seating.table in first_side) == is_first:
            for name in seating.sets:
                rounds_by_set[name].add(seating.round)
    return rounds_by_set


def _stands_of_extra_copy(movement: Movement, share: int) -> tuple[Stand, ...]:
    """Return the board stand at the sharing tables with the extra copies of board sets that are not played."""
    return tuple(
        Stand(r, share, tuple(n for n in movement.sets if n not in movement.at(r, share).sets))
        for r in range(1, movement.rounds + 1)
    )


FAMILY = Family(
    name="share-and-relay",
    title=marked_for_players("Share-and-Relay Mitchell"),
    build=share_and_relay,
    rounds=possible_rounds,
    smallest=4,
    needs=marked("an even number of tables"),
    options=(
        FamilyOption("share", "int", marked("the lower of the two tables that share boards")),
        FamilyOption(
            "two_copies",
            "flag",
            marked("a second copy of the boards, so that nobody shares"),
            sizes=True,
        ),
        FamilyOption(
            "each_side",
            "flag",
            marked("two copies: each side of the room keeps its own"),
            sizes=True,
        ),
        FamilyOption(
            "extra",
            "flag",
            marked("an extra copy for one of the sharing tables only"),
            sizes=True,
        ),
        FamilyOption("begins", "int", marked("the set with which table 1 begins")),
        FamilyOption(
            "opposite",
            "flag",
            marked("second of two sections that use each other’s stand"),
            sizes=True,
        ),
    ),
    source="Wikipedia, Duplicate bridge movements; QBA, J. Peach 2011",
)

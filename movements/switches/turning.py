"""Turned boards of an arrow-switched movement, derived by comparison with the one before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace

from movements.engine.boards import boards_of_sets
from movements.engine.fairness.switching import RoundSwitch
from movements.engine.model import Movement, Seating, Side, players_of

Numbers = Mapping[str, range]
Play = tuple[Side, Side]


def turns_between(
    plain: Movement, plain_numbers: Numbers, switched: Movement, numbers: Numbers
) -> tuple[RoundSwitch, ...] | None:
    """Return the arrow-switches that turn movement `plain` into `switched`; None if more has changed.

    A movement changed during the session is no longer the plain one with boards turned.
    """
    before, after = _sides_by_board(plain, plain_numbers), _sides_by_board(switched, numbers)
    if before.keys() != after.keys():
        return None
    turned: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    boards: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for (round, table, board), sides in before.items():
        boards[round, table].append(board)
        if after[round, table, board] == sides[::-1] and None not in sides:
            turned[round, table].add(board)
        elif after[round, table, board] != sides:
            return None
    return _grouped_turns(boards, turned)


def unturned_movement(movement: Movement, plain: Movement, numbers: Mapping[int, int]) -> Movement:
    """Return a played movement with arrow-switches undone, so that contestants are where they really sit.

    `plain` gives the lines before `movement` was changed otherwise; `numbers` the contestants' present numbers. If it
    knows neither side, or both in the same line, they sit as they play most of the boards.
    """
    lines = {
        (seating.round, numbers[contestant]): line
        for seating in plain.seatings
        for line, side in (("ns", seating.ns), ("ew", seating.ew))
        for contestant in players_of(side)
    }
    at_table: defaultdict[tuple[int, int, Side, Side], list[str]] = defaultdict(list)
    for seating in sorted(movement.seatings, key=lambda s: (s.round, s.table, -len(s.sets))):
        ns, ew = seating.ns, seating.ew
        place = seating.round, seating.table
        if seating.is_played and (*place, ew, ns) in at_table:
            ns, ew = ew, ns
        elif seating.is_played and (*place, ns, ew) not in at_table:
            ns, ew = _sides_by_line(seating, lines)
        at_table[*place, ns, ew] += seating.sets
    order = {name: index for index, name in enumerate(movement.sets)}
    return replace(
        movement,
        seatings=tuple(
            Seating(round, table, ns, ew, tuple(sorted(sets, key=order.__getitem__)))
            for (round, table, ns, ew), sets in at_table.items()
        ),
    )


def _sides_by_line(seating: Seating, lines: Mapping[tuple[int, int], str]) -> tuple[Side, Side]:
    """Return a seating's two sides, exchanged if the directions in `lines` show that they sit the other way."""
    ns, ew = (
        {lines.get((seating.round, contestant)) for contestant in players_of(side)}
        for side in (seating.ns, seating.ew)
    )
    is_turned = ("ew" in ns or "ns" in ew) and not ("ns" in ns or "ew" in ew)
    return (seating.ew, seating.ns) if is_turned else (seating.ns, seating.ew)


def _sides_by_board(movement: Movement, numbers: Numbers) -> dict[tuple[int, int, int], Play]:
    """Return who sits N-S and E-W, by round, table and board."""
    return {
        (seating.round, seating.table, board): (seating.ns, seating.ew)
        for seating in movement.seatings
        for board in boards_of_sets(seating.sets, numbers)
    }


def _grouped_turns(
    boards: Mapping[tuple[int, int], list[int]], turns: Mapping[tuple[int, int], set[int]]
) -> tuple[RoundSwitch, ...]:
    """Return the arrow-switches by round; tables that switch the same boards of their sets are joined."""
    together: defaultdict[tuple[int, tuple[int, ...]], list[int]] = defaultdict(list)
    for (round, table), here in turns.items():
        order = sorted(boards[round, table])
        is_whole = len(here) == len(order)
        places = () if is_whole else tuple(order.index(board) + 1 for board in sorted(here))
        together[round, places].append(table)
    return tuple(
        RoundSwitch(
            round, _tables_unless_all(together[round, places], boards, round, places), places
        )
        for round, places in sorted(together)
    )


def _tables_unless_all(
    tables: Collection[int],
    boards: Mapping[tuple[int, int], list[int]],
    round: int,
    places: tuple[int, ...],
) -> tuple[int, ...]:
    """Return these tables; empty if they are all tables that could switch such boards in the round."""
    last = max(places, default=1)
    everybody = {table for (r, table), here in boards.items() if r == round and len(here) >= last}
    return () if everybody <= {*tables} else tuple(sorted(tables))

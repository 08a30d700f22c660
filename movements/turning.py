"""Which boards are turned in a movement that was arrow-switched: read off it and what it was before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from .engine.boards import boards_of
from .engine.model import Movement, Side
from .engine.switching import Turn

Numbers = Mapping[str, range]
Play = tuple[Side, Side]


def turns_between(
    plain: Movement, plain_numbers: Numbers, switched: Movement, numbers: Numbers
) -> tuple[Turn, ...] | None:
    """Return what is turned, round by round; None where more than directions was changed.

    A movement that was changed during the evening is no longer the plain one with boards turned.
    """
    before, after = _plays(plain, plain_numbers), _plays(switched, numbers)
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
    return _grouped(boards, turned)


def _plays(movement: Movement, numbers: Numbers) -> dict[tuple[int, int, int], Play]:
    """Who sits which way, by round, table and board."""
    return {
        (seating.round, seating.table, board): (seating.ns, seating.ew)
        for seating in movement.seatings
        for board in boards_of(seating.sets, numbers)
    }


def _grouped(
    boards: Mapping[tuple[int, int], list[int]], turned: Mapping[tuple[int, int], set[int]]
) -> tuple[Turn, ...]:
    """Tables that turn boards of the same places in their sets go together."""
    together: defaultdict[tuple[int, tuple[int, ...]], list[int]] = defaultdict(list)
    for (round, table), here in turned.items():
        order = sorted(boards[round, table])
        is_whole = len(here) == len(order)
        places = () if is_whole else tuple(order.index(board) + 1 for board in sorted(here))
        together[round, places].append(table)
    return tuple(
        Turn(round, _unless_all(together[round, places], boards, round, places), places)
        for round, places in sorted(together)
    )


def _unless_all(
    tables: Collection[int],
    boards: Mapping[tuple[int, int], list[int]],
    round: int,
    places: tuple[int, ...],
) -> tuple[int, ...]:
    """No tables where everybody who has such a board turns it."""
    last = max(places, default=1)
    everybody = {table for (r, table), here in boards.items() if r == round and len(here) >= last}
    return () if everybody <= {*tables} else tuple(sorted(tables))

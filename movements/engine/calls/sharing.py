"""Tables that share boards: when a round begins, and in all rounds."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from ..board_copies.copies import copy_places
from ..model import Movement


def sharing_tables(movement: Movement, round: int) -> tuple[tuple[int, ...], ...]:
    """Return the groups of tables that share one copy of the boards when a round begins."""
    groups = {spot.tables for spot in copy_places(movement).at_start(round) if len(spot.tables) > 1}
    return tuple(sorted(groups))


@lru_cache(maxsize=64)
def always_sharing(movement: Movement) -> tuple[tuple[int, ...], ...]:
    """Return the groups of tables that share boards in all rounds, which announcements do not repeat."""
    groups = [set(sharing_tables(movement, round)) for round in range(1, movement.rounds + 1)]
    declared = {
        share.tables
        for share in movement.shared
        if not share.round and _share_when_both_play(movement, share.tables)
    }
    return tuple(sorted(set.intersection(*groups) | declared))


def _share_when_both_play(movement: Movement, tables: tuple[int, ...]) -> bool:
    """Return whether these tables share boards in all rounds in which both play."""
    for round in range(1, movement.rounds + 1):
        by_table = [movement.seatings_at_table(round, table) for table in tables]
        play = all(seatings and all(s.is_played for s in seatings) for seatings in by_table)
        if play and tables not in sharing_tables(movement, round):
            return False
    return True


def sometimes_shared_tables(movement: Movement, round: int) -> tuple[tuple[int, ...], ...]:
    """Return the groups of tables that share boards in this round but not in all."""
    always = always_sharing(movement)
    return tuple(group for group in sharing_tables(movement, round) if group not in always)


@lru_cache(maxsize=64)
def lowest_tables(movement: Movement) -> tuple[int, ...]:
    """Return the tables that count for announcements: of tables that always share boards, the lowest only."""
    higher = set(chain.from_iterable(group[1:] for group in always_sharing(movement)))
    return tuple(table for table in range(1, movement.tables + 1) if table not in higher)

"""The differences that a change makes in drawn matches of teams, at the home tables.

A draw pairs teams; each match is played at both home tables, a triangle at three.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from movements.engine.boards import MatchBoards
from movements.engine.changes import Proposal, TableDifference
from movements.engine.model import Movement, Seating
from movements.engine.plays import plays_of

AtTables = Mapping[tuple[int, int], tuple[Seating, ...]]  # by round and table


def differences_at_home_tables(proposal: Proposal, boards: int) -> tuple[TableDifference, ...]:
    """Return how a proposal changes the seats at teams' home tables; a match has `boards` boards."""
    before = _seatings_from_round(proposal.before, proposal.from_round, boards, proposal.numbers)
    after = _seatings_from_round(proposal.movement, proposal.from_round, boards)
    return tuple(
        TableDifference(*place, before.get(place, ()), after.get(place, ()))
        for place in sorted(before.keys() | after.keys())
        if before.get(place) != after.get(place)
    )


def _seatings_from_round(
    movement: Movement, first_round: int, boards: int, numbers: Mapping[int, int] | None = None
) -> AtTables:
    """Return who sits at each table in each round from `first_round` on, for a match of `boards` boards.

    `numbers` maps contestants to other numbers.
    """
    at_tables: defaultdict[tuple[int, int], dict[int, Seating]] = defaultdict(dict)
    for round in range(first_round, movement.rounds + 1):
        for play in plays_of(movement, round, {}, MatchBoards(boards)):
            here = play.renumbered(numbers) if numbers else play
            seating = Seating(round, play.table, here.ns, here.ew, ())
            at_tables[round, play.table][play.part] = seating
    return {place: tuple(parts.values()) for place, parts in at_tables.items()}

"""Board numbers of the sets of a changed movement."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from movements.engine.board_copies.borrowed_sets import boards_of_set, borrowed_set

from .proposal import Proposal


def numbers_after_change(
    numbers: Mapping[str, range], proposal: Proposal, boards_per_set: int, beyond: int = 0
) -> dict[str, range]:
    """Return the board numbers of every set of a proposal; boards in play keep theirs, new ones follow.

    New ones also come after board `beyond`, if other sections use boards of their own.
    """
    highest = max((boards[-1] for boards in numbers.values() if boards), default=0)
    highest = max(highest, beyond)
    numbers_by_set = {}
    for name in proposal.movement.sets:
        if name in proposal.parts:
            whole, low, high = proposal.parts[name]
            boards = boards_of_set(whole, numbers)
            numbers_by_set[name] = boards[ceil(len(boards) * low) : ceil(len(boards) * high)]
        elif name in numbers or borrowed_set(name):
            numbers_by_set[name] = boards_of_set(name, numbers)
        else:
            numbers_by_set[name] = range(highest + 1, highest + 1 + boards_per_set)
            highest += boards_per_set
    return numbers_by_set

"""Two sections that use each other's stand, so that no tables share (virtual sharing).

Two sections play the same boards by a Share-and-Relay Mitchell, with their sharing tables at opposite places. The set
on the stand of one section is then the set that two tables of the other section want: one of them plays its own
section's copy, the other takes that from the stand and puts it back after the round. Source: catalogue 2.4, remedies
for sharing (Wikipedia).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..model import Movement
from .copies import copy_places


@dataclass(frozen=True, slots=True)
class LentSet:
    """A board set on one section's board stand, played by a table of another section instead of sharing."""

    round: int
    name: str
    after_table: int  # of the lender's stand
    table: int  # of the borrower


def lent_sets(lender: Movement, borrower: Movement) -> tuple[LentSet, ...]:
    """Return, round by round, the sets on one section's board stands that another section's sharing tables can play.

    Empty unless a set is on a stand of the lender whenever two tables of the borrower share it, so that the borrower's
    tables never pass boards on. Of two sharing tables the higher one borrows. The sets of both sections must stand
    for the same boards; each section needs a copy of its own.

    >>> from movements.engine.families.mitchells.share_and_relay import share_and_relay
    >>> lent_sets(share_and_relay(8, opposite=True), share_and_relay(8))[:2]
    (LentSet(round=1, name='A', after_table=8, table=8), LentSet(round=2, name='B', after_table=8, table=8))
    """
    found = []
    for round in range(1, borrower.rounds + 1):
        lying = {name: stand.after_table for stand in lender.waiting(round) for name in stand.sets}
        for name, tables in borrower.shares(round).items():
            if name not in lying or len(tables) > 2:
                return ()
            found.append(LentSet(round, name, lying[name], max(tables)))
    return tuple(found)


def own_boards(borrower: Movement, lent: Iterable[LentSet]) -> Movement:
    """Return the borrowing section's movement with lent sets at the tables that borrow, so that no tables share.

    The borrowing tables play sets of another name, which are not among the movement's. So no tables share, and the own
    boards pass the borrowing table.

    >>> from movements.engine.families.mitchells.share_and_relay import share_and_relay
    >>> movement = share_and_relay(8)
    >>> own_boards(movement, lent_sets(share_and_relay(8, opposite=True), movement)).at(1, 8).sets
    ('/A',)
    """
    places = {(item.round, item.table): item.name for item in lent}
    seatings = tuple(
        replace(seating, sets=(f"/{name}",))
        if (name := places.get((seating.round, seating.table)))
        else seating
        for seating in borrower.seatings
    )
    return replace(borrower, seatings=seatings, shared=())


def second_copy_plays(movement: Movement) -> frozenset[tuple[int, str]]:
    """Return the rounds in which a second copy of the boards is used, each with the set.

    Sections in which they differ can use one second copy in turn.

    >>> from movements.engine.families.mitchells.share_and_relay import share_and_relay
    >>> sorted(second_copy_plays(share_and_relay(4, extra=True)))
    [(1, 'A'), (2, 'B'), (3, 'C'), (4, 'D')]
    """
    where = copy_places(movement)
    return frozenset(
        (seating.round, name)
        for seating in movement.seatings
        for name in (seating.sets if seating.is_played else ())
        if where.copy_at(seating.round, seating.table, name) == 2
    )

"""A pair that cannot move: from the next round on it stays at one table.

With one winner it may exchange its whole session with a stationary pair. In any movement of pairs its table may be
reserved. In every round the game planned there goes to the table where the pair was due, and the pair's opponents and
boards come to it. All meetings and boards stay as planned, so that is always lawful, but others move a little more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from movements.engine.declarations import Share

from ..model import Movement, Seating, players_of
from .change import PairStays
from .proposal import Kind, Proposal, identity_numbers, lawful_proposal, renumber_seatings


def stay_proposals(movement: Movement, fixed_rounds: int, change: PairStays) -> Iterator[Proposal]:
    """Yield proposals that let a pair stay at one table; none if it does so already."""
    contestant = change.contestant
    if not movement.contest.fills_a_side or fixed_rounds >= movement.rounds or movement.open_rounds:
        return
    if (
        not _coming_seats(movement, fixed_rounds, contestant)
        or len(_coming_seats(movement, fixed_rounds, contestant)) == 1
    ):
        return
    if movement.is_one_winner:
        for other in movement.contestants:
            if other != contestant and len(_coming_seats(movement, fixed_rounds, other)) == 1:
                yield from _exchange_proposals(movement, fixed_rounds, contestant, other)
    yield from _reserve_table(movement, fixed_rounds, contestant)


def _coming_seats(movement: Movement, fixed_rounds: int, contestant: int) -> set[tuple[int, bool]]:
    """Return a contestant's tables and directions in the coming rounds."""
    return {
        (s.table, contestant in players_of(s.ns))
        for s in movement.seatings_of(contestant)
        if s.round > fixed_rounds
    }


def _lawful_proposals(
    kind: Kind, old_movement: Movement, new_movement: Movement, fixed_rounds: int, **facts: int
) -> Iterator[Proposal]:
    """Yield the proposal if its movement breaks no law."""
    proposal = lawful_proposal(
        Proposal(
            kind=kind,
            before=old_movement,
            movement=new_movement,
            from_round=fixed_rounds + 1,
            numbers=identity_numbers(old_movement),
            facts=facts,
        )
    )
    if proposal:
        yield proposal


def _exchange_proposals(
    movement: Movement, fixed_rounds: int, first: int, second: int
) -> Iterator[Proposal]:
    """Yield the proposal in which two contestants exchange seats from the next round on."""
    if any(
        {first, second} & movement.absent(r) for r in range(fixed_rounds + 1, movement.rounds + 1)
    ):
        return
    numbers = {**identity_numbers(movement), first: second, second: first}
    after = replace(
        movement,
        seatings=tuple(
            renumber_seatings((seating,), numbers)[0] if seating.round > fixed_rounds else seating
            for seating in movement.seatings
        ),
    )
    [(table, _)] = _coming_seats(movement, fixed_rounds, second)
    yield from _lawful_proposals(
        "places-exchanged", movement, after, fixed_rounds, other=second, table=table
    )


def _reserve_table(movement: Movement, fixed_rounds: int, contestant: int) -> Iterator[Proposal]:
    """Yield proposals that keep the contestant at one table, by exchanging tables; with one winner also its side."""
    here = [s for s in movement.seatings_of(contestant) if s.round == max(fixed_rounds, 1)]
    here = here or [s for s in movement.seatings_of(contestant) if s.round > fixed_rounds]
    home, is_ns = here[0].table, contestant in players_of(here[0].ns)
    due: dict[int, int] = {}
    for round in range(fixed_rounds + 1, movement.rounds + 1):
        tables = {s.table for s in movement.seatings_of(contestant) if s.round == round}
        if len(tables) > 1 or not movement.seatings_at_table(round, home):
            return
        if tables and tables != {home}:
            due[round] = tables.pop()
    after = _swap_tables(movement, fixed_rounds, home, due)
    yield from _lawful_proposals("table-kept", movement, after, fixed_rounds, table=home, turned=0)
    if not movement.is_one_winner:
        return
    turned = replace(
        after,
        seatings=tuple(
            seating.turned()
            if seating.round > fixed_rounds
            and contestant in seating.contestants
            and (contestant in players_of(seating.ns)) != is_ns
            else seating
            for seating in after.seatings
        ),
    )
    if turned != after:
        yield from _lawful_proposals(
            "table-kept", movement, turned, fixed_rounds, table=home, turned=1
        )


def _swap_tables(
    movement: Movement, fixed_rounds: int, home: int, target_by_round: Mapping[int, int]
) -> Movement:
    """Return the movement with table `home` exchanged with the table in `target_by_round` in each of these rounds."""

    def swapped_table(round: int, old: int) -> int:
        """Return the table that takes the place of another in a round."""
        if round not in target_by_round:
            return old
        return {home: target_by_round[round], target_by_round[round]: home}.get(old, old)

    def place_of(seating: Seating) -> tuple[int, int]:
        """Return the round and table of a seating."""
        return seating.round, seating.table

    seatings = [replace(s, table=swapped_table(s.round, s.table)) for s in movement.seatings]
    shared = [
        Share(round, tuple(sorted(swapped_table(round, t) for t in share.tables)), share.sets)
        for share in movement.shared
        for round in (range(1, movement.rounds + 1) if share.round == 0 else (share.round,))
    ]
    return replace(
        movement,
        seatings=tuple(sorted(seatings, key=place_of)),
        shared=tuple(shared) if target_by_round else movement.shared,
    )

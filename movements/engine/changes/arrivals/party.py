"""A late pair at a party table: an extra table at which it plays those that would sit out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from movements.engine.declarations import Share
from movements.engine.model import Movement, Seating

from ..absences import exemptions_of_added_table
from ..layouts import WAITS, RoundLayout, best_layouts
from ..newcomer import GrownMovement, add_newcomer
from ..proposal import Proposal, sets_together

SHARES = 1.0


def party_tables(movement: Movement, fixed_rounds: int) -> Iterator[Proposal]:
    """Yield proposals that seat the newcomer at an extra table, against contestants that would sit out.

    They play a waiting set, or share one with a table. In rounds in which that is possible there is no sit-out.
    """
    rounds = range(fixed_rounds + 1, movement.rounds + 1)
    waiting = {r: [n for n, share in movement.sit_outs(r) if share == 1] for r in rounds}
    if not all(movement.sit_outs(r) for r in rounds):
        return
    field = _field_of_newcomer(movement, {n for those in waiting.values() for n in those})
    if field is None:
        return
    grown_movement = add_newcomer(movement, fixed_rounds, field)
    party = movement.tables + 1
    together = sets_together(grown_movement.movement, grown_movement.from_round)
    chosen = best_layouts(
        grown_movement.history,
        [
            _party_layouts(grown_movement, r, waiting[r], together)
            + _layouts_in_parts(grown_movement, r)
            for r in rounds
        ],
    )
    if chosen is None or all(layout.cost >= WAITS for layout in chosen):
        return
    shares = tuple(
        Share(round, (layout.note, party), _sets_at(layout.seatings, party))
        for round, layout in zip(rounds, chosen, strict=True)
        if layout.note
    )
    added = tuple(seating for layout in chosen for seating in layout.seatings)
    lent = {(s.round, name) for s in added if s.table == party for name in s.sets}
    stands = (
        replace(stand, sets=tuple(name for name in stand.sets if (stand.round, name) not in lent))
        for stand in grown_movement.movement.stands
    )
    proposal = grown_movement.proposal(
        "party-table",
        replace(
            grown_movement.movement,
            tables=party,
            seatings=grown_movement.history + added,
            shared=(*grown_movement.movement.shared, *shares),
            stands=tuple(stand for stand in stands if stand.sets),
            exemptions=(
                *grown_movement.movement.exemptions,
                *exemptions_of_added_table(movement, fixed_rounds + 1),
            ),
        ),
        facts={"table": party},
    )
    if proposal:
        yield proposal


def _field_of_newcomer(movement: Movement, waiting_contestants: set[int]) -> int | None:
    """Return the index of the field in which a newcomer at an extra table is ranked; None if none fits."""
    if movement.is_one_winner:
        return 0
    homes = {movement.field_of(number).name for number in waiting_contestants}
    names = [field.name for field in movement.fields]
    if homes == {"ns"} and "ew" in names:
        return names.index("ew")
    return names.index("ns") if homes == {"ew"} and "ns" in names else None


def _sets_at(seatings: tuple[Seating, ...], table: int) -> tuple[str, ...]:
    """Return the board sets at a table."""
    return tuple(name for seating in seatings if seating.table == table for name in seating.sets)


def _layouts_in_parts(grown: GrownMovement, round: int) -> list[RoundLayout]:
    """Return the ways to seat a newcomer at an extra table against two others, each in one half of a round."""
    movement, party = grown.movement, grown.before.tables + 1
    there = movement.in_round(round)
    waiting = [n for n, share in movement.sit_outs(round) if share < 1]
    divided = [t for t in dict.fromkeys(s.table for s in there) if _is_halved(movement, round, t)]
    busy = [
        {n for table in divided for n in movement.seatings_at_table(round, table)[half].contestants}
        for half in (0, 1)
    ]
    guests = [[n for n in waiting if n not in playing] for playing in busy]
    layouts = []
    for table in divided if all(guests) else ():
        parts = movement.seatings_at_table(round, table)
        first, second = guests[0][0], guests[1][0]
        layouts.append(
            RoundLayout(
                (
                    *there,
                    Seating(round, party, grown.newcomer, first, parts[0].sets),
                    Seating(round, party, second, grown.newcomer, parts[1].sets),
                ),
                SHARES,
                table,
            )
        )
    return layouts


def _is_halved(movement: Movement, round: int, table: int) -> bool:
    """Return whether a table plays a round in two halves."""
    return len(movement.seatings_at_table(round, table)) == 2


def _party_layouts(
    grown: GrownMovement,
    round: int,
    waiting_contestants: list[int],
    together: list[tuple[str, ...]],
) -> list[RoundLayout]:
    """Return the ways to seat a newcomer at an extra table: against each waiting contestant with each set."""
    movement, party = grown.movement, grown.before.tables + 1
    there = movement.in_round(round)
    lies_at = {name: s.table for s in there if s.is_played for name in s.sets}
    layouts = [RoundLayout((*there, Seating(round, party, grown.newcomer, None, ())), WAITS)]
    for old in waiting_contestants:
        guest = grown.numbers[old]
        played = set(movement.sets_played(guest))
        ns, ew = (guest, grown.newcomer)
        if movement.field_of(guest).name == "ew" or movement.is_one_winner:
            ns, ew = ew, ns
        for names in together:
            tables = {lies_at.get(name, 0) for name in names}
            if played.isdisjoint(names) and len(tables) == 1:
                table = tables.pop()
                layouts.append(
                    RoundLayout(
                        (*_remove_guest(there, guest), Seating(round, party, ns, ew, names)),
                        SHARES - table / 1000 if table else 0.0,
                        table,
                    )
                )
    return layouts


def _remove_guest(seatings: tuple[Seating, ...], guest: int) -> tuple[Seating, ...]:
    """Return a round's seatings without the contestant `guest`, which leaves its half table for the extra table."""
    return tuple(
        replace(seating, ns=None, ew=None)
        if guest in seating.contestants and not seating.is_played
        else seating
        for seating in seatings
    )

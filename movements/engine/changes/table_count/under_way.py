"""A table more or fewer during play: a Mitchell, with or without a skip, and a Crisscross begin equally.

As long as the rounds played are equal in both, the session continues as the other movement. Source: Wikipedia,
Duplicate bridge movements (crisscross: a table is added for late pairs, or the pair with the first sit-out leaves).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from movements.engine.declarations import Stand
from movements.engine.model import Movement, Seating

from ..absences import declare_absence
from ..length import exemptions_until
from ..newcomer import grown_in_line
from ..proposal import Proposal, identity_numbers, lawful_proposal, renumbered_side
from .idle_tables import remove_idle_tables
from .tables import KIN, add_table, added_set, related_movements

Names = Mapping[str, str]
CRISSCROSS = "crisscross"


def smaller_continuations(
    movement: Movement, fixed_rounds: int, contestant: int
) -> Iterator[Proposal]:
    """Yield movements with one table fewer whose first rounds equal those played, when a contestant leaves.

    With an odd number of contestants, the last one has sat out. It takes the place of the leaving contestant, or is
    that contestant.
    """
    tables = movement.tables - 1
    there = [
        n for n in movement.contestants if n not in movement.absent(fixed_rounds + 1) | {contestant}
    ]
    lines = [sum(n in movement.members(field) for n in there) for field in movement.fields]
    if movement.family not in KIN or movement.copies > 1 or lines != [tables, tables]:
        return
    played = {
        n
        for seating in movement.seatings
        if seating.round <= fixed_rounds and seating.is_played
        for n in seating.contestants
    }
    waited = [n for n in there if n not in played]
    takes_over = {contestant: waited[0]} if waited else {}
    for smaller in related_movements(KIN, tables, movement.rounds, None):
        seats, names = (
            _matching_numbers(smaller, movement, tables),
            _matching_sets(smaller, movement, tables),
        )
        if not _began_equally(smaller, movement, fixed_rounds, seats, names):
            continue
        to_come = {seat: takes_over.get(number, number) for seat, number in seats.items()}
        rounds = range(fixed_rounds + 1, smaller.rounds + 1)
        aside = tuple(name for name in movement.sets if name not in names.values())
        after = replace(
            movement,
            rounds=smaller.rounds,
            seatings=(
                *(seating for seating in movement.seatings if seating.round <= fixed_rounds),
                *_renumbered_seatings(smaller, fixed_rounds, to_come, names),
                *(Seating(round, tables + 1, None, None, aside) for round in rounds),
            ),
            stands=_stands_of_both(movement, smaller, fixed_rounds, names),
            exemptions=(
                *exemptions_until(movement, smaller.rounds),
                *declare_absence(contestant, rounds, "left"),
            ),
        )
        proposal = lawful_proposal(
            Proposal(
                kind="fewer-tables",
                before=movement,
                movement=remove_idle_tables(after, fixed_rounds),
                from_round=fixed_rounds + 1,
                numbers=identity_numbers(movement),
                facts={"table": tables, "rounds": smaller.rounds},
            )
        )
        if proposal:
            yield proposal


def larger_continuations(movement: Movement, fixed_rounds: int) -> Iterator[Proposal]:
    """Yield movements with one more table, half of it the newcomer's, whose first rounds equal those played.

    Only for a Crisscross: if all move the same way, the ring of tables grows (see the module `tables`).
    """
    tables = movement.tables + 1
    is_full = len(movement.contestants) == 2 * movement.tables and not movement.absent(
        fixed_rounds + 1
    )
    if movement.family != CRISSCROSS or movement.copies > 1 or not is_full:
        return
    added = added_set(movement)
    for here, away in (("NS", "EW"), ("EW", "NS")):
        for larger in related_movements(KIN, tables, movement.rounds, f"{away} {tables}"):
            grown_movement = grown_in_line(movement, fixed_rounds, here.lower())
            base = grown_movement.movement
            seats = {n: base.contestant(larger.label(n)) or 0 for n in larger.contestants}
            names = {**_matching_sets(larger, base, movement.tables)}
            names |= {name: added for name in larger.sets if name not in names}
            if not all(seats.values()) or len({*names.values()}) < len(names):
                continue
            if not _began_equally(larger, base, fixed_rounds, seats, names):
                continue
            after = replace(
                add_table(base, fixed_rounds, added),
                rounds=larger.rounds,
                seatings=(
                    *grown_movement.history,
                    *_renumbered_seatings(larger, fixed_rounds, seats, names),
                ),
                stands=_stands_of_both(base, larger, fixed_rounds, names),
            )
            facts = {"table": tables, "skip": 0, "rounds": larger.rounds}
            proposal = grown_movement.proposal("new-table", after, facts=facts)
            if proposal:
                yield proposal


def _matching_numbers(other_movement: Movement, movement: Movement, tables: int) -> dict[int, int]:
    """Return, for each number in another movement, the contestant that has the same seat here in round 1."""
    seats: dict[int, int] = {}
    for table in range(1, tables + 1):
        for theirs, ours in zip(
            other_movement.seatings_at_table(1, table),
            movement.seatings_at_table(1, table),
            strict=False,
        ):
            for seat, number in ((theirs.ns, ours.ns), (theirs.ew, ours.ew)):
                if isinstance(seat, int) and isinstance(number, int):
                    seats[seat] = number
    return seats


def _matching_sets(other_movement: Movement, movement: Movement, tables: int) -> dict[str, str]:
    """Return, for each board set of another movement, the set that the same table plays here in round 1."""
    return {
        name: ours
        for table in range(1, tables + 1)
        for there, here in zip(
            other_movement.seatings_at_table(1, table),
            movement.seatings_at_table(1, table),
            strict=False,
        )
        for name, ours in zip(there.sets, here.sets, strict=False)
    }


def _began_equally(
    other_movement: Movement,
    movement: Movement,
    fixed_rounds: int,
    seats: Mapping[int, int],
    names: Names,
) -> bool:
    """Return whether another movement's first rounds equal those played, in this movement's numbers and sets."""
    if (
        not {*other_movement.sets} <= names.keys()
        or other_movement.rounds <= fixed_rounds
        or other_movement.shared
    ):
        return False
    if not {*other_movement.contestants} <= seats.keys():
        return False
    called = [
        seating
        for seating in _renumbered_seatings(other_movement, 0, seats, names)
        if seating.round <= fixed_rounds and seating.is_played
    ]
    played = [
        seating
        for seating in movement.seatings
        if seating.round <= fixed_rounds and seating.is_played
    ]
    return sorted(map(_seating_key, called)) == sorted(map(_seating_key, played))


def _seating_key(seating: Seating) -> tuple[object, ...]:
    """Return the key by which seatings are sorted and compared."""
    return (seating.round, seating.table, str(seating.ns), str(seating.ew), seating.sets)


def _renumbered_seatings(
    other_movement: Movement, fixed_rounds: int, seats: Mapping[int, int], names: Names
) -> Iterator[Seating]:
    """Yield another movement's coming rounds with this movement's numbers and sets."""
    for seating in other_movement.seatings:
        if seating.round > fixed_rounds:
            sets = tuple(names[name] for name in seating.sets)
            yield replace(
                seating,
                ns=renumbered_side(seating.ns, seats),
                ew=renumbered_side(seating.ew, seats),
                sets=sets,
            )


def _stands_of_both(
    movement: Movement, other_movement: Movement, fixed_rounds: int, names: Names
) -> tuple[Stand, ...]:
    """Return the board stands of the old movement in played rounds, and of the new one afterwards."""
    return (
        *(stand for stand in movement.stands if stand.round <= fixed_rounds),
        *(
            replace(stand, sets=tuple(names[name] for name in stand.sets))
            for stand in other_movement.stands
            if stand.round > fixed_rounds
        ),
    )

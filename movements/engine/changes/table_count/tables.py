"""One more or one fewer table: the ring of tables grows during play, or the session begins otherwise.

Before the start the whole movement may become a related one. It is a Mitchell, with a skip, with a relay, or a
Crisscross, depending on the parity of the tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from movements.engine import catalogue
from movements.engine.declarations import Exemption
from movements.engine.errors import MovementError
from movements.engine.families.rovers.transversal import Line
from movements.engine.model import Movement, Seating, Side, set_name

from ..absences import declare_absence, exemptions_of_added_table
from ..change import PairArrives
from ..lines import (
    LineSteps,
    RoundLines,
    continue_rounds,
    meeting_history,
    round_lines,
    usual_steps,
)
from ..newcomer import GrownMovement, grown_in_line
from ..proposal import Kind, Proposal, lawful_proposal, renumbered_side
from .rings import Done, promising_continuations, ring_continuations

MOST_ROUNDS_LOST = 2
KIN = ("mitchell", "skip-mitchell", "share-and-relay", "crisscross")


def add_table_with_newcomer(
    movement: Movement, fixed_rounds: int, change: PairArrives
) -> Iterator[Proposal]:
    """Yield proposals with one more table, at which the newcomer is one side, from the next round on.

    The ring of tables becomes one longer, and so do the moving line and the boards. A skip is added or removed if
    that is lawful.
    """
    if not fixed_rounds:
        yield from _larger_movements(movement)
        return
    steps = usual_steps(movement)
    last = round_lines(movement, fixed_rounds)
    if steps is None or last is None or movement.copies > 1 or movement.shared:
        return
    if movement.absent(fixed_rounds) - movement.absent(fixed_rounds + 1):
        return  # another contestant comes in the next round, and has no place in the last one
    last = _round_without(last, movement.absent(fixed_rounds + 1))
    for line in ("ns", "ew"):
        proposal = _longer_ring(movement, fixed_rounds, line, steps, last)
        if proposal:
            yield proposal


# ── under way ──


def _longer_ring(
    movement: Movement, fixed_rounds: int, direction: Line, steps: LineSteps, last: RoundLines
) -> Proposal | None:
    """Return the proposal with one more table in the ring of tables; None if none is lawful."""
    grown_movement = grown_in_line(movement, fixed_rounds, direction)
    added = added_set(movement)
    rings = _larger_rings(grown_movement, direction, last, added)
    done = meeting_history(grown_movement.history)
    for rounds in (movement.rounds, movement.rounds - 1):
        for skip, seatings in _continuations_of_rings(rings, fixed_rounds, rounds, steps, done):
            proposal = grown_movement.proposal(
                "new-table",
                replace(
                    add_table(grown_movement.movement, fixed_rounds, added),
                    rounds=rounds,
                    seatings=grown_movement.history + seatings,
                ),
                facts={"table": movement.tables + 1, "skip": skip, "rounds": rounds},
            )
            if proposal:
                return proposal
    return None


def _round_without(round: RoundLines, leavers: Collection[int]) -> RoundLines:
    """Return a round with empty seats for contestants that have left."""
    return replace(
        round,
        ns=tuple(None if side in leavers else side for side in round.ns),
        ew=tuple(None if side in leavers else side for side in round.ew),
    )


def add_table(movement: Movement, fixed_rounds: int, set_name: str) -> Movement:
    """Return the movement with an extra table and board set, which did not exist in the played rounds."""
    return replace(
        movement,
        tables=movement.tables + 1,
        sets=(*movement.sets, set_name),
        stands=tuple(stand for stand in movement.stands if stand.round <= fixed_rounds),
        exemptions=(*movement.exemptions, *exemptions_of_added_table(movement, fixed_rounds + 1)),
    )


def _larger_rings(
    movement: GrownMovement, direction: Line, last: RoundLines, set_name: str
) -> list[RoundLines]:
    """Return the last round with an extra table, for every position of the new seat and set."""
    ns = [renumbered_side(side, movement.numbers) for side in last.ns]
    ew = [renumbered_side(side, movement.numbers) for side in last.ew]
    mover: Side = movement.newcomer if direction == "ew" else None
    places = _new_positions(len(ns) + 1)
    return [
        RoundLines(
            (*ns, movement.newcomer if direction == "ns" else None),
            (*ew[:place], mover, *ew[place:]),
            (*last.sets[:board_place], (set_name,), *last.sets[board_place:]),
        )
        for place in places
        for board_place in places
    ]


def _continuations_of_rings(
    rings: Sequence[RoundLines], fixed_rounds: int, rounds: int, steps: LineSteps, history: Done
) -> Iterator[tuple[int, tuple[Seating, ...]]]:
    """Yield every way to continue larger rings to the end, those without a skip first."""
    ways = ring_continuations(len(rings[0].ns), fixed_rounds, rounds, steps)
    for skip, ring in promising_continuations(rings, ways, history):
        plan = continue_rounds(ring, fixed_rounds, rounds, skip, steps, history)
        if plan.last == rounds:
            yield skip, plan.seatings


def added_set(movement: Movement) -> str:
    """Return a name for an additional board set that is not used yet."""
    letters = {name.rstrip("0123456789.") for name in movement.sets}
    return next(n for n in map(set_name, range(len(letters) + 1)) if n not in letters)


def _new_positions(tables: int) -> list[int]:
    """Return the positions to try for something new in a ring: the end, the beginning, then others."""
    return [tables - 1, 0, *range(1, tables - 1)]


# ── before the start ──


def _larger_movements(movement: Movement) -> Iterator[Proposal]:
    """Yield movements of the same kind with one more table, in which the newcomer makes a half table."""
    tables = movement.tables + 1
    if movement.family not in KIN or len(movement.contestants) != 2 * movement.tables:
        return
    by_family: defaultdict[str, list[Proposal]] = defaultdict(list)
    for here, away in (("NS", "EW"), ("EW", "NS")):
        for larger in related_movements(KIN, tables, movement.rounds, f"{away} {tables}"):
            larger_proposal = begin_with_newcomer(movement, larger, f"{here} {tables}")
            if larger_proposal:
                by_family[larger.family].append(larger_proposal)
    for either_line in by_family.values():
        yield min(either_line, key=lambda proposal: proposal.cost)


def begin_with_newcomer(
    movement: Movement, larger: Movement, label: str, kind: Kind = "new-table"
) -> Proposal | None:
    """Return the session begun anew as a larger movement with the newcomer; None if that is unlawful."""
    newcomer = larger.contestant(label)
    numbers = {n: larger.contestant(movement.label(n)) or 0 for n in movement.contestants}
    if newcomer is None or not all(numbers.values()):
        return None
    if movement.absent(1):
        return None  # contestants that left before the start would have a seat again
    return lawful_proposal(
        Proposal(
            kind=kind,
            before=movement,
            movement=larger,
            from_round=1,
            numbers=numbers,
            newcomer=newcomer,
            facts={"table": larger.tables, "skip": 0, "rounds": larger.rounds},
        )
    )


def smaller_movements(movement: Movement, contestant: int) -> Iterator[Proposal]:
    """Yield movements of the same kind with one table fewer, for when the pair at a half table leaves.

    The pair with the highest number in that line takes the place of the leaving one.
    """
    tables = movement.tables - 1
    field = movement.field_of(contestant)
    there = [n for n in movement.contestants if n not in movement.absent(1) | {contestant}]
    lines = [[n for n in there if n in movement.members(field)] for field in movement.fields]
    if movement.family not in KIN or [len(line) for line in lines] != [tables, tables]:
        return
    for smaller in related_movements(KIN, tables, movement.rounds, None):
        seats = dict(enumerate(_fill_hole(lines, movement, field.name, contestant), start=1))
        placed = tuple(
            replace(
                seating,
                ns=renumbered_side(seating.ns, seats),
                ew=renumbered_side(seating.ew, seats),
            )
            for seating in smaller.seatings
        )
        away = declare_absence(contestant, range(1, smaller.rounds + 1), "left")
        proposal = lawful_proposal(
            Proposal(
                kind="fewer-tables",
                before=movement,
                movement=replace(
                    smaller,
                    fields=movement.fields,
                    seatings=placed,
                    exemptions=(*_still_away(movement, smaller.rounds), *away),
                ),
                from_round=1,
                numbers={n: n for n in movement.contestants},
                facts={"table": tables, "rounds": smaller.rounds},
            )
        )
        if proposal:
            yield proposal


def _fill_hole(
    lines: Sequence[Sequence[int]], movement: Movement, direction: str, contestant: int
) -> list[int]:
    """Return the contestants by seat, with the last one of a direction moved into the seat of a leaving one."""
    seats: list[int] = []
    for members, field in zip(lines, movement.fields, strict=True):
        order = list(members)
        before = sum(number < contestant for number in members)
        if field.name == direction and before < len(order):
            order.insert(before, order.pop())
        seats += order
    return seats


def _still_away(movement: Movement, rounds: int) -> Iterator[Exemption]:
    """Yield the exemptions for absent contestants, extended to all rounds."""
    for item in movement.exemptions:
        if item.law == "present":
            yield replace(item, rounds=tuple(range(1, rounds + 1)))


def related_movements(
    families: Sequence[str], tables: int, rounds: int, missing: str | None
) -> Iterator[Movement]:
    """Yield movements of these families for so many tables, as long as planned or slightly shorter."""
    for name in families:
        possible = catalogue.find_family(name).possible_rounds(tables)
        lengths = [r for r in possible if rounds - MOST_ROUNDS_LOST <= r <= rounds]
        if not lengths:
            continue
        try:
            yield catalogue.build_movement(name, tables, lengths[-1], missing)
        except MovementError:
            continue

"""The law *places*: where every copy of every set is, at every moment."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise

from ..board_copies.spots import CopyStay
from ..model import Movement
from .asked import spans_by_round
from .boards import places_needed
from .violation import Violation


def find_misplaced_boards(movement: Movement, lying: Iterable[CopyStay]) -> tuple[Violation, ...]:
    """Return every violation of the law *places*: boards that are not where they are said to be.

    Each copy must be listed from the moment at which it leaves its box.
    """
    ways: defaultdict[tuple[str, int], list[CopyStay]] = defaultdict(list)
    violations: list[Violation] = []
    for position in lying:
        if (
            position.name in movement.sets
            and 1 <= position.copy <= movement.copies
            and 1 <= position.round <= movement.rounds
            and 0 <= position.begins < position.ends <= 1
            and position.spot.tables
        ):
            ways[position.name, position.copy].append(position)
        else:
            violations.append(_misplaced_violation(position))
    for way in ways.values():
        violations += _violations_of_copy(
            movement, sorted(way, key=lambda play: (play.round, play.begins))
        )
    everything = [position for way in ways.values() for position in way]
    violations += _violations_at_tables(movement, everything)
    violations += _violations_on_stands(movement, everything)
    return tuple(violations)


def _misplaced_violation(stay: CopyStay) -> Violation:
    """Return the violation by a copy of a board set that is in a wrong place."""
    tables = stay.spot.tables
    return Violation("places", stay.round, tables[0] if tables else 0, sets=(stay.name,))


def _violations_of_copy(movement: Movement, way: list[CopyStay]) -> Iterator[Violation]:
    """Yield the violations in the places of one copy over time: gaps, overlaps, and "aside" at another place."""
    before: CopyStay | None = None
    for position in way:
        begins = position.round - 1 + position.begins
        if before is not None and begins != before.round - 1 + before.ends:
            yield _misplaced_violation(position)
        was_there = before.spot.tables if before is not None else ()
        if position.spot.kind == "aside" and position.spot.tables != was_there:
            yield _misplaced_violation(position)
        before = position
    if before is not None and before.round - 1 + before.ends != movement.rounds:
        yield _misplaced_violation(before)


def _violations_at_tables(movement: Movement, lying: list[CopyStay]) -> Iterator[Violation]:
    """Yield a violation for each table at which a copy of its board set is missing or wrong."""
    at: defaultdict[tuple[int, int, str], list[CopyStay]] = defaultdict(list)
    for position in lying:
        if position.spot.kind == "table":
            for table in position.spot.tables:
                at[position.round, table, position.name].append(position)
            if len(position.spot.tables) > 1 and not _may_share_set(movement, position):
                yield _misplaced_violation(position)
    uses = {(s.round, s.table, name) for s in movement.seatings for name in s.sets}
    for (round, table, name), here in at.items():
        here.sort(key=lambda item: item.begins)
        overlap = any(position.ends > other.begins for position, other in pairwise(here))
        if overlap or (round, table, name) not in uses:
            yield Violation("places", round, table, sets=(name,))
    for round, spans in spans_by_round(movement):
        for seating, begins, ends in spans:
            if seating.ns is not None and seating.ew is not None:
                for name in seating.sets:
                    here = at[round, seating.table, name]
                    there = sum(
                        max(Fraction(0), min(position.ends, ends) - max(position.begins, begins))
                        for position in here
                    )
                    if there != ends - begins:
                        yield Violation("places", round, seating.table, sets=(name,))


def _may_share_set(movement: Movement, stay: CopyStay) -> bool:
    """Return whether the tables at a copy's place may share it: declared so, or after a recorded mistake."""
    return places_needed(
        movement, stay.round, stay.name, set(stay.spot.tables)
    ) == 1 or _had_too_few(movement, stay.round)


def _had_too_few(movement: Movement, round: int) -> bool:
    """Return whether a recorded mistake left too few copies of boards in a round."""
    return any(item.law == "copies" and round in item.rounds for item in movement.exemptions)


def _violations_on_stands(movement: Movement, lying: list[CopyStay]) -> Iterator[Violation]:
    """Yield a violation for each board stand on which a copy is missing or wrong."""
    declared: Counter[tuple[int, int, str]] = Counter(
        (stand.round, stand.after_table, name) for stand in movement.stands for name in stand.sets
    )
    waiting: defaultdict[tuple[int, int, str], Fraction] = defaultdict(Fraction)
    for position in lying:
        if position.spot.kind == "stand":
            for table in position.spot.tables:
                waiting[position.round, table, position.name] += position.ends - position.begins
    for place in {*declared, *waiting}:
        round, table, name = place
        if waiting[place] != declared[place] and not _had_too_few(movement, round):
            yield Violation("places", round, table, sets=(name,))

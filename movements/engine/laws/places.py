"""The law *places*: where every copy of every set is, at every moment."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise

from ..model import Movement
from ..spots import Lying
from .asked import by_round
from .boards import places_needed
from .violation import Violation


def check_places(movement: Movement, lying: Iterable[Lying]) -> tuple[Violation, ...]:
    """Return every violation of the law *places* by where the copies of the sets are said to be.

    Each copy is to be listed from the moment on at which it leaves its box.
    """
    ways: defaultdict[tuple[str, int], list[Lying]] = defaultdict(list)
    found: list[Violation] = []
    for one in lying:
        if (
            one.name in movement.sets
            and 1 <= one.copy <= movement.copies
            and 1 <= one.round <= movement.rounds
            and 0 <= one.begins < one.ends <= 1
            and one.spot.tables
        ):
            ways[one.name, one.copy].append(one)
        else:
            found.append(_misplaced(one))
    for way in ways.values():
        found += _one_way(movement, sorted(way, key=lambda one: (one.round, one.begins)))
    everything = [one for way in ways.values() for one in way]
    found += _at_tables(movement, everything)
    found += _on_stands(movement, everything)
    return tuple(found)


def _misplaced(one: Lying) -> Violation:
    tables = one.spot.tables
    return Violation("places", one.round, tables[0] if tables else 0, sets=(one.name,))


def _one_way(movement: Movement, way: list[Lying]) -> Iterator[Violation]:
    """One copy's evening: neither two places at once nor a moment at none, and aside where it was."""
    before: Lying | None = None
    for one in way:
        begins = one.round - 1 + one.begins
        if before is not None and begins != before.round - 1 + before.ends:
            yield _misplaced(one)
        was_there = before.spot.tables if before is not None else ()
        if one.spot.kind == "aside" and one.spot.tables != was_there:
            yield _misplaced(one)
        before = one
    if before is not None and before.round - 1 + before.ends != movement.rounds:
        yield _misplaced(before)


def _at_tables(movement: Movement, lying: list[Lying]) -> Iterator[Violation]:
    at: defaultdict[tuple[int, int, str], list[Lying]] = defaultdict(list)
    for one in lying:
        if one.spot.kind == "table":
            for table in one.spot.tables:
                at[one.round, table, one.name].append(one)
            if len(one.spot.tables) > 1 and not _may_pass(movement, one):
                yield _misplaced(one)
    wanted = {(s.round, s.table, name) for s in movement.seatings for name in s.sets}
    for (round, table, name), here in at.items():
        here.sort(key=lambda one: one.begins)
        overlap = any(one.ends > other.begins for one, other in pairwise(here))
        if overlap or (round, table, name) not in wanted:
            yield Violation("places", round, table, sets=(name,))
    for round, spans in by_round(movement):
        for seating, begins, ends in spans:
            if seating.ns is not None and seating.ew is not None:
                for name in seating.sets:
                    here = at[round, seating.table, name]
                    there = sum(
                        max(Fraction(0), min(one.ends, ends) - max(one.begins, begins))
                        for one in here
                    )
                    if there != ends - begins:
                        yield Violation("places", round, seating.table, sets=(name,))


def _may_pass(movement: Movement, one: Lying) -> bool:
    """Whether tables are declared to share a set, or had it by mistake."""
    return places_needed(movement, one.round, one.name, set(one.spot.tables)) == 1 or _had_too_few(
        movement, one.round
    )


def _had_too_few(movement: Movement, round: int) -> bool:
    return any(item.law == "copies" and round in item.rounds for item in movement.exemptions)


def _on_stands(movement: Movement, lying: list[Lying]) -> Iterator[Violation]:
    declared: Counter[tuple[int, int, str]] = Counter(
        (stand.round, stand.after_table, name) for stand in movement.stands for name in stand.sets
    )
    waiting: defaultdict[tuple[int, int, str], Fraction] = defaultdict(Fraction)
    for one in lying:
        if one.spot.kind == "stand":
            for table in one.spot.tables:
                waiting[one.round, table, one.name] += one.ends - one.begins
    for place in {*declared, *waiting}:
        round, table, name = place
        if waiting[place] != declared[place] and not _had_too_few(movement, round):
            yield Violation("places", round, table, sets=(name,))

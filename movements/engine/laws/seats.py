"""Laws of seats and opponents: structure, field, present, one-place, meet-once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations

from movements.engine.declarations import OPPONENTS_LEFT, Exemption

from ..model import Movement
from .asked import (
    Moment,
    contestant_number,
    contestants_never_playing,
    is_draw,
    people_at_table,
    spans_by_round,
)
from .violation import Violation


def seatings_outside(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each seating outside the movement's rounds, tables or board sets."""
    for seating in movement.seatings:
        # the tables of teams have the numbers of their matches
        last_table = seating.table if movement.contest.has_halves else movement.tables
        if not (1 <= seating.round <= movement.rounds and 1 <= seating.table <= last_table):
            yield Violation("structure", seating.round, seating.table)
    rounds = range(1, movement.rounds + 1)
    for triangle in movement.triangles:
        is_at_some_time = bool(triangle.rounds) and set(triangle.rounds) <= set(rounds)
        if not is_at_some_time or not is_draw(movement):
            yield Violation("structure", contestants=triangle.teams, rounds=triangle.rounds)
    for round in rounds:
        tables = {seating.table for seating in movement.in_round(round)}
        in_triangles = any(round in t.rounds for t in movement.triangles)
        if round in movement.open_rounds:
            if tables:
                yield Violation("structure", round, tables=tuple(sorted(tables)))
        elif not tables and not in_triangles:
            if not _is_without_opponents(movement, round):
                yield Violation("structure", round)
        elif not is_draw(movement) and len(tables) != _due_table_count(movement, round):
            missing = _missing_tables(movement, round, tables)
            there = () if missing else tuple(sorted(tables))
            yield Violation("structure", round, tables=there, missing=missing)
    listed = set(movement.sets)
    played = {name for seating in movement.seatings for name in seating.sets}
    if len(listed) != len(movement.sets) or played - listed:
        yield Violation("structure", sets=tuple(sorted(played - listed)))
    for seating in movement.seatings:
        if seating.is_played and not seating.sets and not is_draw(movement):
            yield Violation("structure", seating.round, seating.table)


def _is_without_opponents(movement: Movement, round: int) -> bool:
    """Return whether a drawn round has no match, because the drawn contestants have left."""
    return is_draw(movement) and any(
        item.why == OPPONENTS_LEFT and round in item.rounds for item in movement.exemptions
    )


def _due_table_count(movement: Movement, round: int) -> int:
    """Return how many tables must play in a round: all, unless the movement declares that some stay empty."""
    declared = [e.limit for e in movement.exemptions if e.law == "tables" and round in e.rounds]
    return declared[-1] if declared else movement.tables


def _missing_tables(movement: Movement, round: int, tables: set[int]) -> tuple[int, ...]:
    """Return the tables that are missing in a round; empty if an exemption allows it."""
    all_tables = set(range(1, movement.tables + 1))
    is_as_usual = _due_table_count(movement, round) == movement.tables
    return tuple(sorted(all_tables - tables)) if is_as_usual and tables < all_tables else ()


def absent_players(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each contestant that plays in a round in which it is declared absent."""
    for seating in movement.seatings:
        away = movement.absent(seating.round)
        for contestant in seating.contestants:
            if contestant in away:
                yield Violation("present", seating.round, seating.table, (contestant,))


def wrong_contestants(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each contestant that is unknown, plays in no round, or is listed twice."""
    contestants = set(movement.contestants)
    for triangle in movement.triangles:
        for contestant in triangle.teams:
            if contestant not in contestants:
                yield Violation("field", contestants=(contestant,), rounds=triangle.rounds)
    for seating in movement.seatings:
        for contestant in seating.contestants:
            if contestant not in contestants:
                yield Violation("field", seating.round, seating.table, (contestant,))
    if not movement.open_rounds:
        declared = {c for e in movement.exemptions if e.law == "field" for c in e.contestants}
        for contestant in sorted(contestants_never_playing(movement) - declared):
            yield Violation("field", contestants=(contestant,))
    for field in movement.fields:
        if len(set(field.labels)) != len(field.labels):
            yield Violation("field")


def contestants_in_two_places(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each contestant that is at two places at the same time."""
    for round, spans in spans_by_round(movement):
        places: defaultdict[Hashable, list[tuple[int, Moment, Moment]]] = defaultdict(list)
        for seating, begins, ends in spans:
            for person in people_at_table(movement, seating):
                places[person].append((seating.table, begins, ends))
        for person, times in places.items():
            earlier: list[tuple[int, Moment, Moment]] = []
            for place in times:
                clash = next((other for other in earlier if _do_spans_overlap(other, place)), None)
                if clash is None:
                    earlier.append(place)
                else:
                    yield Violation(
                        "one-place",
                        round,
                        clash[0],
                        (contestant_number(person),),
                        tables=(clash[0], place[0]),
                    )


def _do_spans_overlap(
    first: tuple[int, Moment, Moment], second: tuple[int, Moment, Moment]
) -> bool:
    """Return whether two games overlap in time."""
    return first[1] < second[2] and second[1] < first[2]


def repeated_meetings(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each two contestants that meet twice."""
    met: defaultdict[frozenset[int], dict[int, int]] = defaultdict(dict)
    partners: defaultdict[frozenset[int], dict[int, int]] = defaultdict(dict)
    for seating in movement.seatings:
        if seating.is_played:
            for two in combinations(seating.contestants, 2):
                met[frozenset(two)][seating.round] = seating.table
            for side in (seating.ns, seating.ew):
                if isinstance(side, tuple):
                    partners[frozenset(side)][seating.round] = seating.table
    for couple, where in met.items():
        exemptions = [
            item
            for item in movement.exemptions
            if item.law == "meet-once" and _covers_couple(item, couple, set(where))
        ]
        if len(where) > max([1, *(item.limit for item in exemptions)]):
            yield _meeting_violation(couple, where)
        elif len(together := partners[couple]) > max([1, *map(_times_as_partners, exemptions)]):
            yield _meeting_violation(couple, together)


def _meeting_violation(couple: frozenset[int], tables: Mapping[int, int]) -> Violation:
    """Return the violation by two contestants that meet twice."""
    rounds = tuple(sorted(tables))
    return Violation(
        "meet-once",
        rounds[-1],
        tables[rounds[-1]],
        tuple(sorted(couple)),
        rounds=rounds,
        tables=tuple(tables[round] for round in rounds),
    )


def _times_as_partners(exemption: Exemption) -> int:
    """Return how often two players may be partners: the exemption's limit if it names players, or a third of it.

    An exemption for these two states what has happened, and forgives it.
    """
    return exemption.limit if exemption.contestants else -(-exemption.limit // 3)


def _covers_couple(exemption: Exemption, couple: frozenset[int], rounds: set[int]) -> bool:
    """Return whether an exemption allows two contestants to meet in these rounds."""
    return (not exemption.contestants or set(exemption.contestants) == couple) and (
        not exemption.rounds or set(exemption.rounds) == rounds
    )

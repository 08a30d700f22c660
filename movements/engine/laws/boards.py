"""Laws of the board sets: board-once, copies, stands, unequal-plays."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator

from ..model import Movement, Seating
from .asked import contestant_number, people_at_table, seating_spans
from .violation import Violation


def boards_played_twice(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each contestant that plays a board twice (Law 15)."""
    plays: defaultdict[tuple[Hashable, str], list[Seating]] = defaultdict(list)
    for seating in movement.seatings:
        if seating.is_played:
            for person in people_at_table(movement, seating):
                for name in seating.sets:
                    plays[person, name].append(seating)
    for (person, name), seatings in plays.items():
        if len(seatings) > _allowed_number(
            movement, "board-once", {contestant_number(person)}, seatings
        ):
            again = seatings[1]
            yield Violation(
                "board-once",
                again.round,
                again.table,
                (contestant_number(person),),
                (name,),
                rounds=tuple(s.round for s in seatings),
                tables=tuple(s.table for s in seatings),
            )


def _allowed_number(
    movement: Movement, law: str, contestants: set[int], seatings: list[Seating]
) -> int:
    """Return how often a law lets these contestants do something: once, or more often by an exemption."""
    rounds = {seating.round for seating in seatings}
    return max(
        [
            1,
            *(
                item.limit
                for item in movement.exemptions
                if item.law == law
                and contestants <= set(item.contestants)
                and rounds <= set(item.rounds)
            ),
        ]
    )


def places_needed(movement: Movement, round: int, name: str, tables: set[int]) -> int:
    """Return how many copies of a board set these tables need in a round; sharing tables need one."""
    left = set(tables)
    places = 0
    for share in movement.shared:
        if share.round in (0, round) and (not share.sets or name in share.sets):
            together = left & set(share.tables)
            if len(together) > 1:
                places += 1
                left -= together
    return places + len(left)


def _copies_needed(movement: Movement, round: int) -> dict[str, int]:
    """Return the most copies of each board set that are in use at the same time in a round."""
    spans = seating_spans(movement, round)
    most: Counter[str] = Counter()
    for begins in {begins for _, begins, _ in spans}:
        at: defaultdict[str, set[int]] = defaultdict(set)
        for seating, start, ends in spans:
            if start <= begins < ends and seating.ns is not None and seating.ew is not None:
                for name in seating.sets:
                    at[name].add(seating.table)
        for name, tables in at.items():
            most[name] = max(most[name], places_needed(movement, round, name, tables))
    return dict(most)


def missing_copies(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each round in which a board set has too few copies."""
    for round in range(1, movement.rounds + 1):
        forgiven = any(e.law == "copies" and round in e.rounds for e in movement.exemptions)
        for name, needed in _copies_needed(movement, round).items():
            if needed > movement.copies and not forgiven:
                tables = {s.table for s in movement.in_round(round) if name in s.sets}
                yield Violation("copies", round, sets=(name,), tables=tuple(sorted(tables)))


def boards_in_use_on_stands(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each board stand with boards that are in use at a table."""
    on_stands: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for stand in movement.stands:
        on_stands[stand.round].update(stand.sets)
        if not 1 <= stand.round <= movement.rounds or set(stand.sets) - set(movement.sets):
            yield Violation("stands", stand.round, sets=stand.sets)
    for round, waiting in on_stands.items():
        needed = _copies_needed(movement, round)
        for name, count in waiting.items():
            if count + needed.get(name, 0) > movement.copies:
                yield Violation("stands", round, sets=(name,))


def unequal_plays(movement: Movement) -> Iterator[Violation]:
    """Yield a violation for each board set that is played more or less often than others."""
    plays: Counter[str] = Counter(dict.fromkeys(movement.sets, 0))
    for seating in movement.seatings:
        if seating.is_played:
            plays.update(seating.sets)
    if len(set(plays.values())) > 1 and not movement.open_rounds:
        usual = max(plays.values())
        fewer = tuple(name for name in movement.sets if plays[name] < usual)
        yield Violation("unequal-plays", sets=fewer, severity="warning")

"""What a live change of the movement means for one contestant, until they have read it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from bridgebuddy.events.models import SectionMovement
from bridgebuddy.events.queries.evening import DRAWN_AS_PLAYED, board_text, rows_of
from movements.engine.boards import boards_of
from movements.models import SeatingRow, StoredMovement

from .plan import Plan, Seat, Stop


@dataclass(frozen=True)
class Sitting:
    """A seating as one contestant knows it, comparable between two movements by its labels."""

    part: int
    table: int
    place: str  # "ns" or "ew"; of a single player "n", "s", "e" or "w"
    people: tuple[str, ...]  # the others at the table, by label
    boards: str

    def where(self) -> tuple[int, str]:
        """Return the table and the place at it."""
        return self.table, self.place

    def with_whom(self) -> tuple[str, ...]:
        """Return who else is there."""
        return self.people


@dataclass(frozen=True)
class News:
    """That a contestant's plan is another one: from which round, and what is new in it."""

    movement: int  # the key of what the notice is about
    rounds: tuple[int, ...] = ()  # those that are different
    stop: Stop | None = None  # the first of them
    seat: Seat | None = None  # what is new in it
    kind: str = ""  # "out", "half", "seat", "people" or "boards"
    do_others_stay: bool = False
    last_round: int = 0  # when the session has another number of rounds now


def news_for(plan: Plan, read: int | None) -> News | None:
    """Return what has changed for a contestant since the movement they read about last.

    Who has read of none knows the first plan, which is on the cards. A change that was taken back
    before they read of it is none, and neither is a round that is drawn only now. Costs a query as
    long as there was one movement, three when there were several.
    """
    section = plan.section
    if section.is_finished or read == section.movement_id:
        return None
    versions = section.movements.select_related("movement").defer("movement__document")
    known = _known(list(versions), read)
    if known is None or known.movement_id == section.movement_id:
        return None
    number = _number_in(known, plan)
    if number is None:  # somebody who came later, and has no older plan
        return None
    before = _sittings(known.movement, number)
    after = _sittings(section.movement, plan.number)
    open_then = _open_rounds(known.movement)
    stops = [stop for stop in plan.listed if stop.state != "done" and not stop.has_left]
    new = [
        stop
        for stop in stops
        if before[stop.round] != after[stop.round]
        and stop.round <= known.movement.rounds
        and stop.round not in open_then
    ]
    last_round = 0 if plan.evening.rounds == known.movement.rounds else plan.evening.rounds
    if not new:
        return News(section.movement_id, last_round=last_round) if last_round else None
    first = new[0]
    kind, seat = _difference(first, before[first.round], after[first.round])
    return News(
        movement=section.movement_id,
        rounds=tuple(stop.round for stop in new),
        stop=first,
        seat=seat,
        kind=kind,
        do_others_stay=len(stops) > len(new),
        last_round=last_round,
    )


def _known(versions: list[SectionMovement], read: int | None) -> SectionMovement | None:
    """The version somebody goes by: the one read about last, or the first."""
    if read is None:
        return versions[0] if len(versions) > 1 else None
    return next((one for one in versions if one.movement_id == read), None) or next(
        iter(versions), None
    )


def _number_in(known: SectionMovement, plan: Plan) -> int | None:
    """The number somebody had in a version: numbers shift when pairs come and go."""
    if known.seats:
        return known.seats.get(str(plan.entry_pk), [None])[0]
    own = plan.section.movement.labels.label(plan.number)
    return known.movement.labels.contestant(own)


def _open_rounds(movement: StoredMovement) -> tuple[int, ...]:
    """The rounds nobody could know about yet."""
    return movement.movement.open_rounds if movement.family in DRAWN_AS_PLAYED else ()


def _sittings(movement: StoredMovement, number: int) -> defaultdict[int, frozenset[Sitting]]:
    """A contestant's rounds; a sit-out is an empty one."""
    rounds: defaultdict[int, frozenset[Sitting]] = defaultdict(frozenset)
    for row in rows_of(movement.pk, number):
        if row.ns is not None and row.ew is not None:
            for line in ("ns", "ew"):
                if number in _side(row, line):
                    rounds[row.round] |= {_sitting(movement, row, line, number)}
    return rounds


def _sitting(movement: StoredMovement, row: SeatingRow, line: str, number: int) -> Sitting:
    side = _side(row, line)
    others = [one for one in _side(row, "ns") + _side(row, "ew") if one != number]
    return Sitting(
        part=row.part if row.parts > 1 else 0,
        table=row.table,
        place=line[side.index(number)] if len(side) > 1 else line,
        people=tuple(sorted(movement.labels.label(one) for one in others)),
        boards=board_text(boards_of(tuple(row.sets.split()), movement.numbers)),
    )


def _side(row: SeatingRow, line: str) -> tuple[int, ...]:
    numbers = (row.ns, row.ns2) if line == "ns" else (row.ew, row.ew2)
    return tuple(number for number in numbers if number is not None)


def _difference(
    stop: Stop, before: frozenset[Sitting], after: frozenset[Sitting]
) -> tuple[str, Seat | None]:
    """What is new in a round, the most important thing first, and the seat that has it."""
    if not after:
        return "out", None
    if any(not seat.table for seat in stop.seats):
        return "half", None
    order = sorted(after, key=lambda one: (one.part, one.place == "ew", one.table))
    for kind, facts in (("seat", Sitting.where), ("people", Sitting.with_whom)):
        known = {facts(one) for one in before}
        for sitting in order:
            if facts(sitting) not in known:
                return kind, _seat(stop, sitting)
    return "boards", _seat(stop, next((one for one in order if one not in before), order[0]))


def _seat(stop: Stop, sitting: Sitting) -> Seat | None:
    """The seat of a round that a sitting is shown as."""
    seats = (seat for seat in stop.seats if (seat.table, seat.place) == sitting.where())
    return next(seats, stop.seat)

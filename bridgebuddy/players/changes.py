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


@dataclass(frozen=True)
class News:
    """That a contestant's plan is another one: from which round, and what is new in it."""

    movement: int  # the key of what the notice is about
    rounds: tuple[int, ...]  # those that are different
    stop: Stop  # the first of them
    seat: Seat | None  # what is new in it
    kind: str  # "out", "half", "seat", "people" or "boards"
    do_others_stay: bool


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
    if known is None or known.pk == section.movement_id:
        return None
    number = known.labels.contestant(plan.me.label)
    if number is None:  # somebody who came later, and has no older plan
        return None
    before = _sittings(known, number)
    after = _sittings(section.movement, plan.number)
    stops = [stop for stop in plan.listed if stop.state != "done"]
    new = [stop for stop in stops if before[stop.round] != after[stop.round]]
    new = [stop for stop in new if stop.round not in _open_rounds(known)]
    if not new:
        return None
    return News(
        movement=section.movement_id,
        rounds=tuple(stop.round for stop in new),
        stop=new[0],
        seat=_new_seat(new[0], before[new[0].round]),
        kind=_kind(new[0], before[new[0].round]),
        do_others_stay=len(stops) > len(new),
    )


def _known(versions: list[SectionMovement], read: int | None) -> StoredMovement | None:
    """The movement somebody goes by: the one read about last, or the first."""
    if read is None:
        return versions[0].movement if len(versions) > 1 else None
    had = (one.movement for one in versions if one.movement_id == read)
    # one that was undone is no version any more, but its rows are still what was read
    return next(had, None) or StoredMovement.objects.filter(pk=read).first()


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


def _kind(stop: Stop, before: frozenset[Sitting]) -> str:
    """What is new in a round, the most important thing first."""
    seat = _new_seat(stop, before)
    if seat is None:
        return "out"
    if any(not seat.table for seat in stop.seats):
        return "half"
    if (seat.table, seat.place) not in {(one.table, one.place) for one in before}:
        return "seat"
    people = {person.label for person in seat.opponents + seat.partners}
    return "people" if people not in [set(one.people) for one in before] else "boards"


def _new_seat(stop: Stop, before: frozenset[Sitting]) -> Seat | None:
    """The first seat of a round that was not there before, by table if there is one, else by people."""
    seats = [seat for seat in stop.seats if seat.table]
    places = {(one.table, one.place) for one in before}
    people = [set(one.people) for one in before]
    for seat in seats:
        if (seat.table, seat.place) not in places:
            return seat
    for seat in seats:
        if {person.label for person in seat.opponents + seat.partners} not in people:
            return seat
    return next(iter(seats), None)

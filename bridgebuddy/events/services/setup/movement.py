"""Choosing the movement and seating the pairs in it, before the start."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import AlreadyStarted, NoStrengths, NotSeated
from bridgebuddy.events.models import ClubMovement, Entry, SeatingMethod, Section
from bridgebuddy.events.queries.sessions.strengths import strengths_of
from movements.engine import catalogue
from movements.engine.boards import MatchBoards, movement_boards
from movements.engine.drawing.draws import DRAWN_ON_RESULTS
from movements.engine.drawing.placing import placed_again
from movements.engine.errors import MovementError, TooFewBoards
from movements.engine.model import Movement, players_of
from movements.engine.offers import movement_for, table_counts
from movements.engine.options import remove_contestant
from movements.services import store_movement

from ..locking import lock_movement, lock_section, lock_session
from ..recording import record_plan_change, record_visible_change
from ..stored_movements import set_first_movement
from .breaks import copy_break, plan_break_for
from .deals import renumber_later, section_board_numbers
from .own_movements import own_movements_for
from .seats import seats_by_method

#: the round drawn in advance by a Swiss one round behind
SECOND = 2


@dataclass(frozen=True, slots=True)
class BoardsWished:
    """The director's choice of boards for team matches: same deals at all tables, numbers, segments."""

    is_duplicated: bool = True
    first: int = 1
    goes_on: bool = True
    segments: int = 2


@transaction.atomic
def choose_movement(
    section: Section,
    family: str,
    *,
    rounds: int | None = None,
    boards_per_round: int | None = None,
    total_boards: int | None = None,
    options: Mapping[str, Any] | None = None,
    missing_line: str = "ew",
    matches: BoardsWished | None = None,
    wants_break: bool | None = None,
    by: User,
) -> Section:
    """Give a section a movement of this family for its entries, and seat them.

    Give boards per round, or the total if the last set is to be shorter; for team matches also the numbering of their
    boards. `wants_break` plans a break about the middle, or removes it, with a common clock for all sections; None
    keeps a planned one. Raises a `MovementError` if it is impossible for this number of pairs, and `AlreadyStarted`
    after the start.
    """
    section, sections = lock_session(section)
    is_together = section.session.common_clock
    beside = [other for other in sections if is_together and not other.is_finished]
    if section.is_started:
        raise AlreadyStarted()
    section.missing_line = missing_line
    section.movement_options = dict(options or {})
    movement = movement_for(family, section.entries.count(), rounds, missing_line, options)
    _begin_with_movement(section, movement, boards_per_round, total_boards, matches)
    had = (section.break_after, section.break_minutes)
    others = [other for other in beside if other.pk != section.pk]
    plan_break_for(section, movement, is_wished=wants_break, other_sections=others)
    renumber_later(section)
    record_plan_change(section, "section.movement", by=by, family=family, rounds=movement.rounds)
    after, minutes = section.break_after, section.break_minutes
    if (after, minutes) != had:
        record_visible_change(section, "section.break", by=by, after=after, minutes=minutes)
    if wants_break is not None and is_together:
        # read again: their boards may have been numbered anew
        copy_break(section, lock_session(section)[1], by=by)
    return section


@transaction.atomic
def number_matches(section: Section, wished: BoardsWished, *, by: User) -> Section:
    """Store the director's choice of boards for a section's team matches: numbers, and whether deals are equal.

    Raises `AlreadyStarted` after the start, and `NotSeated` without a movement of matches.
    """
    section = lock_section(section)
    if section.is_started:
        raise AlreadyStarted()
    if section.movement is None or not section.movement.is_draw:
        raise NotSeated()
    section.match_boards = _match_boards(section, section.stored.movement, wished)
    record_plan_change(
        section,
        "section.match_boards",
        by=by,
        first=wished.first,
        is_duplicated=wished.is_duplicated,
    )
    return section


@transaction.atomic
def choose_own_movement(
    section: Section, own: ClubMovement, *, boards_per_round: int, by: User
) -> Section:
    """Give a section one of the club's own movements, and seat the entries.

    Raises `AlreadyStarted` after the start, `NotSeated` if it is for another number of pairs, and the errors of
    `movements.services.store_movement`.
    """
    section = lock_movement(section)
    if section.is_started:
        raise AlreadyStarted()
    if own not in own_movements_for(section):
        raise NotSeated()
    section.movement_options = {}
    _begin_with_movement(section, own.movement, boards_per_round, None)
    plan_break_for(section, own.movement, is_wished=None)
    renumber_later(section)
    record_plan_change(
        section, "section.movement", by=by, family=own.name, rounds=own.movement.rounds
    )
    return section


def fit_movement(section: Section) -> None:
    """Rebuild the section's movement with the same options for a changed number of entries, or remove it.

    A movement that does not fit the entered pairs never stays.
    """
    if section.movement is None:
        return
    stored = section.movement
    pairs = section.entries.count()
    has_as_many_tables = stored.tables in table_counts(pairs, section.contest)[:1]
    rounds = stored.rounds if has_as_many_tables else None
    try:
        options = _movement_options(section)
        movement = movement_for(stored.family, pairs, rounds, section.missing_line, options)
        _keep_with_its_boards(section, movement)
    except MovementError:
        section.entries.update(contestant=None, **Entry.ALL_EVENING)
        set_first_movement(section, None)
    renumber_later(section)


def take_movement_of(section: Section, source: Section) -> bool:
    """Give a locked section the movement, boards and break of another. Return whether it fits.

    Without a break there the section keeps its own.
    """
    stored, pairs = source.movement, section.entries.count()
    if stored is None or section.is_started:
        return False
    has_as_many_tables = stored.tables in table_counts(pairs, section.contest)[:1]
    rounds = stored.rounds if has_as_many_tables else None
    section.boards_per_round, section.total_boards = source.boards_per_round, source.total_boards
    section.match_boards = source.match_boards
    section.movement_options = source.movement_options
    if source.break_after is not None:
        section.break_after, section.break_minutes = source.break_after, source.break_minutes
    try:
        options = _movement_options(section)
        movement = movement_for(stored.family, pairs, rounds, section.missing_line, options)
        _keep_with_its_boards(section, movement)
    except MovementError:
        return False
    renumber_later(section)
    return True


def _movement_options(section: Section) -> dict[str, Any]:
    """Return the section's options of its movement in the engine's form."""
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in section.movement_options.items()
    }


def _keep_with_its_boards(section: Section, movement: Movement) -> None:
    """Store a rebuilt movement with the same number of boards as before, in total or per round."""
    if section.total_boards:
        try:
            _begin_with_movement(section, movement, None, section.total_boards)
            plan_break_for(section, movement, is_wished=None)
            return
        except TooFewBoards:
            pass
    _begin_with_movement(section, movement, section.boards_per_round, None)
    plan_break_for(section, movement, is_wished=None)


def _begin_with_movement(
    section: Section,
    movement: Movement,
    boards_per_round: int | None,
    total_boards: int | None,
    matches: BoardsWished | None = None,
) -> None:
    """Give a movement to a section that has not started, and number its boards."""
    numbers = movement_boards(movement, per_round=boards_per_round, total=total_boards)
    stored = store_movement(movement, numbers=section_board_numbers(section, numbers))
    labels = _entry_labels(section)
    section.boards_per_round = boards_per_round or max(
        len(numbers) for numbers in stored.numbers.values()
    )
    section.total_boards = total_boards
    section.match_boards = _match_boards(section, movement, matches)
    set_first_movement(section, stored)
    section.entries.update(**Entry.ALL_EVENING)
    seat_pairs(section, movement, labels)


def _match_boards(
    section: Section, movement: Movement, wished: BoardsWished | None
) -> dict[str, Any]:
    """Return the boards of team matches in stored form: as the director wishes, else unchanged."""
    if not movement.is_draw or not (wished or section.match_boards):
        return {}
    so_far = section.boards_of_matches
    wished = wished or BoardsWished(
        so_far.is_duplicated, so_far.first, so_far.goes_on, so_far.segments
    )
    chosen = asdict(
        MatchBoards.from_choice(
            section.boards_per_round or 0,
            movement.rounds,
            first_board=wished.first,
            goes_on=wished.goes_on,
            duplicated=wished.is_duplicated,
            segments=wished.segments,
        )
    )
    return {name: value for name, value in chosen.items() if name != "each"}


def reseat_entries(section: Section) -> bool:
    """Seat all entries again before the start by the section's method. Return whether it was possible."""
    if section.movement is None or section.is_started or not _has_seats_for_all(section):
        return False
    seat_pairs(section, section.movement.movement, _entry_labels(section))
    return True


def _has_seats_for_all(section: Section) -> bool:
    """Return whether the movement has exactly as many seats as there are entries.

    It is not if a late entry waits, and the start was undone.
    """
    return len(section.stored.without_seatings.contestants) == section.entries.count()


@transaction.atomic
def seat_by_method(section: Section, method: str, *, seed: int | None = None, by: User) -> Section:
    """Set the section's method of seating, and seat all entries by it.

    Raises `AlreadyStarted`, `NotSeated` without a movement for this number, and `NoStrengths` if none is known.
    """
    section = lock_movement(section)
    if section.is_started:
        raise AlreadyStarted()
    if section.movement is None or not _has_seats_for_all(section):
        raise NotSeated()
    if method == SeatingMethod.EVEN and strengths_of([*section.entries.all()]) is None:
        raise NoStrengths()
    section.seating = method
    section.seed = (
        (seed if seed is not None else random.SystemRandom().randrange(1, 10_000))
        if method == SeatingMethod.RANDOM
        else None
    )
    seat_pairs(section, section.movement.movement)
    record_plan_change(section, "section.seat", by=by, method=method, seed=section.seed)
    return section


@transaction.atomic
def swap_seats(section: Section, first: int, second: int, *, by: User) -> Section:
    """Exchange the seats of two contestants, by their numbers, before the start.

    Raises `AlreadyStarted`, and `NotSeated` for a number without a contestant.
    """
    section = lock_movement(section)
    if section.is_started:
        raise AlreadyStarted()
    seated = {entry.contestant: entry for entry in section.entries.exclude(contestant=None)}
    if first not in seated or second not in seated:
        raise NotSeated()
    if first != second:
        give_seats(section, {seated[first]: second, seated[second]: first})
        section.seating, section.seed = SeatingMethod.HAND, None
        record_plan_change(section, "section.swap", by=by, one=first, other=second)
    return section


@transaction.atomic
def take_free_seat(section: Section, number: int, *, table: int, line: str, by: User) -> Section:
    """Move a contestant to the missing pair's seat at the half table, before the start.

    The half table is then where the contestant sat, and all others keep their seats. Raises `AlreadyStarted`. Raises
    `NotSeated` for a number without a contestant, or if round 1 has no such free seat.
    """
    section = lock_movement(section)
    if section.is_started:
        raise AlreadyStarted()
    labels = _entry_labels(section)
    mover = section.entries.filter(contestant=number).first()
    whole = movement_without_half_table(section)
    if mover is None or whole is None:
        raise NotSeated()
    free = {
        seat_number
        for seating in whole.seatings_at_table(1, table)
        for seat_number in players_of(seating.ns if line == "ns" else seating.ew)
        if whole.label(seat_number) not in labels.values()
    }
    if not free:
        raise NotSeated()
    left = labels[mover.pk]
    labels[mover.pk] = whole.label(free.pop())
    section.missing_line = "ns" if left.startswith("NS") else "ew"
    section.seating, section.seed = SeatingMethod.HAND, None
    movement = remove_contestant(whole, left)
    _keep_with_its_boards(section, movement)
    seat_pairs(section, movement, labels)
    record_plan_change(section, "section.free_seat", by=by, seat=labels[mover.pk], left=left)
    return section


def movement_without_half_table(section: Section) -> Movement | None:
    """Return the section's movement without a missing pair; None if it has no half table."""
    if section.movement is None:
        return None
    has = section.movement.movement
    try:
        whole = catalogue.build_movement(
            has.family, has.tables, has.rounds, options=_movement_options(section)
        )
    except MovementError:  # the club's own movement, or changed since
        return None
    labels = {has.label(number) for number in has.contestants}
    missing = [whole.label(n) for n in whole.contestants if whole.label(n) not in labels]
    if len(missing) != 1 or remove_contestant(whole, missing[0]).seatings != has.seatings:
        return None
    return whole


def seat_pairs(
    section: Section, movement: Movement, labels: Mapping[int, str] | None = None
) -> None:
    """Give every entry a seat in a movement, by the section's method of seating.

    `labels` are the entries' labels until now, by key.
    """
    entries = list(section.entries.order_by("position").prefetch_related("entry_people__person"))
    give_seats(section, seats_by_method(section, entries, movement, labels))


def _entry_labels(section: Section) -> dict[int, str]:
    """Return the label of each entry in the present movement, by the entry's key."""
    if section.movement is None:
        return {}
    seats = section.entries.values_list("pk", "contestant")
    return {key: section.movement.without_seatings.label(number) for key, number in seats if number}


def give_seats(section: Section, seats: Mapping[Entry, int]) -> None:
    """Store the contestant number of each entry; all are cleared first, because numbers are unique.

    A seat that starts late, or is given up, stays one for its new contestant.
    """
    times = {entry.contestant: entry.times for entry in section.entries.exclude(contestant=None)}
    section.entries.filter(pk__in=[entry.pk for entry in seats]).update(contestant=None)
    for entry, number in seats.items():
        entry.take_seat(number, *times.get(number, ()))
    Entry.objects.bulk_update(seats, ["contestant", *Entry.ALL_EVENING])
    place_second_round(section)
    _fix_seats_of_versions(section)


def place_second_round(section: Section) -> None:
    """Let stationary pairs keep table and direction in round 2 of a draw made before the start.

    It applies before the start. Without a drawn second round of pairs, nothing changes.
    """
    movement = section.stored.movement
    is_drawn = movement.family in DRAWN_ON_RESULTS and movement.sets and section.round == 0
    if not is_drawn or movement.open_rounds[:1] != (SECOND + 1,):
        return
    stay = section.entries.filter(must_stay_seated=True).values_list("contestant", flat=True)
    placed = placed_again(movement, SECOND, [number for number in stay if number])
    if placed != movement:
        set_first_movement(section, store_movement(placed, numbers=section.stored.numbers))


def _fix_seats_of_versions(section: Section) -> None:
    """Store the present seats in older versions of the movement, so that later changes do not alter them.

    Changes in a round whose start was undone become part of the plan. Otherwise, their version would restore people
    to seats that belong to others now.
    """
    if section.movements.filter(in_round__gt=0).exists():
        set_first_movement(section, section.movement, section.unswitched)
    else:
        section.movements.update(seats=section.seats())

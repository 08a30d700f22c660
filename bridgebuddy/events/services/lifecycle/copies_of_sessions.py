"""Sessions made from others: the same pairs again, a second session, or a rehearsal.

Plays stay with their session. The people come from the roster, and no new ones are made.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import date, time
from typing import Any, TypeVar

from django.db import models, transaction
from django.db.models import Max
from django.utils import timezone

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Person, User
from bridgebuddy.events.errors import NoStrengths, NotSeated
from bridgebuddy.events.models import (
    Entry,
    EntryPerson,
    Event,
    SeatingMethod,
    Section,
    SectionMovement,
    Session,
)
from bridgebuddy.events.queries.sessions.strengths import strengths_of
from movements.engine.families.team_movements.two_rows import MITCHELL_TEAMS

from ..locking import lock_section, lock_session
from ..play.rounds import finish_session, start_next_round
from ..setup.movement import fit_movement, seat_pairs
from ..stored_movements import set_first_movement
from .sessions import open_session_once, session_of_button_press, unique_value_of_press

#: fields that belong to a session, a section or an entry alone; all others are copied
OF_A_SESSION = {"event", "date", "starts_at", "once", "follows", "number"}
OF_A_SESSION |= {"deleted_at", "rehearsal_until", "newest_person"}
OF_A_SECTION = {"session", "code", "former_code", "code_given_at", "code_ends_at"}
OF_A_SECTION |= {"plan", "shown", "results", "movement", "unswitched"}
OF_A_SECTION |= {"round", "round_started_at", "clock_ends_at", "clock_left", "finished_at"}
OF_A_SECTION |= {"clocks_before", "extra_boards"}
OF_AN_ENTRY = {
    "section",
    "position",
    "contestant",
    "crossed_in",
    "second_halves",
    *Entry.ALL_EVENING,
}

Row = TypeVar("Row", bound=models.Model)


class CopiedSeating(models.TextChoices):
    """The ways in which a copy of a session can seat the pairs of the original."""

    SAME = "same"
    TURNED = "turned"  # in the other direction
    RANDOM = "random"
    EVEN = "even"
    TURNS = "turns"  # evenly over the weeks
    RANKING = "ranking"  # by the results
    BEST = "best"  # the best of the ranking only, without a movement
    FINALS = "finals"  # by the ranking, the upper half in section A, the lower in B
    CONSOLATION = "consolation"  # the best in section A, all others in B
    LINES = "lines"  # each line in a section of its own, without a movement
    ROWS = "rows"  # each row of a Mitchell for teams in a section of its own


#: these need the results of the copied session
BY_RANKING = (
    CopiedSeating.RANKING,
    CopiedSeating.BEST,
    CopiedSeating.FINALS,
    CopiedSeating.CONSOLATION,
)


@transaction.atomic
def copy_session(
    section: Section,
    *,
    name: str,
    date: date,
    starts_at: time,
    with_entries: bool = True,
    sit: str = CopiedSeating.SAME,
    is_second: bool = False,
    once: str = "",
    places: Mapping[int, int] | None = None,
    best_count: int = 0,
    by: User,
) -> Section:
    """Create a copy of a section's session with all its sections. Return its first section.

    A second session of an event belongs to the first. `places` are the entries' places (by key) in the ranking, for
    seating by it; `best_count` is how many of the first play on. Raises `NotSeated` without two lines or without
    places, and `NoStrengths` if no strengths are known. Calls with the same `once` make one session.
    """
    _, sources = lock_session(section)
    event, _ = Event.objects.get_or_create(club=section.club, name=name)
    first = sources[0].session
    facts = _copied_values(first, OF_A_SESSION, event=event, date=date, starts_at=starts_at)
    if is_second:
        facts |= {"follows": first, "number": first.number + 1}
    session, is_new = open_session_once(once, facts)
    if not is_new:
        return session.sections.earliest("pk")
    copies = _copy_sections(
        sources, session, sit if with_entries else None, places or {}, best_count
    )
    for copied_section in copies:
        add_record("section.copy", copied_section, by=by, name=name, of=str(first.date))
    return copies[0]


@transaction.atomic
def make_rehearsal(section: Section, *, by: User) -> Section:
    """Create a rehearsal of a section's session, with the same seats and new codes.

    It is not one of the club's sessions. It is purged after a day, with people that were entered in it alone. A
    second press of the button leads to the same rehearsal.
    """
    _, sources = lock_session(section)
    first = sources[0].session
    index = [source.pk for source in sources].index(section.pk)
    button = f"rehearsal {first.pk} {by.pk}"
    if (before := session_of_button_press(button)) is not None:
        return list(before.sections.order_by("pk"))[index]
    newest = Person.objects.filter(club=section.club).aggregate(key=Max("pk"))["key"] or 0
    session = Session.objects.create(
        **_copied_values(
            first,
            OF_A_SESSION,
            event=first.event,
            date=first.date,
            starts_at=first.starts_at,
            rehearsal_until=timezone.now() + Session.KEPT_FOR,
            newest_person=newest,
            once=unique_value_of_press(button),
        )
    )
    copies = _copy_sections(sources, session, CopiedSeating.SAME)
    for copied_section in copies:
        add_record("section.rehearse", copied_section, by=by, name=first.event.name)
    return copies[index]


@transaction.atomic
def advance_rehearsal(
    section: Section, *, by: User, draw: Callable[[Section, User], None] | None = None
) -> Section:
    """Advance a rehearsal to its end, round by round. Raises the errors of starting a round.

    `draw` draws a round whose pairings are still open.
    """
    section = lock_section(section)
    assert section.session.is_rehearsal
    while not section.is_finished:
        if section.is_started and section.is_last_round:
            section = finish_session(section, round=section.round, by=by)
        else:
            if draw and section.movement and section.next_round in section.movement.open_rounds:
                draw(section, by)
                section = lock_section(section)
            section = start_next_round(section, after=section.round, by=by)
    return section


def returning_people(entries: Sequence[Entry]) -> dict[Entry, list[Person]]:
    """Return the people of each entry to be entered again: regular players, without substitutes.

    A person that has played for two entries goes with the first of them; the other entry is left out.
    """
    again_by_entry: dict[Entry, list[Person]] = {}
    again: set[Person] = set()
    for entry in entries:
        people = [link.owner for link in entry.links_in(1)]
        if people and again.isdisjoint(people):
            again_by_entry[entry] = people
            again.update(people)
    return again_by_entry


def has_two_lines(section: Section) -> bool:
    """Return whether each pair sits in the same direction all session, so that N-S and E-W can be separated."""
    movement = section.movement
    return (
        movement is not None
        and section.contest.fills_a_side
        and {field.name for field in movement.without_seatings.fields} == {"ns", "ew"}
    )


def has_two_rows(section: Section) -> bool:
    """Return whether teams sit in two rows, and each team meets the teams of the other row."""
    return section.movement is not None and section.movement.family == MITCHELL_TEAMS.name


def _copied_values(row: models.Model, but: set[str], **other: object) -> dict[str, Any]:
    """Return a row's field values for a copy, without its key and the fields in `but`."""
    fields = [f for f in row._meta.concrete_fields if not f.primary_key and f.name not in but]
    return {field.attname: getattr(row, field.attname) for field in fields} | other


def _copy_sections(
    sources: Sequence[Section],
    session: Session,
    sit: str | None,
    places: Mapping[int, int] | None = None,
    best_count: int = 0,
) -> list[Section]:
    """Create the sections of a copied session, seated in the way `sit`, or not at all without it."""
    entries = {source: entries_with_people(source) for source in sources}
    if sit in BY_RANKING:
        if not places:
            raise NotSeated()
        last = max(places.values()) + 1
        for entries_of_section in entries.values():
            entries_of_section.sort(key=lambda entry: places.get(entry.pk, last))
    again = returning_people(
        [entry for entries_of_section in entries.values() for entry in entries_of_section]
    )
    if sit in (CopiedSeating.BEST, CopiedSeating.FINALS, CopiedSeating.CONSOLATION):
        parts = _divide_by_places(sit, list(again), places or {}, best_count)
        return [
            _copy_section(sources[0], session, name, {entry: again[entry] for entry in part})
            for name, part in zip("AB", parts, strict=False)
        ]
    if sit in (CopiedSeating.LINES, CopiedSeating.ROWS):
        return _make_sections_of_lines(sources, session, again)
    sections = []
    for source in sources:
        copied_section = Section.objects.create(
            **_copied_values(source, OF_A_SECTION, session=session)
        )
        sections.append(copied_section)
        if sit is None:
            _clear_movement(copied_section)
            continue
        copied = _copy_entries(
            {entry: again[entry] for entry in entries[source] if entry in again}, copied_section
        )
        _seat_copied_entries(source, copied_section, copied, sit)
    return sections


def entries_with_people(section: Section) -> list[Entry]:
    """Return the entries of a section in order, with their people prefetched."""
    places = ("entry_people__person", "entry_people__plays_for")
    return list(section.entries.order_by("position").prefetch_related(*places))


def _copy_entries(
    people_by_entry: Mapping[Entry, Sequence[Person]], section: Section
) -> dict[int, Entry]:
    """Enter the people of other entries in a section. Return the new entries by the old entries' keys."""
    new_entries = Entry.objects.bulk_create(
        Entry(**_copied_values(entry, OF_AN_ENTRY, section=section, position=position))
        for position, entry in enumerate(people_by_entry, start=1)
    )
    EntryPerson.objects.bulk_create(
        EntryPerson(entry=entry, section=section, person=person, position=place)
        for entry, people in zip(new_entries, people_by_entry.values(), strict=True)
        for place, person in enumerate(people, start=1)
    )
    return {old.pk: new for old, new in zip(people_by_entry, new_entries, strict=True)}


def _make_sections_of_lines(
    sources: Sequence[Section], session: Session, people_by_entry: Mapping[Entry, Sequence[Person]]
) -> list[Section]:
    """Create section A of the North-South and section B of the East-West pairs, without movements.

    Teams in two rows are divided by row. Entries without a seat go to section A.
    """
    source = sources[0]
    if len(sources) > 1 or not (has_two_lines(source) or has_two_rows(source)):
        raise NotSeated()
    assert source.movement is not None
    labels = source.movement.without_seatings
    if has_two_lines(source):
        ns, _ew = (set(labels.members(field)) for field in labels.fields)
    else:
        ns = set(range(1, source.movement.tables // 2 + 1))
    lines: tuple[dict[Entry, Sequence[Person]], ...] = ({}, {})
    for entry, people in people_by_entry.items():
        number = entry.contestant
        lines[0 if number is None or number in ns else 1][entry] = people
    return [
        _copy_section(source, session, name, line) for name, line in zip("AB", lines, strict=True)
    ]


def _divide_by_places(
    sit: str, entries: Sequence[Entry], places: Mapping[int, int], best_count: int
) -> list[list[Entry]]:
    """Divide entries by the ranking: only the best, the best and the others, or two halves.

    Entries without a place play in no final, and come last in section B.
    """
    last = max(places.values(), default=0) + 1
    order = sorted(entries, key=lambda entry: places.get(entry.pk, last))
    if sit == CopiedSeating.FINALS:
        half = (len(order) + 1) // 2
        return [order[:half], order[half:]]
    final = [entry for entry in order if places.get(entry.pk, last) <= best_count]
    others = [entry for entry in order if entry not in final]
    return [final, others] if sit == CopiedSeating.CONSOLATION and others else [final]


def _copy_section(
    source: Section, session: Session, name: str, people_by_entry: Mapping[Entry, Sequence[Person]]
) -> Section:
    """Create a section like another in a session, with these entries' people and no movement."""
    copied_section = Section.objects.create(
        **_copied_values(source, OF_A_SECTION, session=session) | {"name": name}
    )
    _clear_movement(copied_section)
    _copy_entries(people_by_entry, copied_section)
    return copied_section


def _clear_movement(section: Section) -> None:
    """Reset a copied section's movement and the settings that belong to it."""
    section.boards_per_round = section.total_boards = section.break_after = section.seed = None
    section.match_boards = {}
    section.break_minutes, section.seating, section.movement_options = 0, SeatingMethod.ORDER, {}
    section.save()


def _seat_copied_entries(
    source: Section, section: Section, copied: Mapping[int, Entry], sit: str
) -> None:
    """Give a copied section the movement with which the original began, and the entries their seats.

    If their number has changed, the movement is adapted, or removed.
    """
    begun = _first_version(source)
    if begun is None:
        _clear_movement(section)
        return
    seats = {copied[int(key)]: place[0] for key, place in begun.seats.items() if int(key) in copied}
    section.boards_per_round = begun.boards_per_round or source.boards_per_round
    section.seating, section.seed = SeatingMethod.HAND, None
    numbers = set(begun.movement.without_seatings.contestants)
    for entry, number in seats.items():
        entry.contestant = number if number in numbers else None
    Entry.objects.bulk_update(copied.values(), ["contestant"])
    if {entry.contestant for entry in copied.values()} == numbers:
        set_first_movement(section, begun.movement, _unswitched_movement(source, begun))
    else:
        section.movement = begun.movement
        fit_movement(section)
    if section.movement is None:
        _clear_movement(section)
        return
    section.movements.update(seats=section.seats())
    _seat_otherwise(section, sit)
    section.save()


def _first_version(section: Section) -> SectionMovement | None:
    """Return the version of the movement with which a section began, or would begin."""
    if section.movement is None:
        return None
    first_versions = section.movements.filter(in_round=0).select_related("movement", "unswitched")
    begun = first_versions.order_by("version").last()
    if begun and section.movements.order_by("version").last() == begun:
        begun.seats = section.seats()
    return begun


def _unswitched_movement(source: Section, begun: SectionMovement) -> Any:
    """Return the movement before arrow-switches that belongs to the first version; None if it had none."""
    same = begun.movement_id == source.movement_id
    return begun.unswitched or (source.unswitched if same else None)


def _seat_otherwise(section: Section, sit: str) -> None:
    """Seat the entries of a copied section in the way `sit` instead of as in the original."""
    assert section.movement is not None
    movement = section.movement.movement
    entries = entries_with_people(section)
    match sit:
        case CopiedSeating.RANDOM:
            section.seating = SeatingMethod.RANDOM
            section.seed = random.SystemRandom().randrange(1, 10_000)
        case CopiedSeating.EVEN:
            if strengths_of(entries) is None:
                raise NoStrengths()
            section.seating = SeatingMethod.EVEN
        case CopiedSeating.TURNS:
            section.seating = SeatingMethod.TURNS
        case CopiedSeating.RANKING:
            section.seating = SeatingMethod.ORDER
        case CopiedSeating.TURNED:
            _exchange_lines(section, entries)
            return
        case _:
            return
    seat_pairs(section, movement)


def _exchange_lines(section: Section, entries: Sequence[Entry]) -> None:
    """Exchange North-South and East-West pairs of equal numbers, except stationary pairs."""
    if not has_two_lines(section):
        raise NotSeated()
    assert section.movement is not None
    labels = section.movement.without_seatings
    seated = {entry.contestant: entry for entry in entries}
    ns, ew = ({f.name: labels.members(f) for f in labels.fields}[name] for name in ("ns", "ew"))
    turned = [
        (seated[contestant], seated[other])
        for contestant, other in zip(ns, ew, strict=False)
        if not (seated[contestant].must_stay_seated or seated[other].must_stay_seated)
    ]
    moved = {
        entry: number for pair in turned for entry, number in _swapped_contestants(*pair).items()
    }
    section.entries.filter(pk__in=[entry.pk for entry in moved]).update(contestant=None)
    for entry, number in moved.items():
        entry.contestant = number
    Entry.objects.bulk_update(moved, ["contestant"])
    section.movements.update(seats=section.seats())


def _swapped_contestants(first: Entry, second: Entry) -> dict[Entry, int | None]:
    """Return the seats (contestant numbers) of two entries after they have exchanged them."""
    return {first: second.contestant, second: first.contestant}

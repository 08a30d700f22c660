"""Deleting clubs and making people anonymous: names go, but plays stay as long as the club."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Club, DistinctPeople, Person, User, searchable
from bridgebuddy.events.errors import NameRequired, SectionChanged, SessionUnderWay, StillPlaying
from bridgebuddy.events.models import EntryPerson, Event, Import, PastPlayer, Section, Session
from bridgebuddy.events.queries.sessions.sections import LONGEST_ROUND

from ..display_refresh import sections_with_people
from ..locking import lock_section
from ..names_on_record import recorded_spellings, replace_name_words, replace_names_on_record
from ..stored_movements import delete_unused_movements
from .deletions import movements_of_sections

#: name of people whose name was forgotten, with a number: nomen nescio, in every language
NOBODY = "N.N."
#: the other club of a forgotten visitor
SOMEWHERE = "?"


@transaction.atomic
def anonymise_person(person: Person, *, by: User | None) -> Person:
    """Replace a person's name by a number for good: on the roster, in plans and in records.

    Raises `StillPlaying` if one of their sessions is not over, and `SectionChanged` if the person no longer
    exists.
    """
    for section in sections_with_people([person]).order_by("pk"):
        lock_section(section)
    not_forgotten = Person.objects.select_for_update().filter(anonymous_since=None)
    if (found := not_forgotten.filter(pk=person.pk).first()) is None:
        raise SectionChanged()
    if (session := _unfinished_session(found)) is not None:
        raise StillPlaying(name=found.name, date=session.date)
    _forget_names(found.club, [found])
    add_record("club.anonymise", found.club, by=by, name=found.name)
    return found


def anonymise_inactive_people() -> int:
    """Make people anonymous who have not played for as long as their club keeps names. Return how many."""
    clubs = Club.objects.exclude(names_kept_for=None)
    return sum(_forget_people_of_club(club) for club in clubs)


@transaction.atomic
def _forget_people_of_club(club: Club) -> int:
    """Make people of a club anonymous who have not played for as long as it keeps names. Return how many."""
    since = months_before(club.today, club.names_kept_for or 0)
    last = _last_played(club)
    over = [
        person
        for person in club.known_people.select_for_update().order_by("pk")
        if person.pk in last and last[person.pk] < since and _unfinished_session(person) is None
    ]
    if over:
        _forget_names(club, over)
        add_record("club.anonymise", club, by=None, count=len(over))
    return len(over)


def _last_played(club: Club) -> dict[int, date]:
    """Return the last day on which each person of a club had a seat, themselves or by a substitute."""
    past = PastPlayer.objects.filter(person__club=club).order_by().values("person")
    days = past.annotate(last=Max("line__past__session__date"))
    last: dict[int, date] = {day["person"]: day["last"] for day in days}
    for whose in ("person", "plays_for"):
        links = EntryPerson.objects.filter(**{f"{whose}__club": club}).order_by()
        for link in links.values(whose).annotate(last=Max("section__session__date")):
            last[link[whose]] = max(link["last"], last.get(link[whose], link["last"]))
    return last


def months_before(day: date, months: int) -> date:
    """Return the day `months` months earlier, or the last day of that month.

    >>> months_before(date(2026, 3, 31), 1)
    datetime.date(2026, 2, 28)
    """
    count = day.year * 12 + day.month - 1 - months
    for last in (day.day, 30, 29, 28):
        try:
            return date(count // 12, count % 12 + 1, last)
        except ValueError:
            continue
    raise ValueError(months)


def _unfinished_session(person: Person) -> Session | None:
    """Return a session of the person that is not finished, unless it is long past; None if there is none."""
    since = person.club.today - timedelta(days=1)
    open_ones = sections_with_people([person]).filter(finished_at=None, session__date__gte=since)
    section = open_ones.select_related("session").order_by("session__date").first()
    return section.session if section else None


def _forget_names(club: Club, people: Sequence[Person]) -> None:
    """Replace the names of these people by numbers, in all texts too."""
    names = recorded_spellings(club, [person.name for person in people])
    instead: dict[int, str] = {}
    names_by_person = {person.pk: names[person.name] for person in people}
    number = club.people.exclude(anonymous_since=None).count()
    for person in people:
        number = _next_free_number(club, number)
        instead[person.pk] = person.name = f"{NOBODY}{number}"
        person.strength, person.public_name, person.anonymous_since = None, "", timezone.now()
        # the person stays a visitor: lists of members remain as they are
        is_visitor = person.is_visitor
        person.national_number = person.member_number = person.categories = ""
        person.other_club = SOMEWHERE if is_visitor else ""
        person.save()
    replace_names_on_record(
        club, {old: instead[key] for key, all_ in names_by_person.items() for old in all_}
    )
    replace_name_words(club, names_by_person, instead)
    Import.objects.filter(club=club, taken_at=None).delete()  # files with their names
    DistinctPeople.objects.filter(Q(one__in=people) | Q(other__in=people)).delete()


def create_anonymous_person(club: Club) -> Person:
    """Create a person with a number instead of a name, for data imported from another program."""
    number = _next_free_number(club, club.people.exclude(anonymous_since=None).count())
    now = timezone.now()
    return Person.objects.create(club=club, name=f"{NOBODY}{number}", anonymous_since=now)


def _next_free_number(club: Club, number: int) -> int:
    """Return the next number, from `number` on, that no anonymous person of the club has as a name."""
    number += 1
    while club.people.filter(search=searchable(f"{NOBODY}{number}")).exists():
        number += 1
    return number


@transaction.atomic
def delete_club(club: Club, *, name: str) -> None:
    """Delete a club and all its data for good; user accounts stay.

    Raises `NameRequired` unless its name is given, and `SessionUnderWay` during a session.
    """
    locked = Club.objects.select_for_update().get(pk=club.pk)
    if searchable(name) != searchable(locked.name):
        raise NameRequired(name=locked.name)
    sections = Section.objects.filter(session__event__club=locked)
    since = timezone.now() - LONGEST_ROUND
    keys = [section.pk for section in sections.select_for_update(of=("self",)).order_by("pk")]
    playing = sections.filter(round__gt=0, finished_at=None, round_started_at__gt=since)
    if playing.filter(session__deleted_at=None, session__rehearsal_until=None).exists():
        raise SessionUnderWay()
    movements = movements_of_sections(keys)
    sessions = Session.objects.filter(event__club=locked)
    AuditRecord.objects.filter(
        Q(subject="section", subject_id__in=keys)
        | Q(subject="session", subject_id__in=list(sessions.values_list("pk", flat=True)))
        | Q(subject="club", subject_id=locked.pk)
    ).delete()
    for session in sessions.iterator():
        session.delete()
    Event.objects.filter(club=locked).delete()
    locked.delete()
    delete_unused_movements(movements)

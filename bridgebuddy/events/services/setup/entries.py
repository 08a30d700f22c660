"""Entering, changing and removing pairs before the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from django.db import transaction
from django.db.models import F, Max, Q

from bridgebuddy.clubs.models import Club, Person, User, searchable
from bridgebuddy.clubs.people.names import one_line
from bridgebuddy.events.errors import AlreadyStarted, NotEntered, PersonTwice, TooManyEntries
from bridgebuddy.events.models import MOST_PAIRS, Entry, EntryPerson, SeatingMethod, Section

from ..display_refresh import refresh_sections, sections_with_people
from ..locking import lock_movement, lock_session
from ..recording import record_plan_change, record_visible_change
from .movement import fit_movement, reseat_entries

#: ways of seating that use strengths too
BY_STRENGTH = (SeatingMethod.EVEN, SeatingMethod.TURNS)


@transaction.atomic
def add_pairs(
    section: Section,
    pairs: Sequence[tuple[str, ...]],
    *,
    must_stay_seated: bool = False,
    teams: Sequence[str] = (),
    by: User,
) -> list[Entry]:
    """Add entries by their players' names; unknown people are added to the club's roster.

    `teams` are the teams' names, if any. All are entered or none. Raises `AlreadyStarted`, `TooManyEntries`, and
    `PersonTwice` with the name and the pair's index.
    """
    section, _ = lock_session(section)
    if section.is_started:
        raise AlreadyStarted()
    entries = add_entries(section, pairs, must_stay_seated=must_stay_seated, teams=teams)
    fit_movement(section)
    record_plan_change(section, "section.enter", by=by, pairs=[list(pair) for pair in pairs])
    return entries


def add_entries(
    section: Section,
    pairs: Sequence[tuple[str, ...]],
    *,
    must_stay_seated: bool = False,
    teams: Sequence[str] = (),
) -> list[Entry]:
    """Add entries to a locked section, without seats.

    A person that substituted earlier, and no longer does, may have an entry of their own. All are entered or none.
    Raises `TooManyEntries`, and `PersonTwice` with the name, the pair's index, and the other section of the session.
    """
    if section.entries.count() + len(pairs) > MOST_PAIRS:
        raise TooManyEntries(most=MOST_PAIRS)
    now = section.shown_round
    links = EntryPerson.objects.filter(section=section).select_related("person")
    here = {x.person.search for x in links if x.until_round is None or x.until_round >= now}
    elsewhere = people_of_other_sections(section)
    before = {link.person_id for link in links}
    for index, pair in enumerate(pairs):
        for name in pair:
            if searchable(name) in here:
                raise PersonTwice(name=name, pair=index)
            if searchable(name) in elsewhere:
                raise PersonTwice(name=name, pair=index, there=elsewhere[searchable(name)])
            here.add(searchable(name))
    people = people_named(section.club, [name for pair in pairs for name in pair])
    position = section.entries.aggregate(last=Max("position"))["last"] or 0
    entries = Entry.objects.bulk_create(
        Entry(
            section=section,
            position=position + index,
            must_stay_seated=must_stay_seated,
            name=team,
        )
        for index, (_, team) in enumerate(zip_longest(pairs, teams, fillvalue=""), start=1)
    )
    EntryPerson.objects.bulk_create(
        EntryPerson(
            entry=entry,
            section=section,
            person=people[searchable(name)],
            position=place,
            from_round=now if people[searchable(name)].pk in before else 1,
        )
        for entry, pair in zip(entries, pairs, strict=True)
        for place, name in enumerate(pair, start=1)
    )
    return entries


def people_of_other_sections(section: Section) -> dict[str, str]:
    """Return the people in other sections of the session, by searchable name, with the section's name."""
    lasts = Q(until_round=None) | Q(until_round__gte=F("section__round"))
    links = EntryPerson.objects.filter(lasts, section__session=section.session_id)
    there = links.exclude(section=section).exclude(
        entry__left_after__isnull=False, entry__back_in=None
    )
    return dict(there.values_list("person__search", "section__name"))


@transaction.atomic
def set_strengths(section: Section, strengths: Mapping[int, int | None], *, by: User) -> Section:
    """Store the strengths of the section's people, by their keys; None removes one.

    Before the start, seats given by strength are assigned again.
    """
    section = lock_movement(section)
    links = EntryPerson.objects.filter(section=section, person__in=strengths)
    people = Person.objects.filter(pk__in=links.values("person"))
    changed = [person for person in people if person.strength != strengths[person.pk]]
    for person in changed:
        person.strength = strengths[person.pk]
    if changed:
        Person.objects.bulk_update(changed, ["strength"])
        refresh_sections(sections_with_people(changed).exclude(pk=section.pk))
        is_seated_anew = section.seating in BY_STRENGTH and reseat_entries(section)
        note = record_plan_change if is_seated_anew else record_visible_change
        note(section, "section.strengths", by=by, people=len(changed))
    return section


@transaction.atomic
def withdraw_pair(entry: Entry, *, by: User) -> None:
    """Remove an entry before the start, or while it waits for a seat.

    Raises `AlreadyStarted` if it has a seat in a session that has begun, and `NotEntered` if it has been removed
    meanwhile.
    """
    section = lock_movement(entry.section)
    entry = reread_entry(section, entry)
    if section.is_started and entry.contestant is not None:
        raise AlreadyStarted()
    names = entry.names
    delete_entry(section, entry)
    if not section.is_started:
        fit_movement(section)
    record_plan_change(section, "section.withdraw", by=by, names=names)


def delete_entry(section: Section, entry: Entry) -> None:
    """Delete an entry of a locked section, and its plays from an undone start."""
    section.plays.filter(_plays_of_entry(entry)).exclude(taken_back_at=None).delete()
    section.entries.filter(pk=entry.pk).delete()
    section.entries.filter(position__gt=entry.position).update(position=F("position") - 1)


def _plays_of_entry(entry: Entry) -> Q:
    """Return a database condition for the plays of an entry."""
    return Q(ns=entry) | Q(ns2=entry) | Q(ew=entry) | Q(ew2=entry)


def reread_entry(section: Section, entry: Entry) -> Entry:
    """Return an entry read again once its section is locked; raise `NotEntered` if it no longer exists."""
    current = section.entries.filter(pk=entry.pk).first()
    if current is None:
        raise NotEntered()
    return current


def people_named(club: Club, names: Sequence[str]) -> dict[str, Person]:
    """Return the club's people with these names, by searchable name; new ones are added to the roster.

    Another section may enter the same guest at this moment. The second insert then waits for the first, and uses its
    row. New people are inserted in sorted order, so that no two transactions wait for each other.
    """
    names_by_form = {searchable(name): one_line(name) for name in names}
    people = Person.objects.filter(club=club, search__in=names_by_form)
    known = {person.search: person for person in people}
    if new := sorted(names_by_form.keys() - known.keys()):
        Person.objects.bulk_create(
            [Person(club=club, name=names_by_form[search], search=search) for search in new],
            ignore_conflicts=True,
        )
        known = {person.search: person for person in people.all()}
    return known

"""Entering, changing and withdrawing pairs before the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import F, Max

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import Club, Person, User, folded

from ..errors import AlreadyStarted, NotEntered, PersonTwice, TooManyEntries
from ..models import MOST_PAIRS, Entry, EntryPerson, SeatingMethod, Section
from .locking import lock
from .movement import fit_movement, seat_again


@transaction.atomic
def add_pairs(
    section: Section,
    pairs: Sequence[tuple[str, ...]],
    *,
    must_stay_seated: bool = False,
    by: User,
) -> list[Entry]:
    """Enter pairs by their players' names; people the club does not know yet join its roster.

    All are entered or none. Raises `AlreadyStarted`, `TooManyEntries`, and `PersonTwice` with the
    name and the index of the pair it is in.
    """
    section = lock(section)
    if section.is_started:
        raise AlreadyStarted()
    if section.entries.count() + len(pairs) > MOST_PAIRS:
        raise TooManyEntries(most=MOST_PAIRS)
    here = set(EntryPerson.objects.filter(section=section).values_list("person__search", flat=True))
    for index, pair in enumerate(pairs):
        for name in pair:
            if folded(name) in here:
                raise PersonTwice(name=name, pair=index)
            here.add(folded(name))
    people = people_named(section.club, [name for pair in pairs for name in pair])
    position = section.entries.aggregate(last=Max("position"))["last"] or 0
    entries = Entry.objects.bulk_create(
        Entry(section=section, position=position + index, must_stay_seated=must_stay_seated)
        for index, _ in enumerate(pairs, start=1)
    )
    EntryPerson.objects.bulk_create(
        EntryPerson(entry=entry, section=section, person=people[folded(name)], position=place)
        for entry, pair in zip(entries, pairs, strict=True)
        for place, name in enumerate(pair, start=1)
    )
    record("section.enter", section, by=by, pairs=[list(pair) for pair in pairs])
    fit_movement(section)
    section.touch()
    return entries


@transaction.atomic
def change_pair(entry: Entry, names: Sequence[str], *, must_stay_seated: bool, by: User) -> Entry:
    """Change who a pair is: a misspelt name, another partner, a substitute.

    Possible at any time. A pair that asks for a stationary seat before the start gets one, unless
    the director seats by hand. Raises `PersonTwice`, and `NotEntered` when somebody else has taken
    the pair off the list meanwhile.
    """
    section = lock(entry.section)
    entry = _as_it_is_now(section, entry)
    others = EntryPerson.objects.filter(section=section).exclude(entry=entry)
    here = set(others.values_list("person__search", flat=True))
    for name in names:
        if folded(name) in here:
            raise PersonTwice(name=name)
        here.add(folded(name))
    before = entry.names
    people = people_named(section.club, names)
    entry.entry_people.all().delete()
    EntryPerson.objects.bulk_create(
        EntryPerson(entry=entry, section=section, person=people[folded(name)], position=place)
        for place, name in enumerate(names, start=1)
    )
    asks_anew = entry.must_stay_seated != must_stay_seated
    entry.must_stay_seated = must_stay_seated
    entry.save()
    record("section.rename", section, by=by, before=before, after=" & ".join(names))
    if asks_anew:
        seat_again(section)
    section.touch()
    return entry


@transaction.atomic
def set_strengths(section: Section, strengths: Mapping[int, int | None], *, by: User) -> Section:
    """Note how strong people of the section are, by their keys; None forgets it.

    Seats given by strength are given anew before the start.
    """
    section = lock(section)
    links = EntryPerson.objects.filter(section=section, person__in=strengths)
    people = [link.person for link in links.select_related("person")]
    changed = [person for person in people if person.strength != strengths[person.pk]]
    for person in changed:
        person.strength = strengths[person.pk]
    if changed:
        Person.objects.bulk_update(changed, ["strength"])
        record("section.strengths", section, by=by, people=len(changed))
        if section.seating == SeatingMethod.EVEN:
            seat_again(section)
        section.touch()
    return section


@transaction.atomic
def withdraw_pair(entry: Entry, *, by: User) -> None:
    """Take a pair off the list: before the start, or one that waits for a seat and has gone home.

    Raises `AlreadyStarted` when it has a seat in a session that has begun, and `NotEntered` when
    somebody else has done it meanwhile.
    """
    section = lock(entry.section)
    entry = _as_it_is_now(section, entry)
    if section.is_started and entry.contestant is not None:
        raise AlreadyStarted()
    record("section.withdraw", section, by=by, names=entry.names)
    position = entry.position
    section.entries.filter(pk=entry.pk).delete()
    section.entries.filter(position__gt=position).update(position=F("position") - 1)
    if not section.is_started:
        fit_movement(section)
    section.touch()


def _as_it_is_now(section: Section, entry: Entry) -> Entry:
    """Read an entry again once the section is locked: the page that sent it may be old."""
    found = section.entries.filter(pk=entry.pk).first()
    if found is None:
        raise NotEntered()
    return found


def people_named(club: Club, names: Sequence[str]) -> dict[str, Person]:
    """Return the people of these names, by folded name; new ones join the roster.

    Another section may enter the same guest at this moment: whoever is second waits for the first
    and takes theirs. All enter new people in one order, so that no two wait for each other.
    """
    wanted = {folded(name): " ".join(name.split()) for name in names}
    people = Person.objects.filter(club=club, search__in=wanted)
    known = {person.search: person for person in people}
    if new := sorted(wanted.keys() - known.keys()):
        Person.objects.bulk_create(
            [Person(club=club, name=wanted[search], search=search) for search in new],
            ignore_conflicts=True,
        )
        known = {person.search: person for person in people.all()}
    return known

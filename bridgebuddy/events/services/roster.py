"""Merging two people on a club's roster with all that either has played, and changing people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import date
from itertools import combinations

from django.db import transaction
from django.db.models import ProtectedError, Q

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Club, DistinctPeople, Person, User, searchable
from bridgebuddy.clubs.people.categories import joined_categories
from bridgebuddy.clubs.people.public_names import stricter_wish

from ..errors import BothPlayed, SectionChanged
from ..models import EntryPerson, PastPlayer, Play, Section
from ..queries.roster.players import shared_past_lines
from .display_refresh import refresh_sections, sections_with_people
from .locking import lock_section
from .names_on_record import replace_names_on_record
from .play.plays import CHAIRS

#: a person's numbers with a federation, and the other club
OF_FEDERATION = ("national_number", "member_number", "other_club")
#: text fields of a person on the roster beside the name
NOTED = (*OF_FEDERATION, "categories")


#: hooks before a merge; called with the remaining and the leaving person
MERGING: list[Callable[[Person, Person], None]] = []


@transaction.atomic
def merge_people(kept_person: Person, merged_person: Person, *, by: User) -> Person:
    """Merge `merged_person` into `kept_person`, and delete `merged_person` from the roster.

    Raises `BothPlayed` if both played in one section at the same time, and `SectionChanged` if one of them no
    longer exists.
    """
    for section in sections_with_people([kept_person, merged_person]).order_by("pk"):
        lock_section(section)
    both = Person.objects.select_for_update().filter(
        pk__in=[kept_person.pk, merged_person.pk], club=kept_person.club
    )
    if (
        kept_person.pk == merged_person.pk
        or len(locked := {person.pk: person for person in both}) < 2
    ):
        raise SectionChanged()
    kept_person, merged_person = locked[kept_person.pk], locked[merged_person.pk]
    if (once := section_with_both(kept_person, merged_person)) is not None:
        raise BothPlayed(name=kept_person.name, other=merged_person.name, date=once.session.date)
    if (day := shared_past_session_day(kept_person, merged_person)) is not None:
        raise BothPlayed(name=kept_person.name, other=merged_person.name, date=day)
    concerned = list(sections_with_people([merged_person]).values_list("pk", flat=True))
    places = EntryPerson.objects.filter(Q(person=merged_person) | Q(plays_for=merged_person))
    touched = set(places.values_list("entry_id", "position"))
    EntryPerson.objects.filter(person=merged_person).update(person=kept_person)
    EntryPerson.objects.filter(plays_for=merged_person).update(plays_for=kept_person)
    for entry, position in touched:
        _join_neighbours(entry, position)
    for chair in CHAIRS:
        Play.objects.filter(**{chair: merged_person}).update(**{chair: kept_person})
    PastPlayer.objects.filter(person=merged_person).update(person=kept_person)
    for take_along in MERGING:
        take_along(kept_person, merged_person)
    try:
        merged_person.delete()
    except ProtectedError:  # entered elsewhere at this moment
        raise SectionChanged() from None
    before = _known_facts(kept_person)
    kept_person.strength = (
        merged_person.strength if kept_person.strength is None else kept_person.strength
    )
    kept_person.public_name = stricter_wish(kept_person.public_name, merged_person.public_name)
    for field in OF_FEDERATION:
        setattr(kept_person, field, getattr(kept_person, field) or getattr(merged_person, field))
    kept_person.categories = joined_categories(kept_person.categories, merged_person.categories)
    if before != _known_facts(kept_person):
        kept_person.save()
    refresh_sections(Section.objects.filter(pk__in=concerned))
    replace_names_on_record(kept_person.club, {merged_person.name: kept_person.name})
    add_record(
        "club.merge", kept_person.club, by=by, name=kept_person.name, gone=merged_person.name
    )
    return kept_person


def _known_facts(person: Person) -> tuple[object, ...]:
    """Return the data of a person by which a change is noticed."""
    noted = (getattr(person, field) for field in NOTED)
    return (person.name, person.strength, person.public_name, *noted)


@transaction.atomic
def mark_as_different(person: Person, other_person: Person, *, by: User) -> None:
    """Store that two people with similar names are not duplicates; repeating it has no effect."""
    first, second = sorted((person, other_person), key=lambda similar: similar.pk)
    _, is_new = DistinctPeople.objects.get_or_create(one=first, other=second)
    if is_new:
        add_record("club.two_people", person.club, by=by, name=first.name, other=second.name)


@transaction.atomic
def change_person(
    person: Person,
    name: str,
    strength: int | None,
    public_name: str | None = None,
    *,
    by: User,
    **noted: str,
) -> Person:
    """Change a person's name, strength and public name in all sessions.

    `noted` gives fields of `NOTED`; others stay. Raises `SectionChanged` if the person no longer exists.
    """
    locked = Person.objects.select_for_update().filter(pk=person.pk).first()
    if locked is None:
        raise SectionChanged()
    before, was = _known_facts(locked), locked.name
    locked.name, locked.strength = name, strength
    if public_name is not None:
        locked.public_name = public_name
    for field in NOTED:
        setattr(locked, field, noted.get(field, getattr(locked, field)))
    if before != _known_facts(locked):
        locked.save()
        add_record("club.person", locked.club, by=by, before=was, after=name)
    return locked


@transaction.atomic
def set_public_name(person: Person, form: str, *, by: User | None = None) -> None:
    """Set how a person's name appears in public; without `by` the person has chosen it.

    Raises `SectionChanged` if the person no longer exists.
    """
    not_forgotten = Person.objects.select_for_update().filter(anonymous_since=None)
    locked = not_forgotten.filter(pk=person.pk).first()
    if locked is None:
        raise SectionChanged()
    if locked.public_name != form:
        locked.public_name = form
        locked.save()
        add_record("club.public_name", locked.club, by=by, name=locked.name, after=form)


@transaction.atomic
def store_people_numbers(club: Club, numbers: Mapping[int, Mapping[str, str]], *, by: User) -> int:
    """Store people's federation and club numbers and categories, by their keys. Return how many people changed.

    Deleted and anonymous people are left out. One audit record gives the count, and no numbers.
    """
    changed = 0
    for person in club.known_people.select_for_update().filter(pk__in=numbers).order_by("pk"):
        before = _known_facts(person)
        for field, value in numbers[person.pk].items():
            if field in NOTED:
                setattr(person, field, value)
        if before != _known_facts(person):
            Person.objects.filter(pk=person.pk).update(
                **{field: getattr(person, field) for field in NOTED}
            )
            changed += 1
    if changed:
        add_record("club.numbers", club, by=by, count=changed)
    return changed


def new_numbers(club: Club, numbers: Mapping[str, str]) -> dict[int, dict[str, str]]:
    """Return the federation numbers in a list of entries that are new and can be stored, by people's keys.

    A person's number stays, and a number of another person is not stored twice.
    """
    taken = set(
        club.known_people.exclude(national_number="").values_list("national_number", flat=True)
    )
    wanted = {searchable(name): number for name, number in numbers.items() if number not in taken}
    people = club.known_people.filter(search__in=wanted, national_number="")
    return {person.pk: {"national_number": wanted[person.search]} for person in people}


def section_with_both(person: Person, other_person: Person) -> Section | None:
    """Return a section in which two people had places in the same round; None if there is none.

    Sections of one session play at the same time, so two of them count as one.
    """
    links: defaultdict[int, list[EntryPerson]] = defaultdict(list)
    links_of_both = EntryPerson.objects.select_related("section__session")
    for link in links_of_both.filter(person__in=[person, other_person]).order_by(
        "section__session__date"
    ):
        links[link.section.session_id].append(link)
    for links_of_session in links.values():
        for first, second in combinations(links_of_session, 2):
            if first.person_id != second.person_id and _do_rounds_overlap(first, second):
                return first.section
    return None


def shared_past_session_day(first: Person, second: Person) -> date | None:
    """Return the day of a session scored elsewhere that lists both people; None if there is none."""
    there = shared_past_lines(first, second)
    return there.values_list("line__past__session__date", flat=True).first()


def _do_rounds_overlap(first: EntryPerson, second: EntryPerson) -> bool:
    """Return whether two places in an entry have a round in common."""
    ends = first.until_round is None or first.until_round >= second.from_round
    return ends and (second.until_round is None or second.until_round >= first.from_round)


def _join_neighbours(entry: int, position: int) -> None:
    """Join consecutive `EntryPerson` rows of a place that belong to the same person, after a merge."""
    last: EntryPerson | None = None
    for link in EntryPerson.objects.filter(entry=entry, position=position).order_by("from_round"):
        if link.plays_for_id == link.person_id:
            link.plays_for = None
            link.save()
        if last and (last.person_id, last.plays_for_id) == (link.person_id, link.plays_for_id):
            last.until_round = link.until_round
            link.delete()
            last.save()
        else:
            last = link

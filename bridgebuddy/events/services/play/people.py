"""The people of entries: corrections and substitutes.

A correction says that a person is, and always was, another person or spelt otherwise. A substitute has a person's
place for some rounds. History keeps the actual players, so the two are never the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from hashlib import sha256
from itertools import count, zip_longest
from typing import Any

from django.db import transaction
from django.db.models import Q

from bridgebuddy.clubs.models import Person, User, searchable
from bridgebuddy.events.errors import (
    AlreadyInTeam,
    NoSuchRound,
    NotEntered,
    NotSeated,
    PersonTwice,
    PlaysElsewhere,
    ReserveHasSeat,
    SectionChanged,
)
from bridgebuddy.events.listing import MOST_PEOPLE
from bridgebuddy.events.models import Entry, EntryPerson, Section

from ..locking import lock_session
from ..recording import record_plan_change, record_visible_change
from ..setup.entries import people_named, people_of_other_sections, reread_entry
from ..setup.movement import place_second_round
from .plays import amend_people

#: least similarity of a misspelt name to the other, from 0 to 1
MISSPELT = 0.75
FOR_EVER = 10_000  # rounds


@transaction.atomic
def correct_names(
    entry: Entry, names: Sequence[str], *, must_stay_seated: bool, shown_version: str = "", by: User
) -> Entry:
    """Correct the people of an entry in all rounds, including those already played.

    With substitutes, the current players are meant. A misspelt name is corrected on the club's roster if the person
    is not known otherwise. A wish to stay seated is stored and moves nobody: the entries' page offers an exchange of
    seats. A team may have more names than seats: these are reserves. Raises `PersonTwice` with the other section of
    the session, and `NotEntered` if the entry has been removed. Raises `ReserveHasSeat` for a removed reserve that
    plays in some round. Raises `SectionChanged` if the line-up differs from `shown_version`, the page's `line_up_key`.
    """
    section, _ = lock_session(entry.section)
    entry = reread_entry(section, entry)
    links = entry.links_in(section.shown_round)
    most = MOST_PEOPLE[section.contest.people]
    if not section.contest.people <= min(len(links), len(names)) <= len(names) <= most:
        raise NotEntered()
    if shown_version and shown_version != line_up_key(entry):
        raise SectionChanged()
    before, was_to_stay = entry.names, entry.must_stay_seated
    meant: dict[Person, Person] = {}
    for link, name in zip_longest(links[: len(names)], names, fillvalue=""):
        if not isinstance(link, EntryPerson):
            _add_reserve(section, entry, name)
        elif name or not link.is_reserve:
            _refuse_double(section, name, besides=Q(entry=entry))
            if searchable(name) != link.person.search:
                refuse_other_section(section, name)
            meant[link.person] = _person_by_name(section, link, " ".join(name.split()))
        else:
            _remove_reserve(entry, link)
    if _replace_people(entry, meant):
        section.results += 1  # another player has them now
    entry.must_stay_seated = must_stay_seated
    entry.save()
    amend_people(section, entry)
    entry = reread_entry(section, entry)
    facts: dict[str, Any] = {"before": before, "after": entry.names}
    if was_to_stay == must_stay_seated:
        record_visible_change(section, "section.rename", by=by, **facts)
        return entry
    if section.movement:
        place_second_round(section)
    if before == entry.names:
        record_plan_change(
            section, "section.stay", by=by, names=entry.names, stays=must_stay_seated
        )
    else:
        facts |= {"stays": must_stay_seated, "may_move": not must_stay_seated}
        record_plan_change(section, "section.rename", by=by, **facts)
    return entry


def _add_reserve(section: Section, entry: Entry, name: str) -> None:
    """Add a reserve to a team, who plays in no round until a line-up says so."""
    if not name:
        return
    _refuse_double(section, name, besides=Q(pk=None))
    refuse_other_section(section, name)
    person = people_named(section.club, [name])[searchable(name)]
    positions = {link.position for link in EntryPerson.objects.filter(entry=entry)}
    place = next(x for x in count(section.contest.people + 1) if x not in positions)
    EntryPerson.objects.create(entry=entry, section=section, person=person, position=place)


def _remove_reserve(entry: Entry, reserve: EntryPerson) -> None:
    """Remove a reserve without a seat in any round from a team. Raises `ReserveHasSeat`."""
    links = EntryPerson.objects.filter(entry=entry, person=reserve.person)
    seated = any(
        link.position in places and link.holds_place_in(int(round))
        for link in links
        for round, places in entry.second_halves.items()
    )
    if seated or any(not link.is_reserve for link in links):
        raise ReserveHasSeat(name=reserve.person.name)
    links.delete()


def _replace_people(entry: Entry, replacements: Mapping[Person, Person]) -> bool:
    """Replace people of an entry in all places, old by new ones in `replacements`. Return whether one changed.

    Return whether a person has changed.
    """
    if all(was == now for was, now in replacements.items()):
        return False
    links = list(EntryPerson.objects.filter(entry=entry).select_related("person", "plays_for"))
    EntryPerson.objects.filter(entry=entry).delete()
    for link in links:
        link.pk = None
        link.person = replacements.get(link.person, link.person)
        if link.plays_for:
            link.plays_for = replacements.get(link.plays_for, link.plays_for)
    EntryPerson.objects.bulk_create(links)
    return True


def _person_by_name(section: Section, link: EntryPerson, name: str) -> Person:
    """Return the person whom a corrected name means; if only the spelling differs, correct the roster."""
    person = link.person
    if person.name == name:
        return person
    person_named = Person.objects.filter(club=section.club, search=searchable(name)).first()
    if person_named == person or (person_named is None and _is_misspelt(person, name, link.entry)):
        person.name = name
        person.save()
        return person
    return person_named or people_named(section.club, [name])[searchable(name)]


def _is_misspelt(person: Person, name: str, entry: Entry) -> bool:
    """Return whether a new name is a correction of the same person's name, not another person."""
    is_alike = SequenceMatcher(None, person.search, searchable(name)).ratio() >= MISSPELT
    elsewhere = EntryPerson.objects.filter(person=person).exclude(entry=entry)
    # a rehearsal has the people of its original session
    return is_alike and not elsewhere.filter(section__session__rehearsal_until=None).exists()


@transaction.atomic
def add_substitute(
    entry: Entry,
    place: int,
    name: str,
    *,
    from_round: int,
    until_round: int | None = None,
    shown: int | None = None,
    by: User,
    reason: str = "",
) -> Entry:
    """Give a person's place in an entry to a substitute from a round on, or until another round.

    `place` counts the people of an entry from 1. The plays of past rounds are changed too. The regular player gets
    the place back by being named again. `shown` is the key of the link that the page showed for the place. Raises
    `NotSeated` without a movement, `NoSuchRound`, and `NotEntered`. Raises `PlaysElsewhere` if the person has another
    place in these rounds. Raises `AlreadyInTeam` for a reserve of the same team, and `PersonTwice` for a player of
    another section. Raises `SectionChanged` if the place has changed meanwhile. A request for the present state has
    no effect.
    """
    section, _ = lock_session(entry.section)
    entry = reread_entry(section, entry)
    last = last_round(section)
    links = [link for link in entry.entry_people.all() if link.position == place]
    if not links:
        raise NotEntered()
    ends = checked_rounds(from_round, until_round, last)
    person = people_named(section.club, [name])[searchable(name)]
    out = entry.links_in(from_round)[place - 1].person
    stints = overlaid_stints(
        stints_of_place(links), make_stint(person, from_round, ends, links[0].owner)
    )
    if stints == stints_of_place(links):
        return entry
    if shown is not None and shown not in {link.pk for link in links}:
        raise SectionChanged()
    _give_places(section, entry, place, stints)
    record_plan_change(
        section,
        "section.substitute",
        by=by,
        reason=reason,
        entry=entry.pk,
        out=out.name,
        substitute=person.name,
        **rounds_for_record(from_round, ends),
    )
    return reread_entry(section, entry)


@transaction.atomic
def correct_substitute(
    section: Section,
    link: int,
    name: str,
    *,
    from_round: int,
    until_round: int | None = None,
    by: User,
    reason: str = "",
) -> Section:
    """Correct a substitute's name and rounds; `link` is the `EntryPerson` key that the page showed.

    A misspelt name is corrected as by `correct_names`. Rounds taken from the substitute go back to the regular
    player. Raises the errors of `add_substitute`, and `SectionChanged` if the substitute no longer exists.
    """
    section, _ = lock_session(section)
    entry, was, links = _substitute_link(section, link)
    ends = checked_rounds(from_round, until_round, last_round(section))
    place, before = was.position, was.person.name
    person = _person_by_name(section, was, " ".join(name.split()))
    others = [stint for stint in stints_of_place(links) if stint[0] != was.from_round]
    own = make_stint(was.owner, was.from_round, was.until_round or FOR_EVER, was.owner)
    without = overlaid_stints(others, own)
    stints = overlaid_stints(without, make_stint(person, from_round, ends, was.owner))
    if stints == stints_of_place(links) and before == person.name:
        return section
    _give_places(section, entry, place, stints)
    record_plan_change(
        section,
        "section.substitute_corrected",
        by=by,
        reason=reason,
        entry=entry.pk,
        before=before,
        out=was.owner.name,
        substitute=person.name,
        **rounds_for_record(from_round, ends),
    )
    return section


@transaction.atomic
def take_back_substitute(section: Section, link: int, *, by: User, reason: str = "") -> Section:
    """Give a substitute's rounds back to the regular player; `link` is the `EntryPerson` key shown.

    Raises `PlaysElsewhere` if that player has another place by now, `PersonTwice` if it is in another section, and
    `SectionChanged` if the substitute no longer exists.
    """
    section, _ = lock_session(section)
    entry, was, links = _substitute_link(section, link)
    ends = was.until_round or FOR_EVER
    back = make_stint(was.owner, was.from_round, ends, was.owner)
    _give_places(section, entry, was.position, overlaid_stints(stints_of_place(links), back))
    record_plan_change(
        section,
        "section.substitute_back",
        by=by,
        reason=reason,
        entry=entry.pk,
        out=was.owner.name,
        substitute=was.person.name,
        **rounds_for_record(was.from_round, ends),
    )
    return section


#: first round, last round; the player, and the regular player
Stint = tuple[int, int, Person, Person | None]


def make_stint(person: Person, first_round: int, last_round: int, owner: Person) -> Stint:
    """Return a person's range of rounds in a place as a tuple, with the place's owner if that is another person."""
    return first_round, last_round, person, None if person == owner else owner


def stints_of_place(links: Sequence[EntryPerson]) -> list[Stint]:
    """Return the people who have a place, each with first and last round, in the order of rounds."""
    stints = [(x.from_round, x.until_round or FOR_EVER, x.person, x.plays_for) for x in links]
    return sorted(stints, key=lambda stint: stint[0])


def overlaid_stints(stints: Sequence[Stint], new: Stint) -> list[Stint]:
    """Return who has a place in which rounds once the person in `new` gets it for theirs; equal neighbours join."""
    first, last, *_ = new
    cut = [new]
    for begins, ends, person, owner in stints:
        if begins < first:
            cut.append((begins, min(ends, first - 1), person, owner))
        if ends > last:
            cut.append((max(begins, last + 1), ends, person, owner))
    merged: list[Stint] = []
    for begins, ends, person, owner in sorted(cut, key=lambda stint: stint[0]):
        if merged and merged[-1][2:] == (person, owner):
            begins = merged.pop()[0]
        merged.append((begins, ends, person, owner))
    return merged


def _give_places(section: Section, entry: Entry, place: int, stints: Sequence[Stint]) -> None:
    """Store who has a place in which rounds, including rounds already played.

    Raises `PlaysElsewhere` if one of them has another place in these rounds, and `PersonTwice` if one plays in
    another section now or later.
    """
    for begins, ends, person, _owner in stints:
        _refuse_second_place(entry, place, person, begins, ends)
        if ends >= section.shown_round:
            refuse_other_section(section, person.name)
    EntryPerson.objects.filter(entry=entry, position=place).delete()
    EntryPerson.objects.bulk_create(
        EntryPerson(
            entry=entry,
            section=section,
            person=person,
            position=place,
            from_round=begins,
            until_round=None if ends == FOR_EVER else ends,
            plays_for=owner,
        )
        for begins, ends, person, owner in stints
    )
    amend_people(section, entry)


def _substitute_link(section: Section, link: int) -> tuple[Entry, EntryPerson, list[EntryPerson]]:
    """Return a substitute's `EntryPerson` in a locked section, its entry, and all rows of the place."""
    links = EntryPerson.objects.select_related("person", "plays_for", "entry__section")
    was = links.filter(section=section, pk=link).exclude(plays_for=None).first()
    if was is None:
        raise SectionChanged()
    return was.entry, was, list(links.filter(entry=was.entry, position=was.position))


def line_up_document(entry: Entry) -> dict[str, Any]:
    """Return a team's line-up of all rounds as JSON data."""
    links = entry.entry_people.order_by("position", "from_round")
    rows = links.values_list("position", "from_round", "until_round", "person", "plays_for")
    return {
        "places": [list(row) for row in rows],
        "crossed_in": entry.crossed_in,
        "second_halves": entry.second_halves,
    }


def line_up_key(entry: Entry) -> str:
    """Return a digest of a team's line-up, to notice changes."""
    text = json.dumps(line_up_document(entry), sort_keys=True)
    return sha256(text.encode()).hexdigest()[:16]


def last_round(section: Section) -> int:
    """Return the movement's last round; raise `NotSeated` without a movement."""
    if section.movement is None:
        raise NotSeated()
    return section.movement.rounds


def checked_rounds(from_round: int, until_round: int | None, last: int) -> int:
    """Return the last round of a valid range of rounds; raise `NoSuchRound` for an invalid one."""
    if not 1 <= from_round <= (until_round or last) <= last:
        raise NoSuchRound(rounds=last)
    return FOR_EVER if until_round in (None, last) else int(until_round or 0)


def rounds_for_record(first_round: int, last_round: int) -> dict[str, int | None]:
    """Return a range of rounds as audit records store it."""
    return {
        "from_round": first_round,
        "until_round": None if last_round == FOR_EVER else last_round,
    }


def _refuse_second_place(
    entry: Entry, place: int, player: Person, first_round: int, last_round: int
) -> None:
    """Raise `PlaysElsewhere` if a person has another seat in some of these rounds."""
    there = (
        EntryPerson.objects.filter(section=entry.section, person=player)
        .filter(Q(until_round=None) | Q(until_round__gte=first_round), from_round__lte=last_round)
        .exclude(entry=entry, position=place)
        .select_related("entry")
        .first()
    )
    if there is not None and there.entry_id == entry.pk and entry.section.contest.has_halves:
        raise AlreadyInTeam(name=player.name)
    if there is not None:
        names = " & ".join(person.name for person in there.entry.people_in(there.from_round))
        raise PlaysElsewhere(name=player.name, entry=names)


def _refuse_double(section: Section, name: str, *, besides: Q) -> None:
    """Raise `PersonTwice` if a person of this name already has a place in the section."""
    there = EntryPerson.objects.filter(section=section, person__search=searchable(name))
    if there.exclude(besides).exists():
        raise PersonTwice(name=name)


def refuse_other_section(section: Section, name: str) -> None:
    """Raise `PersonTwice` if a person of this name plays in another section of the session."""
    if there := people_of_other_sections(section).get(searchable(name)):
        raise PersonTwice(name=name, there=there)

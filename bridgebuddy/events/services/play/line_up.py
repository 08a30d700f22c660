"""The line-up of teams: the players choose it round by round, and tell the director."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, groupby
from typing import Any

from django.db import transaction
from django.db.models import Q

from bridgebuddy.clubs.models import Person, User, searchable
from bridgebuddy.events.errors import (
    NoHalfTime,
    NotEntered,
    NotSeated,
    PersonTwice,
    PlaysElsewhere,
    RoundMovedOn,
    SectionChanged,
)
from bridgebuddy.events.models import Entry, EntryPerson, Section
from movements.engine.contest import Contest

from ..locking import lock_section, lock_session
from ..recording import record_visible_change
from ..setup.entries import people_named, reread_entry
from .people import (
    FOR_EVER,
    checked_rounds,
    last_round,
    line_up_key,
    refuse_other_section,
    rounds_for_record,
)
from .plays import amend_people


@transaction.atomic
def cross_pairs(entry: Entry, *, round: int, crossed: bool, by: User) -> Entry:
    """Exchange North-South and East-West between a team's two pairs in the current round; a second call exchanges back.

    `round` is the current one, or the first before the start. Its plays then name the actual seats. No decision
    depends on it. Repeating it has no effect. Raises `RoundMovedOn` if another round is current or all is over, and
    `NotSeated` without a movement. Raises `NotEntered` if the entry is no team with a seat.
    """
    section = lock_section(entry.section)
    entry = reread_entry(section, entry)
    if section.movement is None:
        raise NotSeated()
    if not section.contest.has_halves or entry.contestant is None:
        raise NotEntered()
    if section.is_finished or round != section.shown_round:
        raise RoundMovedOn(expected=round, actual=section.shown_round)
    if (round in entry.crossed_in) == crossed:
        return entry
    others = [number for number in entry.crossed_in if number != round]
    entry.crossed_in = sorted([*others, round]) if crossed else others
    entry.save()
    amend_people(section, entry)
    record_visible_change(
        section, "section.cross", by=by, round=round, team=entry.team_name, crossed=crossed
    )
    return entry


BOTH, FIRST, SECOND = 0, 1, 2
"""A half of a match."""
#: texts of records, for one round and for several
HALF = {FIRST: "first_half", SECOND: "second_half"}
HALVES = {FIRST: "first_halves", SECOND: "second_halves"}

Place = tuple[Person, Person | None]
"""The person in a place in a round; for a substitute, with the regular player."""


@transaction.atomic
def seat_team(
    entry: Entry,
    names: Sequence[str],
    *,
    from_round: int,
    until_round: int | None = None,
    half: int = BOTH,
    shown: str = "",
    by: User,
) -> Entry:
    """Seat four players of a team as North, South, East and West in these rounds.

    With `half`, the change applies to one half of each of these matches only. A new player joins the team. The plays
    of past rounds are changed too. `shown` is the `line_up_key` of the page. Repeating it has no effect. Raises
    `NotEntered` without a team and four names, `NotSeated` without a movement, `NoSuchRound`, and `NoHalfTime`.
    Raises `PersonTwice` for a repeated name or a player of another section, and `PlaysElsewhere` for a player of
    another team in these rounds. Raises `SectionChanged` if the line-up has changed meanwhile.
    """
    section, _ = lock_session(entry.section)
    entry = reread_entry(section, entry)
    if not section.contest.has_halves or len(names) != section.contest.people:
        raise NotEntered()
    last = last_round(section)
    ends = checked_rounds(from_round, until_round, last)
    if half and not has_half_time(section):
        raise NoHalfTime()
    by_name = people_named(section.club, names)
    people = [by_name[searchable(name)] for name in names]
    for name, person in zip(names, people, strict=True):
        if people.count(person) > 1:
            raise PersonTwice(name=name)
        _refuse_other_team(entry, person, from_round, ends)
        if ends >= section.shown_round:
            refuse_other_section(section, name)
    before = _people_by_round(entry, last)
    joining = _people_without_place(section, people)
    now, halves, crossed = dict(before), dict(entry.second_halves), list(entry.crossed_in)
    for round in range(1, last + 1):
        if from_round <= round <= ends:
            first, then = _seated_in_halves(entry, round, half, people)
            now[round] = _places_of_people(before[round], first, then)
            halves.pop(str(round), None)
            crossed = [number for number in crossed if number != round]
            places = {person: place for place, (person, _) in now[round].items()}
            if first != then:
                halves[str(round)] = [places[person] for person in then]
        else:
            now[round] = _places_with_reserves(before[round], joining)
    if (now, halves, crossed) == (before, entry.second_halves, entry.crossed_in):
        return entry
    if shown and shown != line_up_key(entry):
        raise SectionChanged()
    entry.second_halves, entry.crossed_in = halves, crossed
    entry.save()
    _store_places(section, entry, now)
    facts: dict[str, Any] = rounds_for_record(from_round, ends)
    facts |= {"names": " & ".join(person.name for person in people), "team": entry.team_name}
    if half:
        several = min(ends, last) > from_round
        facts["last_round"] = min(ends, last)
        facts[HALVES[half] if several else HALF[half]] = True
    record_visible_change(section, "section.line_up", by=by, **facts)
    return reread_entry(section, entry)


@transaction.atomic
def undo_line_up(
    entry: Entry, old_document: Mapping[str, Any], *, shown_version: str, by: User
) -> Entry:
    """Restore a team's line-up to `old_document`, its `line_up_document` from before a change.

    `shown_version` is the `line_up_key` after the change. Raises `NotEntered` for an entry that is no team, and
    `SectionChanged` if the line-up has changed meanwhile. Raises `PlaysElsewhere` and `PersonTwice` if a player plays
    elsewhere by now.
    """
    section, _ = lock_session(entry.section)
    entry = reread_entry(section, entry)
    if not section.contest.has_halves:
        raise NotEntered()
    if shown_version != line_up_key(entry):
        raise SectionChanged()
    people = Person.objects.in_bulk({row[3] for row in old_document["places"]})
    links = []
    for place, begins, ends, person, owner in old_document["places"]:
        _refuse_other_team(entry, people[person], begins, FOR_EVER if ends is None else ends)
        if ends is None or ends >= section.shown_round:
            refuse_other_section(section, people[person].name)
        links.append(
            EntryPerson(
                entry=entry,
                section=section,
                person=people[person],
                position=place,
                from_round=begins,
                until_round=ends,
                plays_for_id=owner,
            )
        )
    entry.crossed_in, entry.second_halves = (
        old_document["crossed_in"],
        old_document["second_halves"],
    )
    entry.save()
    _replace_entry_people(section, entry, links)
    record_visible_change(section, "section.line_up_back", by=by, team=entry.team_name)
    return reread_entry(section, entry)


def has_half_time(section: Section) -> bool:
    """Return whether the section's team matches have two halves, between which tables exchange boards."""
    is_draw = section.movement is not None and section.movement.is_draw
    return section.contest.has_halves and is_draw and (section.boards_per_round or 0) > 1


def _people_by_round(entry: Entry, last: int) -> dict[int, dict[int, Place]]:
    """Return who has each place of a team in each round."""
    links = list(entry.entry_people.select_related("person", "plays_for"))
    return {
        round: {x.position: (x.person, x.plays_for) for x in links if x.holds_place_in(round)}
        for round in range(1, last + 1)
    }


def _seated_in_halves(
    entry: Entry, round: int, half: int, people: list[Person]
) -> tuple[list[Person], list[Person]]:
    """Return the players in the seats N, S, E, W before and after half-time of a round."""
    first, then = (
        people
        if half in (BOTH, number)
        else [x for two in entry.halves_in(round, number) for x in two]
        for number in (FIRST, SECOND)
    )
    return first, then


def _places_of_people(
    old_places: Mapping[int, Place], starters: Sequence[Person], reserves: Sequence[Person]
) -> dict[int, Place]:
    """Return a team's places in a round: the starting four in the seats, then the others.

    A substitute that does not play in the round has no place.
    """
    instead = dict(old_places.values())
    places = {
        place: (person, instead.get(person)) for place, person in enumerate(starters, start=1)
    }
    behind = [
        (place, (person, owner))
        for place, (person, owner) in sorted(old_places.items())
        if person not in starters and (owner is None or person in reserves)
    ]
    places |= {place: player for place, player in behind if place > len(starters)}
    others = [player[0] for place, player in behind if place <= len(starters)]
    others += [person for person in reserves if person not in starters and person not in instead]
    return _places_with_reserves(places, others, instead)


def _places_with_reserves(
    places: Mapping[int, Place],
    people: Iterable[Person],
    instead: Mapping[Person, Person | None] | None = None,
) -> dict[int, Place]:
    """Return a team's places in a round with these people added as reserves."""
    all_places = dict(places)
    free = (place for place in count(Contest.TEAMS.people + 1) if place not in places)
    all_places |= {next(free): (person, (instead or {}).get(person)) for person in people}
    return dict(sorted(all_places.items()))


def _people_without_place(section: Section, people: Iterable[Person]) -> list[Person]:
    """Return those of these people who have no place in the section yet; they are reserves in other rounds."""
    links = EntryPerson.objects.filter(section=section, person__in=list(people))
    here = set(links.values_list("person", flat=True))
    return [person for person in people if person.pk not in here]


def _refuse_other_team(entry: Entry, person: Person, first_round: int, last_round: int) -> None:
    """Raise `PlaysElsewhere` if the person plays for another team in these rounds."""
    there = (
        EntryPerson.objects.filter(section=entry.section, person=person)
        .filter(Q(until_round=None) | Q(until_round__gte=first_round), from_round__lte=last_round)
        .exclude(entry=entry)
        .select_related("entry__section")
        .first()
    )
    if there is not None:
        raise PlaysElsewhere(name=person.name, entry=there.entry.team_name)


def _store_places(
    section: Section, entry: Entry, rounds: Mapping[int, Mapping[int, Place]]
) -> None:
    """Store who has each place of a team by rounds; equal neighbouring rounds become one row."""
    last = max(rounds)
    links = []
    for place in sorted({place for places in rounds.values() for place in places}):
        for player, group in groupby(sorted(rounds), key=lambda round: rounds[round].get(place)):
            alike = list(group)
            if player is None:
                continue
            person, owner = player
            links.append(
                EntryPerson(
                    entry=entry,
                    section=section,
                    person=person,
                    position=place,
                    from_round=alike[0],
                    until_round=None if alike[-1] == last else alike[-1],
                    plays_for=owner,
                )
            )
    _replace_entry_people(section, entry, links)


def _replace_entry_people(section: Section, entry: Entry, links: Iterable[EntryPerson]) -> None:
    """Replace the `EntryPerson` rows of an entry by these."""
    EntryPerson.objects.filter(entry=entry).delete()
    EntryPerson.objects.bulk_create(links)
    amend_people(section, entry)


@transaction.atomic
def name_team(entry: Entry, *, name: str, by: User) -> Entry:
    """Give a team a name; without one its first player's surname is shown.

    Raises `NotEntered` for an entry that is no team.
    """
    section = lock_section(entry.section)
    entry = reread_entry(section, entry)
    if not section.contest.has_halves:
        raise NotEntered()
    if entry.name != name:
        entry.name = name
        entry.save()
        record_visible_change(
            section, "section.name_team", by=by, names=entry.names, team=entry.team_name
        )
    return entry

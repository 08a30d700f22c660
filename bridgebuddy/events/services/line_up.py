"""Which pair of a team sits in which line: the players decide it round by round, and tell the director."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q

from bridgebuddy.clubs.models import Person, User, folded

from ..errors import NotEntered, NotSeated, PersonTwice, PlaysElsewhere, RoundMovedOn
from ..models import Entry, EntryPerson, Section
from .entries import as_it_is_now, people_named
from .locking import lock, lock_session
from .noting import note_shown
from .people import (
    FOR_EVER,
    Stint,
    checked_rounds,
    in_rounds,
    last_round,
    overlaid,
    refuse_other_section,
    stints_in,
)
from .plays import amend_people


@transaction.atomic
def cross(entry: Entry, *, round: int, crossed: bool, by: User) -> Entry:
    """Let the two pairs of a team sit the other way in a round, or as usual again.

    `round` is the one being played, or the first before the start. Its plays then name those who sit
    there. No decision depends on it. Told twice it happens once. Raises `RoundMovedOn` when another round
    is being played or all is over, `NotSeated` without a movement, `NotEntered` where no team with a seat
    is meant.
    """
    section = lock(entry.section)
    entry = as_it_is_now(section, entry)
    if section.movement is None:
        raise NotSeated()
    if not section.contest.has_halves or entry.contestant is None:
        raise NotEntered()
    if section.is_finished or round != section.shown_round:
        raise RoundMovedOn(expected=round, actual=section.shown_round)
    if (round in entry.crossed_in) == crossed:
        return entry
    others = [one for one in entry.crossed_in if one != round]
    entry.crossed_in = sorted([*others, round]) if crossed else others
    entry.save()
    amend_people(section, entry)
    note_shown(section, "section.cross", by=by, round=round, team=entry.team_name, crossed=crossed)
    return entry


@transaction.atomic
def seat_team(
    entry: Entry,
    names: Sequence[str],
    *,
    from_round: int,
    until_round: int | None = None,
    by: User,
) -> Entry:
    """Say who of a team sits North, South, East and West in some rounds: any four of its players.

    Who has not played for the team before joins it. In rounds already played the plays say so too. Told
    twice it happens once. Raises `NotEntered` where no team with four names is meant, `NotSeated` without
    a movement, `NoSuchRound`, `PersonTwice` where one is named twice or plays in another section, and
    `PlaysElsewhere` where one plays for another team in these rounds.
    """
    section, _ = lock_session(entry.section)
    entry = as_it_is_now(section, entry)
    if not section.contest.has_halves or len(names) != section.contest.people:
        raise NotEntered()
    ends = checked_rounds(from_round, until_round, last_round(section))
    known = people_named(section.club, names)
    people = [known[folded(name)] for name in names]
    for name, person in zip(names, people, strict=True):
        if people.count(person) > 1:
            raise PersonTwice(name=name)
        _refuse_other_team(entry, person, from_round, ends)
        if ends >= section.shown_round:
            refuse_other_section(section, name)
    had = _stints_of(entry)
    wanted = dict(zip(had, _for_whom([stints[0] for stints in had.values()], people), strict=True))
    now = {
        place: overlaid(stints, (from_round, ends, *wanted[place])) for place, stints in had.items()
    }
    crossed = [round for round in entry.crossed_in if not from_round <= round <= ends]
    if now == had and crossed == entry.crossed_in:
        return entry
    entry.crossed_in = crossed
    entry.save()
    _sit(section, entry, now)
    facts: dict[str, Any] = in_rounds(from_round, ends)
    facts |= {"names": " & ".join(person.name for person in people), "team": entry.team_name}
    note_shown(section, "section.line_up", by=by, **facts)
    return as_it_is_now(section, entry)


def _stints_of(entry: Entry) -> dict[int, list[Stint]]:
    """Who has each place of a team when."""
    found: defaultdict[int, list[EntryPerson]] = defaultdict(list)
    for link in entry.entry_people.select_related("person", "plays_for"):
        found[link.position].append(link)
    return {place: stints_in(links) for place, links in sorted(found.items())}


def _for_whom(
    first: Sequence[Stint], people: Sequence[Person]
) -> list[tuple[Person, Person | None]]:
    """Return who sits in each place, and for whom of the four who were entered, where it is somebody else."""
    owners = [stint[3] or stint[2] for stint in first]
    resting = [one for one in owners if one not in people]
    found: list[tuple[Person, Person | None]] = []
    for own, person in zip(owners, people, strict=True):
        instead = None
        if person not in owners:
            instead = own if own in resting else resting[0]
            resting.remove(instead)
        found.append((person, instead))
    return found


def _refuse_other_team(entry: Entry, person: Person, first: int, last: int) -> None:
    there = (
        EntryPerson.objects.filter(section=entry.section, person=person)
        .filter(Q(until_round=None) | Q(until_round__gte=first), from_round__lte=last)
        .exclude(entry=entry)
        .select_related("entry__section")
        .first()
    )
    if there is not None:
        raise PlaysElsewhere(name=person.name, entry=there.entry.team_name)


def _sit(section: Section, entry: Entry, stints: Mapping[int, Sequence[Stint]]) -> None:
    EntryPerson.objects.filter(entry=entry).delete()
    EntryPerson.objects.bulk_create(
        EntryPerson(
            entry=entry,
            section=section,
            person=person,
            position=place,
            from_round=begins,
            until_round=None if ends == FOR_EVER else ends,
            plays_for=instead,
        )
        for place, found in stints.items()
        for begins, ends, person, instead in found
    )
    amend_people(section, entry)


@transaction.atomic
def name_team(entry: Entry, *, name: str, by: User) -> Entry:
    """Give a team its name; without one it is called by its first player's.

    Raises `NotEntered` where no team is meant.
    """
    section = lock(entry.section)
    entry = as_it_is_now(section, entry)
    if not section.contest.has_halves:
        raise NotEntered()
    if entry.name != name:
        entry.name = name
        entry.save()
        note_shown(section, "section.name_team", by=by, names=entry.names, team=entry.team_name)
    return entry

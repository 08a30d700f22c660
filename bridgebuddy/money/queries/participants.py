"""The people who pay for a session, and the tables at which they sit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import EntryPerson, Section, Session
from bridgebuddy.events.queries.plan_cache import kept_plan
from bridgebuddy.registration.models import Registration


@dataclass(frozen=True)
class TableOfPeople:
    """The people at a table who must pay, as primary keys; people without a table are at table 0."""

    letter: str  # of the section, if there are several
    table: int
    people: tuple[int, ...]


def payers_of(sessions: Iterable[Session]) -> dict[int, dict[int, Person]]:
    """Return the people who pay, by session and primary key, in two queries for any number of sessions.

    For each place in an entry that is the person who has it first. A substitute who comes later
    pays nothing. Before the start, registered people who are here are among them.
    """
    keys = [session.pk for session in sessions]
    payers: dict[int, dict[int, Person]] = {key: {} for key in keys}
    links = EntryPerson.objects.filter(section__session__in=keys)
    places: set[tuple[int, int]] = set()
    begun: set[int] = set()
    for link in links.select_related("person", "section").order_by(
        "entry", "position", "from_round"
    ):
        if (link.entry_id, link.position) not in places:
            places.add((link.entry_id, link.position))
            payers[link.section.session_id][link.person_id] = link.person
        if link.section.is_started:
            begun.add(link.section.session_id)
    here = Registration.objects.filter(session__in=keys).exclude(here_at=None)
    for answer in here.exclude(session__in=begun).select_related("person"):
        payers[answer.session_id].setdefault(answer.person_id, answer.person)
    return payers


def tables_of_sections(sections: Iterable[Section]) -> list[TableOfPeople]:
    """Return the people at each table in the current round; before the start, in round 1.

    People who sit out follow as table 0 of their section. A section without a movement has none.
    """
    return [table for section in sections for table in _tables_of(section)]


def _tables_of(section: Section) -> list[TableOfPeople]:
    """Return the people at each table of a section in the current round."""
    if section.movement is None:
        return []
    evening = kept_plan(section).evening
    round = min(max(section.round, 1), max(section.rounds, 1))
    entries = {entry.pk: entry for entry in evening.entries}
    tables: dict[int, dict[int, None]] = {}
    for game in evening.games.get(round, ()):
        people = tables.setdefault(game.table, {})
        for line, side in enumerate((game.ns, game.ew)):
            for seat in side:
                entry = entries.get(seat.contestant.entry)
                if entry is None:
                    continue
                has_halves = bool(seat.contestant.halves)
                seated = entry.halves_in(round)[line] if has_halves else entry.people_in(round)
                people.update(dict.fromkeys(person.pk for person in seated))
    seated_people = {person for people in tables.values() for person in people}
    waiting = {
        person.pk: None
        for entry in entries.values()
        for person in entry.people_in(round)
        if person.pk not in seated_people
    }
    found = [
        TableOfPeople(section.letter, table, tuple(people))
        for table, people in sorted(tables.items())
        if people
    ]
    return [*found, TableOfPeople(section.letter, 0, tuple(waiting))] if waiting else found

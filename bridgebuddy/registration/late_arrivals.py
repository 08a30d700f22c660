"""Late pairs: reserved seats, and pairs that have arrived and wait for a seat.

A mark changes no seat. It is shown until the pair has arrived or has a seat, and ends with the
session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil

from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.models import Person, User
from bridgebuddy.clubs.people.names import joined_names
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.services.setup.entries import withdraw_pair

from .errors import RegistrationRefused
from .models import Registration
from .registering import record_delay
from .registrations import Attendee, Registrations, refuses_arrivals

#: the delays that can be chosen, in minutes
MINUTES = (5, 10, 15, 20)
SECONDS = 60


@dataclass(frozen=True)
class LateArrival:
    """A pair or single player that comes late, or an entry that waits for a seat."""

    people: tuple[Person, ...]
    names: str
    #: the people who have not arrived
    missing: tuple[Person, ...]
    #: the announced time; None without one
    at: datetime | None
    #: their entry, if there is one
    entry: int | None
    #: whether they have no seat although the session has begun
    waits: bool

    @property
    def late_names(self) -> str:
        """Return the names of the people of the row who have not arrived."""
        return joined_names([missing_person.name for missing_person in self.missing])

    @property
    def minutes(self) -> int:
        """Return the minutes until the announced arrival, or 0."""
        return minutes_until(self.at) if self.at else 0

    @property
    def can_be_seated(self) -> bool:
        """Return whether the director can now give this pair or entry a seat."""
        return self.waits and (self.entry is not None or len(self.people) > 1)


def minutes_until(at: datetime) -> int:
    """Return the minutes until a time; 0 if it is past."""
    return max(0, ceil((at - timezone.now()).total_seconds() / SECONDS))


def late_pairs(section: Section, unseated: Sequence[Entry] = ()) -> list[LateArrival]:
    """Return the late pairs of a section and the entries without a seat (`unseated`), arrived ones first.

    `unseated` are the entries without a seat in a section that has begun. Makes one query if nobody
    is late or waits, else five.
    """
    session = section.session
    marked = Registration.objects.filter(session=session).exclude(late_at=None).exists()
    if not (marked or unseated):
        return []
    lines, told = [], set[int]()
    if not refuses_arrivals(session):
        waiting = {frozenset(person.pk for person in answer.players): answer for answer in unseated}
        for line in _all_arrivals(Registrations(session)):
            entry = waiting.get(frozenset(person.pk for person in line.people))
            if entry:
                told.add(entry.pk)
                line = replace(line, names=entry.shown_names, entry=entry.pk, waits=True)
            elif line.at is None or not (line.missing or line.entry is None):
                continue
            lines.append(replace(line, waits=section.is_started and (line.waits or not line.entry)))
    lines += [
        LateArrival(tuple(answer.players), answer.shown_names, (), None, answer.pk, waits=True)
        for answer in unseated
        if answer.pk not in told
    ]
    return sorted(lines, key=_arrival_order)


def _all_arrivals(registrations: Registrations) -> Iterator[LateArrival]:
    """Yield each registered pair and single player as `LateArrival`, with the announced time of arrival, if any."""
    alone = [
        [Attendee(seeker.person, seeker.here_at, seeker.late_at)]
        for seeker in registrations.seekers
    ]
    for line in [*(list(pair.attendees) for pair in registrations.pairs), *alone]:
        people = tuple(partner.person for partner in line)
        missing = tuple(partner.person for partner in line if partner.here_at is None)
        times = [
            partner.late_at
            for partner in line
            if partner.late_at and not (missing and partner.here_at)
        ]
        entry = next(
            (
                registrations.entries_by_person[person.pk]
                for person in people
                if person.pk in registrations.entries_by_person
            ),
            None,
        )
        names = joined_names([person.name for person in people])
        yield LateArrival(people, names, missing, max(times, default=None), entry, waits=False)


def _arrival_order(arrival: LateArrival) -> tuple[bool, bool, float, str]:
    """Return the sort key of a late arrival: its expected time."""
    at = arrival.at.timestamp() if arrival.at and arrival.missing else 0.0
    return (bool(arrival.missing), arrival.at is None, at, arrival.names)


def mark_arrived(entry: Entry) -> None:
    """Record that the players of a late entry have arrived, because the director has given it a seat."""
    answers = Registration.objects.filter(
        session=entry.section.session_id, person__in=entry.people.all()
    )
    answers.filter(here_at=None).exclude(says=Registration.AnswerKind.NOT).update(
        here_at=timezone.now()
    )


@transaction.atomic
def withdraw_entry(entry: Entry, *, by: User) -> None:
    """Withdraw an entry; after the start its people are no longer expected.

    Raises the errors of `withdraw_pair`.
    """
    section, people = entry.section, entry.players
    if section.is_started:
        with suppress(RegistrationRefused):  # without a registration
            record_delay(section.session, people, 0, by=by)
    withdraw_pair(entry, by=by)

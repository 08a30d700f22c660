"""Who is on the way: for whom a seat is kept, and who is here by now and waits for one.

A mark moves nobody. It is shown until they are here or have a seat, and ends with the evening.
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
from bridgebuddy.clubs.names import together
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.services.entries import withdraw_pair

from .errors import NotTaken
from .models import Answer
from .registering import come_late
from .registrations import Attendee, Registrations, is_no_evening

#: what may be said: no other times, and no words
MINUTES = (5, 10, 15, 20)
SECONDS = 60


@dataclass(frozen=True)
class LateArrival:
    """Two of a pair, or somebody who has no partner, who come late; or an entry that waits for a seat."""

    people: tuple[Person, ...]
    names: str
    #: those of them who are not here yet
    missing: tuple[Person, ...]
    #: when they come, as they have said; None where they have said nothing
    at: datetime | None
    #: their entry, where they are on the list
    entry: int | None
    #: whether they wait for a seat: they have none, and the others play
    waits: bool

    @property
    def late_names(self) -> str:
        return together([missing_person.name for missing_person in self.missing])

    @property
    def minutes(self) -> int:
        return minutes_until(self.at) if self.at else 0

    @property
    def can_be_seated(self) -> bool:
        return self.waits and (self.entry is not None or len(self.people) > 1)


def minutes_until(at: datetime) -> int:
    """Return in how many minutes it is so late; 0 when it is."""
    return max(0, ceil((at - timezone.now()).total_seconds() / SECONDS))


def late_of(section: Section, unseated: Sequence[Entry] = ()) -> list[LateArrival]:
    """Return who is on the way to the session of a section, and who waits for a seat: each once, who is here first.

    `unseated` are the entries of a section that has begun which have no seat. One query where nobody is late and
    nobody waits, five else.
    """
    session = section.session
    marked = Answer.objects.filter(session=session).exclude(late_at=None).exists()
    if not (marked or unseated):
        return []
    lines, told = [], set[int]()
    if not is_no_evening(session):
        waiting = {frozenset(person.pk for person in answer.players): answer for answer in unseated}
        for line in _everybody(Registrations(session)):
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
    return sorted(lines, key=_here_first)


def _everybody(found: Registrations) -> Iterator[LateArrival]:
    """Yield all who come; of those who have not said when, `at` is None."""
    alone = [[Attendee(seeker.person, seeker.here_at, seeker.late_at)] for seeker in found.looking]
    for line in [*(list(pair.both) for pair in found.pairs), *alone]:
        people = tuple(partner.person for partner in line)
        missing = tuple(partner.person for partner in line if partner.here_at is None)
        times = [
            partner.late_at
            for partner in line
            if partner.late_at and not (missing and partner.here_at)
        ]
        entry = next(
            (found.on_list[person.pk] for person in people if person.pk in found.on_list), None
        )
        names = together([person.name for person in people])
        yield LateArrival(people, names, missing, max(times, default=None), entry, waits=False)


def _here_first(one: LateArrival) -> tuple[bool, bool, float, str]:
    at = one.at.timestamp() if one.at and one.missing else 0.0
    return (bool(one.missing), one.at is None, at, one.names)


def note_seated(entry: Entry) -> None:
    """Note that those who have been given a seat are here."""
    said = Answer.objects.filter(session=entry.section.session_id, person__in=entry.people.all())
    said.filter(here_at=None).exclude(says=Answer.Says.NOT).update(here_at=timezone.now())


@transaction.atomic
def withdraw(entry: Entry, *, by: User) -> None:
    """Take an entry off the list; once the others play, nobody of it is awaited any more.

    Raises what `withdraw_pair` raises.
    """
    section, people = entry.section, entry.players
    if section.is_started:
        with suppress(NotTaken):  # of whom nothing was said
            come_late(section.session, people, 0, by=by)
    withdraw_pair(entry, by=by)

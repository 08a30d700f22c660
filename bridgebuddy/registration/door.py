"""The QR code at the entrance, by which arriving players report their presence before round 1.

The address contains a key made from the session and its date. So a code works for one session only,
and cannot be guessed from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from bridgebuddy.clubs.models import Person, searchable
from bridgebuddy.clubs.people.names import joined_names, surname_of
from bridgebuddy.events.models import Session

from .models import Registration
from .registrations import Registrations, is_registration_open

LENGTH = 16
#: a wrong tap can be taken back within this time
TAKEN_BACK_WITHIN = timedelta(minutes=5)


@dataclass(frozen=True)
class DoorArrival:
    """A row of the arrival list at the entrance: a registered pair, or a player without a partner."""

    people: tuple[Person, ...]
    #: the people who have not arrived
    missing: tuple[Person, ...]

    @property
    def names(self) -> str:
        """Return the names of the pair or player as one text."""
        return joined_names([person.name for person in self.people])

    @property
    def missing_keys(self) -> str:
        """Return the primary keys of the people who have not arrived, as a button sends them: "12-13"."""
        return "-".join(str(person.pk) for person in self.missing)

    @property
    def arrived(self) -> str:
        """Return the name of the player who has arrived while the partner is still missing; else an empty text."""
        there = [person.name for person in self.people if person not in self.missing]
        return there[0] if self.missing and there else ""

    def includes_any(self, keys: Sequence[int]) -> bool:
        """Return whether one of the row's people has one of the primary keys."""
        return any(person.pk in keys for person in self.people)


def entrance_key(session: Session) -> str:
    """Return the secret in the address of the QR code at a session's entrance."""
    text = f"{session.pk} {session.date.isoformat()}"
    digest = salted_hmac("bridgebuddy.registration.door", text, algorithm="sha256").hexdigest()
    return digest[:LENGTH]


def is_door_key(session: Session, key: str) -> bool:
    """Return whether `key` is the secret of a session's arrival page at the entrance."""
    return constant_time_compare(key, entrance_key(session))


def is_door_open(session: Session) -> bool:
    """Return whether players can report their arrival at a session now.

    Makes one query.
    """
    return session.date == session.event.club.today and is_registration_open(session)


def arrivals_at_door(session: Session) -> list[DoorArrival]:
    """Return the rows of the arrival list at the entrance, by the surname of the first of each pair.

    Makes two queries.
    """
    registrations = Registrations(session)
    pairs = [
        DoorArrival(tuple(partner.person for partner in pair.attendees), tuple(pair.missing))
        for pair in registrations.pairs
    ]
    alone = [
        DoorArrival((seeker.person,), () if seeker.here_at else (seeker.person,))
        for seeker in registrations.seekers
    ]
    return sorted([*pairs, *alone], key=_surname_order)


def _surname_order(arrival: DoorArrival) -> tuple[str, str]:
    """Return the sort key of an arrival row: the surname of its first player."""
    name = arrival.people[0].name
    return searchable(surname_of(name)), searchable(name)


def chosen_people(everybody: Sequence[DoorArrival], keys: Sequence[int]) -> list[Person]:
    """Return the people whose keys a button sent, all from one row of the arrival list; an empty list without any."""
    for line in everybody:
        if people := [person for person in line.people if person.pk in keys]:
            return people
    return []


def recently_arrived_people(session: Session, people: Sequence[Person]) -> list[Person]:
    """Return those of `people` whose arrival was reported minutes ago, so that it can still be taken back.

    Makes one query.
    """
    since = timezone.now() - TAKEN_BACK_WITHIN
    answers = Registration.objects.filter(session=session, person__in=people, here_at__gte=since)
    keys = set(answers.values_list("person_id", flat=True))
    return [person for person in people if person.pk in keys]

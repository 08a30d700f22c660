"""The code at the entrance: whoever stands before it says that they are here, on that day, until round 1 begins.

Its address has a key that follows from the session and its day, so that a code is of one evening, and nobody finds it
who has not stood at the door.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.crypto import constant_time_compare, salted_hmac

from bridgebuddy.clubs.models import Person, folded
from bridgebuddy.clubs.names import surname_of, together
from bridgebuddy.events.models import Session

from .registrations import Registrations, is_open

LENGTH = 16


@dataclass(frozen=True)
class AtDoor:
    """Who said that they come: two of a pair, or somebody who has nobody to play with."""

    people: tuple[Person, ...]
    #: those of them who are not here yet
    missing: tuple[Person, ...]

    @property
    def names(self) -> str:
        return together([person.name for person in self.people])


def key_of(session: Session) -> str:
    """Return what the code at the door of a session has in its address."""
    said = f"{session.pk} {session.date.isoformat()}"
    digest = salted_hmac("bridgebuddy.registration.door", said, algorithm="sha256").hexdigest()
    return digest[:LENGTH]


def is_key(session: Session, key: str) -> bool:
    return constant_time_compare(key, key_of(session))


def is_door_open(session: Session) -> bool:
    """Whether people can say now that they are here. One query."""
    return session.date == session.event.club.today and is_open(session)


def at_door(session: Session) -> list[AtDoor]:
    """Return who may come through the door, by the surname of the first of them. Two queries."""
    found = Registrations(session)
    pairs = [
        AtDoor(tuple(partner.person for partner in pair.both), tuple(pair.missing))
        for pair in found.pairs
    ]
    alone = [
        AtDoor((seeker.person,), () if seeker.here_at else (seeker.person,))
        for seeker in found.looking
    ]
    return sorted([*pairs, *alone], key=_by_surname)


def _by_surname(one: AtDoor) -> tuple[str, str]:
    name = one.people[0].name
    return folded(surname_of(name)), folded(name)


def chosen(everybody: Sequence[AtDoor], keys: Sequence[int]) -> list[Person]:
    """Return those of the people at the door whose keys these are, of one line alone."""
    for line in everybody:
        if found := [person for person in line.people if person.pk in keys]:
            return found
    return []

"""Who is on the way: for whom a seat is kept, and who is here by now and waits for one.

A mark moves nobody. It is shown until they are here or have a seat, and ends with the evening.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import ceil

from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.names import together
from bridgebuddy.events.models import Section

from .models import Answer
from .who_comes import WhoComes, is_no_evening

#: what may be said: no other times, and no words
MINUTES = (5, 10, 15, 20)
SECONDS = 60


@dataclass(frozen=True)
class Late:
    """Two of a pair, or somebody who has no partner, who come late."""

    people: tuple[Person, ...]
    #: those of them who are not here yet; nobody where they wait for a seat
    missing: tuple[Person, ...]
    at: datetime
    #: their entry, where they are on the list
    entry: int | None

    @property
    def names(self) -> str:
        return together([one.name for one in self.people])

    @property
    def late_names(self) -> str:
        return together([one.name for one in self.missing])

    @property
    def minutes(self) -> int:
        return minutes_until(self.at)

    @property
    def is_pair(self) -> bool:
        return len(self.people) > 1


def minutes_until(at: datetime) -> int:
    """Return in how many minutes it is so late; 0 when it is."""
    return max(0, ceil((at - timezone.now()).total_seconds() / SECONDS))


def late_of(section: Section) -> list[Late]:
    """Return who is on the way to the session of a section, or here without a seat, the next one first.

    One query where nobody is late, five else.
    """
    session = section.session
    late = Answer.objects.filter(session=session).exclude(late_at=None)
    marked = set(late.values_list("person", flat=True))
    if not marked or is_no_evening(session):
        return []
    found = WhoComes(session)
    everybody = [
        *(
            tuple((one.person, one.here_at, one.late_at) for one in pair.both)
            for pair in found.pairs
        ),
        *(((one.person, one.here_at, one.late_at),) for one in found.looking),
    ]
    lines = []
    for line in everybody:
        people = tuple(person for person, _here, _late in line)
        missing = tuple(person for person, here_at, _late in line if here_at is None)
        times = [at for _person, here_at, at in line if at and (here_at is None or not missing)]
        entry = next((found.on_list[one.pk] for one in people if one.pk in found.on_list), None)
        if times and (missing or entry is None):
            lines.append(Late(people, missing, max(times), entry))
    return sorted(lines, key=lambda one: (one.at, one.names))

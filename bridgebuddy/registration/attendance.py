"""Attendance in a session: present, late and single players, each pair once in order of entry.

Present pairs arrived or were entered by the director. Late pairs are expected, those with an
announced time first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.names import joined_names
from bridgebuddy.events.models import Entry, Section

from .registrations import AnswerKind, Registrations


@dataclass(frozen=True)
class AttendingPair:
    """A pair that is registered for a session or already entered; `entry` is None if it is not entered."""

    people: tuple[Person, ...]
    entry: Entry | None = None

    @property
    def key(self) -> tuple[int, ...]:
        """Return a tuple that identifies the pair: the key of its entry (or 0), and the keys of both people."""
        return (self.entry.pk if self.entry else 0, *(person.pk for person in self.people))

    @property
    def names(self) -> str:
        """Return the names of the pair."""
        return joined_names([person.name for person in self.people])


def _arrival_order(
    two: AttendingPair, announced_times: Mapping[int, datetime]
) -> tuple[bool, float]:
    """Return a sort key for late pairs: those with an announced time first, by the later partner's time."""
    times = [
        announced_times[person.pk].timestamp()
        for person in two.people
        if person.pk in announced_times
    ]
    return (not times, max(times, default=0.0))


class Attendance:
    """The pairs of a section before its start: present, late, and cancelled.

    Makes two queries besides those of `Registrations`.
    """

    def __init__(self, section: Section, registrations: Registrations | None = None) -> None:
        self.here: list[AttendingPair] = []
        self.late: list[AttendingPair] = []
        #: entries with a player who has cancelled
        self.gone: list[Entry] = []
        registrations = registrations or Registrations(section.session)
        self.alone = [seeker.person for seeker in registrations.seekers if seeker.here_at]
        entries = section.entries.prefetch_related("entry_people__person").order_by("position")
        for entry in entries:
            answers = [
                registrations.answers[player.pk]
                for player in entry.players
                if player.pk in registrations.answers
            ]
            if any(answer.says == AnswerKind.NOT for answer in answers):
                self.gone.append(entry)
            else:
                is_here = all(answer.here_at for answer in answers)
                self._pairs_by_presence(is_here).append(AttendingPair(tuple(entry.players), entry))
        for pair in registrations.pairs_to_enter:
            self._pairs_by_presence(pair.is_here).append(
                AttendingPair(tuple(partner.person for partner in pair.attendees))
            )
        said_when = {
            key: answer.late_at for key, answer in registrations.answers.items() if answer.late_at
        }
        self.late.sort(key=lambda two: _arrival_order(two, said_when))

    def _pairs_by_presence(self, is_here: bool) -> list[AttendingPair]:
        """Return the list in which present pairs are collected, or else the list of late pairs."""
        return self.here if is_here else self.late

"""Statistics of attendance: how often people play, regulars who stay away, new players, and people a session."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Count, Max, Min, Q

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.queries.roster.players import past_session_lines, seats_in_earnest

#: sessions in a year that make a regular; absence that ends it; time in which a person counts as new
OFTEN = 6
AWAY, NEW = timedelta(weeks=6), timedelta(weeks=8)
YEAR = timedelta(days=365)


@dataclass(frozen=True)
class AttendanceKind:
    """A person's attendance at a club: sessions in the last year, and the first and the last one attended."""

    person: Person
    evenings: int  # of the last year
    first: date
    last: date


@dataclass(frozen=True)
class EveningCount:
    """A session with the number of people who played."""

    date: date
    name: str
    people: int


class ClubAttendance:
    """The attendance at a club's sessions in the year before a day, person by person."""

    def __init__(self, club: Club, today: date) -> None:
        self.club, self.today = club, today
        self._past = past_session_lines().filter(
            person__club=club, line__past__session__date__lte=today
        )
        self._seats = (
            seats_in_earnest()
            .filter(person__club=club, section__session__date__lte=today)
            .order_by()
        )

    @cached_property
    def attendance_of_all(self) -> list[AttendanceKind]:
        """Return the attendance of all people of the last year, most frequent first. Three queries."""
        day = "section__session__date"
        lately = Q(**{f"{day}__gte": self.today - YEAR})
        rows = self._seats.values("person").annotate(
            first=Min(day),
            last=Max(day),
            evenings=Count("section__session", distinct=True, filter=lately),
        )
        came: dict[int, dict[str, Any]] = {row["person"]: dict(row) for row in rows}
        for visit in self._imported_attendance:
            person_kind = came.setdefault(visit["person"], {**visit, "evenings": 0})
            person_kind["first"] = min(person_kind["first"], visit["first"])
            person_kind["last"] = max(person_kind["last"], visit["last"])
            person_kind["evenings"] += visit["evenings"]
        people = self.club.known_people.in_bulk()
        kinds = [
            AttendanceKind(
                people[person_row["person"]],
                person_row["evenings"],
                person_row["first"],
                person_row["last"],
            )
            for person_row in came.values()
            if person_row["evenings"] and person_row["person"] in people
        ]
        return sorted(kinds, key=lambda kind: (-kind.evenings, kind.person.search))

    @property
    def _imported_attendance(self) -> Iterable[dict[str, Any]]:
        """Return people's attendance at imported sessions, as rows like those of other sessions."""
        day = "line__past__session__date"
        lately = Q(**{f"{day}__gte": self.today - YEAR})
        rows_elsewhere = self._past.values("person").annotate(
            first=Min(day),
            last=Max(day),
            evenings=Count("line__past", distinct=True, filter=lately),
        )
        return [dict(row) for row in rows_elsewhere]

    @property
    def absent_regulars(self) -> list[AttendanceKind]:
        """Return the regular players that have not come for six weeks, the most recently seen first."""
        since = self.today - AWAY
        regulars = [
            comer
            for comer in self.attendance_of_all
            if comer.evenings >= OFTEN and comer.last < since
        ]
        return sorted(regulars, key=lambda regular: regular.last, reverse=True)

    @property
    def new(self) -> list[AttendanceKind]:
        """Return the people that recently came for the first time, the latest first."""
        since = self.today - NEW
        comers = [comer for comer in self.attendance_of_all if comer.first >= since]
        return sorted(comers, key=lambda comer: comer.first, reverse=True)

    @cached_property
    def evenings(self) -> list[EveningCount]:
        """Return the number of people at each session of the last year, oldest first."""
        rows = (
            self._seats.filter(section__session__date__gte=self.today - YEAR)
            .values("section__session", "section__session__date", "section__session__event__name")
            .annotate(people=Count("person", distinct=True))
            .order_by("section__session__date", "section__session")
        )
        here = [
            EveningCount(
                row["section__session__date"],
                row["section__session__event__name"],
                row["people"],
            )
            for row in rows
        ]
        day, name = "line__past__session__date", "line__past__session__event__name"
        past = self._past.filter(**{f"{day}__gte": self.today - YEAR})
        counted = past.values("line__past", day, name).annotate(people=Count("person"))
        here += [
            EveningCount(evening[day], evening[name], evening["people"]) for evening in counted
        ]
        return sorted(here, key=lambda session: session.date)

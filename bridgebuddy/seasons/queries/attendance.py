"""Who comes to a club: how often, who no longer does, who is new, and how many there are of an evening."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Count, Max, Min, Q

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.queries.players import past_evenings, seats_in_earnest

#: who came so often in a year used to come; who has not for so long no longer does; how long a face is new
OFTEN = 6
AWAY, NEW = timedelta(weeks=6), timedelta(weeks=8)
YEAR = timedelta(days=365)


@dataclass(frozen=True)
class Comes:
    """How somebody comes."""

    person: Person
    evenings: int  # of the last year
    first: date
    last: date


@dataclass(frozen=True)
class Evening:
    """How many people there were."""

    date: date
    name: str
    people: int


class Attendance:
    """A club's year up to a day."""

    def __init__(self, club: Club, today: date) -> None:
        self.club, self.today = club, today
        self._past = past_evenings().filter(person__club=club, line__past__session__date__lte=today)
        self._seats = (
            seats_in_earnest()
            .filter(person__club=club, section__session__date__lte=today)
            .order_by()
        )

    @cached_property
    def everybody(self) -> list[Comes]:
        """Who came in the last year, most often first. Three queries."""
        day = "section__session__date"
        lately = Q(**{f"{day}__gte": self.today - YEAR})
        rows = self._seats.values("person").annotate(
            first=Min(day),
            last=Max(day),
            evenings=Count("section__session", distinct=True, filter=lately),
        )
        came: dict[int, dict[str, Any]] = {one["person"]: dict(one) for one in rows}
        for one in self._elsewhere:
            known = came.setdefault(one["person"], {**one, "evenings": 0})
            known["first"] = min(known["first"], one["first"])
            known["last"] = max(known["last"], one["last"])
            known["evenings"] += one["evenings"]
        people = self.club.known_people.in_bulk()
        found = [
            Comes(people[one["person"]], one["evenings"], one["first"], one["last"])
            for one in came.values()
            if one["evenings"] and one["person"] in people
        ]
        return sorted(found, key=lambda one: (-one.evenings, one.person.search))

    @property
    def _elsewhere(self) -> Iterable[dict[str, Any]]:
        """What people played in sessions that another program scored, in the same words."""
        day = "line__past__session__date"
        lately = Q(**{f"{day}__gte": self.today - YEAR})
        return self._past.values("person").annotate(
            first=Min(day),
            last=Max(day),
            evenings=Count("line__past", distinct=True, filter=lately),
        )

    @property
    def away(self) -> list[Comes]:
        """Who used to come and has not for six weeks, whose last evening was latest first."""
        since = self.today - AWAY
        found = [one for one in self.everybody if one.evenings >= OFTEN and one.last < since]
        return sorted(found, key=lambda one: one.last, reverse=True)

    @property
    def new(self) -> list[Comes]:
        """Who came for the first time lately, the latest first."""
        since = self.today - NEW
        found = [one for one in self.everybody if one.first >= since]
        return sorted(found, key=lambda one: one.first, reverse=True)

    @cached_property
    def evenings(self) -> list[Evening]:
        """The evenings of the last year, oldest first."""
        rows = (
            self._seats.filter(section__session__date__gte=self.today - YEAR)
            .values("section__session", "section__session__date", "section__session__event__name")
            .annotate(people=Count("person", distinct=True))
            .order_by("section__session__date", "section__session")
        )
        here = [
            Evening(
                one["section__session__date"],
                one["section__session__event__name"],
                one["people"],
            )
            for one in rows
        ]
        day, name = "line__past__session__date", "line__past__session__event__name"
        past = self._past.filter(**{f"{day}__gte": self.today - YEAR})
        counted = past.values("line__past", day, name).annotate(people=Count("person"))
        here += [Evening(one[day], one[name], one["people"]) for one in counted]
        return sorted(here, key=lambda one: one.date)

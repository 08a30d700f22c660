"""A club's masterpoints: those already reported, and those to be reported next.

A person's masterpoints follow from the final lists, but reports are stored as they were sent. If a list is revised,
reopened or deleted later, the difference becomes an entry in the next report.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Q, QuerySet, Sum

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.models import Session
from bridgebuddy.scoring.models import ScoringSettings

from ..models import MasterpointEntry
from .final_lists import (
    MASTERPOINTS,
    PLACE,
    SAT,
    SEATS,
    FinalSession,
    final_results,
    lines_by_session,
)

SessionAndPerson = tuple[int, int]
HUNDREDTH = Decimal("0.01")


def round_to_hundredths(points: Decimal) -> Decimal:
    """Round masterpoints to hundredths, because a database may add them as binary fractions."""
    return points.quantize(HUNDREDTH)


@dataclass(frozen=True)
class DueEntry:
    """A person's masterpoints in a session that are still to be reported to the federation."""

    person: int
    session: int | None  # None: deleted since
    day: date
    name: str
    place: int | None
    scale: str
    points: Decimal
    is_correction: bool


def reported_points(
    person: Person, session_keys: Collection[int] | None = None
) -> QuerySet[MasterpointEntry]:
    """Return the masterpoints already reported for a person.

    `session_keys` limits them to these sessions and to entries without a session.
    """
    read = Q() if session_keys is None else Q(session=None) | Q(session__in=session_keys)
    return MasterpointEntry.objects.filter(read, person=person)


def due_points(club: Club, until: date) -> list[DueEntry]:
    """Return the masterpoints to be reported up to a day, with corrections of earlier reports, by day."""
    scored = dict(
        ScoringSettings.objects.filter(session__event__club=club)
        .exclude(masterpoints="")
        .values_list("session", "masterpoints")
    )
    scored_finals = [final for final in final_results(club, None, until) if final.session in scored]
    earned = _points_and_places(scored_finals)
    given_points: dict[SessionAndPerson, Decimal] = {}
    booked: dict[SessionAndPerson, MasterpointEntry] = {}
    entries = MasterpointEntry.objects.filter(report__club=club, session__isnull=False)
    for entry in entries:
        key = (entry.session_id or 0, entry.person_id)
        given_points[key] = given_points.get(key, Decimal(0)) + entry.points
        booked[key] = entry
    by_session = {final_session.session: final_session for final_session in scored_finals}
    due_entries = []
    for key in sorted(earned.keys() | given_points.keys()):
        session, person = key
        points, place = earned.get(key, (Decimal(0), None))
        more = points - given_points.get(key, Decimal(0))
        if not more or (session not in by_session and booked[key].day > until):
            continue
        day, name = _day_and_name(by_session.get(session), booked.get(key))
        scale = scored.get(session, "")
        due_entries.append(
            DueEntry(person, session, day, name, place, scale, more, key in given_points)
        )
    due_entries += _corrections_for_deleted(club, until)
    return sorted(
        due_entries,
        key=lambda entry: (entry.day, entry.session or 0, entry.place or 0, entry.person),
    )


def _corrections_for_deleted(club: Club, until: date) -> Iterator[DueEntry]:
    """Yield corrections that take back reported masterpoints of deleted sessions."""
    gone = MasterpointEntry.objects.filter(report__club=club, session=None, day__lte=until)
    sums = gone.order_by().values_list("person", "day", "name").annotate(sum=Sum("points"))
    for person, day, name, added in sums:
        if points := round_to_hundredths(added):
            yield DueEntry(person, None, day, name, None, "", -points, is_correction=True)


def is_reported(session: Session) -> bool:
    """Return whether masterpoints of a session have been reported. One query."""
    return MasterpointEntry.objects.filter(session=session).exists()


def _day_and_name(final: FinalSession | None, entry: MasterpointEntry | None) -> tuple[date, str]:
    """Return the day and name of the session that gave masterpoints."""
    if final is not None:
        return final.date, final.name
    assert entry is not None, "what is not earned was given in"
    return entry.day, entry.name


def _points_and_places(
    sessions: list[FinalSession],
) -> Mapping[SessionAndPerson, tuple[Decimal, int | None]]:
    """Return the masterpoints and places in these sessions, by session and person.

    The points go to the people that played most in each seat.
    """
    lines_of_session, points_of = (
        lines_by_session(sessions),
        dict[SessionAndPerson, tuple[Decimal, int | None]](),
    )
    for session, lines in lines_of_session.items():
        for line in lines:
            if line[MASTERPOINTS] is None:
                continue
            above, _, below = line[MASTERPOINTS].partition("/")
            points = (Decimal(above) / Decimal(below or 1)).quantize(HUNDREDTH)
            for person in line[SAT] or line[SEATS]:
                if points:
                    before = points_of.get((session, person), (Decimal(0), None))[0]
                    points_of[session, person] = before + points, line[PLACE]
    return points_of


def reported_totals(club: Club) -> list[tuple[Person, Decimal]]:
    """Return the sum of reported masterpoints of each person, highest first."""
    rows = MasterpointEntry.objects.filter(report__club=club).order_by().values("person")
    sums = {
        row["person"]: round_to_hundredths(row["sum"]) for row in rows.annotate(sum=Sum("points"))
    }
    people = Person.objects.in_bulk(list(sums))
    totals_by_person = [(people[key], points) for key, points in sums.items()]
    return sorted(totals_by_person, key=lambda total: (-total[1], total[0].search))

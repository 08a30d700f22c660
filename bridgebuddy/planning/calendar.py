"""The coming weeks of a club: repeated sessions, and the plan of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction

from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.events.models import Event, Section, Session
from bridgebuddy.events.queries.sessions import scored_here
from bridgebuddy.events.services.copies_of_sessions import copy_session
from bridgebuddy.planning.models import SessionPlan
from bridgebuddy.registration.registering import switch_as

WEEK = timedelta(weeks=1)
#: the most sessions planned, shown and stored at a time
MOST = 60
#: the most sessions that can be repeated
MOST_SERIES = 8


@dataclass(frozen=True)
class SessionPlanInput:
    """The plan of a session."""

    directs: User | None = None
    host: Person | None = None
    price: str = ""


def coming_sessions(club: Club) -> list[Session]:
    """Return the coming sessions, the current day first, with their plans.

    Makes two queries.
    """
    sessions = scored_here(club).filter(date__gte=club.today).order_by("date", "starts_at", "pk")
    whole = sessions.select_related("event__club", "planned__directs", "planned__host")
    return list(whole.prefetch_related("sections")[:MOST])


def said_of(session: Session) -> SessionPlanInput:
    """Return the plan of a session; empty for most."""
    plan: SessionPlan | None = getattr(session, "planned", None)
    return SessionPlanInput(plan.directs, plan.host, plan.price) if plan else SessionPlanInput()


def repeatable_sessions(club: Club) -> list[Session]:
    """Return the latest session of each name, the latest first, to be repeated.

    Makes one query.
    """
    latest: dict[int, Session] = {}
    whole = scored_here(club).select_related("event", "planned__directs", "planned__host")
    for session_row in whole.order_by("-date", "-pk")[: 4 * MOST]:
        latest.setdefault(session_row.event_id, session_row)
    return list(latest.values())[:MOST_SERIES]


def weekly_dates(first: date, until: date, holes: Collection[date] = ()) -> list[date]:
    """Return the weekly dates after `first` until `until`, without `holes`; at most `MOST`.

    >>> [str(one) for one in weekly_dates(date(2026, 11, 24), date(2026, 12, 15), {date(2026, 12, 8)})]
    ['2026-12-01', '2026-12-15']
    """
    count = max(0, min(MOST, (until - first) // WEEK))
    return [day for day in (first + n * WEEK for n in range(1, count + 1)) if day not in holes]


@transaction.atomic
def repeat(session: Session, days: Iterable[date], *, by: User) -> int:
    """Copy a session to other days without entries; return the number of new sessions.

    Days with a session of the same name are skipped, so a second press adds nothing.
    """
    # two directors may plan at the same time
    event = Event.objects.select_for_update().get(pk=session.event_id)
    section: Section = session.sections.earliest("pk")
    there = event.sessions.filter(deleted_at=None, rehearsal_until=None)
    taken = set(there.values_list("date", flat=True))
    price = said_of(session).price
    wanted = [day for day in days if day not in taken]
    for day in wanted:
        copied = copy_session(
            section,
            name=session.event.name,
            date=day,
            starts_at=session.starts_at,
            with_entries=False,
            by=by,
        )
        if price:
            SessionPlan.objects.create(session=copied.session, price=price)
        switch_as(copied.session, session)
    return len(wanted)


@transaction.atomic
def say(planned: Mapping[Session, SessionPlanInput]) -> None:
    """Store the plans of sessions; empty plans are deleted."""
    for session, plan in planned.items():
        if plan == SessionPlanInput():
            SessionPlan.objects.filter(session=session).delete()
        else:
            fields = {"directs": plan.directs, "host": plan.host, "price": plan.price}
            SessionPlan.objects.update_or_create(session=session, defaults=fields)

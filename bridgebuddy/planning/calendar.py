"""The coming sessions of a club, and the plan of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.queries.sessions.club_sessions import sessions_scored_here
from bridgebuddy.planning.models import SessionPlan

WEEK = timedelta(weeks=1)
#: the most sessions planned, shown and stored at a time
MOST = 60
#: the most sessions that can be repeated
MOST_SERIES = 8


@dataclass(frozen=True)
class SessionPlanInput:
    """The plan of a session as typed: its director, its host for single players, its price as text."""

    directs: User | None = None
    host: Person | None = None
    price: str = ""


def coming_sessions(club: Club) -> list[Session]:
    """Return the coming sessions of a club, today's first, each with its plan (director, host, price).

    Makes two queries.
    """
    is_over = ~Exists(Section.objects.filter(session=OuterRef("pk"), finished_at=None))
    sessions = sessions_scored_here(club).filter(date__gte=club.today).exclude(is_over)
    sessions = sessions.order_by("date", "starts_at", "pk")
    whole = sessions.select_related("event__club", "planned__directs", "planned__host")
    return list(whole.prefetch_related("sections")[:MOST])


def session_plan_input(session: Session) -> SessionPlanInput:
    """Return the plan of a session (director, host, price); empty if none is stored."""
    plan: SessionPlan | None = getattr(session, "planned", None)
    return SessionPlanInput(plan.directs, plan.host, plan.price) if plan else SessionPlanInput()


def repeatable_sessions(club: Club) -> list[Session]:
    """Return the latest session of each of a club's events, newest first; new sessions can copy them.

    Makes one query.
    """
    latest: dict[int, Session] = {}
    whole = sessions_scored_here(club).select_related("event", "planned__directs", "planned__host")
    for session_row in whole.order_by("-date", "-pk")[: 4 * MOST]:
        latest.setdefault(session_row.event_id, session_row)
    return list(latest.values())[:MOST_SERIES]


@transaction.atomic
def store_plans(planned: Mapping[Session, SessionPlanInput]) -> None:
    """Store the plans of sessions (director, host, price); empty plans are deleted."""
    for session, plan in planned.items():
        if plan == SessionPlanInput():
            SessionPlan.objects.filter(session=session, series=None).delete()
            SessionPlan.objects.filter(session=session).update(directs=None, host=None, price="")
        else:
            fields = {"directs": plan.directs, "host": plan.host, "price": plan.price}
            SessionPlan.objects.update_or_create(session=session, defaults=fields)

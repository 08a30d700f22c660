"""The sessions of an event that count together, with their dates and results."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.models import Session
from bridgebuddy.events.queries.sessions.club_sessions import (
    listed_sessions,
    order_newest_first,
    prefetch_sections,
    real_sessions,
)
from bridgebuddy.scoring.models import ScoringSettings

#: the most sessions before and after one that the page names
MOST = 20


@never_cache
@require_safe
@read_in_one_snapshot
def event(request: UserRequest, code: str) -> HttpResponse:
    """Show all sessions of a contest over several sessions, newest first; redirect if there is only one.

    The evenings of a club that only have the same name are found on its home page.
    """
    section = section_for_scorer(request, code)
    keys = connected_sessions(section.session)
    rows = list(
        order_newest_first(real_sessions(section.club).filter(pk__in=keys)).select_related("event")
    )
    if len(rows) <= 1:
        if not section.club.rights.run_sessions:
            return redirect("results", code=section.code)
        return redirect("desk" if section.movement_id else "entries", code=section.code)
    prefetch_sections(rows)
    sessions = listed_sessions(rows)
    published = {
        scoring.session_id: scoring.token
        for scoring in ScoringSettings.objects.filter(
            session__in=[evening.session.pk for evening in sessions]
        )
        if scoring.is_published
    }
    context = {
        "tab": "home",
        "club": section.club,
        "event": section.session.event,
        "found": [(evening, published.get(evening.session.pk)) for evening in sessions],
        "year": timezone.localdate().year,
    }
    return render(request, "director/event.html", context)


def connected_sessions(session: Session) -> set[int]:
    """Return the primary keys of a session and of all sessions that it follows or that follow it, directly or not.

    Makes one query for each step.
    """
    found = {session.pk}
    before = session.follows_id
    while before is not None and before not in found and len(found) < MOST:
        found.add(before)
        before = Session.objects.values_list("follows", flat=True).get(pk=before)
    newest = found
    while newest and len(found) < 2 * MOST:
        later = Session.objects.filter(follows__in=newest).exclude(pk__in=found)
        newest = set(later.values_list("pk", flat=True))
        found = found | newest
    return found

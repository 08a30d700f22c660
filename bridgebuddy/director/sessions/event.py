"""An event and its sessions, with their dates and results."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.queries.sessions.club_sessions import (
    listed_sessions,
    order_newest_first,
    read_sections,
    real_sessions,
)
from bridgebuddy.scoring.models import ScoringSettings

#: clubs with one event for all weeks find older sessions by day
MOST = 40


@never_cache
@require_safe
@read_in_one_snapshot
def event(request: UserRequest, code: str) -> HttpResponse:
    """Show all sessions of a section's event, newest first; redirect to the desk if there is only one."""
    section = section_for_scorer(request, code)
    mine = order_newest_first(real_sessions(section.club).filter(event=section.session.event))
    if mine.count() <= 1:
        if not section.club.rights.run_sessions:
            return redirect("results", code=section.code)
        return redirect("desk" if section.movement_id else "entries", code=section.code)
    rows = list(mine.select_related("event")[:MOST])
    read_sections(rows)
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
        "older": mine.count() - len(sessions),
    }
    return render(request, "director/event.html", context)

"""The sessions of a club as a scorer needs them: by day, each with its results."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.access import club_with_permission
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import SCORE
from bridgebuddy.events.access import read_in_one_snapshot
from bridgebuddy.events.queries.sessions.club_sessions import (
    listed_sessions,
    order_newest_first,
    prefetch_sections,
    real_sessions,
)

A_PAGE = 20


@never_cache
@require_safe
@read_in_one_snapshot
def scorer_sessions(request: UserRequest, pk: int) -> HttpResponse:
    """Show a scorer the sessions of a club that have begun, newest first, with links to their results."""
    club = club_with_permission(request, pk, SCORE)
    begun = order_newest_first(real_sessions(club).filter(sections__round__gt=0).distinct())
    page = Paginator(begun.select_related("event"), A_PAGE).get_page(request.GET.get("page"))
    sessions = list(page.object_list)
    prefetch_sections(sessions)
    context = {
        "club": club,
        "tab": "results",
        "page": page,
        "question": "",
        "sessions": listed_sessions(sessions),
        "year": timezone.localdate().year,
    }
    return render(request, "director/scorer_sessions.html", context)

"""From a movement's page in the library to a session."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.sessions.home import directed_clubs
from bridgebuddy.events.models import Section
from movements.engine import catalogue
from movements.engine.drawing.draws import DRAWN_ON_RESULTS
from movements.engine.errors import UnknownFamily
from movements.engine.families.team_movements.drawn import CONTESTS

MOST_SESSIONS = 12


@require_safe
@login_required
def use_movement(request: UserRequest, family: str, tables: int) -> HttpResponse:
    """Redirect from the library to the suggestions for the director's open session, with this movement open.

    Several open sessions are listed; without one, a new session can be created.
    """
    try:
        known_family = catalogue.find_family(family)
    except UnknownFamily as error:
        raise Http404(str(error)) from None
    is_drawn = family in DRAWN_ON_RESULTS
    wanted = "" if is_drawn else urlencode({"open": family})
    page = "choose-drawn" if is_drawn else "choose-movement"
    waiting = (
        Section.objects.filter(
            session__event__club__in=directed_clubs(request.user),
            session__deleted_at=None,
            session__rehearsal_until=None,
            round=0,
            session__date__gte=timezone.localdate(),
            contest__in=CONTESTS if is_drawn else (known_family.contest,),
        )
        .select_related("session__event__club")
        .order_by("session__date", "session__starts_at", "pk")
    )
    sections = list(waiting[:MOST_SESSIONS])
    meant = [section for section in sections if section.code == request.GET.get("code")] or sections
    if len(meant) == 1:
        address = reverse(page, args=[meant[0].code])
        return redirect(address if is_drawn else f"{address}?{wanted}#m-{family}")
    context = {
        "tab": "library",
        "family": known_family,
        "tables": tables,
        "sections": sections,
        "wanted": wanted,
        "page": page,
    }
    return render(request, "director/use_movement.html", context)

"""The published list of a session scored by another program, with its source."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from bridgebuddy.clubs.club_locale import use_club_formats, use_reader_language
from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.events.models import PastLine, PastSession
from bridgebuddy.publication.queries import prefetch_names
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.web.http import mark_public

ShowPast = Callable[[HttpRequest, PastSession], HttpResponse]


def past_session_page(
    request: HttpRequest, scoring: ScoringSettings, show: ShowPast | None
) -> HttpResponse:
    """Show a page of a session that another program scored, with public names."""
    if show is None:
        raise Http404("no such results")
    past = find_past(scoring)
    club = past.session.event.club
    use_club_formats(club)
    use_reader_language(request, club)
    with use_public_names(club):
        return mark_public(request, show(request, past))


def find_past(scoring: ScoringSettings) -> PastSession:
    """Return the imported session of `scoring`. Raises `Http404` if there is none, or it is deleted."""
    imported = PastSession.objects.filter(session=scoring.session_id, session__deleted_at=None)
    past = imported.select_related("session__event__club", "session__scoring").first()
    if past is None:
        raise Http404("no such results")
    return past


def past_list(request: HttpRequest, past: PastSession) -> HttpResponse:
    """Show the rankings of an imported session."""
    session = past.session
    context = {
        "past": past,
        "session": session,
        "club": session.event.club,
        "lines": list(prefetch_names(PastLine.objects.filter(past=past))),
        "token": session.scoring.token,
    }
    return render(request, "players/past_results.html", context)

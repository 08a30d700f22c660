"""A championship on paper, with the results of its last sessions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.seasons.championship_views import ChampionshipView
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.web.language import activate_language

from ..rendering.paper import sheets_response

#: the most sessions with a column on paper
COLUMNS = 6


@require_safe
def championship(request: HttpRequest, pk: int, championship: int) -> HttpResponse:
    """Return a championship's table as a PDF for the browser."""
    club = club_for_secretary(request, pk)
    stored = get_object_or_404(Championship, club=club, pk=championship)
    stored.club = club
    activate_language(request, club.language)
    table = ChampionshipView(ChampionshipTable(stored), COLUMNS)
    html = render_to_string("printing/championship.html", {"club": club, "shown": table})
    name = slugify(stored.name) or "championship"
    return sheets_response(
        f"{name}.pdf", html, back=reverse("championship", args=[pk, championship])
    )

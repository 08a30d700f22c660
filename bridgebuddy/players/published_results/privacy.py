"""The privacy notice for players: on phones, and with published results."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from bridgebuddy.events.models import PastSession, Section
from bridgebuddy.scoring.results.scored import ScoredSession

from ..access import players_page
from .results import published_session_view


@players_page
def section_privacy(request: HttpRequest, section: Section) -> HttpResponse:
    """Show the privacy notice to readers with a section's code."""
    return _notice_page(request, section, reverse("lookup", args=[section.code]))


def _past_session_notice(request: HttpRequest, past: PastSession) -> HttpResponse:
    """Return the privacy notice of an imported session."""
    back = reverse("public-results", args=[past.session.scoring.token])
    return render(request, "players/privacy.html", {"club": past.session.event.club, "back": back})


@partial(published_session_view, past=_past_session_notice)
def results_privacy(request: HttpRequest, scored: ScoredSession) -> HttpResponse:
    """Show the privacy notice to readers of published results."""
    back = reverse("public-results", args=[scored.tonight.scoring.token])
    return _notice_page(request, scored.tonight.section, back)


def _notice_page(request: HttpRequest, section: Section, back: str) -> HttpResponse:
    """Return the page with the privacy notice."""
    return render(request, "players/privacy.html", {"club": section.club, "back": back})

"""The JSON of a club's page: next sessions, championships, and the list of published results by pages."""

from __future__ import annotations

from django.core.paginator import Page, Paginator
from django.urls import reverse

from bridgebuddy.events.models import Session
from bridgebuddy.publication.models import ClubPage
from bridgebuddy.publication.queries import (
    PublishedSession,
    next_sessions,
    published_championships,
    published_sessions,
    sessions_with_winners,
)

from .championships import championship_facts
from .figures import Document
from .results import session_facts

#: published sessions on a page of the list
PAGE_SIZE = 20


def club_facts(page: ClubPage) -> Document:
    """Return the JSON with a club's name, and the addresses of its public page and its document."""
    return {
        "club": page.club.name,
        "page": reverse("club-page", args=[page.address]),
        "json": reverse("api-club", args=[page.address]),
        "results": reverse("api-club-results", args=[page.address]),
        "feed": reverse("club-feed", args=[page.address]),
        "calendar": reverse("club-calendar", args=[page.address]),
    }


def club_document(page: ClubPage) -> Document:
    """Return the JSON of a club's next sessions and published championships."""
    return club_facts(page) | {
        "next": [_coming_session_facts(session) for session in next_sessions(page.club)],
        "championships": [
            championship_facts(championship) for championship in published_championships(page.club)
        ],
    }


def _coming_session_facts(session: Session) -> Document:
    """Return the JSON of a session to come."""
    return {"name": session.event.name, "starts_at": session.planned_start.isoformat()}


def page_of_results(page: ClubPage, number: int) -> Page[Session] | None:
    """Return page `number` of a club's published sessions, newest first; None if there is no such page."""
    paginator = Paginator(published_sessions(page.club), PAGE_SIZE)
    return paginator.page(number) if 0 < number <= paginator.num_pages else None


def results_list_document(page: ClubPage, listed: Page[Session]) -> Document:
    """Return the JSON of a page of a club's published sessions, with the winners of each."""
    first = PAGE_SIZE * (listed.number - 1)
    sessions = published_sessions(page.club)[first : first + PAGE_SIZE]
    return club_facts(page) | {
        "count": listed.paginator.count,
        "previous_page": _results_page_address(page, listed.number - 1)
        if listed.has_previous()
        else None,
        "next_page": _results_page_address(page, listed.number + 1) if listed.has_next() else None,
        "sessions": [
            _published_session_facts(published) for published in sessions_with_winners(sessions)
        ],
    }


def _results_page_address(page: ClubPage, number: int) -> str:
    """Return the address of a page of the list of published sessions."""
    return f"{reverse('api-club-results', args=[page.address])}?page={number}"


def _published_session_facts(published: PublishedSession) -> Document:
    """Return the JSON of a published session with its winners."""
    return session_facts(published.session) | {
        "winners": [
            {"name": line.names, "value": line.value or None, "unit": line.unit}
            for line in published.lines
            if line.is_first
        ]
    }

"""The addresses of the JSON, version 1.

A document is in the club's language, whatever the reader's browser prefers, so that it is the same for all readers.
It is found as its public page is found, and is gone when the page is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.club_locale import in_club_formats
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.events.access import one_snapshot
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import Traveller
from bridgebuddy.seasons.championship_views import ChampionshipView
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.web.http import answer_with_etag, read_number

from ..club_page import find_club_page
from ..published_results.page_cache import ResultsCache
from ..published_results.past_results import find_past
from ..published_results.results import (
    boards_by_section,
    find_match,
    find_published,
    find_sheet,
    match_board_rows,
)
from ..published_results.season import COLUMNS, find_championship
from .boards import board_document
from .championships import championship_document
from .clubs import club_document, page_of_results, results_list_document
from .figures import Document
from .matches import match_document
from .results import past_document, results_document
from .sheets import sheet_document

SCHEMAS = Path(__file__).parent / "schemas"
NAMES = frozenset(schema.name.removesuffix(".schema.json") for schema in SCHEMAS.glob("*.json"))


def _json_response(document: Document) -> HttpResponse:
    """Return a JSON document as a response."""
    return JsonResponse(document, json_dumps_params={"ensure_ascii": False})


def _public_json_response(
    request: HttpRequest, club: Club, show: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return the JSON response of `show`, in the club's language and with public names; 304 if it is unchanged."""
    with in_club_formats(club), use_public_names(club):
        response = show()
    response.headers["Content-Type"] = "application/json; charset=utf-8"
    response.headers["Content-Language"] = club.language or settings.LANGUAGE_CODE
    response.headers["X-Robots-Tag"] = "noindex"
    patch_cache_control(response, public=True, no_cache=True)
    return answer_with_etag(request, response)


@require_safe
def results(request: HttpRequest, token: str) -> HttpResponse:
    """Send the JSON of the rankings of a published session."""
    return _session_document_response(
        request, token, lambda scored: results_document(scored, dict(boards_by_section(scored)))
    )


@require_safe
def board(request: HttpRequest, token: str, section: str, number: int) -> HttpResponse:
    """Send the JSON of all results of a board of a published session."""

    def board_of_session(scored: ScoredSession) -> Document:
        """Return the board's document; raise `Http404` if nobody played it."""
        own = next((part for part in scored.tonight.sections if part.name == section), None)
        listed = dict(boards_by_section(scored)).get(own, []) if own else []
        if own is None or number not in listed:
            raise Http404("no pair has played this board")
        return board_document(scored, Traveller(scored, own, number))

    return _session_document_response(request, token, board_of_session)


@require_safe
def sheet(request: HttpRequest, token: str, section: str, label: str) -> HttpResponse:
    """Send the JSON of a contestant's score sheet of a published session."""
    return _session_document_response(
        request, token, lambda scored: sheet_document(scored, find_sheet(scored, section, label))
    )


@require_safe
def match(
    request: HttpRequest, token: str, section: str, round: int, home: str, away: str
) -> HttpResponse:
    """Send the JSON of a match of a published session, board by board."""

    def match_of_session(scored: ScoredSession) -> Document:
        """Return the match's document."""
        found = find_match(scored, section, round, home, away)
        return match_document(scored, found, match_board_rows(scored, found))

    return _session_document_response(request, token, match_of_session)


def _session_document_response(
    request: HttpRequest, token: str, document: Callable[[ScoredSession], Document]
) -> HttpResponse:
    """Return a JSON document of a published session, from the cache if nothing has changed."""
    with one_snapshot(request):
        scoring, together = find_published(token)
        if not together:
            asked = request.resolver_match.kwargs if request.resolver_match else {}
            if "section" in asked:
                raise Http404("no boards of this session are stored")
            past = find_past(scoring)
            return _public_json_response(
                request, past.session.event.club, lambda: _json_response(past_document(past))
            )
        first = together[0]

        def cached_response() -> HttpResponse:
            """Return the document of a session with sections, from the cache if it is there."""
            kept = ResultsCache(request, together, scoring)
            return kept.answer(lambda: _json_response(document(kept.scored(first))))

        return _public_json_response(request, first.club, cached_response)


@require_safe
def championship(request: HttpRequest, token: str) -> HttpResponse:
    """Send the JSON of a published championship's table."""
    stored = find_championship(token)
    return _public_json_response(
        request,
        stored.club,
        lambda: _json_response(
            championship_document(ChampionshipView(ChampionshipTable(stored), COLUMNS))
        ),
    )


@require_safe
def club(request: HttpRequest, address: str) -> HttpResponse:
    """Send the JSON of a club's next sessions and championships."""
    page = find_club_page(address)
    return _public_json_response(request, page.club, lambda: _json_response(club_document(page)))


@require_safe
def club_results(request: HttpRequest, address: str) -> HttpResponse:
    """Send the JSON of a page of a club's published sessions."""
    page = find_club_page(address)
    listed = page_of_results(page, read_number(request.GET.get("page", "1"), 6) or 0)
    if listed is None:
        raise Http404("no such page")
    return _public_json_response(
        request, page.club, lambda: _json_response(results_list_document(page, listed))
    )


@require_safe
def schema(request: HttpRequest, name: str) -> HttpResponse:
    """Send the JSON Schema of the kind of document `name`."""
    if name not in NAMES:
        raise Http404("no such schema")
    content = (SCHEMAS / f"{name}.schema.json").read_bytes()
    response = HttpResponse(content, content_type="application/schema+json")
    patch_cache_control(response, public=True, no_cache=True)
    return answer_with_etag(request, response)

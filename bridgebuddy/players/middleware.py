"""Middleware that answers polls early: hundreds arrive each second, and few bring news."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from bridgebuddy.events import code_limits as limits
from bridgebuddy.events.code_limits import clean_code
from bridgebuddy.events.queries.sessions.sections import section_is_unchanged, session_is_unchanged
from bridgebuddy.operations.request_priority import defer_to_waiting_requests
from bridgebuddy.web.http import mark_private

from .access import UNCHANGED

PLAYERS_PAGE = re.compile(r"/p/([^/]+)/")

View = Callable[[HttpRequest], HttpResponse]


def answer_unchanged_polls(get_response: View) -> View:
    """Middleware that answers a poll with an empty 204 response if the phone shows the current page.

    Makes one query. Sessions and languages would cost more than the answer. Only phones that have
    opened the page are answered here: for others the answer would confirm a code.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        """Answer a poll of an unchanged page with one query."""
        page = PLAYERS_PAGE.match(request.path_info) if request.method == "GET" else None
        if page and request.GET.get("v"):
            if _is_unchanged(clean_code(page[1]), request):
                return mark_private(HttpResponse(status=UNCHANGED))
            defer_to_waiting_requests(request.META)
        return get_response(request)

    return middleware


def _is_unchanged(code: str, request: HttpRequest) -> bool:
    """Return whether a phone that asks for news already shows the current version of the page."""
    return limits.has_opened_before(request, code) and is_page_current(code, request)


def is_page_current(code: str, request: HttpRequest) -> bool:
    """Return whether a poll names the current version of its section, or of all sections of the session."""
    version = request.GET.get("v")
    if version and request.GET.get("all"):
        return session_is_unchanged(code, version)
    return section_is_unchanged(code, version)

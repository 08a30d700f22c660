"""Answering polls before anything else is looked at: hundreds come in a second, few bring news."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from bridgebuddy.events.queries.sections import is_unchanged

from .access import UNCHANGED, private
from .forms import clean_code

PLAYERS_PAGE = re.compile(r"/p/([^/]+)/")

View = Callable[[HttpRequest], HttpResponse]


def unchanged_polls(get_response: View) -> View:
    """Answer a poll of a players' page that shows the current version with nothing: one query.

    Sessions, languages and the like would cost more than the answer, and it needs none of them.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        page = PLAYERS_PAGE.match(request.path_info) if request.method == "GET" else None
        if page and is_unchanged(clean_code(page[1]), request.GET.get("v")):
            return private(HttpResponse(status=UNCHANGED))
        return get_response(request)

    return middleware

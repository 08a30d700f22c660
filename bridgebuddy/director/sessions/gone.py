"""A director whose page is of a session that was deleted meanwhile finds it where it can be brought back."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import add_never_cache_headers
from django_htmx.http import HttpResponseClientRedirect

from bridgebuddy.events.access import SessionDeleted
from bridgebuddy.http import HtmxRequest

from .home import home_of


class BackToTheList:
    """Leads from a page that raises `SessionDeleted` to the club's sessions."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HtmxRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, SessionDeleted):
            return None
        address = home_of(exception.club)
        answer = HttpResponseClientRedirect(address) if request.htmx else redirect(address)
        add_never_cache_headers(answer)
        return answer

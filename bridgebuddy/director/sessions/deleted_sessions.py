"""Redirects for pages of a session that was deleted meanwhile or has another code."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.cache import add_never_cache_headers
from django_htmx.http import HttpResponseClientRedirect

from bridgebuddy.events.access import CodeRenewed, SessionDeleted
from bridgebuddy.web.http import HtmxRequest

from .home import home_address


class RedirectFromDeletedSession:
    """Middleware that redirects from a deleted session to the club's sessions, or to a new code."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HtmxRequest, exception: Exception) -> HttpResponse | None:
        """Redirect to the club's sessions, or from a former code to the section."""
        if isinstance(exception, SessionDeleted):
            address = home_address(exception.club)
        elif isinstance(exception, CodeRenewed):
            address = resolve_url("desk", code=exception.section.code)
        else:
            return None
        answer = HttpResponseClientRedirect(address) if request.htmx else redirect(address)
        add_never_cache_headers(answer)
        return answer

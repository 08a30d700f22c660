"""Whoever is not signed in, or no longer, signs in first and comes back to the page they saw.

And whoever signs out leaves nothing of the club behind in the browser.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers
from django_htmx.http import HttpResponseClientRedirect

from .http import HtmxRequest
from .language import back_to

#: how the addresses begin of pages that are a club's or somebody's own, whatever they show
CLUBS = ("clubs/", "account/", "accounts/2fa/")


class NotSignedIn(Exception):
    """Only somebody who is signed in may ask for this; whether it exists is not said."""


class SignInFirst:
    """Leads from a page that raises `NotSignedIn` to the sign-in page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HtmxRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, NotSignedIn):
            return None
        to_login = redirect_to_login(
            back_to(request, _page_seen(request), settings.LOGIN_REDIRECT_URL)
        )
        answer = HttpResponseClientRedirect(to_login.url) if request.htmx else to_login
        add_never_cache_headers(answer)
        return answer


def kept_by_nobody(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Let no browser keep a page of somebody who is signed in, or a club's own page.

    Such a page is not for the next person at the club's computer, who presses *Back* after the sign-out. The cookie
    of a session says that somebody is signed in; nothing is read for it.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        is_clubs = match is not None and (match.route or CLUBS[0]).startswith(CLUBS)  # "": home
        is_signed_in = settings.SESSION_COOKIE_NAME in request.COOKIES
        if is_signed_in or (is_clubs and not response.has_header("Cache-Control")):
            add_never_cache_headers(response)
        return response

    return middleware


def _page_seen(request: HtmxRequest) -> str:
    """Return the address of the whole page that asks: a part of it, or a form, has another."""
    if request.htmx:
        return request.htmx.current_url or ""
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    return request.headers.get("Referer", "")

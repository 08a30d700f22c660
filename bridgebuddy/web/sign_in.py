"""Redirects to the sign-in page and back, and pages that browsers must not keep.

After signing out, no page of the club remains in the browser.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers
from django_htmx.http import HttpResponseClientRedirect

from .http import HtmxRequest
from .language import return_address

#: prefixes of the addresses that belong to a club or a user
CLUBS = ("clubs/", "account/", "accounts/2fa/")


class NotSignedIn(Exception):
    """Raised for visitors who are not signed in; it does not reveal whether the page exists."""


class SignInMiddleware:
    """Middleware that redirects to the sign-in page when a view raises `NotSignedIn`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HtmxRequest, exception: Exception) -> HttpResponse | None:
        """Redirect to the sign-in page if a view raised `NotSignedIn`."""
        if not isinstance(exception, NotSignedIn):
            return None
        to_login = redirect_to_login(
            return_address(request, _page_address(request), settings.LOGIN_REDIRECT_URL)
        )
        answer = HttpResponseClientRedirect(to_login.url) if request.htmx else to_login
        add_never_cache_headers(answer)
        return answer


def forbid_caching(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that forbids browsers to cache pages of signed-in users and of clubs.

    At the club's computer the next person must not see them with *Back* after a sign-out. The
    session's cookie shows that a user is signed in; nothing is read for it.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        """Answer with headers that forbid caching for signed-in users."""
        response = get_response(request)
        match = request.resolver_match
        # "": the home page
        is_clubs = match is not None and (match.route or CLUBS[0]).startswith(CLUBS)
        is_signed_in = settings.SESSION_COOKIE_NAME in request.COOKIES
        if is_signed_in or (is_clubs and not response.has_header("Cache-Control")):
            add_never_cache_headers(response)
        return response

    return middleware


def _page_address(request: HtmxRequest) -> str:
    """Return the address of the whole page from which a partial request or a form comes."""
    if request.htmx:
        return request.htmx.current_url or ""
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    return request.headers.get("Referer", "")

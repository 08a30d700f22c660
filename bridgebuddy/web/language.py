"""The language of a page.

The choice on this device comes first, then the browser's languages, then the club's. Directors' own
language is chosen on every device on which they sign in. Paper and the room display use the club's
language, if it has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import resolve_url
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation.trans_real import parse_accept_lang_header

PLAYERS_ADDRESSES = "/p/"


class LanguageMiddleware(LocaleMiddleware):
    """Middleware that activates the reader's language, if this page is offered in it."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language chosen on this device or by the browser."""
        activate_language(request, wanted_language(request) or settings.LANGUAGE_CODE)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Store the user's own language in the cookie if it has changed, and set the response's headers."""
        if language := getattr(request, "own_language", ""):
            remember_language(request, response, language)
        return super().process_response(request, response)


@receiver(user_logged_in)
def use_users_language(request: HttpRequest | None, user: AbstractBaseUser, **rest: Any) -> None:
    """After a sign-in, use the language that the user has chosen on another device.

    Reading it from the account on every page would cost a poll two queries.
    """
    language = getattr(user, "language", "")
    if request is not None and language in dict(settings.LANGUAGES):
        request.own_language = language  # type: ignore[attr-defined]  # read above, on the way out


def remember_language(request: HttpRequest, response: HttpResponseBase, language: str) -> None:
    """Store the chosen language in a cookie; an empty one restores the browser's language."""
    if not language:
        response.delete_cookie(
            settings.LANGUAGE_COOKIE_NAME, path=settings.LANGUAGE_COOKIE_PATH, samesite="Lax"
        )
        return
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        samesite="Lax",
        secure=request.is_secure(),
    )


def wanted_language(request: HttpRequest) -> str:
    """Return the language that a request asks for; empty if no wanted one is offered."""
    languages = offered_languages(request)
    return next((code for code in _requested_languages(request) if code in languages), "")


def _requested_languages(request: HttpRequest) -> Iterator[str]:
    """Yield the languages that a request asks for: the one chosen on this device, then the browser's."""
    yield request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    for asked, _preference in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        yield asked
        yield asked.partition("-")[0]


def activate_language(request: HttpRequest, language: str) -> None:
    """Activate a language for a request and its response; an unknown one changes nothing."""
    if language in dict(settings.LANGUAGES):
        translation.activate(language)
        request.LANGUAGE_CODE = language


def return_address(request: HttpRequest, address: str, otherwise: str) -> str:
    """Return `address` if it belongs to this server, as the page to go back to, else that of the page `otherwise`.

    An address begins with a slash or names its server: a bare word would be taken for a page's
    name.
    """
    hosts = {request.get_host()}
    is_address = address.startswith(("/", "http:", "https:"))
    if is_address and url_has_allowed_host_and_scheme(address, hosts, request.is_secure()):
        return address
    return resolve_url(otherwise)


def offered_languages(request: HttpRequest) -> set[str]:
    """Return the codes of the languages in which the page of a request is offered.

    Directors' pages leave out partial languages, because they would mix two languages.
    """
    languages = {code for code, _name in settings.LANGUAGES}
    is_players = request.path_info.startswith(PLAYERS_ADDRESSES)
    return languages if is_players else languages - settings.PARTIAL_LANGUAGES.keys()


def listed_languages(request: HttpRequest, club: str) -> set[str]:
    """Return the languages for the page's menu; partly translated ones only for their readers or clubs."""
    wanted = {club, *_requested_languages(request)}
    return {
        code
        for code in offered_languages(request)
        if code not in settings.PARTIAL_LANGUAGES or code in wanted
    }

"""Which language a page speaks.

What was chosen on this device comes first, then what the browser asks for, then the club's
language. A director's own language is chosen on every device on which they sign in. Paper and the
room display are the club's: they speak its language if it has one.
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
    """Speaks to everybody in their own language, as far as it is offered."""

    def process_request(self, request: HttpRequest) -> None:
        speak(request, wanted_language(request) or settings.LANGUAGE_CODE)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if language := getattr(request, "own_language", ""):
            remember(request, response, language)
        return super().process_response(request, response)


@receiver(user_logged_in)
def bring_own_language(request: HttpRequest | None, user: AbstractBaseUser, **rest: Any) -> None:
    """Choose on this device what somebody who signs in has chosen on another.

    Reading it from the account for every page would cost a poll two queries.
    """
    language = getattr(user, "language", "")
    if request is not None and language in dict(settings.LANGUAGES):
        request.own_language = language  # type: ignore[attr-defined]  # read above, on the way out


def remember(request: HttpRequest, response: HttpResponseBase, language: str) -> None:
    """Speak a language on this device from now on; with none, what the browser asks for."""
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
    """Return the reader's language; nothing when they want none that is offered here."""
    languages = offered(request)
    return next((code for code in _asked(request) if code in languages), "")


def _asked(request: HttpRequest) -> Iterator[str]:
    """What was chosen on this device, then what its browser asks for, best first."""
    yield request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    for asked, _preference in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        yield asked
        yield asked.partition("-")[0]


def speak(request: HttpRequest, language: str) -> None:
    """Answer a request in a language; no language at all changes nothing."""
    if language in dict(settings.LANGUAGES):
        translation.activate(language)
        request.LANGUAGE_CODE = language


def back_to(request: HttpRequest, address: str, otherwise: str) -> str:
    """Return an address of this server to go back to, or that of a named page.

    An address begins with a slash or names its server: a bare word would be taken for a page's name.
    """
    hosts = {request.get_host()}
    is_address = address.startswith(("/", "http:", "https:"))
    if is_address and url_has_allowed_host_and_scheme(address, hosts, request.is_secure()):
        return address
    return resolve_url(otherwise)


def offered(request: HttpRequest) -> set[str]:
    """Return the languages of a page.

    A language with the players’ pages alone would leave a director with two on one page.
    """
    languages = {code for code, _name in settings.LANGUAGES}
    is_players = request.path_info.startswith(PLAYERS_ADDRESSES)
    return languages if is_players else languages - settings.PARTIAL_LANGUAGES.keys()


def named(request: HttpRequest, club: str) -> set[str]:
    """Return the languages whose names stand on a page: a partial one only for those who want it, or in its club."""
    wanted = {club, *_asked(request)}
    return {
        code
        for code in offered(request)
        if code not in settings.PARTIAL_LANGUAGES or code in wanted
    }

"""Codes cannot be found by trying: wrong ones are counted by address.

A club's phones share one address, so a phone that has once opened a section carries that in a signed
cookie and is let in whatever the others type.
"""

from __future__ import annotations

import time

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

MOST_WRONG_CODES = 60
WITHIN = 600  # seconds
COOKIE = "phone"
COOKIE_AGE = 30 * 24 * 3600  # seconds
COOKIE_PATH = "/p/"
MOST_KNOWN_CODES = 12


def count_wrong_code(request: HttpRequest) -> None:
    """Count a wrong code of this address."""
    cache.set(_key(request), [*_wrong_codes(request), time.time()], WITHIN)


def is_locked_out(request: HttpRequest) -> bool:
    """Whether so many wrong codes came from this address lately that it has to wait."""
    return len(_wrong_codes(request)) >= MOST_WRONG_CODES


def _wrong_codes(request: HttpRequest) -> list[float]:
    """The times of the wrong codes that still count."""
    since = time.time() - WITHIN
    return [at for at in cache.get(_key(request), []) if at > since]


def _key(request: HttpRequest) -> str:
    try:
        address = get_adapter().get_client_ip(request)
    except PermissionDenied:  # behind a socket without a trusted proxy nobody has an address
        address = "unknown"
    return f"wrong-codes:{address}"


def knows(request: HttpRequest, code: str) -> bool:
    """Whether this phone has opened the section of this code before. No query."""
    return code in _known_codes(request)


def remember(request: HttpRequest, response: HttpResponse, *codes: str) -> None:
    """Let this phone come back to the sections of these codes."""
    others = [known for known in _known_codes(request) if known not in codes]
    response.set_signed_cookie(
        COOKIE,
        "-".join([*codes, *others][:MOST_KNOWN_CODES]),
        max_age=COOKIE_AGE,
        path=COOKIE_PATH,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _known_codes(request: HttpRequest) -> list[str]:
    value = request.get_signed_cookie(COOKIE, "", max_age=COOKIE_AGE)
    return value.split("-") if value else []

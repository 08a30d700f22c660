"""Wrong codes are counted per address; a phone that knew a code is never locked out by others."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

MOST_WRONG = 60
WITHIN = 600  # seconds
COOKIE = "bb_section"
COOKIE_AGE = 24 * 3600


def _key(request: HttpRequest) -> str:
    address = get_adapter().get_client_ip(request)
    return f"wrong-codes:{address}".replace(" ", "")


def count_wrong(request: HttpRequest) -> None:
    """Count a wrong code of this address."""
    key = _key(request)
    cache.add(key, 0, WITHIN)
    try:
        cache.incr(key)
    except ValueError:  # it ran out between the two lines
        cache.set(key, 1, WITHIN)


def is_locked_out(request: HttpRequest) -> bool:
    """Whether this address has tried so many wrong codes that it has to wait."""
    return int(cache.get(_key(request), 0)) >= MOST_WRONG


def remember(response: HttpResponse, code: str) -> None:
    """Let this phone come back to this section, whatever others in the same Wi-Fi try."""
    response.set_signed_cookie(COOKIE, code, max_age=COOKIE_AGE, httponly=True, samesite="Lax")


def is_remembered(request: HttpRequest, code: str) -> bool:
    """Whether this phone has opened the section before."""
    return request.get_signed_cookie(COOKIE, "", max_age=COOKIE_AGE) == code

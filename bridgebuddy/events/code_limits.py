"""Codes cannot be found by trying: wrong ones are counted.

A club's phones share one address. So a phone that has once opened a section carries that in a signed
cookie: it is let in there whatever the others type, and its own wrong codes are counted apart. Those of
strangers are counted by their network, and so are those of all known phones together, with far more room:
one code would else be worth any number of phones.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bridgebuddy.clubs.limits import Limit, count_all, network_of

TOO_MANY_TRIES = 429
WITHIN = 600  # seconds
STRANGERS = Limit("wrong codes of a network", 60, WITHIN)
AGAIN = Limit("the same wrong code of a network", 1, WITHIN)
PHONE = Limit("wrong codes of a phone", 60, WITHIN)
PHONES = Limit("wrong codes of a network's phones", 600, WITHIN)
COOKIE = "phone"
COOKIE_AGE = 30 * 24 * 3600  # seconds
COOKIE_PATH = "/p/"
MOST_KNOWN_CODES = 12


def clean_code(typed: str) -> str:
    """Return a code without the spaces and hyphens people put in, in capitals.

    >>> clean_code(" lmd-42x ")
    'LMD42X'
    """
    return "".join(c for c in typed.upper() if c.isascii() and c.isalnum())


def too_many_tries(request: HttpRequest) -> HttpResponse:
    """Return the page that says when to try again."""
    answer = render(request, "429.html", status=TOO_MANY_TRIES)
    answer.headers["Retry-After"] = str(WITHIN)
    return answer


def count_wrong_code(request: HttpRequest, code: str) -> bool:
    """Count a wrong code; return whether it is one more than there may be.

    The same one again is no further guess: a whole club may have read it off an old poster.
    """
    if AGAIN.count(f"{network_of(request)} {code}"):
        return False
    return count_all(_limits(request))


def is_locked_out(request: HttpRequest) -> bool:
    """Whether so many wrong codes came from there lately that whoever asks has to wait."""
    return any(limit.is_reached(who) for limit, who in _limits(request))


def _limits(request: HttpRequest) -> list[tuple[Limit, str]]:
    network = network_of(request)
    if not _known_codes(request):
        return [(STRANGERS, network)]
    return [(PHONE, request.COOKIES[COOKIE]), (PHONES, network)]


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

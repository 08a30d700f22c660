"""Protection of codes against guessing: wrong codes are counted.

A club's phones share one address. So a phone that has opened a section carries that in a signed cookie. It is always
let in there, and its wrong codes are counted separately. Wrong codes of unknown phones are counted by network. Those
of all known phones together are counted too, with a much higher limit; otherwise one code would be worth any number
of phones.

A network with too many tries is slowed down, not locked out, because a player in it may have just arrived. One
unknown phone a second is answered, and the page of the others retries by itself. That is as many tries as known
phones have.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bridgebuddy.clubs.sign_in.limits import AttemptLimit, count_all, site_of

TOO_MANY_TRIES = 429
WITHIN = 600  # seconds
STRANGERS = AttemptLimit("wrong codes of a network", 60, WITHIN)
TURN = AttemptLimit("a turn of a network", 1, 1)
SECONDS_TO_NEXT = 3  # until the waiting page asks again
AGAIN = AttemptLimit("the same wrong code of a network", 1, WITHIN)
PHONE = AttemptLimit("wrong codes of a phone", 60, WITHIN)
PHONES = AttemptLimit("wrong codes of a network's phones", 600, WITHIN)
COOKIE = "phone"
COOKIE_AGE = 30 * 24 * 3600  # seconds
COOKIE_PATH = "/p/"
MOST_KNOWN_CODES = 12


def clean_code(code: str) -> str:
    """Return a typed section code in capitals, without spaces and hyphens.

    >>> clean_code(" lmd-42x ")
    'LMD42X'
    """
    return "".join(c for c in code.upper() if c.isascii() and c.isalnum())


def too_many_tries(request: HttpRequest) -> HttpResponse:
    """Return the page that says when the client may enter a code again; on a waiting phone it retries by itself."""
    waits = getattr(request, "waits_for_turn", False)
    answer = render(request, "429.html", {"waits": waits}, status=TOO_MANY_TRIES)
    answer.headers["Retry-After"] = str(SECONDS_TO_NEXT if waits else WITHIN)
    if waits and request.method == "GET":
        answer.headers["Refresh"] = str(SECONDS_TO_NEXT)
    return answer


def count_wrong_code(request: HttpRequest, code: str) -> bool:
    """Count a wrong section code against its client and network. Return whether a limit is exceeded.

    Repeating the same code is no further guess: a whole club may have read it off an old poster.
    """
    if AGAIN.count(f"{site_of(request)} {code}"):
        return False
    is_one_more = count_all(_limits_of_request(request))
    if is_one_more and not _known_codes(request):
        return not getattr(request, "has_turn", False) and _has_to_wait(request)
    return is_one_more


def is_locked_out(request: HttpRequest) -> bool:
    """Return whether the client must wait because of its recent wrong section codes."""
    is_reached = any(limit.is_reached(client) for limit, client in _limits_of_request(request))
    if is_reached and not _known_codes(request):
        return _has_to_wait(request)
    return is_reached


def _has_to_wait(request: HttpRequest) -> bool:
    """Return whether the client must wait: one unknown phone of a network is answered at a time."""
    waits = TURN.count(site_of(request))  # one turn for all its networks
    request.waits_for_turn, request.has_turn = waits, not waits  # type: ignore[attr-defined]
    return waits


def _limits_of_request(request: HttpRequest) -> list[tuple[AttemptLimit, str]]:
    """Return the limits of wrong codes that apply to a request, each with its counter's key."""
    if not _known_codes(request):
        return STRANGERS.limits_of_network(request)
    return [(PHONE, request.COOKIES[COOKIE]), *PHONES.limits_of_network(request)]


def has_opened_before(request: HttpRequest, code: str) -> bool:
    """Return whether this phone's cookie says that it has opened the section with this code. No query."""
    return code in _known_codes(request)


def remember_codes(request: HttpRequest, response: HttpResponse, *codes: str) -> None:
    """Store the section codes in this phone's cookie, so that limits of wrong codes do not lock it out of them."""
    others = [former for former in _known_codes(request) if former not in codes]
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
    """Return the section codes in this phone's cookie."""
    value = request.get_signed_cookie(COOKIE, "", max_age=COOKIE_AGE)
    return value.split("-") if value else []

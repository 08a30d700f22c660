"""A request as it reaches a view, with what the middleware has put into it; an answer that is one phone's own.

Numbers are read from addresses here: of a round, a table, a line.
"""

from __future__ import annotations

from hashlib import blake2b

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from movements.http import HtmxRequest

__all__ = ["HtmxRequest", "everybodys", "private", "read_number"]

#: of the number of a round or a table; others say what they need
MOST_DIGITS = 3


def read_number(asked: str | None, most_digits: int = MOST_DIGITS) -> int | None:
    """Read a whole number that somebody sent; None where it is none, or longer than any of ours."""
    if not asked or not (asked.isascii() and asked.isdigit()) or len(asked) > most_digits:
        return None
    return int(asked)


def private(response: HttpResponse) -> HttpResponse:
    """Let only the phone itself keep an answer, and ask before it shows it again."""
    patch_cache_control(response, private=True, no_cache=True)
    return response


def everybodys(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let caches between keep an answer that is the same for everybody, and ask before they show it again.

    So it is sent once, and nobody gets it any more once it was taken back. Whoever has a cookie may have chosen
    something, a language for one: such an answer only their browser keeps.
    """
    if response.status_code != 200:
        return private(response)
    whose = {"private": True} if request.COOKIES else {"public": True}
    patch_cache_control(response, **whose, no_cache=True)
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    etag = f'"{blake2b(response.content, digest_size=12).hexdigest()}"'
    response.headers["ETag"] = etag
    answer = get_conditional_response(request, etag=etag, response=response)
    assert isinstance(answer, HttpResponse)
    return answer

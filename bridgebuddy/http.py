"""A request as it reaches a view, with what the middleware has put into it; an answer that is one phone's own.

Numbers are read from addresses here: of a round, a table, a line.
"""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.cache import patch_cache_control

from movements.http import HtmxRequest

__all__ = ["HtmxRequest", "private", "read_number"]

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

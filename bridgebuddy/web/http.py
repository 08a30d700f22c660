"""Types of requests with the attributes that middleware adds, and helpers for caching answers.

Numbers in addresses (a round, a table, a line) are read here.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from movements.http import HtmxRequest

__all__ = [
    "MOST_DIGITS_OF_A_KEY",
    "HtmxRequest",
    "answer_with_etag",
    "compact_page",
    "mark_private",
    "mark_public",
    "read_number",
]

#: of the number of a round or a table; others say what they need
MOST_DIGITS = 3
#: of a key, which a database stores in 64 bits
MOST_DIGITS_OF_A_KEY = 18
INDENTATION = re.compile(rb"\n\s+")
SHOWS_SPACES = (b"<pre", b"<textarea")


def read_number(text: str | None, most_digits: int = MOST_DIGITS) -> int | None:
    """Return the whole number in a query parameter; None if it is no number, or has too many digits."""
    if not text or not (text.isascii() and text.isdigit()) or len(text) > most_digits:
        return None
    return int(text)


def mark_private(response: HttpResponse) -> HttpResponse:
    """Allow only the reader's browser to cache a response, with revalidation."""
    patch_cache_control(response, private=True, no_cache=True)
    return response


def compact_page(response: HttpResponse) -> HttpResponse:
    """Remove indentation and empty lines from a page's HTML, which every phone would download.

    A page with an element that shows them is left as it is, and so is everything that is no HTML.
    """
    is_page = response.get("Content-Type", "").startswith("text/html")
    if is_page and not any(element in response.content for element in SHOWS_SPACES):
        response.content = INDENTATION.sub(b"\n", response.content)
    return response


def mark_public(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Allow shared caches to store a response that is the same for all readers, with revalidation.

    It is transferred once, and no longer shown after it is withdrawn. A reader with cookies may have chosen a
    language, for example, so only their browser may cache the answer.
    """
    if response.status_code != 200:
        return mark_private(response)
    whose = {"private": True} if request.COOKIES else {"public": True}
    patch_cache_control(response, **whose, no_cache=True)
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return answer_with_etag(request, response)


def answer_with_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add an ETag to a response, and answer 304 to a reader that has it already."""
    etag = f'"{blake2b(response.content, digest_size=12).hexdigest()}"'
    response.headers["ETag"] = etag
    answer = get_conditional_response(request, etag=etag, response=response)
    assert isinstance(answer, HttpResponse)
    return answer

"""Limits of requests: their size and their character encoding.

Oversized requests would fill the disk or fail before the sender's rights are checked.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

#: slightly too large pictures and lists still get an error beside their field
MOST_BYTES = 10_000_000
TOO_LARGE, OTHER_LETTERS = 413, 415
#: the encodings of browsers' forms; the program reads no others
LETTERS = {"", "utf-8", "utf8", "us-ascii"}

View = Callable[[HttpRequest], HttpResponse]


def limit_upload_size(get_response: View) -> View:
    """Middleware that refuses requests far larger than any form, before it reads them.

    The CSRF check already reads the whole body, for any sender and address. Django takes a body
    without a length as empty.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        """Refuse requests that are too large."""
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isascii() and length.isdigit() and int(length[:20]) > MOST_BYTES:
            return render(request, "413.html", status=TOO_LARGE)
        return get_response(request)

    return middleware


def refuse_other_encodings(get_response: View) -> View:
    """Middleware that refuses forms in a character encoding that browsers do not use, before it reads them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        """Refuse forms in other encodings than UTF-8."""
        charset = (request.content_params or {}).get("charset", "")
        if charset:
            request.encoding = "utf-8"  # Django reads no form that names it otherwise
        if charset.strip("\"' ").lower() not in LETTERS:
            return render(request, "415.html", status=OTHER_LETTERS)
        return get_response(request)

    return middleware

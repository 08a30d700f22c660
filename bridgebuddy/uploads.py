"""What is sent may not be endless, nor in letters nobody reads.

It would fill the disk, or fail in whatever reads it, before anybody looks at who sends it.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

#: pictures and lists that are a little too large are still told so beside their field
MOST_BYTES = 10_000_000
TOO_LARGE, OTHER_LETTERS = 413, 415
#: in which browsers send forms; the program reads no others
LETTERS = {"", "utf-8", "utf8", "us-ascii"}

View = Callable[[HttpRequest], HttpResponse]


def limited_uploads(get_response: View) -> View:
    """Refuse, unread, what is far larger than anything a form takes.

    Looking for the form's token already reads everything, whoever sends it and wherever to. What comes
    without its length is taken as empty by Django itself.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isascii() and length.isdigit() and int(length[:20]) > MOST_BYTES:
            return render(request, "413.html", status=TOO_LARGE)
        return get_response(request)

    return middleware


def readable_letters(get_response: View) -> View:
    """Refuse, unread, what says that its letters are other ones than those of every browser's forms."""

    def middleware(request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "")
        if charset.strip("\"' ").lower() not in LETTERS:
            request.encoding = "utf-8"
            return render(request, "415.html", status=OTHER_LETTERS)
        return get_response(request)

    return middleware

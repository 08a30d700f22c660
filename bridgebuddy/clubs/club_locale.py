"""A club's format of numbers and times, set when a request finds its club.

The format of pair numbers (`movements.words.numbers`) and the time zone hold until the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from bridgebuddy.web.language import activate_language, wanted_language
from movements.words.numbers import number_in_hundreds, numbered_in_hundreds

from .models import Club

View = Callable[[HttpRequest], HttpResponse]


def use_club_formats(club: Club) -> None:
    """Format numbers and times as a club does for the rest of this request."""
    number_in_hundreds(club.numbers_in_hundreds)
    timezone.activate(club.zone)


def use_reader_language(request: HttpRequest, club: Club) -> None:
    """Answer this request in the reader's language, or in the club's if the reader has chosen none."""
    if not wanted_language(request):
        activate_language(request, club.language)


@contextmanager
def in_club_formats(club: Club) -> Iterator[None]:
    """Context manager in which texts, numbers and times are in the club's language and formats."""
    use_club_formats(club)
    with translation.override(club.language or settings.LANGUAGE_CODE):
        yield


def reset_club_formats(get_response: View) -> View:
    """Middleware that starts every request with the default formats, whatever the request before it used."""

    def middleware(request: HttpRequest) -> HttpResponse:
        """Answer a request without the number formats and time zone of an earlier one."""
        with numbered_in_hundreds(False), timezone.override(None):
            return get_response(request)

    return middleware

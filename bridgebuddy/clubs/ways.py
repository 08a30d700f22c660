"""How a club writes numbers and times, said once where a request finds whose page it is.

Its pairs' numbers (`movements.words.numbers`) and its clocks hold for all that is read and shown until the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from bridgebuddy.language import speak, wanted_language
from movements.words.numbers import number_in_hundreds, numbered_in_hundreds

from .models import Club

View = Callable[[HttpRequest], HttpResponse]


def as_written_by(club: Club) -> None:
    """Write numbers and times as a club does, from now on in this request."""
    number_in_hundreds(club.numbers_in_hundreds)
    timezone.activate(club.zone)


def speak_as(request: HttpRequest, club: Club) -> None:
    """Answer in the language that whoever asks wants, else in the club's."""
    if not wanted_language(request):
        speak(request, club.language)


@contextmanager
def written_by(club: Club) -> Iterator[None]:
    """Write to somebody as a club does, and in its language."""
    as_written_by(club)
    with translation.override(club.language or settings.LANGUAGE_CODE):
        yield


def ways_of_no_club(get_response: View) -> View:
    """Begin every request with NS 3 and the server's clock, whatever the club of the one before it has."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with numbered_in_hundreds(False), timezone.override(None):
            return get_response(request)

    return middleware

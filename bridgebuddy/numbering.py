"""How a club numbers its pairs, said once where a request finds its section (`movements.words.numbers`)."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from movements.words.numbers import numbered_in_hundreds

View = Callable[[HttpRequest], HttpResponse]


def numbers_of_no_club(get_response: View) -> View:
    """Begin every request with NS 3 and EW 3, whatever the club of the one before it has."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with numbered_in_hundreds(False):
            return get_response(request)

    return middleware

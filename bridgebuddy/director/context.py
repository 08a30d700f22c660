"""What every page of a director has at its top."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from .sessions.home import chosen_club, directed_clubs


def club(request: HttpRequest) -> dict[str, object]:
    """Give pages that are no club's own, such as the library, the club to lead back to."""

    def find() -> object:
        clubs = directed_clubs(request.user) if request.user.is_authenticated else []
        return chosen_club(request, clubs) if clubs else None

    return {"club": SimpleLazyObject(find)}

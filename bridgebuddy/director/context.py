"""The context of every director's page: its header."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from bridgebuddy.clubs.roles import Rights

from .sessions.home import chosen_club, own_clubs


def current_club(request: HttpRequest) -> dict[str, object]:
    """Template context processor: the user's chosen club and rights, for pages that belong to no club."""

    def find_club() -> object:
        """Return the club that the user has chosen; None without a club."""
        clubs = own_clubs(request.user) if request.user.is_authenticated else []
        return chosen_club(request, clubs) if clubs else None

    club = SimpleLazyObject(find_club)

    def rights() -> Rights:
        """Return the reader's rights in the page's club, or in their own on a page of no club."""
        return getattr(request, "rights", None) or (club.rights if club else Rights())

    return {"club": club, "rights": SimpleLazyObject(rights)}

"""Access to a club's pages by permission. For users without it the club does not exist."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from bridgebuddy.web.sign_in import NotSignedIn

from .club_locale import use_club_formats
from .models import Club, Membership
from .rules import (
    BELONG,
    DIRECT,
    KEEP_MEMBERS,
    KEEP_MONEY,
    READ_MEMBERS,
    permissions_of,
    rights_of,
)


def club_for(request: HttpRequest, pk: int, permission: str) -> Club:
    """Return a club in which the user has a permission of `rules`.

    Raises `NotSignedIn`, whatever the club, and `Http404` for all other users.
    """
    if not request.user.is_authenticated:
        raise NotSignedIn()
    club = Club.objects.filter(pk=pk).first()
    if club is None or not reader_may(request, permission, club):
        raise Http404("no such club")
    use_club_formats(club)
    return club


def reader_may(request: HttpRequest, permission: str, club: Club) -> bool:
    """Return whether a signed-in user has a permission in a club. One query.

    The page and its club learn all rights of the user there, for their links.
    """
    membership = Membership.objects.filter(club=club, user=request.user.pk).first()
    club.rights = request.rights = rights_of(membership)  # type: ignore[attr-defined]
    return permission in permissions_of(membership)


def club_for_director(request: HttpRequest, pk: int) -> Club:
    """Return a club that the user directs, as `club_for` does."""
    return club_for(request, pk, DIRECT)


def club_for_secretary(request: HttpRequest, pk: int) -> Club:
    """Return a club whose members and calendar the user keeps, as `club_for` does."""
    return club_for(request, pk, KEEP_MEMBERS)


def club_for_member_list(request: HttpRequest, pk: int) -> Club:
    """Return a club whose list of members the user may read, as `club_for` does."""
    return club_for(request, pk, READ_MEMBERS)


def club_for_treasurer(request: HttpRequest, pk: int) -> Club:
    """Return a club whose money the user keeps, as `club_for` does."""
    return club_for(request, pk, KEEP_MONEY)


def club_for_member(request: HttpRequest, pk: int) -> Club:
    """Return a club to which the user belongs, as `club_for` does."""
    return club_for(request, pk, BELONG)

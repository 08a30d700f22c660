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


def club_with_permission(request: HttpRequest, pk: int, permission: str) -> Club:
    """Return the club `pk` if the user has `permission` there (see `clubs.rules`); refuse other users.

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
    """Return whether the signed-in user of a request has `permission` in a club. One query.

    The page and its club learn all rights of the user there, for their links.
    """
    membership = Membership.objects.filter(club=club, user=request.user.pk).first()
    club.rights = request.rights = rights_of(membership)  # type: ignore[attr-defined]
    return permission in permissions_of(membership)


def club_for_director(request: HttpRequest, pk: int) -> Club:
    """Return the club `pk` for a user who directs it; refuse other users, as `club_with_permission` does."""
    return club_with_permission(request, pk, DIRECT)


def club_for_secretary(request: HttpRequest, pk: int) -> Club:
    """Return the club `pk` for a user who may edit its members and calendar; refuse others, as `club_with_permission` does."""
    return club_with_permission(request, pk, KEEP_MEMBERS)


def club_for_member_list(request: HttpRequest, pk: int) -> Club:
    """Return the club `pk` for a user who may read its list of members; refuse others, as `club_with_permission` does."""
    return club_with_permission(request, pk, READ_MEMBERS)


def club_for_treasurer(request: HttpRequest, pk: int) -> Club:
    """Return the club `pk` for a user who keeps its table money; refuse others, as `club_with_permission` does."""
    return club_with_permission(request, pk, KEEP_MONEY)


def club_for_member(request: HttpRequest, pk: int) -> Club:
    """Return the club `pk` for a user who is a member of it; refuse others, as `club_with_permission` does."""
    return club_with_permission(request, pk, BELONG)

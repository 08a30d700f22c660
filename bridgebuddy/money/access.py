"""Access to table money: whose it is to keep, and the club whose accounts a user may read."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from bridgebuddy.clubs.club_locale import as_written_by
from bridgebuddy.clubs.models import Club
from bridgebuddy.web.sign_in import NotSignedIn

#: the permission to keep accounts and months; payments of a session are ticked by all who run it
KEEP_MONEY = "clubs.direct"


def may_keep_money(request: HttpRequest, club: Club) -> bool:
    """Return whether the user keeps the accounts of a club."""
    return bool(request.user.has_perm(KEEP_MONEY, club))


def club_for_treasurer(request: HttpRequest, pk: int) -> Club:
    """Return a club whose money the user keeps. Raises `NotSignedIn`, or `Http404` for all others."""
    if not request.user.is_authenticated:
        raise NotSignedIn()
    club = Club.objects.filter(pk=pk).first()
    if club is None or not may_keep_money(request, club):
        raise Http404("no such club")
    as_written_by(club)
    return club

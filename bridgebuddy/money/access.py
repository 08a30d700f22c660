"""Access to table money: a session's payments, and the accounts and months of a club."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.rules import KEEP_MONEY
from bridgebuddy.events.access import section_for_director
from bridgebuddy.events.models import Section


def may_keep_money(request: HttpRequest, club: Club) -> bool:
    """Return whether the user may edit the prices, accounts and monthly sheets of a club."""
    return bool(request.user.has_perm(KEEP_MONEY, club))


def section_for_payments(request: HttpRequest, code: str) -> Section:
    """Return the section `code` for a user who runs its session or keeps the money of its club.

    Raises `NotSignedIn`, `SessionDeleted`, and `Http404` for all other users.
    """
    try:
        return section_for_director(request, code)
    except Http404:
        return section_for_director(request, code, may=KEEP_MONEY)

"""A club's equipment, which limits suggestions."""

from __future__ import annotations

from bridgebuddy.clubs.models import Club
from bridgebuddy.planning.models import Owned


def owned_by(club: Club) -> Owned:
    """Return the equipment of a club; without limits if it is unknown."""
    return Owned.objects.filter(club=club).first() or Owned(club=club)

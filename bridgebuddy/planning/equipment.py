"""A club's equipment, which limits suggestions."""

from __future__ import annotations

from bridgebuddy.clubs.models import Club
from bridgebuddy.planning.models import Equipment


def club_equipment(club: Club) -> Equipment:
    """Return the equipment of a club; without limits if it is unknown."""
    return Equipment.objects.filter(club=club).first() or Equipment(club=club)

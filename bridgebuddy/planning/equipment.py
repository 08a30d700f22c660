"""A club's equipment, which limits suggestions."""

from __future__ import annotations

from bridgebuddy.clubs.models import Club
from bridgebuddy.planning.models import Equipment


def club_equipment(club: Club) -> Equipment:
    """Return a club's equipment (tables, board sets, bidding boxes); an unsaved row without limits if unknown."""
    return Equipment.objects.filter(club=club).first() or Equipment(club=club)

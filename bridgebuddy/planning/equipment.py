"""What a club owns: it bounds what is suggested."""

from __future__ import annotations

from bridgebuddy.clubs.models import Club
from bridgebuddy.planning.models import Owned


def owned_by(club: Club) -> Owned:
    """Return what a club has said that it owns; where it has said nothing, nothing is bounded."""
    return Owned.objects.filter(club=club).first() or Owned(club=club)

"""The lock of a club's money: every change of the ledger waits for the one before it."""

from __future__ import annotations

from bridgebuddy.clubs.models import Club

from ..errors import MoneyIsOff
from ..models import MoneySettings


def lock_money(club: Club | int, *, must_be_on: bool = True) -> MoneySettings:
    """Return the settings of a club's money, locked until the transaction ends. Raises `MoneyIsOff`."""
    key = club if isinstance(club, int) else club.pk
    settings = (
        MoneySettings.objects.select_for_update(of=("self",))
        .select_related("club")
        .filter(club=key)
        .first()
    )
    if settings is None or (must_be_on and not settings.is_on):
        raise MoneyIsOff()
    return settings

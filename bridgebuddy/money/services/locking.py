"""The lock of a club's money: every change of the ledger waits for the one before it."""

from __future__ import annotations

from collections.abc import Iterable

from bridgebuddy.clubs.models import Club, Person

from ..errors import MoneyIsOff
from ..models import MoneySettings


def lock_money(
    club: Club | int, *, people: Iterable[int] = (), must_be_on: bool = True
) -> MoneySettings:
    """Lock and return a club's money settings until the transaction ends. Raises `MoneyIsOff`.

    `people` are the keys of those whose accounts may be opened. They are locked first: a merge has its people locked
    before it asks for the money, so the other order could deadlock.
    """
    if keys := sorted(people):
        list(Person.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))
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

"""Changes of the price list, and turning table money on and off."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Club, User
from bridgebuddy.events.models import Session

from ..errors import CurrencyInUse
from ..models import MoneyEntry, MoneySettings, SeriesPrices, SessionMoney
from ..queries.accounts import has_ledger_entries
from ..rules.currencies import currency_of_zone
from ..rules.ledger import Prices
from .entries import open_session_money
from .locking import lock_money

#: fields of the price list that a form may change
CHANGEABLE = (
    *("members", "visitors", "youth", "currency", "youth_category", "free_category"),
    *("overdraft", "cash_float"),
)


@transaction.atomic
def turn_on_money(club: Club, *, by: User) -> MoneySettings:
    """Turn table money on for a club. Sessions before today are not to be paid, unless it was on before."""
    Club.objects.select_for_update().get(pk=club.pk)
    settings, _is_new = MoneySettings.objects.get_or_create(
        club=club, defaults={"currency": currency_of_zone(club.time_zone)}
    )
    if not settings.is_on:
        settings.is_on = True
        settings.since = settings.since or club.today
        settings.save()
        add_record("club.money_on", club, by=by)
    return settings


@transaction.atomic
def turn_off(club: Club, *, by: User) -> None:
    """Turn table money off for a club. Ledger, accounts and counts are kept for turning it on again."""
    settings = lock_money(club, must_be_on=False)
    if settings.is_on:
        settings.is_on = False
        settings.save(update_fields=["is_on"])
        add_record("club.money_off", club, by=by)


@transaction.atomic
def store_settings(club: Club, values: dict[str, object], *, by: User) -> MoneySettings:
    """Store the prices and currency of a club. Sessions whose prices are stored keep theirs.

    Raises `CurrencyInUse` if the ledger has entries in another currency.
    """
    settings = lock_money(club, must_be_on=False)
    before = {field: getattr(settings, field) for field in CHANGEABLE}
    after = before | {field: value for field, value in values.items() if field in CHANGEABLE}
    if after["currency"] != before["currency"] and has_ledger_entries(club):
        raise CurrencyInUse()
    if after != before:
        for field, value in after.items():
            setattr(settings, field, value)
        settings.save()
        add_record("club.money_prices", club, by=by, before=before, after=after)
    return settings


@transaction.atomic
def set_prices(session: Session, prices: Prices, *, for_series: bool = False, by: User) -> None:
    """Set the prices of a session, or of the series of its event.

    What is paid keeps its price. For a series, later sessions that nobody has paid for follow.
    """
    settings = lock_money(session.event.club_id)
    tables: list[SessionMoney | SeriesPrices] = [open_session_money(session, settings)]
    if for_series:
        tables.append(SeriesPrices.objects.get_or_create(event=session.event)[0])
        later = SessionMoney.objects.filter(
            session__event=session.event_id, session__date__gt=session.date
        )
        paid = MoneyEntry.objects.filter(session_money__in=later).values("session_money")
        tables += later.exclude(pk__in=paid)
    changed = [table for table in tables if table.prices != prices]
    if not changed:
        return
    for table in changed:
        table.members, table.visitors, table.youth = prices.members, prices.visitors, prices.youth
        table.save(update_fields=["members", "visitors", "youth"])
    add_record(
        "club.money_session",
        settings.club,
        by=by,
        session=session.event.name,
        date=session.date.isoformat(),
        series=for_series,
        amounts=[prices.members, prices.visitors, prices.youth],
    )

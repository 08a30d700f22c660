"""Services of table money: each with its arguments and the owners of its rows; see test_guards.py.

No section counts anything of money, and no list of results is touched by it.
"""

from datetime import timedelta

from django.utils import timezone

from bridgebuddy.money.models import DOOR_KEYS, MoneySettings
from bridgebuddy.money.rules.ledger import EntryKind, Prices
from bridgebuddy.money.services import accounts, cash, payments, settings

from .scene import row

LEDGER = "MoneyAccount MoneyEntry"


def kept(s):
    """The session of a club that keeps table money."""
    MoneySettings.objects.create(
        club=s.club, is_on=True, currency="EUR", members=500, visitors=800, overdraft=1000
    )
    return {"session": s.section.session, "by": s.by}


def of_player(s, **asked):
    """A player of a club that keeps table money."""
    return {"person": s.player, "by": kept(s)["by"], "key": "k", **asked}


def paid(s, **asked):
    """Return the session of a player who has paid at the door."""
    session = kept(s)
    payments.record_other_payments(**session, people=[s.player.pk], key=f"{DOOR_KEYS}k")
    return session | asked


MONEY = [
    row(
        settings.turn_on_money,
        lambda s: {"club": s.club, "by": s.by},
        "MoneySettings",
        records="club.money_on",
    ),
    row(
        settings.turn_off,
        lambda s: {"club": s.club, "by": kept(s)["by"]},
        "MoneySettings",
        records="club.money_off",
    ),
    row(
        settings.store_settings,
        lambda s: {"club": s.club, "values": {"members": 600}, "by": kept(s)["by"]},
        "MoneySettings",
        records="club.money_prices",
    ),
    row(
        settings.set_prices,
        lambda s: kept(s) | {"prices": Prices(600, 900, 0), "for_series": True},
        "SessionMoney SeriesPrices",
        records="club.money_session",
    ),
    row(
        payments.record_payment,
        lambda s: (
            kept(s) | {"person": s.player.pk, "how": EntryKind.ACCOUNT, "seen": 0, "key": "k"}
        ),
        f"{LEDGER} SessionMoney",
    ),
    row(
        payments.record_other_payments,
        lambda s: kept(s) | {"people": [s.player.pk], "key": "k"},
        f"{LEDGER} SessionMoney",
    ),
    row(
        payments.take_back_recent,
        lambda s: paid(
            s,
            people=[s.player.pk],
            since=timezone.now() - timedelta(minutes=5),
            prefix=DOOR_KEYS,
            key="k",
        ),
        "MoneyEntry",
    ),
    row(payments.refund_session, lambda s: paid(s, key="k"), "MoneyEntry"),
    row(accounts.store_payment, lambda s: of_player(s, amount=5000), LEDGER),
    row(
        accounts.store_correction,
        lambda s: of_player(s, amount=-350, reason="counted twice"),
        LEDGER,
    ),
    row(
        accounts.store_terms,
        lambda s: (
            {"person": s.player, "overdraft": 250, "price_class": "youth"} | {"by": kept(s)["by"]}
        ),
        "MoneyAccount",
        records="club.money_terms",
    ),
    row(
        cash.count_cash,
        lambda s: kept(s) | {"at_start": 100, "pieces": [(200, 2)], "rest": 5, "after_version": 0},
        "CashCount SessionMoney",
    ),
]

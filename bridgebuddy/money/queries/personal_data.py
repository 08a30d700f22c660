"""A person's account in exported form."""

from __future__ import annotations

from typing import Any

from bridgebuddy.clubs.models import Person

from ..models import MoneyAccount, MoneyEntry, MoneySettings, session_day
from ..rules.currencies import to_decimal
from ..rules.ledger import EntryKind, balance_change
from .accounts import account_of


def money_tables(person: Person) -> dict[str, list[dict[str, Any]]]:
    """Return the table of a person's ledger entries, for the export of personal data.

    Amounts are in the currency's main unit; `balance` is what the entry adds to the account.
    """
    account = account_of(person)
    settings = MoneySettings.objects.filter(club=person.club_id).first()
    if account is None or settings is None:
        return {"money": []}
    entries = MoneyEntry.objects.filter(account__in=_account_keys(account))
    currency = settings.currency
    return {
        "money": [
            {
                "day": entry.day,
                "session": _session_text(entry),
                "kind": entry.kind,
                "amount": to_decimal(entry.amount, currency),
                "balance": to_decimal(
                    balance_change(EntryKind(entry.kind), entry.amount), currency
                ),
                "currency": currency,
                "reason": entry.reason_text,
            }
            for entry in entries.select_related("session_money__session__event").order_by("pk")
        ]
    }


def _account_keys(account: MoneyAccount) -> list[int]:
    """Return the primary keys of an account and of all accounts that were merged into it."""
    keys, waiting = [account.pk], [account.pk]
    while waiting:
        merged = MoneyAccount.objects.filter(merged_into__in=waiting)
        waiting = list(merged.values_list("pk", flat=True))
        keys += waiting
    return keys


def _session_text(entry: MoneyEntry) -> str:
    """Return the name and date of a ledger entry's session; empty without a session."""
    money = entry.session_money
    if money is None:
        return ""
    name = money.session.event.name if money.session else money.name
    return f"{name}, {session_day(money)}"

"""Accounts: balances, the entries of an account, and all accounts together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Sum

from bridgebuddy.clubs.models import Club, Person

from ..models import MoneyAccount, MoneyEntry, MoneySettings
from ..rules.ledger import EntryKind, balance_change


@dataclass(frozen=True)
class AccountEntry:
    """A ledger entry of an account with the balance after it."""

    entry: MoneyEntry
    change: int
    balance: int


def account_balances(accounts: Iterable[MoneyAccount]) -> dict[int, int]:
    """Return the balances of some accounts by primary key, as sums of their ledger entries."""
    keys = [account.pk for account in accounts]
    balances = dict.fromkeys(keys, 0)
    sums = MoneyEntry.objects.filter(account__in=keys).order_by().values("account", "kind")
    for row in sums.annotate(sum=Sum("amount")):
        balances[row["account"]] += balance_change(EntryKind(row["kind"]), int(row["sum"]))
    return balances


def balance_of(account: MoneyAccount) -> int:
    """Return the balance of an account, the sum of its ledger entries."""
    return account_balances([account])[account.pk]


def account_of(person: Person) -> MoneyAccount | None:
    """Return the account of a person; None if there is none yet."""
    return MoneyAccount.objects.filter(person=person).first()


def balance_with_currency(person: Person) -> tuple[int, str]:
    """Return the balance of a person and its currency; 0 and "" without an account."""
    account = account_of(person)
    settings = MoneySettings.objects.filter(club=person.club_id).first() if account else None
    if account is None or settings is None:
        return 0, ""
    return balance_of(account), settings.currency


def allowed_overdraft(account: MoneyAccount | None, settings: MoneySettings) -> int:
    """Return how far an account may go below zero: its own limit or the club's."""
    if account is None or account.overdraft is None:
        return settings.overdraft
    return account.overdraft


def account_entries(account: MoneyAccount) -> list[AccountEntry]:
    """Return the ledger entries that changed an account's balance, newest first, each with the balance after it."""
    lines, balance = [], 0
    entries = MoneyEntry.objects.filter(account=account).select_related(
        "session_money__session", "other__person"
    )
    for entry in entries.order_by("pk"):
        change = balance_change(EntryKind(entry.kind), entry.amount)
        if change:
            balance += change
            lines.append(AccountEntry(entry, change, balance))
    return lines[::-1]


def open_balances(club: Club) -> list[tuple[MoneyAccount, int]]:
    """Return the accounts of a club whose balance is not zero, by name."""
    accounts = accounts_with_balances(club)
    return [(account, balance) for account, balance in accounts if balance]


def accounts_with_balances(club: Club) -> list[tuple[MoneyAccount, int]]:
    """Return all accounts of a club's people with their balances, by surname. Two queries."""
    owned = MoneyAccount.objects.filter(club=club).select_related("person").order_by()
    people = [(account.person, account) for account in owned if account.person]
    people.sort(key=lambda owner: owner[0].listed_order)
    accounts = [account for _person, account in people]
    balances = account_balances(accounts)
    return [(account, balances[account.pk]) for account in accounts]


def has_ledger_entries(club: Club) -> bool:
    """Return whether the ledger of a club has entries. One query."""
    return MoneyEntry.objects.filter(club=club).exists()

"""Entries of an account in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from bridgebuddy.clubs.models import Person

from .models import MoneyEntry
from .queries.accounts import AccountEntry, account_entries, account_of
from .queries.prices import active_settings
from .rules.ledger import EntryKind


@dataclass(frozen=True)
class AccountEntryText:
    """A ledger entry of an account as text for a page."""

    day: date
    title: str
    notes: tuple[str, ...]
    change: int
    balance: int


def account_entry_text(line: AccountEntry) -> AccountEntryText:
    """Return a ledger entry as text, with its reason and the user who stored it."""
    entry = line.entry
    money = entry.session_money
    name = (money.session.event.name if money.session else money.name) if money else ""
    kind = EntryKind(entry.kind)
    notes = [entry.reason_text, entry.by_name if kind is not EntryKind.ACCOUNT else ""]
    match kind:
        case EntryKind.ACCOUNT:
            title = name if entry.amount > 0 else _("%(name)s, taken back") % {"name": name}
        case EntryKind.PAY_IN:
            title = _("Paid in, cash") if entry.amount > 0 else _("Paid out, cash")
        case EntryKind.TRANSFER:
            title = _("Paid in, transfer") if entry.amount > 0 else _("Paid out, transfer")
        case EntryKind.REFUND:
            title = _("%(name)s, cash credited") % {"name": name}
        case EntryKind.MERGE:
            title = _("Balance of the same person’s other account")
        case _:
            title = _("Correction")
    return AccountEntryText(
        entry.day, title, tuple(note for note in notes if note), line.change, line.balance
    )


#: the newest entries on a person's own page
ON_OWN_PAGE = 12


@dataclass(frozen=True)
class OwnMoney:
    """A person's money account as shown on the player's personal page."""

    balance: int
    currency: str
    lines: list[AccountEntryText]


def has_own_money(person: str) -> Exists:
    """Return a database condition (`Exists`) that is true for people with a money account to show.

    `person` is the path from the filtered model to the person.
    """
    entries = MoneyEntry.objects.filter(club__money__is_on=True)
    return Exists(entries.filter(account__person=OuterRef(person)))


def own_money(person: Person) -> OwnMoney | None:
    """Return a person's account for the player's personal page; None if money is off or the account is empty."""
    settings = active_settings(person.club)
    account = account_of(person) if settings else None
    if settings is None or account is None:
        return None
    lines = account_entries(account)
    if not lines:
        return None
    worded = [account_entry_text(line) for line in lines[:ON_OWN_PAGE]]
    return OwnMoney(lines[0].balance, settings.currency, worded)

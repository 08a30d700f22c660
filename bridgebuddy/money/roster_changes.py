"""Updates of accounts when people are merged or forgotten, and of sessions that are deleted."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import pre_delete

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Session
from bridgebuddy.events.services.lifecycle.deletions import PLACES_ELSEWHERE
from bridgebuddy.events.services.names_on_record import CLUB_REASONS
from bridgebuddy.events.services.roster import MERGING

from .errors import MoneyIsOff
from .models import CashCount, MoneyAccount, MoneyEntry, SessionMoney
from .queries.accounts import account_of, balance_of
from .rules.ledger import EntryKind
from .services.entries import LedgerWriter
from .services.locking import lock_money


def connect_signals() -> None:
    """Connect the handlers for changes of the roster and of sessions. Called once, at start-up."""
    MERGING.append(_join_accounts)
    CLUB_REASONS.append(lambda club: MoneyEntry.objects.filter(club=club))
    CLUB_REASONS.append(lambda club: CashCount.objects.filter(session_money__club=club))
    PLACES_ELSEWHERE.append((MoneyAccount, "person"))
    pre_delete.connect(_keep_day_and_name, sender=Session)


def _join_accounts(kept_person: Person, merged_person: Person) -> None:
    """Give the ledger entries of `merged_person` to the account of `kept_person`.

    If both have an account, the balance moves by an entry in each of them.
    """
    try:
        settings = lock_money(kept_person.club_id, must_be_on=False)
    except MoneyIsOff:
        return
    gone, kept = account_of(merged_person), account_of(kept_person)
    if gone is None:
        return
    if kept is None:
        gone.person = kept_person
        gone.save(update_fields=["person"])
        return
    balance = balance_of(gone)
    if balance:
        writer = LedgerWriter(settings, None, f"merge-{gone.pk}")
        writer.add(gone, EntryKind.MERGE, -balance, other=kept)
        writer.add(kept, EntryKind.MERGE, balance, other=gone)
    if kept.overdraft is None and gone.overdraft is not None:
        kept.overdraft = gone.overdraft
    kept.price_class = kept.price_class or gone.price_class
    kept.save()
    gone.person, gone.merged_into = None, kept
    gone.save(update_fields=["person", "merged_into"])


def _keep_day_and_name(sender: type[Session], instance: Session, **_: Any) -> None:
    """Store a session's date and name with its prices before the session is deleted."""
    SessionMoney.objects.filter(session=instance).update(
        day=instance.date, name=instance.event.name
    )

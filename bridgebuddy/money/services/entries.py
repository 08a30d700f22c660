"""Adding entries to the ledger. No other module creates them, and nothing changes or deletes them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from bridgebuddy.clubs.models import Person, User
from bridgebuddy.clubs.people.names import clean_text
from bridgebuddy.events.models import Session

from ..models import (
    NAME_LENGTH,
    REASON_LENGTH,
    MoneyAccount,
    MoneyEntry,
    MoneySettings,
    SessionMoney,
)
from ..queries.prices import session_prices
from ..rules.ledger import EntryKind, PersonClass

LONGEST_KEY = 60


@dataclass
class LedgerWriter:
    """Writes the ledger entries of one submitted form, with the same key, user and day."""

    settings: MoneySettings
    by: User | None
    key: str
    written: int = 0

    def add(
        self,
        account: MoneyAccount,
        kind: EntryKind,
        amount: int,
        *,
        session_money: SessionMoney | None = None,
        person_class: PersonClass | None = None,
        reason: str = "",
        other: MoneyAccount | None = None,
    ) -> MoneyEntry:
        """Create a ledger entry of an account."""
        self.written += 1
        return MoneyEntry.objects.create(
            club_id=self.settings.club_id,
            account=account,
            session_money=session_money,
            kind=kind.value,
            amount=amount,
            price_class=person_class.value if person_class else "",
            day=self.settings.club.today,
            by=self.by,
            by_name=str(self.by)[:NAME_LENGTH] if self.by else "",
            reason=clean_text(reason)[:REASON_LENGTH],
            other=other,
            key=f"{self.key}:{self.written}",
        )


def ledger_writer_for_form(
    settings: MoneySettings, key: str, *, by: User | None
) -> LedgerWriter | None:
    """Return a writer for the ledger entries of one submitted form; None if its `key` is already in the ledger."""
    key = key[:LONGEST_KEY] or secrets.token_urlsafe(12)
    is_stored = MoneyEntry.objects.filter(club=settings.club_id, key=f"{key}:1").exists()
    return None if is_stored else LedgerWriter(settings, by, key)


def open_account(person: Person) -> MoneyAccount:
    """Return a person's account, created if there is none. Call it while the club's money is locked."""
    account, _is_new = MoneyAccount.objects.get_or_create(
        person=person, defaults={"club_id": person.club_id}
    )
    return account


def open_session_money(session: Session, settings: MoneySettings) -> SessionMoney:
    """Return a session's stored prices, copied now if there are none. Call it while the club's money is locked."""
    prices = session_prices(session, settings)
    money, _is_new = SessionMoney.objects.get_or_create(
        session=session,
        defaults={
            "club_id": settings.club_id,
            "day": session.date,
            "name": session.event.name,
            "members": prices.members,
            "visitors": prices.visitors,
            "youth": prices.youth,
        },
    )
    return money

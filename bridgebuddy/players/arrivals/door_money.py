"""Table money at the door: the price after a tap, and on the club's tablet how people pay.

Only a tablet that a director has handed over stores payments, in the director's name. A player's own phone shows the
price. Balances are never shown at the door, because anybody can tap any name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_urlsafe

from django.http import HttpRequest
from django.utils import timezone

from bridgebuddy.clubs.models import Person, User
from bridgebuddy.clubs.people.names import joined_names
from bridgebuddy.clubs.rules import KEEP_MONEY, RUN_SESSIONS, may
from bridgebuddy.clubs.sign_in.device_lock import handed_over_by
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Session
from bridgebuddy.money.errors import OverLimit
from bridgebuddy.money.models import DOOR_KEYS, MoneyAccount
from bridgebuddy.money.queries.prices import active_settings, do_players_pay
from bridgebuddy.money.queries.sessions import PersonDue, SessionDues
from bridgebuddy.money.rules.ledger import EntryKind
from bridgebuddy.money.services.payments import record_other_payments, take_back_recent
from bridgebuddy.registration.door import TAKEN_BACK_WITHIN

CASH, ACCOUNT, UNPAID = "cash", "account", "unpaid"
WAYS = {CASH: EntryKind.CASH, ACCOUNT: EntryKind.ACCOUNT}
#: what follows the address after a refused payment: the account is too low, or the tablet may not pay
LOW, ASK = "low", "ask"
MOST_KEY = 30


@dataclass(frozen=True)
class DoorPayment:
    """The table money of people at the entrance: who has paid and who must still pay."""

    dues: tuple[PersonDue, ...]
    currency: str
    #: whether this device stores payments
    may_pay: bool
    #: whether all who have not paid have an account with an entry
    has_accounts: bool

    @property
    def missing(self) -> list[PersonDue]:
        """Return what each person who has not paid yet must pay."""
        return [due for due in self.dues if due.is_missing]

    @property
    def total(self) -> int:
        """Return the sum that is still to be paid."""
        return sum(due.price for due in self.missing)

    @property
    def differs(self) -> bool:
        """Return whether the people pay different prices, so that the page must name each price."""
        return len({due.price for due in self.missing}) > 1

    @property
    def paid_dues(self) -> list[PersonDue]:
        """Return the due amounts that have been paid, each with its payment."""
        return [due for due in self.dues if due.payment]

    @property
    def missing_names(self) -> str:
        """Return the names of the people who have not paid yet."""
        return joined_names([due.person.name for due in self.missing])

    @property
    def paid_names(self) -> str:
        """Return the names of the people who have paid."""
        return joined_names([due.person.name for due in self.paid_dues])

    @property
    def kinds(self) -> str:
        """Return "cash" or "account" if all have paid in that way, else "both"."""
        kinds = {due.payment.kind.value for due in self.dues if due.payment}
        return kinds.pop() if len(kinds) == 1 else "both"

    @property
    def is_recent(self) -> bool:
        """Return whether a payment was made here minutes ago, so that it can still be reversed at the entrance."""
        since = timezone.now() - TAKEN_BACK_WITHIN
        entries = [due.payment.entry for due in self.dues if due.payment]
        return any(entry.at >= since and entry.key.startswith(DOOR_KEYS) for entry in entries)


def door_payment(
    request: HttpRequest, session: Session, people: Sequence[Person]
) -> DoorPayment | None:
    """Return the table money of people who have arrived; None if nothing is to be paid for the session."""
    settings = active_settings(session.event.club)
    if not people or settings is None or not do_players_pay(session, settings):
        return None
    keys = {person.pk for person in people}
    dues = tuple(due for due in SessionDues(session, settings).people if due.person.pk in keys)
    missing = {due.person.pk for due in dues if due.is_missing}
    with_account = MoneyAccount.objects.filter(person__in=missing, entries__isnull=False)
    has_accounts = with_account.distinct().count() == len(missing)
    return DoorPayment(
        dues, settings.currency, _user_of_tablet(request, session) is not None, has_accounts
    )


def pay_at_door(
    request: HttpRequest, session: Session, people: Sequence[Person], do: str, key: str
) -> str:
    """Store or reverse the payments of people at the entrance; return the reason of a refusal, or "".

    A payment is taken back for a few minutes only, and only if it was made at the door.
    """
    user = _user_of_tablet(request, session)
    if user is None:
        return ASK
    keys = {person.pk for person in people}
    named = f"{DOOR_KEYS}{key[:MOST_KEY] or token_urlsafe(9)}-{do}"
    try:
        if do == UNPAID:
            since = timezone.now() - TAKEN_BACK_WITHIN
            take_back_recent(session, keys, since=since, prefix=DOOR_KEYS, key=named, by=user)
        else:
            record_other_payments(session, keys, how=WAYS[do], key=named, by=user)
    except OverLimit:
        return LOW
    except ChangeRefused:
        return ASK
    return ""


def _user_of_tablet(request: HttpRequest, session: Session) -> User | None:
    """Return the director who handed over this tablet, if that user may record payments of the club."""
    user, club = handed_over_by(request), session.event.club
    if user is None or not (may(user, RUN_SESSIONS, club) or may(user, KEEP_MONEY, club)):
        return None
    return user

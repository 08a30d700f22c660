"""Changes of an account: pay in, pay out, correct, and its own limit and price."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Person, User, searchable
from bridgebuddy.events.models import Session

from ..errors import NoAccount, OverLimit, ReasonRequired
from ..models import MoneyAccount, MoneyEntry, MoneySettings
from ..queries.accounts import allowed_overdraft, balance_of
from ..rules.ledger import EntryKind, may_pay_from
from .entries import ledger_writer_for_form, open_account, open_session_money
from .locking import lock_money


@transaction.atomic
def store_payment(
    person: Person,
    amount: int,
    *,
    session: Session | None = None,
    is_transfer: bool = False,
    key: str,
    by: User,
) -> MoneyEntry | None:
    """Store money that a person pays into the account; a negative amount is paid out.

    Cash goes into the box of `session`, if one is given. A transfer touches no cash box. A payout
    may not take the account below its limit: raises `OverLimit`.
    """
    settings, person = _lock_person(person)
    writer = ledger_writer_for_form(settings, key, by=by)
    if writer is None or amount == 0:
        return None
    account = open_account(person)
    if amount < 0:
        _check_payout(account, amount, settings)
    kind = EntryKind.TRANSFER if is_transfer else EntryKind.PAY_IN
    money = open_session_money(session, settings) if session and not is_transfer else None
    return writer.add(account, kind, amount, session_money=money)


@transaction.atomic
def store_correction(
    person: Person, amount: int, *, reason: str, key: str, by: User
) -> MoneyEntry | None:
    """Store a correction of a person's account as a ledger entry. Raises `ReasonRequired`."""
    settings, person = _lock_person(person)
    if not searchable(reason):
        raise ReasonRequired()
    writer = ledger_writer_for_form(settings, key, by=by)
    if writer is None or amount == 0:
        return None
    return writer.add(open_account(person), EntryKind.CORRECTION, amount, reason=reason)


@transaction.atomic
def store_terms(
    person: Person, *, overdraft: int | None, price_class: str, by: User
) -> MoneyAccount:
    """Store a person's own overdraft limit and price class; None and "" mean the defaults of club and roster."""
    _settings, person = _lock_person(person)
    account = open_account(person)
    if (account.overdraft, account.price_class) != (overdraft, price_class):
        account.overdraft, account.price_class = overdraft, price_class
        account.save()
        add_record(
            "club.money_terms",
            person.club,
            by=by,
            name=person.name,
            limit=overdraft,
            price=price_class,
        )
    return account


def _lock_person(person: Person) -> tuple[MoneySettings, Person]:
    """Lock a club's money settings; return them and the current row of a person. Raises `NoAccount`.

    Accounts of people whose names are forgotten can be settled too.
    """
    settings = lock_money(person.club_id, people=[person.pk], must_be_on=False)
    current = Person.objects.select_related("club").filter(pk=person.pk).first()
    if current is None:
        raise NoAccount()
    return settings, current


def _check_payout(account: MoneyAccount, amount: int, settings: MoneySettings) -> None:
    """Raise `OverLimit` if the account does not cover an amount to be paid out."""
    balance, overdraft = balance_of(account), allowed_overdraft(account, settings)
    if not may_pay_from(balance, -amount, overdraft):
        name = account.person.name if account.person else ""
        raise OverLimit(name=name, balance=balance, limit=-overdraft)

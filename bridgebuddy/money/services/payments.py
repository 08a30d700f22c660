"""Ticking payments of a session: in cash, from the account, or taken back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Session

from ..errors import MoneyIsOff, NoAccount, NothingToPay, OverLimit, PaidMeanwhile
from ..models import MoneyAccount, MoneyEntry, MoneySettings, SessionMoney
from ..queries.accounts import allowed_overdraft, balance_of
from ..queries.prices import do_players_pay
from ..queries.sessions import Payment, PersonDue, SessionDues
from ..rules.ledger import EntryKind, may_pay_from
from .entries import LedgerWriter, ledger_writer_for_form, open_account, open_session_money
from .locking import lock_money


@transaction.atomic
def record_payment(
    session: Session, person: int, how: EntryKind | None, *, seen: int, key: str, by: User
) -> None:
    """Store how a person paid for a session: in cash, from the account, or (None) not at all.

    `seen` is the key of the payment that the page showed, 0 for none. Raises `PaidMeanwhile` if
    another payment stands by now, `OverLimit`, `NothingToPay`, `NoAccount` and `MoneyIsOff`. A
    second press with the same `key` stores nothing.
    """
    settings = _lock_settings(session, [person])
    writer = ledger_writer_for_form(settings, key, by=by)
    if writer is None:
        return
    dues = SessionDues(session, settings)
    found = [due for due in dues.people if due.person.pk == person]
    due = next((due for due in found if due.last_entry_key == seen), found[0] if found else None)
    if due is None:
        raise NoAccount()
    if due.last_entry_key != seen:
        raise _paid_meanwhile_refusal(due, dues)
    before = due.payment
    if how is (before.kind if before else None):
        return
    if before is None and due.price == 0:
        raise NothingToPay(name=due.person.name)
    money, account = open_session_money(session, settings), open_account(due.person)
    if how is EntryKind.ACCOUNT:
        _check_limit(due, account, settings)
    if before is None:
        if how is not None:
            _record_paid_price(writer, account, due, money, how)
        return
    if how is None:
        _reverse_payment(writer, account, due, before, money)
        return
    kind = due.person_class
    writer.add(account, before.kind, -before.amount, session_money=money, person_class=kind)
    writer.add(account, how, before.amount, session_money=money, person_class=kind)


@transaction.atomic
def record_other_payments(
    session: Session,
    people: Collection[int],
    *,
    how: EntryKind = EntryKind.CASH,
    key: str,
    by: User,
) -> int:
    """Record a payment for each of some people who have not paid yet. Return how many.

    Raises `OverLimit` if one of the accounts is too low; then nobody has paid.
    """
    settings = _lock_settings(session, people)
    writer = ledger_writer_for_form(settings, key, by=by)
    if writer is None:
        return 0
    dues = SessionDues(session, settings)
    missing = [due for due in dues.missing if due.person.pk in people]
    if missing:
        money = open_session_money(session, settings)
        for due in missing:
            account = open_account(due.person)
            if how is EntryKind.ACCOUNT:
                _check_limit(due, account, settings)
            _record_paid_price(writer, account, due, money, how)
    return len(missing)


@transaction.atomic
def take_back_recent(
    session: Session,
    people: Collection[int],
    *,
    since: datetime,
    prefix: str,
    key: str,
    by: User,
) -> int:
    """Reverse the payments of `people` stored after `since` whose keys start with `prefix`; return how many."""
    settings = _lock_settings(session, people)
    writer = ledger_writer_for_form(settings, key, by=by)
    money = SessionMoney.objects.filter(session=session).first()
    if writer is None or money is None:
        return 0
    found = [
        (due, due.payment)
        for due in SessionDues(session, settings).people
        if due.person.pk in people and due.payment is not None
    ]
    recent = [
        (due, payment)
        for due, payment in found
        if payment.entry.at >= since and payment.entry.key.startswith(prefix)
    ]
    for due, payment in recent:
        _reverse_payment(writer, open_account(due.person), due, payment, money)
    return len(recent)


@transaction.atomic
def refund_session(session: Session, *, key: str, by: User) -> int:
    """Reverse all payments of a session. Return how many people got their money back.

    What was paid from an account goes back there. What was paid in cash stays in the cash box, and
    is credited to the account of the person.
    """
    settings = lock_money(session.event.club_id, must_be_on=False)
    writer = ledger_writer_for_form(settings, key, by=by)
    money = SessionMoney.objects.filter(session=session).first()
    if writer is None or money is None:
        return 0
    paid = [due for due in SessionDues(session, settings).people if due.payment]
    for due in paid:
        assert due.payment is not None
        kind, amount, account = due.payment.kind, due.payment.amount, open_account(due.person)
        writer.add(account, kind, -amount, session_money=money, person_class=due.person_class)
        _charge_account(writer, account, due, money, -amount)
        if kind is EntryKind.CASH:
            writer.add(account, EntryKind.REFUND, amount, session_money=money)
    return len(paid)


def _lock_settings(session: Session, people: Collection[int]) -> MoneySettings:
    """Lock the accounts of people and return the money settings; raise `MoneyIsOff` for a session without money."""
    settings = lock_money(session.event.club_id, people=people)
    if not do_players_pay(session, settings):
        raise MoneyIsOff()
    return settings


def _record_paid_price(
    writer: LedgerWriter,
    account: MoneyAccount,
    person_due: PersonDue,
    money: SessionMoney,
    kind: EntryKind,
) -> None:
    """Write the ledger entries of a person's price for a session and of its payment."""
    _charge_account(writer, account, person_due, money, person_due.price)
    writer.add(
        account, kind, person_due.price, session_money=money, person_class=person_due.person_class
    )


def _reverse_payment(
    writer: LedgerWriter,
    account: MoneyAccount,
    person_due: PersonDue,
    payment: Payment,
    money: SessionMoney,
) -> None:
    """Write the ledger entries of a payment and its price again, with the opposite sign."""
    kind, amount = payment.kind, -payment.amount
    writer.add(account, kind, amount, session_money=money, person_class=person_due.person_class)
    _charge_account(writer, account, person_due, money, amount)


def _charge_account(
    writer: LedgerWriter,
    account: MoneyAccount,
    person_due: PersonDue,
    money: SessionMoney,
    amount: int,
) -> None:
    """Write the ledger entry that charges a person's account with the price of a session."""
    writer.add(
        account, EntryKind.CHARGE, amount, session_money=money, person_class=person_due.person_class
    )


def _check_limit(person_due: PersonDue, account: MoneyAccount, settings: MoneySettings) -> None:
    """Raise `OverLimit` if the account does not cover the price."""
    balance, overdraft = balance_of(account), allowed_overdraft(account, settings)
    if not may_pay_from(balance, person_due.price, overdraft):
        raise OverLimit(name=person_due.person.name, balance=balance, limit=-overdraft)


def _paid_meanwhile_refusal(person_due: PersonDue, dues: SessionDues) -> PaidMeanwhile:
    """Return the `PaidMeanwhile` error with the name and time of the user who was first."""
    last: MoneyEntry | None = person_due.payment.entry if person_due.payment else None
    if last is None:
        own = [entry for entry in dues.entries if entry.account.person_id == person_due.person.pk]
        last = own[-1] if own else None
    return PaidMeanwhile(
        name=person_due.person.name,
        kind=person_due.payment.kind if person_due.payment else None,
        by=last.by_name if last else "",
        at=last.at if last else None,
    )

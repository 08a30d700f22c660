"""The money of a session: each payer with the price and the payment, tables, sums and cash."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Sum

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.names import joined_names
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.queries.states import state_digest

from ..models import CashCount, MoneyAccount, MoneyEntry, MoneySettings, SessionMoney
from ..rules.ledger import (
    PAYMENTS,
    Dues,
    EntryKind,
    PersonClass,
    Prices,
    cash_change,
    sum_of_dues,
)
from .participants import TableOfPeople, payers_of, tables_of_sections
from .prices import person_class_of, series_prices


@dataclass(frozen=True)
class Payment:
    """A person's payment for a session that has not been reversed: way, amount, and ledger entry."""

    kind: EntryKind
    amount: int
    person_class: PersonClass
    entry: MoneyEntry


@dataclass(frozen=True)
class PersonDue:
    """A person's price for a session, and the payment if there is one. A paid price no longer changes."""

    person: Person
    person_class: PersonClass
    price: int
    payment: Payment | None
    is_in_session: bool = True

    @property
    def last_entry_key(self) -> int:
        """Return the primary key of the last ledger entry behind the payment; 0 if there is none."""
        return self.payment.entry.pk if self.payment else 0

    @property
    def is_missing(self) -> bool:
        """Return whether the person has not paid yet."""
        return self.payment is None and self.price > 0

    @property
    def is_free(self) -> bool:
        """Return whether the person plays free of charge."""
        return self.payment is None and self.price == 0

    @property
    def dues(self) -> Dues:
        """Return the person's amount, counted as paid in cash, from the account, or missing."""
        if self.payment is None:
            return Dues(missing=self.price, people=1)
        if self.payment.kind is EntryKind.CASH:
            return Dues(cash=self.payment.amount, people=1)
        return Dues(account=self.payment.amount, people=1)


@dataclass(frozen=True)
class TableDue:
    """The people of a table with their prices and payments; table 0 holds people without a table."""

    letter: str
    table: int
    people: tuple[PersonDue, ...]

    @property
    def missing(self) -> list[PersonDue]:
        """Return the people at the table who have not paid yet."""
        return [due for due in self.people if due.is_missing]

    @property
    def missing_keys(self) -> str:
        """Return the primary keys of the people who have not paid, as a button sends them: "3,7"."""
        return ",".join(str(due.person.pk) for due in self.missing)

    @property
    def lines(self) -> list[str]:
        """Return the names of the people at the table pair by pair: "Mary & John Fisher"."""
        names = [due.person.name for due in self.people]
        return [joined_names(names[start : start + 2]) for start in range(0, len(names), 2)]


def unreversed_payments(
    entries: Iterable[MoneyEntry], accounts: Mapping[int, MoneyAccount]
) -> dict[int, list[Payment]]:
    """Return the payments for a session that were not reversed, by the key of the account.

    Payments and their reversals add up. `accounts` are all accounts of the club, by key.
    """
    amounts: defaultdict[tuple[int, EntryKind], int] = defaultdict(int)
    last: dict[tuple[int, EntryKind], MoneyEntry] = {}
    for entry in sorted(entries, key=lambda entry: entry.pk):
        kind = EntryKind(entry.kind)
        if kind in PAYMENTS:
            key = merged_account(accounts[entry.account_id], accounts).pk, kind
            amounts[key] += entry.amount
            last[key] = entry
    payments: defaultdict[int, list[Payment]] = defaultdict(list)
    for (account, kind), amount in amounts.items():
        if amount:
            entry = last[account, kind]
            payments[account].append(Payment(kind, amount, PersonClass(entry.price_class), entry))
    return payments


def merged_account(account: MoneyAccount, accounts: Mapping[int, MoneyAccount]) -> MoneyAccount:
    """Return the account that has taken over `account` after merges of people, or `account` itself."""
    while account.merged_into_id is not None:
        account = accounts[account.merged_into_id]
    return account


def dues_of_people(
    payers: Mapping[int, Person],
    prices: Prices,
    settings: MoneySettings,
    entries: Sequence[MoneyEntry],
    accounts: Mapping[int, MoneyAccount],
) -> list[PersonDue]:
    """Return price and payment of each person of a session, also of people who paid and left it.

    `accounts` are all accounts of the club, by key.
    """
    by_person = {account.person_id: account for account in accounts.values()}
    paid = unreversed_payments(entries, accounts)
    dues: list[PersonDue] = []
    for person in payers.values():
        account = by_person.get(person.pk)
        payments = paid.get(account.pk) if account else None
        if payments:
            first = payments.pop(0)
            dues.append(PersonDue(person, first.person_class, first.amount, first))
        else:
            person_class = person_class_of(person, settings, account)
            dues.append(PersonDue(person, person_class, prices.price_of_class(person_class), None))
    for key, payments in paid.items():
        payer = accounts[key].person
        if payer is not None:
            dues += (PersonDue(payer, p.person_class, p.amount, p, False) for p in payments)
    return dues


def club_accounts(club_pk: int) -> dict[int, MoneyAccount]:
    """Return all accounts of a club with their people, by primary key. One query."""
    accounts = MoneyAccount.objects.filter(club=club_pk).select_related("person")
    return {account.pk: account for account in accounts}


def paid_people_count(session: Session) -> int:
    """Return how many people have paid for a session. Two queries if none has."""
    entries = MoneyEntry.objects.filter(session_money__session=session)
    payments = unreversed_payments(entries, club_accounts(session.event.club_id)).values()
    return sum(len(standing) for standing in payments)


class SessionDues:
    """The prices, payments and ledger entries of one session, read once."""

    def __init__(self, session: Session, settings: MoneySettings) -> None:
        self.session, self.settings = session, settings

    @cached_property
    def stored_prices(self) -> SessionMoney | None:
        """Return the stored prices of the session; None before the first payment."""
        return SessionMoney.objects.filter(session=self.session).first()

    @cached_property
    def prices(self) -> Prices:
        """Return the prices of the session for each price class."""
        return (
            self.stored_prices.prices
            if self.stored_prices
            else series_prices(self.session, self.settings)
        )

    @cached_property
    def entries(self) -> list[MoneyEntry]:
        """Return the ledger entries of the session."""
        if self.stored_prices is None:
            return []
        entries = MoneyEntry.objects.filter(session_money=self.stored_prices)
        return list(entries.select_related("account__person").order_by("pk"))

    @cached_property
    def people(self) -> list[PersonDue]:
        """Return price and payment of every person, by name."""
        is_there = self.session.deleted_at is None
        payers = payers_of([self.session])[self.session.pk] if is_there else {}
        accounts = club_accounts(self.settings.club_id)
        dues = dues_of_people(payers, self.prices, self.settings, self.entries, accounts)
        return sorted(dues, key=lambda due: (due.person.search, due.person.pk))

    def tables(self, sections: Sequence[Section]) -> list[TableDue]:
        """Return the people with prices and payments by table; those without a table come last, as table 0."""
        by_person = {due.person.pk: due for due in self.people if due.is_in_session}
        tables = []
        for table in tables_of_sections(sections):
            people = _take_dues_of_table(by_person, table)
            if people:
                tables.append(TableDue(table.letter, table.table, people))
        rest = [*by_person.values(), *(due for due in self.people if not due.is_in_session)]
        return [*tables, TableDue("", 0, tuple(rest))] if rest else tables

    @cached_property
    def sums(self) -> Dues:
        """Return the sum of all amounts, by way of payment."""
        return sum_of_dues(due.dues for due in self.people)

    def people_paid_by(self, kind: EntryKind) -> int:
        """Return how many people have paid in cash, or from an account (`kind`)."""
        return sum(1 for due in self.people if due.payment and due.payment.kind is kind)

    @cached_property
    def missing(self) -> list[PersonDue]:
        """Return the people who have not paid yet."""
        return [due for due in self.people if due.is_missing]

    @cached_property
    def cash_received(self) -> int:
        """Return the cash that the ledger entries have put into the box, without the change at the start."""
        return sum(cash_change(EntryKind(entry.kind), entry.amount) for entry in self.entries)

    @cached_property
    def paid_in(self) -> list[tuple[MoneyEntry, int]]:
        """Return the cash paid into or out of accounts during the session, as pairs of entry and amount."""
        return [
            (entry, entry.amount) for entry in self.entries if entry.kind == EntryKind.PAY_IN.value
        ]

    @cached_property
    def count(self) -> CashCount | None:
        """Return the last count of the cash box; None if there is none."""
        if self.stored_prices is None:
            return None
        return CashCount.objects.filter(session_money=self.stored_prices).order_by("version").last()

    @property
    def is_count_current(self) -> bool:
        """Return whether no cash was recorded since the cash box was counted."""
        return (
            self.count is not None
            and self.count.expected == self.count.at_start + self.cash_received
        )


def payment_list_version(dues: SessionDues) -> str:
    """Return a digest of what the payments page shows, which changes with it. One query more than `dues` needs.

    That are prices, people with their payments, the counted cash, and tables, which follow the counters of the
    sections.
    """
    sections = Section.objects.filter(session=dues.session)
    shown = sections.aggregate(Sum("shown"))["shown__sum"]
    count = dues.count.version if dues.count else 0
    people = [
        (
            due.person.pk,
            due.person.name,
            due.person_class,
            due.price,
            due.last_entry_key,
            due.is_in_session,
        )
        for due in dues.people
    ]
    parts = (dues.settings.currency, dues.prices, people, count, dues.cash_received, shown)
    return state_digest(parts)


def _take_dues_of_table(
    by_person: dict[int, PersonDue], table: TableOfPeople
) -> tuple[PersonDue, ...]:
    """Remove the people of a table from `by_person`, and return their prices and payments."""
    found = (by_person.pop(person, None) for person in table.people)
    return tuple(due for due in found if due is not None)

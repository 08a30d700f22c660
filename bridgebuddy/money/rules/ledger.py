"""The arithmetic of the ledger: what each kind of entry adds, and what a session still has to get.

Amounts are integers in the currency's smallest unit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class PersonClass(Enum):
    """The price classes of players: member, visitor, youth, free."""

    MEMBER = "member"
    VISITOR = "visitor"
    YOUTH = "youth"
    FREE = "free"


class EntryKind(Enum):
    """The kinds of ledger entries, such as the price of a session, a cash payment or a correction."""

    CHARGE = "charge"  # the price of a session
    CASH = "cash"  # paid in cash for a session
    ACCOUNT = "account"  # paid from the account for a session
    PAY_IN = "pay-in"  # paid into the account in cash; negative: paid out
    TRANSFER = "transfer"  # paid into the account by a bank transfer
    CORRECTION = "correction"  # a correction of the account, with a reason
    REFUND = "refund"  # cash of a deleted session, credited to the account
    MERGE = "merge"  # a balance that moves to another account


#: the two ways to pay for a session
PAYMENTS = (EntryKind.CASH, EntryKind.ACCOUNT)
#: kinds that raise the balance of the account by their amount
RAISES_BALANCE = frozenset(
    {
        EntryKind.PAY_IN,
        EntryKind.TRANSFER,
        EntryKind.CORRECTION,
        EntryKind.REFUND,
        EntryKind.MERGE,
    }
)
#: kinds that add their amount to the cash box; cash that is refunded to an account stays in it
FILLS_BOX = frozenset({EntryKind.CASH, EntryKind.PAY_IN, EntryKind.REFUND})


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of a session for each price class."""

    members: int
    visitors: int
    youth: int

    def price_of_class(self, person_class: PersonClass) -> int:
        """Return the price for a price class.

        >>> Prices(500, 800, 0).of(PersonClass.VISITOR), Prices(500, 800, 0).of(PersonClass.FREE)
        (800, 0)
        """
        match person_class:
            case PersonClass.MEMBER:
                return self.members
            case PersonClass.VISITOR:
                return self.visitors
            case PersonClass.YOUTH:
                return self.youth
        return 0


def balance_change(kind: EntryKind, amount: int) -> int:
    """Return the amount that a ledger entry of `kind` adds to the balance of its account.

    >>> balance_change(EntryKind.ACCOUNT, 500), balance_change(EntryKind.CASH, 500)
    (-500, 0)
    """
    if kind is EntryKind.ACCOUNT:
        return -amount
    return amount if kind in RAISES_BALANCE else 0


def cash_change(kind: EntryKind, amount: int) -> int:
    """Return the amount that a ledger entry of `kind` adds to the cash box.

    >>> cash_change(EntryKind.PAY_IN, -1000), cash_change(EntryKind.TRANSFER, 5000)
    (-1000, 0)
    """
    return amount if kind in FILLS_BOX else 0


@dataclass(frozen=True, slots=True)
class Dues:
    """The amounts due from a person, table or session: paid in cash, paid from accounts, and missing.

    `due` is always the sum of the other three.
    """

    cash: int = 0
    account: int = 0
    missing: int = 0
    people: int = 0

    @property
    def due(self) -> int:
        """Return the sum of the paid and missing amounts."""
        return self.cash + self.account + self.missing

    def __add__(self, other: Dues) -> Dues:
        return Dues(
            self.cash + other.cash,
            self.account + other.account,
            self.missing + other.missing,
            self.people + other.people,
        )


def sum_of_dues(parts: Iterable[Dues]) -> Dues:
    """Add several dues (of people, tables or sessions) together.

    >>> sum_of_dues([Dues(500, 0, 0, 1), Dues(0, 500, 800, 2)]).due
    1800
    """
    return sum(parts, Dues())


def may_pay_from(balance: int, price: int, overdraft: int) -> bool:
    """Return whether an account with this balance may pay `price` without falling below its limit.

    >>> may_pay_from(-500, 500, 1000), may_pay_from(-501, 500, 1000)
    (True, False)
    """
    return balance - price >= -overdraft


def sum_of_pieces(pieces: Iterable[tuple[int, int]]) -> int:
    """Return the total of notes and coins, given as pairs of value and number.

    >>> sum_of_pieces([(5000, 1), (200, 3)])
    5600
    """
    return sum(value * number for value, number in pieces)

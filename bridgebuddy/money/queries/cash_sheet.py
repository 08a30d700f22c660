"""The cash sheet of a session: what was due, how it was paid, and what is in the box."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ..models import CashCount
from ..rules.ledger import EntryKind, PersonClass
from .sessions import PersonDue, SessionDues

#: the titles of the lines of what is due
TITLES: dict[PersonClass, str | Promise] = {
    PersonClass.MEMBER: _("Members"),
    PersonClass.VISITOR: _("Visitors"),
    PersonClass.YOUTH: _("Youth"),
    PersonClass.FREE: pgettext_lazy("people", "Free"),
}
#: the most names that are listed one by one
MOST_NAMES = 8


@dataclass(frozen=True)
class PriceRow:
    """A row of the cash sheet: how many people pay the same price in the same price class."""

    title: str
    people: int
    price: int
    total: int


class CashSheet:
    """The figures of a session's cash sheet: amounts due and paid, and the cash expected and counted."""

    def __init__(self, dues: SessionDues) -> None:
        self.dues = dues

    @property
    def count(self) -> CashCount | None:
        """Return the last count of the cash box; None before the first."""
        return self.dues.count

    @cached_property
    def price_lines(self) -> list[PriceRow]:
        """Return the rows of the amounts due, by price class and price."""
        groups: defaultdict[tuple[PersonClass, int], list[PersonDue]] = defaultdict(list)
        for due in self.dues.people:
            groups[due.person_class, due.price].append(due)
        order = list(PersonClass)
        return [
            PriceRow(str(TITLES[person_class]), len(people), price, price * len(people))
            for (person_class, price), people in sorted(
                groups.items(), key=lambda group: (order.index(group[0][0]), -group[0][1])
            )
        ]

    @property
    def cash_payer_count(self) -> int:
        """Return the number of people who paid in cash."""
        return self.dues.people_paid_by(EntryKind.CASH)

    @property
    def account_payer_count(self) -> int:
        """Return the number of people who paid from an account."""
        return self.dues.people_paid_by(EntryKind.ACCOUNT)

    @property
    def missing_names(self) -> str:
        """Return the names of people who have not paid yet, as many as the sheet lists."""
        return ", ".join(due.person.name for due in self.dues.missing[:MOST_NAMES])

    @property
    def unnamed_missing_count(self) -> int:
        """Return how many people have not paid yet beyond those whom the sheet lists."""
        return max(0, len(self.dues.missing) - MOST_NAMES)

    @property
    def cash_at_start(self) -> int:
        """Return the change that was in the cash box at the start."""
        return self.count.at_start if self.count else self.dues.settings.cash_float

    @cached_property
    def paid_in(self) -> list[tuple[str, int]]:
        """Return names and amounts of cash paid into accounts; if many, only their sum without a name."""
        found = self.dues.paid_in
        if len(found) > MOST_NAMES:
            return [("", sum(amount for _entry, amount in found))]
        return [
            (entry.account.person.name if entry.account.person else "", amount)
            for entry, amount in found
        ]

    @property
    def table_cash(self) -> int:
        """Return the cash paid for playing in this session, without cash paid into accounts."""
        return self.dues.cash_received - sum(amount for _entry, amount in self.dues.paid_in)

    @property
    def expected(self) -> int:
        """Return the sum that should be in the cash box."""
        return self.cash_at_start + self.dues.cash_received

    @property
    def counted_before(self) -> bool:
        """Return whether payments were stored after the last count of the cash box."""
        return self.count is not None and not self.dues.is_count_current

    @property
    def difference(self) -> int:
        """Return the counted cash minus the expected cash; 0 before a count."""
        return self.count.counted - self.expected if self.count else 0

    @cached_property
    def pieces(self) -> list[tuple[int, int, int]]:
        """Return the counted notes and coins as rows of number, value and sum."""
        if self.count is None:
            return []
        return [(number, value, number * value) for value, number in self.count.pieces]

    @property
    def unsorted_money(self) -> int:
        """Return the counted money that was entered as one sum, not by notes and coins."""
        if self.count is None:
            return 0
        return self.count.counted - sum(total for _number, _value, total in self.pieces)

"""The month of the treasurer: evenings, accounts and cash."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.db.models import Exists, OuterRef, Q, Sum

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.queries.sessions.club_sessions import real_sessions

from ..models import CashCount, MoneyEntry, MoneySettings, SeriesPrices, SessionMoney, session_day
from ..rules.ledger import Dues, EntryKind, Prices, balance_change, sum_of_dues
from .participants import payers_of
from .sessions import club_accounts, dues_of_people

FIRST_YEAR, LAST_YEAR = 2000, 2999


def first_of_month(text: str) -> date:
    """Return the first day of a month like "2026-11". Raises `ValueError`.

    >>> first_of_month("2026-11")
    datetime.date(2026, 11, 1)
    """
    first = date.fromisoformat(f"{text}-01")
    if not FIRST_YEAR <= first.year <= LAST_YEAR:
        raise ValueError(text)
    return first


@dataclass(frozen=True)
class SessionRow:
    """The row of a session in the monthly money sheet."""

    day: date
    name: str
    code: str  # of a section, for its page; empty if the session is deleted
    dues: Dues
    difference: int | None  # None: not counted

    @property
    def is_deleted(self) -> bool:
        """Return whether the session has been deleted."""
        return not self.code


@dataclass
class AccountsStatement:
    """The movements of all accounts of a club in a month, from its first balance to its last."""

    start: int = 0
    accounts: int = 0
    paid_in: int = 0
    times: int = 0
    paid_out: int = 0
    sessions: int = 0
    refunds: int = 0
    corrections: int = 0
    correction_count: int = 0

    @property
    def end(self) -> int:
        """Return the balance of all accounts together at the month's end."""
        changes = self.paid_in + self.paid_out + self.sessions + self.refunds + self.corrections
        return self.start + changes


@dataclass
class CashStatement:
    """The cash that a club received in a month: table money, payments into accounts, differences."""

    table_money: int = 0
    paid_in: int = 0
    difference: int = 0

    @property
    def total(self) -> int:
        """Return the sum of the month's cash, to be taken to the bank."""
        return self.table_money + self.paid_in + self.difference


@dataclass
class MoneyMonth:
    """The money of a club in the month that begins on `first`: sessions by their date, entries by booking day."""

    club: Club
    settings: MoneySettings
    first: date

    @property
    def next_month(self) -> date:
        """Return the first day of the next month."""
        return date(self.first.year + self.first.month // 12, self.first.month % 12 + 1, 1)

    @property
    def previous_month(self) -> date:
        """Return the first day of the month before."""
        year, month = self.first.year, self.first.month
        return date(year, month - 1, 1) if month > 1 else date(year - 1, 12, 1)

    @cached_property
    def rows(self) -> list[SessionRow]:
        """Return the rows of the month's sessions by date. The number of queries does not grow with them."""
        stored = [
            money
            for money in self._stored_session_money()
            if self.first <= session_day(money) < self.next_month
        ]
        entries: defaultdict[int, list[MoneyEntry]] = defaultdict(list)
        for entry in MoneyEntry.objects.filter(session_money__in=stored).select_related("account"):
            entries[entry.session_money_id or 0].append(entry)
        counts: dict[int, CashCount] = {}
        for count in CashCount.objects.filter(session_money__in=stored).order_by("version"):
            counts[count.session_money_id] = count
        played = {session.pk: session for session in self._played_sessions()}
        prices = self._series_prices()
        people = payers_of(played.values())
        accounts = club_accounts(self.club.pk)
        codes = dict(
            Section.objects.filter(session__in=[m.session_id for m in stored] + list(played))
            .filter(session__deleted_at=None)
            .order_by("-pk")
            .values_list("session", "code")
        )
        rows = []
        for money in stored:
            session = played.pop(money.session_id or 0, None)
            if session is None and not entries[money.pk] and money.pk not in counts:
                continue
            payers = people[session.pk] if session else {}
            dues = dues_of_people(payers, money.prices, self.settings, entries[money.pk], accounts)
            difference = counts[money.pk].difference if money.pk in counts else None
            name = money.session.event.name if money.session else money.name
            code = codes.get(money.session_id or 0, "")
            total = sum_of_dues(due.dues for due in dues)
            rows.append(SessionRow(session_day(money), name, code, total, difference))
        for session in played.values():
            price = prices.get(session.event_id, self.settings.prices)
            dues = dues_of_people(people[session.pk], price, self.settings, [], accounts)
            total = sum_of_dues(due.dues for due in dues)
            code = codes.get(session.pk, "")
            rows.append(SessionRow(session.date, session.event.name, code, total, None))
        return sorted(rows, key=lambda row: (row.day, row.name))

    def _stored_session_money(self) -> list[SessionMoney]:
        """Return the stored prices of the month's sessions."""
        inside = {"gte": self.first, "lt": self.next_month}
        by_session = Q(**{f"session__date__{how}": day for how, day in inside.items()})
        by_day = Q(session=None, **{f"day__{how}": day for how, day in inside.items()})
        stored = SessionMoney.objects.filter(by_session | by_day, club=self.club)
        return list(stored.select_related("session__event").order_by("pk"))

    def _played_sessions(self) -> list[Session]:
        """Return the sessions to be paid that were played in the month, since the club turned money on."""
        started = Section.objects.filter(session=OuterRef("pk"), round__gt=0)
        sessions = real_sessions(self.club).filter(Exists(started))
        sessions = sessions.filter(date__gte=self.first, date__lt=self.next_month)
        if self.settings.since is not None:
            sessions = sessions.filter(date__gte=self.settings.since)
        return list(sessions.select_related("event").prefetch_related("sections"))

    def _series_prices(self) -> dict[int, Prices]:
        """Return the prices set for whole events, by event."""
        series = SeriesPrices.objects.filter(event__club=self.club)
        return {prices.event_id: prices.prices for prices in series}

    @cached_property
    def sums(self) -> Dues:
        """Return the amounts due of all the month's sessions together."""
        return sum_of_dues(row.dues for row in self.rows)

    @cached_property
    def difference(self) -> int:
        """Return the sum of all differences between counted and expected cash."""
        return sum(row.difference or 0 for row in self.rows)

    @cached_property
    def accounts(self) -> AccountsStatement:
        """Return the month's movements of all accounts together, by the day of booking."""
        statement = AccountsStatement()
        entries = MoneyEntry.objects.filter(club=self.club, day__lt=self.next_month)
        earlier = entries.filter(day__lt=self.first).order_by()
        for row in earlier.values("kind").annotate(sum=Sum("amount")):
            statement.start += balance_change(EntryKind(row["kind"]), int(row["sum"]))
        statement.accounts = (
            earlier.exclude(kind__in=[EntryKind.CHARGE.value, EntryKind.CASH.value])
            .values("account")
            .distinct()
            .count()
        )
        within = entries.filter(day__gte=self.first)
        for kind_name, amount in within.order_by().values_list("kind", "amount"):
            kind = EntryKind(kind_name)
            change = balance_change(kind, amount)
            if kind in (EntryKind.PAY_IN, EntryKind.TRANSFER):
                if change >= 0:
                    statement.paid_in += change
                    statement.times += 1
                else:
                    statement.paid_out += change
            elif kind is EntryKind.ACCOUNT:
                statement.sessions += change
            elif kind is EntryKind.REFUND:
                statement.refunds += change
            elif kind is EntryKind.CORRECTION:
                statement.corrections += change
                statement.correction_count += 1
        return statement

    @cached_property
    def cash(self) -> CashStatement:
        """Return the cash of the month, by the day of booking; differences by the date of the session."""
        statement = CashStatement(difference=self.difference)
        within = MoneyEntry.objects.filter(
            club=self.club, day__gte=self.first, day__lt=self.next_month
        ).order_by()
        for row in within.values("kind").annotate(sum=Sum("amount")):
            if row["kind"] in (EntryKind.CASH.value, EntryKind.REFUND.value):
                statement.table_money += int(row["sum"])
            elif row["kind"] == EntryKind.PAY_IN.value:
                statement.paid_in += int(row["sum"])
        return statement

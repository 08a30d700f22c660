"""Five hundred invented months, added up a second time: from events, not from entries."""

import random
from datetime import date, time
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from bridgebuddy.clubs.models import Person
from bridgebuddy.director.money.months import month_csv
from bridgebuddy.events.models import Entry, EntryPerson, Event, Section, Session
from bridgebuddy.money.models import (
    CashCount,
    MoneyAccount,
    MoneyEntry,
    MoneySettings,
    SessionMoney,
)
from bridgebuddy.money.queries.months import MoneyMonth

pytestmark = pytest.mark.django_db
MONTHS, SEED = 500, 20261124
PEOPLE = 6


def day_in(month, rng):
    return date(1990 + month // 12, month % 12 + 1, rng.randint(1, 28))


class Story:
    """Events in a club: sessions with prices and payments, and money beside them."""

    def __init__(self, rng):
        self.sessions, self.beside = [], []
        for month in range(MONTHS):
            for _ in range(rng.choice((0, 1, 1, 2))):
                self.sessions.append(self.session(month, rng))
            for _ in range(rng.choice((0, 1, 2))):
                kind = rng.choice(("pay-in", "transfer", "correction", "pay-out"))
                euros = Decimal(rng.randint(1, 9000)) / 100
                self.beside.append((day_in(month, rng), kind, rng.randrange(PEOPLE), euros))

    def session(self, month, rng):
        day, price = day_in(month, rng), Decimal(rng.randint(0, 1200)) / 100
        ways = [rng.choice(("cash", "account", "not yet", "taken back")) for _ in range(4)]
        paid_by = rng.sample(range(PEOPLE), 4)
        difference = rng.choice((None, Decimal(0), Decimal(rng.randint(-300, 300)) / 100))
        is_deleted = rng.random() < 0.1
        earlier = rng.choice((Decimal(0), Decimal(rng.randint(0, 300)) / 100))
        return day, price, list(zip(paid_by, ways, strict=True)), difference, is_deleted, earlier


def write(club, story):
    """Write the story as rows, a table at a time."""
    people = Person.objects.bulk_create(
        Person(club=club, name=f"P {n}", search=f"p {n}") for n in range(PEOPLE)
    )
    accounts = MoneyAccount.objects.bulk_create(
        MoneyAccount(club=club, person=person) for person in people
    )
    event = Event.objects.create(club=club, name="Story")
    sessions = Session.objects.bulk_create(
        Session(
            event=event,
            date=day,
            starts_at=time(19),
            deleted_at="2026-01-01T00:00Z" if is_deleted else None,
        )
        for day, _p, _w, _d, is_deleted, _e in story.sessions
    )
    sections = Section.objects.bulk_create(
        Section(session=session, round=1, code=f"S{number:05d}")
        for number, session in enumerate(sessions)
    )
    entries = Entry.objects.bulk_create(
        Entry(section=section, position=pair) for section in sections for pair in (1, 2)
    )
    EntryPerson.objects.bulk_create(
        EntryPerson(
            entry=entries[2 * n + place // 2],
            section=section,
            person=people[person],
            position=place % 2 + 1,
        )
        for n, section in enumerate(sections)
        for place, (person, _way) in enumerate(story.sessions[n][2])
    )
    moneys = SessionMoney.objects.bulk_create(
        SessionMoney(
            club=club,
            session=session,
            day=day,
            name="Story",
            members=int(100 * price),
            visitors=int(100 * price),
        )
        for session, (day, price, *_rest) in zip(sessions, story.sessions, strict=True)
    )
    rows, counts = [], []
    for money, (day, price, ways, difference, _deleted, earlier) in zip(
        moneys, story.sessions, strict=True
    ):
        paid = int(100 * (price + earlier))  # those who paid before the price went down
        for player, way in ways:
            if way in ("cash", "account") and paid:
                rows += [(player, money, "charge", paid, day), (player, money, way, paid, day)]
            if way == "taken back" and paid:
                rows += [
                    (player, money, "charge", paid, day),
                    (player, money, "account", paid, day),
                ]
                rows += [
                    (player, money, "account", -paid, day),
                    (player, money, "charge", -paid, day),
                ]
        if difference is not None:
            expected = 4000 + sum(a for _w, m, kind, a, _d in rows if m is money and kind == "cash")
            counts.append(
                CashCount(
                    session_money=money,
                    version=1,
                    at_start=4000,
                    expected=expected,
                    counted=expected + int(100 * difference),
                )
            )
    for day, kind, player, euros in story.beside:
        sign = -1 if kind == "pay-out" else 1
        rows.append(
            (player, None, "pay-in" if kind == "pay-out" else kind, sign * int(100 * euros), day)
        )
    MoneyEntry.objects.bulk_create(
        MoneyEntry(
            club=club,
            account=accounts[person],
            session_money=money,
            kind=kind,
            amount=amount,
            price_class="member" if money else "",
            day=day,
            key=str(number),
        )
        for number, (person, money, kind, amount, day) in enumerate(rows)
    )
    CashCount.objects.bulk_create(counts)


def recount(story):
    """Return each month's sums in euros, as a treasurer counts them with pencil and paper."""
    balance, holders = Decimal(0), set()
    for number in range(MONTHS):
        first = date(1990 + number // 12, number % 12 + 1, 1)
        month = {"first": first, "rows": [], "start": balance, "accounts": len(holders)}
        sums = dict.fromkeys(
            ("in", "out", "evenings", "corrected", "cash", "box", "diff"), Decimal(0)
        )
        for day, price, ways, difference, is_deleted, earlier in story.sessions:
            if (day.year, day.month) != (first.year, first.month):
                continue
            paid = price + earlier
            cash = sum((paid for _who, way in ways if way == "cash"), Decimal(0))
            account = sum((paid for _who, way in ways if way == "account"), Decimal(0))
            open_ways = [way for _who, way in ways if not paid or way not in ("cash", "account")]
            missing = Decimal(0) if is_deleted else price * len(open_ways)
            people = len(ways) - (len(open_ways) if is_deleted else 0)
            has_entries = paid and any(way != "not yet" for _who, way in ways)
            if not is_deleted or has_entries or difference is not None:
                month["rows"].append((day, people, cash, account, missing, difference))
            sums["cash"] += cash
            sums["evenings"] -= account
            sums["diff"] += difference or 0
            holders.update(who for who, way in ways if paid and way in ("account", "taken back"))
        for day, kind, who, euros in story.beside:
            if (day.year, day.month) == (first.year, first.month):
                holders.add(who)
                sums["in"] += euros if kind in ("pay-in", "transfer") else 0
                sums["out"] -= euros if kind == "pay-out" else 0
                sums["corrected"] += euros if kind == "correction" else 0
                sums["box"] += {"pay-in": euros, "pay-out": -euros}.get(kind, Decimal(0))
        balance += sums["in"] + sums["out"] + sums["evenings"] + sums["corrected"]
        yield month | sums | {"end": balance}


def euros(amount):
    return Decimal(amount) / 100


def test_a_second_way_of_counting_comes_to_the_same_in_500_months(club):
    story = Story(random.Random(SEED))
    write(club, story)
    settings = MoneySettings.objects.create(club=club, is_on=True, currency="EUR")
    seen = 0

    for expected in recount(story):
        month = MoneyMonth(club, settings, expected["first"])

        rows = [
            (
                row.day,
                row.dues.people,
                euros(row.dues.cash),
                euros(row.dues.account),
                euros(row.dues.missing),
                None if row.difference is None else euros(row.difference),
            )
            for row in month.rows
        ]
        assert sorted(rows, key=str) == sorted(expected["rows"], key=str)
        for dues in (*(row.dues for row in month.rows), month.sums):
            assert dues.due == dues.cash + dues.account + dues.missing
        assert month.sums.due == sum(row.dues.due for row in month.rows)
        accounts, cash = month.accounts, month.cash
        assert (euros(accounts.start), accounts.accounts) == (
            expected["start"],
            expected["accounts"],
        )
        assert euros(accounts.paid_in) == expected["in"]
        assert euros(accounts.paid_out) == expected["out"]
        assert euros(accounts.sessions) == expected["evenings"]
        assert euros(accounts.corrections) == expected["corrected"]
        assert euros(accounts.end) == expected["end"]
        in_box = expected["cash"] + expected["box"] + expected["diff"]
        assert euros(cash.total) == in_box
        seen += len(rows)
    assert seen > MONTHS / 2


def test_a_month_as_csv_has_exact_amounts_and_no_formula(club):
    story = Story(random.Random(SEED))
    story.sessions, story.beside = story.sessions[:1], []
    write(club, story)
    Event.objects.update(name="=1+1")
    settings = MoneySettings.objects.create(club=club, is_on=True, currency="EUR")
    first = story.sessions[0][0].replace(day=1)

    lines = month_csv(MoneyMonth(club, settings, first)).splitlines()

    assert lines[0].startswith("\ufeffday,session,people,due,cash,account,not yet,difference")
    day, _price, ways, *_rest = story.sessions[0]
    assert lines[1].startswith(f"{day},'=1+1,{len(ways)},")
    assert lines[2].startswith(f"{first:%Y-%m},")


def test_the_number_of_queries_does_not_grow_with_sessions(club):
    story = Story(random.Random(SEED))
    day = story.sessions[0][0]
    story.sessions, story.beside = story.sessions[:1], []
    write(club, story)
    settings = MoneySettings.objects.create(club=club, is_on=True, currency="EUR")

    def queries(sessions):
        with CaptureQueriesContext(connection) as captured:
            assert len(MoneyMonth(club, settings, day.replace(day=1)).rows) == sessions
        return len(captured)

    few = queries(1)
    more = Session.objects.bulk_create(
        Session(event=Event.objects.get(), date=day, starts_at=time(19)) for _ in range(3)
    )
    Section.objects.bulk_create(
        Section(session=session, round=1, code=f"T{number:05d}")
        for number, session in enumerate(more)
    )

    assert queries(4) == few

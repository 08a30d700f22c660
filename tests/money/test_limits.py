"""Limits of money: days, numbers, times, and the second press."""

from datetime import timedelta

import pytest
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Section
from bridgebuddy.money.models import MOST_MONEY, MoneyEntry, MoneySettings, SeriesPrices
from bridgebuddy.money.queries.accounts import account_of, balance_of
from bridgebuddy.money.queries.cash_sheet import MOST_NAMES, CashSheet
from bridgebuddy.money.queries.months import MoneyMonth, first_of_month
from bridgebuddy.money.queries.prices import do_players_pay, first_sections_to_pay_today
from bridgebuddy.money.rules.ledger import Dues, EntryKind, Prices
from bridgebuddy.money.services.accounts import store_correction, store_payment
from bridgebuddy.money.services.payments import record_other_payments, take_back_recent
from bridgebuddy.money.services.settings import set_prices, turn_off, turn_on_money
from bridgebuddy.money.words import ON_OWN_PAGE, own_money
from tests.factories import PersonFactory, section_with

from .test_pages import money_address
from .test_payments import dues_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("days", "is_paid"), [(-1, False), (0, True), (1, True)])
def test_money_is_asked_from_the_day_it_was_turned_on(section, days, is_paid):
    settings = MoneySettings.objects.get()
    section.session.date = settings.since + timedelta(days=days)

    assert do_players_pay(section.session, settings) == is_paid


def test_turning_on_again_keeps_the_first_day_and_the_second_press_is_no_record(club, alice):
    first = turn_on_money(club, by=alice).since
    MoneySettings.objects.update(since=first - timedelta(days=9))
    turn_on_money(club, by=alice)
    turn_off(club, by=alice)
    turn_off(club, by=alice)

    assert turn_on_money(club, by=alice).since == first - timedelta(days=9)
    done = list(AuditRecord.objects.order_by("pk").values_list("action", flat=True))
    assert done == ["club.money_on", "club.money_off", "club.money_on"]


@pytest.mark.parametrize(("amount", "status"), [(0, 302), (1, 422)])
def test_the_largest_price_is_taken_and_a_cent_more_is_not(
    signed_in, section, alice, amount, status
):
    text = f"{(MOST_MONEY + amount) / 100:.2f}"

    answer = signed_in(alice).post(
        money_address(section, "prices/"), {"members": text, "visitors": "8", "youth": "0"}
    )

    assert answer.status_code == status
    assert dues_of(section).prices.members == (MOST_MONEY if status == 302 else 500)


@pytest.mark.parametrize("for_series", [False, True])
def test_prices_that_are_sent_twice_are_recorded_once(section, alice, for_series):
    for _press in range(2):
        set_prices(section.session, Prices(600, 900, 0), for_series=for_series, by=alice)

    assert AuditRecord.objects.filter(action="club.money_session").count() == 1
    assert SeriesPrices.objects.count() == for_series


def test_the_sheet_names_eight_and_counts_the_others(club, alice, settings_of_money):
    section = section_with(4, club=club, by=alice)
    section.session.date = club.today
    section.session.save()

    exactly = CashSheet(dues_of(section))
    assert (len(exactly.missing_names.split(", ")), exactly.unnamed_missing_count) == (
        MOST_NAMES,
        0,
    )
    for number in range(MOST_NAMES):
        person = PersonFactory(club=club, name=f"Payer {number}")
        store_payment(person, 100, session=section.session, key=f"p{number}", by=alice)
    assert len(CashSheet(dues_of(section)).paid_in) == MOST_NAMES
    store_payment(person, 50, session=section.session, key="more", by=alice)
    assert CashSheet(dues_of(section)).paid_in == [("", 850)]


def test_the_own_page_has_the_twelve_newest_entries(section, person, alice):
    anna = person("Anna North1")
    for number in range(ON_OWN_PAGE + 1):
        store_correction(anna, number + 1, reason=f"number {number}", key=f"k{number}", by=alice)

    shown = own_money(anna)

    assert len(shown.lines) == ON_OWN_PAGE
    assert (shown.lines[0].notes[0], shown.lines[-1].notes[0]) == ("number 12", "number 1")
    assert shown.balance == shown.lines[0].balance == 91


@pytest.mark.parametrize(("age", "left"), [(timedelta(0), 0), (timedelta(microseconds=1), 1)])
def test_a_payment_is_taken_back_from_its_moment_on(section, person, alice, age, left):
    anna, now = person("Anna North1"), timezone.now()
    record_other_payments(section.session, [anna.pk], key="door-1", by=alice)
    MoneyEntry.objects.update(at=now - age)

    take_back_recent(section.session, [anna.pk], since=now, prefix="door-", key="b", by=alice)

    assert dues_of(section).people_paid_by(EntryKind.CASH) == left


@pytest.mark.parametrize(
    ("text", "is_month"),
    [("2000-01", True), ("1999-12", False), ("2999-12", True), ("3000-01", False), ("x", False)],
)
def test_months_are_those_of_a_thousand_years(text, is_month):
    if is_month:
        assert first_of_month(text).day == 1
    else:
        with pytest.raises(ValueError, match=r".*"):
            first_of_month(text)


@pytest.mark.parametrize(("month", "last", "after"), [(11, 30, 12), (12, 31, 1)])
def test_a_month_has_its_last_day_and_not_the_next(
    section, club, person, alice, month, last, after
):
    anna, settings = person("Anna North1"), MoneySettings.objects.get()
    first = club.today.replace(month=month, day=1)
    store_correction(anna, 100, reason="a", key="a", by=alice)
    store_correction(anna, 1, reason="b", key="b", by=alice)
    MoneyEntry.objects.filter(key="a:1").update(day=first.replace(day=last))
    following = first.replace(day=last) + timedelta(days=1)
    MoneyEntry.objects.filter(key="b:1").update(day=following)

    this, then = (MoneyMonth(club, settings, day) for day in (first, following))

    assert (this.next_month, then.previous_month) == (following, first)
    assert following.month == after
    assert (this.accounts.end, then.accounts.start, then.accounts.end) == (100, 100, 101)
    assert balance_of(account_of(anna)) == 101


def test_two_sections_of_an_evening_are_one_list_and_one_line(club, alice, section):
    second = section_with(0, club=club, by=alice)
    Section.objects.filter(pk=second.pk).update(session=section.session, name="B")
    settings = MoneySettings.objects.get()

    [today] = first_sections_to_pay_today(club, settings)
    rows = MoneyMonth(club, settings, club.today.replace(day=1)).rows

    assert today == section
    assert [(row.code, row.dues) for row in rows] == [
        (section.code, Dues(missing=4300, people=8)),
    ]

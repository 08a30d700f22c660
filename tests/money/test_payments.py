"""Payments of a session: stored ticks and refusals."""

import pytest
from django.db import IntegrityError, transaction

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services.play import people
from bridgebuddy.events.services.setup import entries as entry_service
from bridgebuddy.money.errors import (
    MoneyIsOff,
    NoAccount,
    NothingToPay,
    OverLimit,
    PaidMeanwhile,
)
from bridgebuddy.money.models import MoneyAccount, MoneyEntry, MoneySettings, SessionMoney
from bridgebuddy.money.queries.accounts import balance_of
from bridgebuddy.money.queries.sessions import SessionDues
from bridgebuddy.money.rules.ledger import Dues, EntryKind, Prices
from bridgebuddy.money.services.accounts import store_terms
from bridgebuddy.money.services.payments import record_other_payments, record_payment
from bridgebuddy.money.services.settings import set_prices, store_settings, turn_off
from tests.factories import section_with

pytestmark = pytest.mark.django_db
CASH, ACCOUNT = EntryKind.CASH, EntryKind.ACCOUNT


def dues_of(section):
    """Return the money of a session as it is stored now."""
    return SessionDues(section.session, MoneySettings.objects.get(club=section.club))


def due_of(section, person):
    return next(due for due in dues_of(section).people if due.person == person)


def stored():
    return list(MoneyEntry.objects.values_list("kind", "amount"))


def test_cash_is_a_charge_and_a_payment(section, alice, person):
    anna = person("Anna North1")

    record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)

    assert stored() == [("charge", 500), ("cash", 500)]
    assert due_of(section, anna).dues == Dues(cash=500, people=1)
    assert balance_of(anna.money_account) == 0
    assert dues_of(section).sums == Dues(cash=500, missing=3800, people=8)


def test_a_payment_from_the_account_lowers_the_balance(section, alice, person):
    visitor = person("Bob South1")

    record_payment(section.session, visitor.pk, ACCOUNT, seen=0, key="a", by=alice)

    assert due_of(section, visitor).dues == Dues(account=800, people=1)
    assert balance_of(visitor.money_account) == -800


def test_cash_becomes_account_and_is_taken_back(section, alice, person):
    anna = person("Anna North1")
    record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)

    record_payment(
        section.session,
        anna.pk,
        ACCOUNT,
        seen=due_of(section, anna).last_entry_key,
        key="b",
        by=alice,
    )
    assert (due_of(section, anna).dues.account, balance_of(anna.money_account)) == (500, -500)

    record_payment(
        section.session, anna.pk, None, seen=due_of(section, anna).last_entry_key, key="c", by=alice
    )
    assert (due_of(section, anna).dues.missing, balance_of(anna.money_account)) == (500, 0)
    assert dues_of(section).cash_received == 0
    assert len(stored()) == 6  # nothing is changed or deleted: each step adds entries


def test_the_second_press_of_a_key_stores_nothing(section, alice, person):
    anna = person("Anna North1")
    record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)

    record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)

    assert stored() == [("charge", 500), ("cash", 500)]


def test_the_database_refuses_a_key_twice(section, alice, person):
    anna = person("Anna North1")
    record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)
    entry = MoneyEntry.objects.first()

    with pytest.raises(IntegrityError), transaction.atomic():
        MoneyEntry.objects.create(
            club=entry.club,
            account=entry.account,
            kind="cash",
            amount=1,
            day=entry.day,
            key=entry.key,
        )


def test_the_later_of_two_is_told_who_was_first(section, alice, person):
    anna = person("Anna North1")
    record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)

    with pytest.raises(PaidMeanwhile) as refused:
        record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="b", by=alice)

    assert refused.value.fields["by"] == str(alice)
    assert refused.value.fields["kind"] is CASH
    assert len(stored()) == 2


def test_the_later_is_told_too_if_the_payment_was_taken_back(section, alice, person):
    anna = person("Anna North1")
    record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)
    seen = due_of(section, anna).last_entry_key
    record_payment(section.session, anna.pk, None, seen=seen, key="b", by=alice)

    with pytest.raises(PaidMeanwhile) as refused:
        record_payment(section.session, anna.pk, ACCOUNT, seen=seen, key="c", by=alice)

    assert (refused.value.fields["kind"], refused.value.fields["by"]) == (None, str(alice))


def test_the_key_that_is_pressed_already_stores_nothing(section, alice, person):
    anna = person("Anna North1")
    record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)

    record_payment(
        section.session, anna.pk, CASH, seen=due_of(section, anna).last_entry_key, key="b", by=alice
    )

    assert len(stored()) == 2


@pytest.mark.parametrize(("overdraft", "may"), [(500, True), (499, False)])
def test_an_account_goes_to_its_limit_and_not_below(section, alice, person, overdraft, may):
    anna = person("Anna North1")
    store_terms(anna, overdraft=overdraft, price_class="", by=alice)

    if may:
        record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="a", by=alice)
        assert balance_of(anna.money_account) == -500
    else:
        with pytest.raises(OverLimit):
            record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="a", by=alice)
        assert stored() == []


def test_what_was_paid_for_another_session_is_missing_in_this_one(section, club, alice, person):
    another = section_with(4, club=club, by=alice)
    another.session.date = section.session.date
    another.session.save()
    anna, other = person("Anna North1"), person("Anna North2")
    record_payment(another.session, anna.pk, CASH, seen=0, key="a", by=alice)

    record_payment(section.session, other.pk, CASH, seen=0, key="b", by=alice)

    assert due_of(section, other).payment is not None
    assert due_of(section, anna).payment is None


def test_a_price_changed_in_mid_session_leaves_paid_entries_theirs(section, alice, person):
    anna, other = person("Anna North1"), person("Anna North2")
    record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)

    set_prices(section.session, Prices(600, 900, 0), by=alice)
    record_payment(section.session, other.pk, CASH, seen=0, key="b", by=alice)

    assert (due_of(section, anna).price, due_of(section, other).price) == (500, 600)
    assert dues_of(section).sums == Dues(cash=1100, missing=5 * 600 + 900, people=8)
    record_payment(
        section.session,
        anna.pk,
        ACCOUNT,
        seen=due_of(section, anna).last_entry_key,
        key="c",
        by=alice,
    )
    assert due_of(section, anna).price == 500


def test_prices_are_copied_with_the_first_payment(section, alice, person):
    record_payment(section.session, person("Anna North1").pk, CASH, seen=0, key="a", by=alice)

    store_settings(section.club, {"members": 700}, by=alice)

    assert dues_of(section).prices == Prices(500, 800, 0)
    assert due_of(section, person("Anna North2")).price == 500


def test_prices_of_a_series_reach_later_sessions_that_nobody_has_paid(section, club, alice, person):
    later, paid = (section_with(4, club=club, by=alice) for _ in range(2))
    for days, other in enumerate((later, paid), start=1):
        other.session.date = section.session.date.replace(year=2030, day=days)
        other.session.save()
    first = paid.entries.first().players[0]
    record_payment(paid.session, first.pk, CASH, seen=0, key="a", by=alice)

    set_prices(section.session, Prices(650, 900, 100), for_series=True, by=alice)

    assert dues_of(later).prices == Prices(650, 900, 100)
    assert dues_of(paid).prices == Prices(500, 800, 0)


def test_prices_of_a_series_leave_another_session_of_the_same_day(section, club, alice):
    afternoon = section_with(4, club=club, by=alice)
    afternoon.session.date = section.session.date
    afternoon.session.save()
    set_prices(afternoon.session, Prices(300, 400, 0), by=alice)

    set_prices(section.session, Prices(650, 900, 0), for_series=True, by=alice)

    assert dues_of(afternoon).prices == Prices(300, 400, 0)


def test_the_kind_of_player_comes_from_the_roster_or_the_account(section, alice, person):
    store_settings(
        section.club,
        {"youth": 200, "youth_category": "Juniors", "free_category": "helpers"},
        by=alice,
    )
    for name, categories in (("Anna North2", "juniors"), ("Anna North3", "Helpers, juniors")):
        Person.objects.filter(pk=person(name).pk).update(categories=categories)
    store_terms(person("Bob South1"), overdraft=None, price_class="member", by=alice)

    prices = {due.person.name: due.price for due in dues_of(section).people}

    assert prices["Anna North1"] == prices["Bob South1"] == 500
    assert (prices["Anna North2"], prices["Anna North3"]) == (200, 0)
    with pytest.raises(NothingToPay):
        record_payment(section.session, person("Anna North3").pk, CASH, seen=0, key="a", by=alice)


def test_the_rest_of_a_table_pays_in_cash_with_one_press(section, alice, person):
    keys = [person(name).pk for name in ("Anna North1", "Bob South1", "Anna North2")]
    record_payment(section.session, keys[0], ACCOUNT, seen=0, key="a", by=alice)

    paid = record_other_payments(section.session, keys, key="b", by=alice)

    assert paid == 2
    assert dues_of(section).sums == Dues(cash=1300, account=500, missing=2500, people=8)
    assert record_other_payments(section.session, keys, key="b", by=alice) == 0
    assert record_other_payments(section.session, keys, key="c", by=alice) == 0
    assert dues_of(section).sums.cash == 1300


def test_a_paid_person_who_leaves_the_list_stays_in_the_sums(club, alice, settings_of_money):
    section = section_with(4, club=club, by=alice)
    section.session.date = club.today
    section.session.save()
    entry = section.entries.first()
    anna = entry.players[0]
    record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)

    entry_service.withdraw_pair(entry, by=alice)

    due = due_of(section, anna)
    assert (due.is_in_session, due.dues) == (False, Dues(cash=500, people=1))
    assert dues_of(section).sums == Dues(cash=500, missing=3000, people=7)
    record_payment(section.session, anna.pk, None, seen=due.last_entry_key, key="b", by=alice)
    assert dues_of(section).sums == Dues(missing=3000, people=6)


def test_somebody_of_another_session_is_not_ticked(section, club, alice):
    stranger = Person.objects.create(club=club, name="Eve Elsewhere")

    with pytest.raises(NoAccount):
        record_payment(section.session, stranger.pk, CASH, seen=0, key="a", by=alice)

    assert not MoneyAccount.objects.exists()


def test_a_substitute_who_comes_later_pays_nothing(section, alice):
    people.add_substitute(section.entries.first(), 2, "Zoe New", from_round=2, by=alice)

    names = [due.person.name for due in dues_of(section).people]
    assert len(names) == 8
    assert "Zoe New" not in names


def test_tables_follow_the_round_and_show_everybody_once(section, alice, person):
    tables = dues_of(section).tables([section])

    assert [table.table for table in tables] == [1, 2]
    everybody = [due.person.name for table in tables for due in table.people]
    assert sorted(everybody) == sorted(due.person.name for due in dues_of(section).people)
    assert tables[0].missing_keys.count(",") == 3


def test_money_that_is_off_takes_no_tick(section, alice, person):
    turn_off(section.club, by=alice)

    with pytest.raises(MoneyIsOff):
        record_payment(section.session, person("Anna North1").pk, CASH, seen=0, key="a", by=alice)

    assert not SessionMoney.objects.exists()


def test_a_rehearsal_and_sessions_before_money_are_not_to_be_paid(section, alice, person):
    session = section.session
    session.date = session.date.replace(year=2020)

    with pytest.raises(MoneyIsOff):
        record_payment(session, person("Anna North1").pk, CASH, seen=0, key="a", by=alice)

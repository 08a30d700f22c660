"""Accounts: pay in, pay out, correct; merged and forgotten people; deleted sessions and clubs."""

import pytest
from django.db.models import RestrictedError
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Session
from bridgebuddy.events.services.lifecycle.deletions import (
    delete_session,
    purge_expired_sessions,
    restore_session,
)
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person, delete_club
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.money.errors import CurrencyInUse, OverLimit, ReasonRequired
from bridgebuddy.money.models import CashCount, MoneyAccount, MoneyEntry, SessionMoney
from bridgebuddy.money.queries.accounts import (
    account_entries,
    account_of,
    accounts_with_balances,
    balance_of,
    open_balances,
)
from bridgebuddy.money.queries.personal_data import money_tables
from bridgebuddy.money.rules.ledger import Dues, EntryKind
from bridgebuddy.money.services.accounts import store_correction, store_payment
from bridgebuddy.money.services.cash import count_cash
from bridgebuddy.money.services.payments import record_payment, refund_session
from bridgebuddy.money.services.settings import store_settings, turn_off, turn_on_money
from bridgebuddy.money.words import own_money

from .test_payments import due_of, dues_of

pytestmark = pytest.mark.django_db
CASH, ACCOUNT = EntryKind.CASH, EntryKind.ACCOUNT


def test_cash_goes_into_the_box_of_the_session_and_a_transfer_does_not(section, alice, person):
    anna = person("Anna North1")

    store_payment(anna, 5000, session=section.session, key="a", by=alice)
    store_payment(anna, 2000, session=section.session, is_transfer=True, key="b", by=alice)
    store_payment(anna, -1000, session=section.session, key="c", by=alice)

    assert balance_of(account_of(anna)) == 6000
    assert dues_of(section).cash_received == 4000
    assert [line.balance for line in account_entries(account_of(anna))] == [6000, 7000, 5000]


def test_a_second_press_pays_in_once(section, alice, person):
    for _press in range(2):
        store_payment(person("Anna North1"), 5000, key="a", by=alice)

    assert balance_of(account_of(person("Anna North1"))) == 5000


@pytest.mark.parametrize(("amount", "may"), [(-1500, True), (-1501, False)])
def test_a_payout_stops_at_the_limit(section, alice, person, amount, may):
    anna = person("Anna North1")
    store_payment(anna, 500, key="a", by=alice)

    if may:
        store_payment(anna, amount, key="b", by=alice)
    else:
        with pytest.raises(OverLimit):
            store_payment(anna, amount, key="b", by=alice)

    assert balance_of(account_of(anna)) == (-1000 if may else 500)


def test_a_correction_needs_a_reason_and_names_its_writer(section, alice, person):
    anna = person("Anna North1")

    with pytest.raises(ReasonRequired):
        store_correction(anna, 300, reason="  ", key="a", by=alice)
    store_correction(anna, 300, reason="member’s price", key="b", by=alice)

    entry = MoneyEntry.objects.get()
    assert (entry.kind, entry.amount, entry.reason) == ("correction", 300, "member’s price")
    assert (entry.by, entry.by_name) == (alice, str(alice))
    assert dues_of(section).cash_received == 0


def test_the_treasurer_who_plays_ticks_the_own_payment_as_any_other(section, alice, person):
    """A director or treasurer is a user, not a person of the roster: both names stand in the entry."""
    own = person("Anna North1")
    Person.objects.filter(pk=own.pk).update(name="Alice Treasurer", search="alice treasurer")
    alice.first_name, alice.last_name = "Alice", "Treasurer"
    alice.save()

    record_payment(section.session, own.pk, ACCOUNT, seen=0, key="a", by=alice)

    entry = MoneyEntry.objects.filter(kind="account").get()
    assert (entry.by_name, entry.account.person.name) == ("Alice Treasurer", "Alice Treasurer")
    anonymise_later = Person.objects.get(pk=own.pk)
    section.finished_at = timezone.now()
    section.save()
    anonymise_person(anonymise_later, by=alice)
    entry.refresh_from_db()
    assert entry.account.person.name.startswith("N.N.")


def test_merged_people_have_one_balance_that_came_by_an_entry(section, club, alice, person):
    anna, twin = person("Anna North1"), Person.objects.create(club=club, name="Ana North")
    store_payment(anna, 2000, key="a", by=alice)
    store_payment(twin, 700, key="b", by=alice)
    gone = account_of(twin)
    before = list(MoneyEntry.objects.values())

    merge_people(anna, twin, by=alice)

    assert balance_of(account_of(anna)) == 2700
    gone.refresh_from_db()
    assert (gone.person, gone.merged_into, balance_of(gone)) == (None, account_of(anna), 0)
    assert list(MoneyEntry.objects.values())[: len(before)] == before
    assert [entry.kind for entry in MoneyEntry.objects.all()[len(before) :]] == ["merge", "merge"]
    assert len(money_tables(anna)["money"]) == 4


def test_a_persons_data_have_the_entries_of_every_account_that_came_to_theirs(
    section, club, alice, person
):
    anna = person("Anna North1")
    twin, third = (Person.objects.create(club=club, name=name) for name in ("Ana N", "Anne N"))
    for number, payer in enumerate((anna, twin, third), 1):
        store_payment(payer, 100 * number, key=f"in {number}", by=alice)

    merge_people(twin, third, by=alice)
    merge_people(anna, twin, by=alice)

    paid = [row["amount"] for row in money_tables(anna)["money"] if row["kind"] == "pay-in"]
    assert paid == [1, 2, 3]


def test_people_who_are_merged_while_money_is_off_keep_their_balance(section, club, alice, person):
    anna, twin = person("Anna North1"), Person.objects.create(club=club, name="Ana North")
    store_payment(anna, 2000, key="a", by=alice)
    store_payment(twin, 700, key="b", by=alice)
    turn_off(club, by=alice)

    merge_people(anna, twin, by=alice)

    assert open_balances(club) == [(account_of(anna), 2700)]
    assert balance_of(MoneyAccount.objects.get(person=None)) == 0


def test_an_account_moves_as_it_is_if_the_other_person_has_none(section, club, alice, person):
    anna, twin = person("Anna North1"), Person.objects.create(club=club, name="Ana North")
    store_payment(twin, 700, key="b", by=alice)

    merge_people(anna, twin, by=alice)

    assert balance_of(account_of(anna)) == 700
    assert MoneyAccount.objects.count() == MoneyEntry.objects.count() == 1


def test_a_payment_of_a_merged_person_stands_and_is_taken_back(section, club, alice, person):
    """The person who paid goes, and the one who stays has an account of their own."""
    anna, twin = person("Anna North1"), Person.objects.create(club=club, name="Ana North")
    record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="a", by=alice)
    store_payment(twin, 2000, key="b", by=alice)

    twin = merge_people(twin, anna, by=alice)

    due = due_of(section, twin)
    assert (due.dues, balance_of(account_of(twin))) == (Dues(account=500, people=1), 1500)
    record_payment(section.session, twin.pk, None, seen=due.last_entry_key, key="c", by=alice)
    assert (due_of(section, twin).dues.missing, balance_of(account_of(twin))) == (500, 2000)
    record_payment(section.session, twin.pk, CASH, seen=0, key="d", by=alice)
    assert dues_of(section).sums == Dues(cash=500, missing=3800, people=8)


def test_a_forgotten_person_leaves_the_sums_and_no_name(section, club, alice, person):
    anna = person("Anna North1")
    store_payment(anna, 2000, key="a", by=alice)
    store_correction(person("Anna North2"), 300, reason="paid by Anna North1", key="b", by=alice)
    record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="c", by=alice)
    count_cash(
        section.session,
        at_start=0,
        rest=5,
        reason="Anna North1 had no change",
        after_version=0,
        by=alice,
    )
    section.finished_at = timezone.now()
    section.save()

    anonymise_person(anna, by=alice)

    texts = [
        *MoneyEntry.objects.values_list("reason", "by_name"),
        *CashCount.objects.values_list("reason"),
    ]
    assert not [text for row in texts for text in row if "North1" in text]
    assert sum(balance for _account, balance in accounts_with_balances(club)) == 1800
    names = [account.person.name for account, _balance in accounts_with_balances(club)]
    assert sorted(names) == ["Anna North2", "N.N.1"]


def test_a_person_with_entries_stays_on_the_roster(section, club, alice, signed_in):
    eve = Person.objects.create(club=club, name="Eve Elsewhere")
    store_payment(eve, 700, key="a", by=alice)

    with pytest.raises(RestrictedError):
        eve.delete()
    answer = signed_in(alice).post(f"/clubs/{club.pk}/players/{eve.pk}/forget/", follow=True)

    assert "has an account of table money and stays" in answer.content.decode()


def test_turning_money_off_and_on_loses_nothing(section, club, alice, person):
    anna = person("Anna North1")
    record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="a", by=alice)
    before = list(MoneyEntry.objects.values())

    turn_off(club, by=alice)
    assert own_money(anna) is None
    assert [(account.person, balance) for account, balance in open_balances(club)] == [(anna, -500)]
    turn_on_money(club, by=alice)

    assert list(MoneyEntry.objects.values()) == before
    assert own_money(anna).balance == -500
    assert due_of(section, anna).dues == Dues(account=500, people=1)


def test_an_open_account_can_be_settled_while_money_is_off(section, club, alice, person):
    anna = person("Anna North1")
    record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="a", by=alice)
    turn_off(club, by=alice)

    store_payment(anna, 500, key="b", by=alice)

    assert open_balances(club) == []


def test_a_deleted_session_changes_no_balance_and_keeps_its_payments(section, alice, person):
    anna, other = person("Anna North1"), person("Anna North2")
    record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="a", by=alice)
    record_payment(section.session, other.pk, CASH, seen=0, key="b", by=alice)

    delete_session(section, name=section.session.event.name, by=alice)
    assert balance_of(account_of(anna)) == -500
    restore_session(section, by=alice)
    assert dues_of(section).sums == Dues(cash=500, account=500, missing=3300, people=8)

    delete_session(section, name=section.session.event.name, by=alice)
    old = timezone.now() - 2 * Session.KEPT_FOR
    Session.objects.filter(pk=section.session_id).update(deleted_at=old)
    day, name = section.session.date, section.session.event.name
    assert purge_expired_sessions() == 1
    money = SessionMoney.objects.get()
    assert (money.session, money.day, money.name) == (None, day, name)
    assert balance_of(account_of(anna)) == -500
    assert MoneyEntry.objects.count() == 4


def test_a_refund_credits_accounts_and_leaves_the_cash_in_the_box(section, alice, person):
    anna, other = person("Anna North1"), person("Anna North2")
    record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="a", by=alice)
    record_payment(section.session, other.pk, CASH, seen=0, key="b", by=alice)

    paid = refund_session(section.session, key="c", by=alice)

    assert paid == 2
    assert (balance_of(account_of(anna)), balance_of(account_of(other))) == (0, 500)
    assert dues_of(section).sums == Dues(missing=4300, people=8)
    assert dues_of(section).cash_received == 500
    assert refund_session(section.session, key="c", by=alice) == 0
    assert refund_session(section.session, key="d", by=alice) == 0


def test_a_club_is_deleted_with_its_money(section, club, alice, person):
    record_payment(section.session, person("Anna North1").pk, CASH, seen=0, key="a", by=alice)
    twin = Person.objects.create(club=club, name="Ana North")
    store_payment(twin, 700, key="b", by=alice)
    store_payment(person("Anna North2"), 700, key="c", by=alice)
    merge_people(person("Anna North2"), twin, by=alice)
    section.finished_at = timezone.now()
    section.save()

    delete_club(club, name=club.name)

    assert not MoneyEntry.objects.exists()
    assert not MoneyAccount.objects.exists()


def test_the_currency_stays_once_the_ledger_has_entries(section, club, alice, person):
    store_settings(club, {"currency": "JPY", "members": 1200}, by=alice)
    record_payment(section.session, person("Anna North1").pk, CASH, seen=0, key="a", by=alice)

    with pytest.raises(CurrencyInUse):
        store_settings(club, {"currency": "EUR"}, by=alice)

    assert dues_of(section).sums.cash == 1200


def test_a_box_is_counted_again_and_every_count_stays(section, alice, person):
    record_payment(section.session, person("Anna North1").pk, CASH, seen=0, key="a", by=alice)

    first = count_cash(
        section.session, at_start=4000, pieces=[(2000, 2), (200, 2)], after_version=0, by=alice
    )
    twice = count_cash(section.session, at_start=4000, rest=4500, after_version=0, by=alice)
    assert (first.counted, first.expected, first.difference) == (4400, 4500, -100)
    assert twice == first

    count_cash(section.session, at_start=4000, rest=4500, after_version=1, by=alice)
    dues = dues_of(section)
    assert (dues.count.version, dues.count.difference, dues.is_count_current) == (2, 0, True)
    record_payment(section.session, person("Anna North2").pk, CASH, seen=0, key="b", by=alice)
    assert not dues_of(section).is_count_current
    assert CashCount.objects.count() == 2

"""Random actions in any order: a plain count of coins comes to the same sums as the ledger."""

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import EntryPerson
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.events.services.setup.entries import withdraw_pair
from bridgebuddy.money.errors import MoneyIsOff
from bridgebuddy.money.models import MoneyEntry
from bridgebuddy.money.queries.accounts import accounts_with_balances
from bridgebuddy.money.rules.ledger import EntryKind, Prices
from bridgebuddy.money.services.accounts import store_correction, store_payment
from bridgebuddy.money.services.payments import (
    record_other_payments,
    record_payment,
    refund_session,
)
from bridgebuddy.money.services.settings import set_prices, turn_off, turn_on_money
from tests.factories import PersonFactory, section_with

from .test_payments import dues_of

pytestmark = pytest.mark.django_db
WHO = st.integers(0, 3)
STEPS = st.one_of(
    st.tuples(st.just("tick"), WHO, st.sampled_from(["cash", "account", "none"])),
    st.tuples(st.just("pay"), WHO, st.integers(-3000, 6000)),
    st.tuples(st.just("correct"), WHO, st.integers(-900, 900)),
    st.tuples(st.just("rest"), WHO, st.just(0)),
    st.tuples(st.just("price"), st.integers(1, 1200), st.just(0)),
    st.tuples(st.just("refund"), st.just(0), st.just(0)),
    st.tuples(st.just("transfer"), WHO, st.integers(-3000, 6000)),
    st.tuples(st.just("merge"), WHO, st.integers(0, 2000)),
    st.tuples(st.just("withdraw"), WHO, st.just(0)),
    st.tuples(st.just("off"), WHO, st.integers(1, 900)),
)
HOW = {"cash": EntryKind.CASH, "account": EntryKind.ACCOUNT, "none": None}
LIMIT = -1000


class Purses:
    """A model of the same evening: each person's money and payment, and the box."""

    def __init__(self, prices):
        self.prices = prices
        self.purse = [0] * len(prices)
        self.paid = [None] * len(prices)  # way and price
        self.is_there = [True] * len(prices)
        self.box = 0

    def do(self, step, person, value):
        match step:
            case "tick":
                self.pay(person, value)
            case "rest":
                for other in (person, (person + 1) % 4):
                    if self.paid[other] is None and self.is_there[other]:
                        self.pay(other, "cash")
            case "pay" | "transfer":
                if value >= 0 or self.purse[person] + value >= LIMIT:
                    self.purse[person] += value
                    self.box += value if step == "pay" else 0
            case "withdraw":
                self.is_there[person] = False
            case "correct" | "merge" | "off":
                self.purse[person] += value
            case "price":
                self.prices = [person] * len(self.prices)
            case "refund":
                for other, paid in enumerate(self.paid):
                    if paid is not None:
                        self.purse[other] += paid[1]
                self.paid = [None] * len(self.paid)

    def pay(self, person, how):
        before = self.paid[person]
        if before is None and not self.is_there[person]:
            return
        if how == (before[0] if before else "none"):
            return
        price = before[1] if before else self.prices[person]
        if how == "account" and self.purse[person] - price < LIMIT:
            return
        if before:
            self.undo(person, *before)
        self.paid[person] = None if how == "none" else (how, price)
        if how == "cash":
            self.box += price
        elif how == "account":
            self.purse[person] -= price

    def undo(self, person, how, price):
        if how == "cash":
            self.box -= price
        else:
            self.purse[person] += price


@pytest.fixture
def waiting(club, alice, settings_of_money):
    """An evening of today before its start, so that pairs can still withdraw."""
    section = section_with(4, club=club, by=alice)
    section.session.date = club.today
    section.session.save()
    return section


def test_the_ledger_and_the_purses_agree_after_every_step(waiting, club, alice):
    section = waiting
    done = set()

    @settings(max_examples=25, deadline=None, derandomize=True)
    @given(st.lists(STEPS, min_size=4, max_size=10))
    def check(steps):
        with transaction.atomic():
            dues = dues_of(section).people[:4]  # of four pairs
            people, purses = [due.person for due in dues], Purses([due.price for due in dues])
            entries = 0
            done.update(step for step, _who, _value in steps)
            for number, step in enumerate(steps):
                press(section, people, number, *step, by=alice)
                purses.do(*step)
                compare(section, club, people, purses)
                assert MoneyEntry.objects.count() >= entries  # entries are only added
                entries = MoneyEntry.objects.count()
            transaction.set_rollback(True)

    check()
    assert len(done) == 10  # every kind of step


def press(section, people, number, step, person, value, *, by):
    """Do a step with the services, as a page would."""
    key = f"k{number}"
    try:
        match step:
            case "tick":
                seen = {due.person: due.last_entry_key for due in dues_of(section).people}.get(
                    people[person], 0
                )
                record_payment(
                    section.session, people[person].pk, HOW[value], seen=seen, key=key, by=by
                )
            case "rest":
                both = [people[person].pk, people[(person + 1) % 4].pk]
                record_other_payments(section.session, both, key=key, by=by)
            case "pay":
                store_payment(people[person], value, session=section.session, key=key, by=by)
            case "transfer":
                store_payment(people[person], value, is_transfer=True, key=key, by=by)
            case "merge":
                twin = PersonFactory(club=section.club, name=f"Twin {number}")
                store_payment(twin, value, is_transfer=True, key=key, by=by)
                both = (people[person], twin) if number % 2 else (twin, people[person])
                people[person] = merge_people(*both, by=by)
            case "withdraw":
                places = EntryPerson.objects.filter(section=section, person=people[person])
                if place := places.first():
                    withdraw_pair(place.entry, by=by)
            case "off":
                turn_off(section.club, by=by)
                with pytest.raises(MoneyIsOff):
                    record_payment(
                        section.session, people[person].pk, None, seen=0, key=f"{key}-off", by=by
                    )
                store_correction(people[person], value, reason="settled", key=key, by=by)
                turn_on_money(section.club, by=by)
            case "correct":
                store_correction(people[person], value, reason="counted again", key=key, by=by)
            case "price":
                set_prices(section.session, Prices(person, person, person), by=by)
            case "refund":
                refund_session(section.session, key=key, by=by)
    except ChangeRefused:
        pass


def compare(section, club, people, purses):
    dues = dues_of(section)
    by_person = {due.person: due for due in dues.people}
    for index, person in enumerate(people):
        due, paid = by_person.get(person), purses.paid[index]
        assert (due is None) == (paid is None and not purses.is_there[index])
        if due is None:
            continue
        assert due.is_in_session == purses.is_there[index]
        assert due.dues.due == due.dues.cash + due.dues.account + due.dues.missing == due.price
        assert (due.payment and (due.payment.kind.value, due.payment.amount)) == paid
    sums = dues.sums
    assert sums.due == sums.cash + sums.account + sums.missing
    assert sums.due == sum(due.price for due in dues.people)
    balances = {account.person: balance for account, balance in accounts_with_balances(club)}
    assert [balances.get(person, 0) for person in people] == purses.purse
    assert dues.cash_received == purses.box

"""Two people with the same list: of two ticks one stands, and no sum is ever wrong."""

import pytest

from bridgebuddy.events.errors import SectionChanged
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.money.errors import MoneyIsOff, NoAccount, PaidMeanwhile
from bridgebuddy.money.models import MoneyAccount, MoneyEntry, MoneySettings, SessionMoney
from bridgebuddy.money.queries.accounts import account_of, balance_of
from bridgebuddy.money.rules.ledger import Dues, EntryKind, Prices
from bridgebuddy.money.services.accounts import store_correction, store_payment, store_terms
from bridgebuddy.money.services.cash import count_cash
from bridgebuddy.money.services.payments import (
    record_other_payments,
    record_payment,
    refund_session,
)
from bridgebuddy.money.services.settings import set_prices, store_settings, turn_off
from tests.factories import PersonFactory, director_of
from tests.together import errors, together

from .test_payments import dues_of

pytestmark = pytest.mark.django_db(transaction=True)
CASH, ACCOUNT = EntryKind.CASH, EntryKind.ACCOUNT


def test_of_two_who_tick_one_payment_the_later_sees_who_was_first(section, club, alice, person):
    anna, other = person("Anna North1"), director_of(club, email="second@example.org")

    outcomes = together(
        lambda: record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice),
        lambda: record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="b", by=other),
    )

    refused = errors(outcomes)
    assert [type(error) for error in refused] == [PaidMeanwhile]
    first = alice if isinstance(outcomes[1], PaidMeanwhile) else other
    assert refused[0].fields["by"] == str(first)
    assert MoneyEntry.objects.count() == 2
    assert SessionMoney.objects.count() == 1
    assert dues_of(section).sums.missing == 3800


def test_a_double_tap_at_one_moment_pays_once(section, alice, person):
    anna = person("Anna North1")

    outcomes = together(
        *(
            lambda: record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice)
            for _ in range(3)
        )
    )

    assert errors(outcomes) == []
    assert MoneyEntry.objects.count() == 2


def test_two_presses_for_the_rest_of_a_table_charge_everybody_once(section, alice):
    everybody = [due.person.pk for due in dues_of(section).people]

    outcomes = together(
        lambda: record_other_payments(section.session, everybody, key="a", by=alice),
        lambda: record_other_payments(section.session, everybody, key="b", by=alice),
    )

    assert sorted(outcomes) == [0, 8]
    assert dues_of(section).sums == Dues(cash=4300, people=8)


def test_the_limit_of_an_account_holds_against_two_at_once(section, alice, person):
    anna = person("Anna North1")
    store_payment(anna, 500, key="first", by=alice)

    outcomes = together(
        lambda: store_payment(anna, -1500, key="a", by=alice),
        lambda: record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="b", by=alice),
    )

    assert len(errors(outcomes)) == 1
    assert balance_of(account_of(anna)) in (-1000, 0)


def test_a_count_sent_twice_at_once_is_stored_once(section, alice):
    outcomes = together(
        *(
            lambda: count_cash(section.session, at_start=0, rest=5, after_version=0, by=alice)
            for _ in "ab"
        )
    )

    assert errors(outcomes) == []
    assert dues_of(section).count.version == 1


def test_a_correction_sent_twice_at_once_is_stored_once(section, alice, person):
    anna = person("Anna North1")

    outcomes = together(
        *(lambda: store_correction(anna, -350, reason="twice", key="a", by=alice) for _ in "ab")
    )

    assert errors(outcomes) == []
    assert (MoneyEntry.objects.count(), balance_of(account_of(anna))) == (1, -350)


def test_two_first_payments_open_one_account(section, alice, person):
    anna = person("Anna North1")

    outcomes = together(
        lambda: store_payment(anna, 1000, key="a", by=alice),
        lambda: store_payment(anna, 500, key="b", by=alice),
        lambda: store_terms(anna, overdraft=7, price_class="", by=alice),
    )

    assert errors(outcomes) == []
    account = MoneyAccount.objects.get(person=anna)
    assert (balance_of(account), account.overdraft) == (1500, 7)


def test_a_payment_and_new_prices_at_once_leave_one_of_both_prices(section, alice, person):
    anna = person("Anna North1")

    outcomes = together(
        lambda: record_payment(section.session, anna.pk, CASH, seen=0, key="a", by=alice),
        lambda: set_prices(section.session, Prices(650, 900, 0), by=alice),
    )

    assert errors(outcomes) == []
    paid = next(due for due in dues_of(section).people if due.person == anna).payment.amount
    assert paid in (500, 650)
    assert dues_of(section).sums == Dues(cash=paid, missing=6 * 650 + 900, people=8)


def test_a_payment_as_money_is_turned_off_is_stored_or_refused(section, club, alice, person):
    anna = person("Anna North1")

    outcomes = together(
        lambda: record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="a", by=alice),
        lambda: turn_off(club, by=alice),
    )

    refused = errors(outcomes)
    assert {type(error) for error in refused} <= {MoneyIsOff}
    account = account_of(anna)
    assert (balance_of(account) if account else 0) == (0 if refused else -500)


def test_a_refund_and_a_tick_taken_back_give_the_money_back_once(section, alice, person):
    anna = person("Anna North1")
    record_payment(section.session, anna.pk, ACCOUNT, seen=0, key="a", by=alice)
    seen = next(due for due in dues_of(section).people if due.person == anna).last_entry_key

    outcomes = together(
        lambda: refund_session(section.session, key="b", by=alice),
        lambda: record_payment(section.session, anna.pk, None, seen=seen, key="c", by=alice),
    )

    assert {type(error) for error in errors(outcomes)} <= {PaidMeanwhile}
    assert balance_of(account_of(anna)) == 0
    assert dues_of(section).sums.missing == 4300


def test_two_tablets_that_pay_for_one_pair_charge_it_once(section, alice):
    pair = [due.person.pk for due in dues_of(section).people[:2]]

    outcomes = together(
        lambda: record_other_payments(section.session, pair, key="a", by=alice),
        lambda: record_other_payments(section.session, pair, how=ACCOUNT, key="b", by=alice),
    )

    assert sorted(outcomes) == [0, 2]
    sums = dues_of(section).sums
    assert sums.cash == 0 or sums.account == 0
    assert sums.due == 4300


@pytest.mark.parametrize("has_account", [True, False])
def test_a_merge_and_a_payment_at_once_lose_no_amount(club, alice, section, has_account):
    stays, goes = (PersonFactory(club=club, name=name) for name in ("Eve Elm", "Eve Ellm"))
    if has_account:
        store_payment(stays, 300, key="first", by=alice)

    outcomes = together(
        lambda: store_payment(goes, 2000, key="a", by=alice),
        lambda: merge_people(stays, goes, by=alice),
        lambda: store_terms(stays, overdraft=5, price_class="", by=alice),
    )

    refused = errors(outcomes)
    assert {type(error) for error in refused} <= {NoAccount, SectionChanged}
    paid = not any(isinstance(error, NoAccount) for error in refused)
    accounts = MoneyAccount.objects.filter(club=club)
    total = sum(balance_of(account) for account in accounts)
    assert total == 300 * has_account + 2000 * paid
    if not refused:
        assert balance_of(account_of(stays)) == total


def test_two_who_store_the_price_list_leave_one_of_both(club, alice, section):
    outcomes = together(
        lambda: store_settings(club, {"members": 600, "visitors": 1000}, by=alice),
        lambda: store_settings(club, {"members": 700, "visitors": 1100}, by=alice),
    )

    assert errors(outcomes) == []
    stored = MoneySettings.objects.get(club=club)
    assert (stored.members, stored.visitors) in ((600, 1000), (700, 1100))

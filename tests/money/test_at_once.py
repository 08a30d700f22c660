"""Two people with the same list: of two ticks one stands, and no sum is ever wrong."""

import pytest

from bridgebuddy.money.errors import PaidMeanwhile
from bridgebuddy.money.models import MoneyEntry, SessionMoney
from bridgebuddy.money.queries.accounts import account_of, balance_of
from bridgebuddy.money.rules.ledger import Dues, EntryKind
from bridgebuddy.money.services.accounts import pay_in
from bridgebuddy.money.services.cash import count_cash
from bridgebuddy.money.services.payments import tick, tick_rest
from tests.factories import director_of
from tests.together import errors, together

from .test_payments import dues_of

pytestmark = pytest.mark.django_db(transaction=True)
CASH, ACCOUNT = EntryKind.CASH, EntryKind.ACCOUNT


def test_of_two_who_tick_one_payment_the_later_sees_who_was_first(section, club, alice, person):
    anna, other = person("Anna North1"), director_of(club, email="second@example.org")

    outcomes = together(
        lambda: tick(section.session, anna.pk, CASH, seen=0, key="a", by=alice),
        lambda: tick(section.session, anna.pk, ACCOUNT, seen=0, key="b", by=other),
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
        *(lambda: tick(section.session, anna.pk, CASH, seen=0, key="a", by=alice) for _ in range(3))
    )

    assert errors(outcomes) == []
    assert MoneyEntry.objects.count() == 2


def test_two_presses_for_the_rest_of_a_table_charge_everybody_once(section, alice):
    everybody = [due.person.pk for due in dues_of(section).people]

    outcomes = together(
        lambda: tick_rest(section.session, everybody, key="a", by=alice),
        lambda: tick_rest(section.session, everybody, key="b", by=alice),
    )

    assert sorted(outcomes) == [0, 8]
    assert dues_of(section).sums == Dues(cash=4300, people=8)


def test_the_limit_of_an_account_holds_against_two_at_once(section, alice, person):
    anna = person("Anna North1")
    pay_in(anna, 500, key="first", by=alice)

    outcomes = together(
        lambda: pay_in(anna, -1500, key="a", by=alice),
        lambda: tick(section.session, anna.pk, ACCOUNT, seen=0, key="b", by=alice),
    )

    assert len(errors(outcomes)) == 1
    assert balance_of(account_of(anna)) in (-1000, 0)


def test_a_count_sent_twice_at_once_is_stored_once(section, alice):
    outcomes = together(
        *(lambda: count_cash(section.session, at_start=0, rest=5, after=0, by=alice) for _ in "ab")
    )

    assert errors(outcomes) == []
    assert dues_of(section).count.version == 1

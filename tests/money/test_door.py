"""Table money at the door: the price after a tap, and payments on the club's tablet."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from bridgebuddy.clubs.models import Membership, Person
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.money.models import MoneyEntry, MoneySettings
from bridgebuddy.money.queries.accounts import account_of, balance_of
from bridgebuddy.money.queries.personal_data import money_tables
from bridgebuddy.money.queries.sessions import SessionDues
from bridgebuddy.money.rules.ledger import Dues, EntryKind
from bridgebuddy.money.services.accounts import store_payment
from bridgebuddy.money.services.payments import record_payment
from bridgebuddy.money.services.settings import turn_off
from bridgebuddy.registration.door import entrance_key
from bridgebuddy.registration.registering import record_arrivals, register_pair
from tests.factories import PersonFactory, pair_names, section_to_enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(club, alice, settings_of_money):
    """An evening of today before its start; Ruth and Otto are here, Otto is a visitor."""
    section = section_to_enter(club, alice)
    section.session.date = club.today
    section.session.save()
    ruth = PersonFactory(club=club, name="Ruth O'Klein")
    otto = PersonFactory(club=club, name="Otto Klein", other_club="Elsewhere")
    register_pair(section.session, ruth, otto, by=alice)
    record_arrivals(section.session, [ruth, otto], by=alice)
    return section


@pytest.fixture
def pair(evening):
    return [Person.objects.get(name=name) for name in ("Ruth O'Klein", "Otto Klein")]


class PaymentDoor:
    """The page at the door in a browser."""

    def __init__(self, section, browser):
        self.section, self.browser = section, browser
        self.keys = [section.code, entrance_key(section.session)]

    def welcome(self, people, then=""):
        keys = "-".join(str(person.pk) for person in people)
        page = self.browser.get(reverse("door", args=self.keys) + f"?here={keys}{then}")
        assert page.status_code == 200
        return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())

    def pay(self, people, do, key="k"):
        keys = "-".join(str(person.pk) for person in people)
        sent = {"people": keys, "do": do, "key": key}
        return self.browser.post(reverse("through-door", args=self.keys), sent)


@pytest.fixture
def tablet(evening, alice, signed_in):
    browser = signed_in(alice)
    browser.post(reverse("door-tablet", args=[evening.code]), {"code": "1234"})
    return PaymentDoor(evening, browser)


def sums(section):
    return SessionDues(section.session, MoneySettings.objects.get(club=section.club)).sums


def test_the_tablet_says_the_price_and_takes_cash_for_two_with_one_press(tablet, evening, pair):
    asked = tablet.welcome(pair)
    assert "Table money: €13.00" in asked
    assert "Ruth O&#x27;Klein €5.00" in asked
    assert "Otto Klein €8.00" in asked
    assert "From our accounts" not in asked

    answer = tablet.pay(pair, "cash")

    assert answer.url.endswith(f"?here={pair[0].pk}-{pair[1].pk}")
    assert sums(evening) == Dues(cash=1300, people=2)
    assert "Table money: paid in cash" in tablet.welcome(pair)
    entry = MoneyEntry.objects.filter(kind="cash").first()
    assert (entry.by_name, entry.reason, entry.reason_text) == ("alice", "", "At the door")


def test_who_was_here_and_does_not_play_after_all_owes_nothing(evening, alice):
    assert sums(evening) == Dues(missing=1300, people=2)
    entries.add_pairs(evening, pair_names(4), by=alice)
    movement.choose_movement(evening, "howell", boards_per_round=3, by=alice)
    assert sums(evening).people == 10

    rounds.start_next_round(evening, after=0, by=alice)

    assert sums(evening) == Dues(missing=8 * 500, people=8)


def test_a_reader_learns_in_the_own_language_that_it_was_at_the_door(tablet, pair, club):
    """The tablet is in one language, the treasurer who reads the account in another."""
    with translation.override("de"):
        tablet.pay(pair, "cash")
        tablet.pay(pair, "unpaid", "b")
    texts = {}
    for language in ("en", "de"):
        with translation.override(language):
            entries = MoneyEntry.objects.all()
            exported = money_tables(pair[0])["money"]
            texts[language] = {entry.reason_text for entry in entries} | {
                row["reason"] for row in exported
            }

    assert texts == {"en": {"At the door"}, "de": {"Am Eingang"}}


def test_a_second_press_and_a_tap_that_was_kept_pay_once(tablet, evening, pair):
    for key in ("k", "k", "another"):
        tablet.pay(pair, "cash", key)

    assert sums(evening) == Dues(cash=1300, people=2)
    assert MoneyEntry.objects.count() == 4


def test_accounts_pay_if_both_have_enough_and_no_balance_is_shown(tablet, evening, pair, alice):
    for person in pair:
        store_payment(person, 2000, key="", by=alice)
    assert "From our accounts" in tablet.welcome(pair)

    tablet.pay(pair, "account")

    assert [balance_of(account_of(person)) for person in pair] == [1500, 1200]
    shown = tablet.welcome(pair)
    assert "Table money: paid from the account" in shown
    assert not re.search(r"15\.00|12\.00|20\.00", shown)


def test_an_account_that_is_too_low_pays_for_neither(tablet, evening, pair, alice):
    store_payment(pair[0], 2000, key="", by=alice)
    store_payment(pair[1], -300, key="", by=alice)

    answer = tablet.pay(pair, "account")

    assert answer.url.endswith("&money=low")
    assert sums(evening).account == 0
    assert "An account is too low" in tablet.welcome(pair, "&money=low")


def test_a_payment_is_taken_back_within_minutes_and_only_one_of_the_door(
    tablet, evening, pair, alice
):
    ruth, otto = pair
    tablet.pay([ruth], "cash", "a")
    record_payment(evening.session, otto.pk, EntryKind.CASH, seen=0, key="desk", by=alice)

    tablet.pay(pair, "unpaid", "b")
    assert sums(evening) == Dues(cash=800, missing=500, people=2)

    tablet.pay([ruth], "cash", "c")
    MoneyEntry.objects.update(at=timezone.now() - timedelta(minutes=6))
    tablet.pay(pair, "unpaid", "d")
    assert sums(evening) == Dues(cash=1300, people=2)


def test_somebody_else_s_tap_takes_the_payment_back_with_the_arrival(tablet, evening, pair):
    tablet.pay(pair, "cash")

    keys = "-".join(str(person.pk) for person in pair)
    tablet.browser.post(
        reverse("through-door", args=tablet.keys), {"people": keys, "do": "undo", "key": "u"}
    )

    assert sums(evening) == Dues()
    assert sum(MoneyEntry.objects.values_list("amount", flat=True)) == 0


def test_a_players_own_phone_reads_the_price_and_pays_nothing(evening, pair):
    phone = PaymentDoor(evening, Client())

    asked = phone.welcome(pair)
    answer = phone.pay(pair, "cash")

    assert "Table money: €13.00" in asked
    assert "We pay cash" not in asked
    assert "€5.00" not in asked  # it would say who is a visitor
    assert answer.url.endswith("&money=ask")
    assert "Ask the director." in phone.welcome(pair, "&money=ask")
    assert not MoneyEntry.objects.exists()


def test_a_players_own_phone_does_not_say_who_has_paid(tablet, evening, pair):
    tablet.pay(pair, "cash")

    assert "Table money" not in PaymentDoor(evening, Client()).welcome(pair)


def test_a_director_without_rights_any_more_leaves_a_tablet_that_does_not_pay(
    tablet, evening, pair, alice, club
):
    Membership.objects.filter(club=club, user=alice).update(is_director=False)

    assert "We pay cash" not in tablet.welcome(pair)
    assert tablet.pay(pair, "cash").url.endswith("&money=ask")
    assert not MoneyEntry.objects.exists()


def test_a_changed_password_ends_the_payments_of_the_tablet(tablet, evening, pair, alice):
    alice.set_password("another one")
    alice.save()

    assert tablet.pay(pair, "cash").url.endswith("&money=ask")
    assert not MoneyEntry.objects.exists()


def test_without_table_money_the_door_asks_for_none(tablet, evening, pair, club, alice):
    turn_off(club, by=alice)

    assert "Table money" not in tablet.welcome(pair)
    assert tablet.pay(pair, "cash").url.endswith("&money=ask")


def test_a_free_player_is_asked_for_nothing(tablet, evening, pair, club):
    MoneySettings.objects.filter(club=club).update(members=0, visitors=0)

    assert "Table money" not in tablet.welcome(pair)


def test_a_currency_without_cents_at_the_door(tablet, evening, pair, club):
    MoneySettings.objects.filter(club=club).update(currency="JPY", members=1200, visitors=2000)

    assert "Table money: ¥3,200" in tablet.welcome(pair)


def test_the_list_at_the_desk_shows_the_tick_of_the_door(tablet, evening, pair, alice, signed_in):
    desk = signed_in(alice)
    address = f"/s/{evening.code}/money/"
    before = re.search(r"v=([^\"&]+)", desk.get(address).content.decode())[1]
    poll = {"v": before, "by": "table"}
    assert desk.get(address, poll, headers={"HX-Request": "true"}).status_code == 204

    tablet.pay(pair, "cash")

    shown = desk.get(address, poll, headers={"HX-Request": "true"})
    assert shown.status_code == 200
    assert "Cash, 2 people" in " ".join(re.sub(r"<[^>]+>", " ", shown.content.decode()).split())

"""The list of payments that stays open at a desk: notices of changes, and prices for the series."""

import re
from datetime import timedelta

import pytest

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.events.services.setup.entries import add_pairs
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.money.models import MoneySettings
from bridgebuddy.money.rules.ledger import EntryKind, Prices
from bridgebuddy.money.services.accounts import store_payment, store_terms
from bridgebuddy.money.services.cash import count_cash
from bridgebuddy.money.services.payments import record_payment
from bridgebuddy.money.services.settings import set_prices, store_settings, turn_off
from tests.factories import EventFactory, PersonFactory, section_with

from .test_pages import HTMX, money_address
from .test_payments import dues_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(signed_in, alice):
    return signed_in(alice)


class OpenList:
    """An open list of payments, and changes elsewhere that it shows."""

    def __init__(self, section, earlier, anna, by):
        self.section, self.session, self.earlier = section, section.session, earlier
        self.anna, self.by = anna, by

    def series_price(self):
        set_prices(self.earlier, Prices(650, 900, 0), for_series=True, by=self.by)

    def club_price(self):
        store_settings(self.section.club, {"visitors": 801}, by=self.by)

    def own_price(self):
        store_terms(self.anna, overdraft=None, price_class="youth", by=self.by)

    def category(self):
        store_settings(self.section.club, {"free_category": "Helpers"}, by=self.by)

    def currency(self):
        store_settings(self.section.club, {"currency": "USD"}, by=self.by)

    def tick(self):
        record_payment(self.session, self.anna.pk, EntryKind.CASH, seen=0, key="a", by=self.by)

    def cash_for_an_account(self):
        store_payment(self.anna, 100, session=self.session, key="b", by=self.by)

    def count(self):
        count_cash(self.session, at_start=0, rest=5, after_version=0, by=self.by)

    def merge(self):
        merge_people(PersonFactory(club=self.section.club, name="Eve"), self.anna, by=self.by)

    def turn_off(self):
        turn_off(self.section.club, by=self.by)


CHANGES = [name for name in vars(OpenList) if not name.startswith("_")]


@pytest.fixture
def open_list(section, club, alice, person):
    """Return an evening whose series had one before it; money is kept since then."""
    earlier = section_with(0, club=club, by=alice).session
    earlier.date = section.session.date - timedelta(days=1)
    earlier.save()
    MoneySettings.objects.update(since=earlier.date)
    anna = person("Anna North1")
    Person.objects.filter(pk=anna.pk).update(categories="helpers")
    return OpenList(section, earlier, anna, alice)


@pytest.mark.parametrize("change", CHANGES)
def test_an_open_list_notices_what_it_shows(page, open_list, change):
    address = money_address(open_list.section)
    version = re.search(r"v=(\w+)", page.get(address).content.decode())[1]
    poll = f"{address}?v={version}"
    assert page.get(poll, headers=HTMX).status_code == 204

    getattr(open_list, change)()

    assert page.get(poll, headers=HTMX).status_code == 200


def test_a_poll_of_an_unchanged_list_makes_few_queries(
    page, section, django_assert_max_num_queries
):
    address = money_address(section)
    version = re.search(r"v=(\w+)", page.get(address).content.decode())[1]

    with django_assert_max_num_queries(11):
        answer = page.get(f"{address}?v={version}", headers=HTMX)

    assert answer.status_code == 204


def test_prices_for_the_series_reach_its_later_sessions_and_no_other(page, section, club, alice):
    later, elsewhere = (section_with(2, club=club, by=alice) for _ in range(2))
    others = Session.objects.filter(pk__in=[later.session_id, elsewhere.session_id])
    others.update(date=section.session.date + timedelta(days=7))
    other_event = EventFactory(club=club, name="Friday Pairs")
    others.filter(pk=elsewhere.session_id).update(event=other_event)
    later, elsewhere = (Section.objects.get(pk=other.pk) for other in (later, elsewhere))
    for other in (later, elsewhere):  # prices of their own, which nobody has paid
        set_prices(other.session, Prices(550, 800, 0), by=alice)
    sent = {"members": "6", "visitors": "9", "youth": "1"}

    page.post(money_address(section, "prices/"), sent)
    assert dues_of(later).prices.members == 550
    page.post(money_address(section, "prices/"), sent | {"for_series": "on"})

    prices = [dues_of(item).prices.members for item in (section, later, elsewhere)]
    assert prices == [600, 600, 550]


def test_tables_of_two_sections_have_their_letters_and_nobody_twice(section, club, alice):
    """One list for the whole evening: both sections, and those who sit nowhere at its end."""
    second, lone = (section_with(0, club=club, by=alice) for _ in range(2))
    add_pairs(second, [(f"Ida B{n}", f"Jan B{n}") for n in range(4)], by=alice)
    second = choose_movement(second, "howell", boards_per_round=3, by=alice)
    start_next_round(second, after=0, by=alice)
    add_pairs(lone, [("Ida C", "Jan C")], by=alice)  # no movement, no table
    for other, name in ((second, "B"), (lone, "C")):
        Section.objects.filter(pk=other.pk).update(session=section.session, name=name)
    sections = sections_of_session(section)

    dues = dues_of(section)
    tables = dues.tables(sections)

    places = [(table.letter, table.table, len(table.people)) for table in tables]
    assert places == [("A", 1, 4), ("A", 2, 4), ("B", 1, 4), ("B", 2, 4), ("", 0, 2)]
    everybody = [due.person.pk for table in tables for due in table.people]
    assert sorted(everybody) == sorted({due.person.pk for due in dues.people})
    assert len(everybody) == 18
    rest = tables[2].missing_keys.split(",")
    assert {int(key) for key in rest} == {due.person.pk for due in tables[2].people}

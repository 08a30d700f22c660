"""Fixtures of tests of money: an evening of eight players in a club that keeps table money."""

import pytest

from bridgebuddy.clubs.models import Person
from bridgebuddy.money.services.settings import store_settings, turn_on_money
from tests.factories import section_with


@pytest.fixture
def settings_of_money(club, alice):
    """Members pay 5.00, visitors 8.00, and accounts may go to -10.00."""
    club.time_zone = "Europe/Berlin"
    club.save()
    turn_on_money(club, by=alice)
    return store_settings(club, {"members": 500, "visitors": 800, "overdraft": 1000}, by=alice)


@pytest.fixture
def section(club, alice, settings_of_money):
    """Return an evening of today in round 1: four pairs, of whom Bob South1 is a visitor."""
    section = section_with(4, "howell", round=1, club=club, by=alice)
    section.session.date = club.today
    section.session.save()
    Person.objects.filter(club=club, name="Bob South1").update(other_club="Elsewhere")
    return section


@pytest.fixture
def person(club, section):
    """Return a person of the club by name."""
    return lambda name: Person.objects.get(club=club, name=name)

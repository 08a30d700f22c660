"""The code at the door: who says that they are here, who they may say it for, and when."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services import entries, movement, rounds
from bridgebuddy.registration.door import key_of
from bridgebuddy.registration.models import Registration, UnconfirmedName
from bridgebuddy.registration.registering import come, seek_partner, stay_away, switch
from bridgebuddy.registration.registrations import Registrations
from tests.factories import PersonFactory, section_to_enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    return section_to_enter(club, alice)


@pytest.fixture
def people(club):
    names = ("Ann Ash", "Ben Birch", "Cat O'Cedar", "Dan Dale", "Eve Elm")
    return [PersonFactory(club=club, name=name) for name in names]


@pytest.fixture
def door(section):
    """The page, as a phone opens it that has scanned the code."""
    phone = Client()

    class Door:
        key = key_of(section.session)

        def read(self, then="", status=200):
            page = phone.get(reverse("door", args=[section.code, self.key]) + then)
            assert page.status_code == status
            return " ".join(page.content.decode().split())

        def press(self, *people, **sent):
            keys = [one.pk for one in people]
            address = reverse("through-door", args=[section.code, self.key])
            return phone.post(address, {"person": keys, **sent})

    return Door()


def here(section):
    found = Registration.objects.filter(session=section.session).exclude(here_at=None)
    return sorted(found.values_list("person__name", flat=True))


def test_two_who_said_that_they_come_are_here_after_two_taps(door, section, people, alice):
    come(section.session, people[0], people[1], by=alice)
    seek_partner(section.session, people[2])
    page = door.read()
    assert "Ann Ash &amp; Ben Birch" in page
    assert "Cat O&#x27;Cedar" in page

    answer = door.press(people[0], people[1])

    assert answer.url.endswith("?in=1")
    assert here(section) == ["Ann Ash", "Ben Birch"]
    assert "the director sees that you are here" in door.read("?in=1")
    assert "We are both here" not in door.read()
    assert Registrations(section.session).pairs[0].is_here


def test_one_of_two_may_be_here_alone_and_who_was_asked_has_said_yes_by_it(door, section, people):
    come(section.session, people[0], people[1])

    door.press(people[1])

    assert here(section) == ["Ben Birch"]
    pair = Registrations(section.session).pairs[0]
    assert (pair.asked, [one.name for one in pair.missing]) == (False, ["Ann Ash"])


def test_nobody_is_let_in_who_has_not_said_that_they_come_nor_two_of_different_pairs(
    door, section, people, alice
):
    come(section.session, people[0], people[1], by=alice)
    seek_partner(section.session, people[2])
    stay_away(section.session, [people[3]])

    assert door.press(people[3]).status_code == 422
    assert door.press(people[4]).status_code == 422
    assert door.press().status_code == 422
    door.press(people[0], people[2])

    assert here(section) in (["Ann Ash"], ["Cat O'Cedar"])
    assert "Dan Dale" not in door.read()


def test_a_guest_types_a_name_and_the_director_confirms_it(door, section):
    door.press(do="guest", name="Zoë  O'Neill", partner="")
    door.press(do="guest", name="Zoë O'Neill")

    assert list(UnconfirmedName.objects.values_list("name", "partner")) == [("Zoë O'Neill", "")]
    assert door.press(do="guest", name="").status_code == 422
    assert door.press(do="guest", name="x" * 100).status_code == 422


@pytest.mark.parametrize("when", ["another day", "switched off", "begun"])
def test_the_door_is_shut(door, section, people, alice, when):
    come(section.session, people[0], people[1], by=alice)
    if when == "another day":
        Session.objects.update(date=section.session.date + timedelta(days=1))
        door.key = key_of(Session.objects.get())
    elif when == "switched off":
        switch(section, is_on=False, most=None, by=alice)
    else:
        names = [(f"North{n} A", f"South{n} B") for n in range(4)]
        entries.add_pairs(section, names, by=alice)
        fresh = movement.choose_movement(
            Section.objects.get(), "howell", boards_per_round=3, by=alice
        )
        rounds.start_next_round(fresh, after=0, by=alice)

    assert "This code is of another evening" in door.read()
    door.press(people[0], people[1])
    door.press(do="guest", name="Guy Guest")

    assert here(section) == []
    assert not UnconfirmedName.objects.exists()


def test_a_code_of_another_evening_opens_nothing(door, section, people, alice):
    come(section.session, people[0], people[1], by=alice)
    yesterday = section.session.date - timedelta(days=1)
    door.key = key_of(Session(pk=section.session_id, date=yesterday))

    page = door.read(status=404)

    assert "Ann Ash" not in page
    assert door.press(people[0], people[1]).status_code == 404
    assert here(section) == []


def test_a_director_prints_the_code_while_it_leads_somewhere(section, client, alice):
    client.force_login(alice)
    address = reverse("door-code", args=[section.code])

    page = client.get(address).content.decode()
    switch(section, is_on=False, most=None, by=alice)

    assert "<svg" in page
    assert "Are you here?" in page
    assert client.get(address).url == reverse("who-comes", args=[section.code])

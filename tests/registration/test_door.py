"""The code at the door: arrivals, the people for whom one may report them, and their times."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.registration.door import entrance_key
from bridgebuddy.registration.models import Registration, UnconfirmedName
from bridgebuddy.registration.registering import (
    record_absence,
    register_pair,
    seek_partner,
    switch_registration,
)
from bridgebuddy.registration.registrations import Registrations
from bridgebuddy.registration.retention import delete_old_registrations
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
        key = entrance_key(section.session)

        def read(self, then="", status=200):
            page = phone.get(reverse("door", args=[section.code, self.key]) + then)
            assert page.status_code == status
            return " ".join(page.content.decode().split())

        def press(self, *people, **sent):
            keys = "-".join(str(person.pk) for person in people)
            address = reverse("through-door", args=[section.code, self.key])
            return phone.post(address, {"people": keys, **sent})

    return Door()


def here(section):
    found = Registration.objects.filter(session=section.session).exclude(here_at=None)
    return sorted(found.values_list("person__name", flat=True))


def test_a_couple_is_here_after_one_tap_and_moves_to_the_end(door, section, people, alice):
    register_pair(section.session, people[0], people[1], by=alice)
    register_pair(section.session, people[3], people[4], by=alice)
    seek_partner(section.session, people[2])
    page = door.read()
    assert page.index("Ann Ash &amp; Ben Birch") < page.index("Dan Dale &amp; Eve Elm")
    assert "0 of 3 are here" in page

    answer = door.press(people[0], people[1])

    assert answer.url.endswith(f"?here={people[0].pk}-{people[1].pk}")
    assert here(section) == ["Ann Ash", "Ben Birch"]
    welcome = door.read(answer.url[answer.url.index("?") :])
    assert "You are both here." in welcome
    assert "Where do I play?" in welcome
    page = door.read()
    assert "1 of 3 are here" in page
    assert page.index("Dan Dale &amp; Eve Elm") < page.index("Ann Ash &amp; Ben Birch")
    assert f'value="{people[0].pk}-{people[1].pk}"' not in page


def test_the_second_tap_changes_nothing(door, section, people, alice):
    register_pair(section.session, people[0], people[1], by=alice)
    door.press(people[0], people[1])
    times = list(Registration.objects.values_list("here_at", flat=True))

    assert door.press(people[0], people[1]).status_code == 302

    assert list(Registration.objects.values_list("here_at", flat=True)) == times


def test_half_a_pair_says_who_is_missing(door, section, people, alice):
    register_pair(section.session, people[0], people[1], by=alice)
    answer = door.press(people[1])

    assert "Ann Ash is still missing" in door.read()
    assert "Ben Birch is here, Ann Ash not yet." in door.read(answer.url[answer.url.index("?") :])


def test_a_tap_for_two_becomes_one_for_one_or_is_taken_back(door, section, people, alice):
    ann, ben, *_ = people
    register_pair(section.session, ann, ben, by=alice)
    door.press(ann, ben)

    answer = door.press(ann, ben, do="only", stays=ben.pk)
    assert here(section) == ["Ben Birch"]
    assert answer.url.endswith(f"?here={ben.pk}")
    door.press(ben, do="undo")

    assert here(section) == []


def test_an_arrival_of_earlier_is_not_taken_back(door, section, people, alice):
    ann, ben, *_ = people
    register_pair(section.session, ann, ben, by=alice)
    door.press(ann, ben)
    Registration.objects.update(here_at=timezone.now() - timedelta(minutes=6))

    door.press(ann, ben, do="undo")

    assert here(section) == ["Ann Ash", "Ben Birch"]


@pytest.mark.parametrize("people", ["", "x", "1-2-3-4", "99999999999999999999", "-", "1000000"])
def test_a_tap_of_nobody_is_asked_about(section, people):
    address = reverse("through-door", args=[section.code, entrance_key(section.session)])

    answer = Client().post(address, {"people": people})

    assert answer.status_code == 422
    assert "Tap your name in the list." in answer.content.decode()


def test_one_of_two_may_be_here_alone_and_who_was_asked_has_said_yes_by_it(door, section, people):
    register_pair(section.session, people[0], people[1])

    door.press(people[1])

    assert here(section) == ["Ben Birch"]
    pair = Registrations(section.session).pairs[0]
    assert (pair.asked, [row.name for row in pair.missing]) == (False, ["Ann Ash"])


def test_nobody_is_let_in_who_has_not_said_that_they_come_nor_two_of_different_pairs(
    door, section, people, alice
):
    register_pair(section.session, people[0], people[1], by=alice)
    seek_partner(section.session, people[2])
    record_absence(section.session, [people[3]])

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
    register_pair(section.session, people[0], people[1], by=alice)
    if when == "another day":
        Session.objects.update(date=section.session.date + timedelta(days=1))
        door.key = entrance_key(Session.objects.get())
    elif when == "switched off":
        switch_registration(section, is_on=False, maximum=None, by=alice)
    else:
        names = [(f"North{n} A", f"South{n} B") for n in range(4)]
        entries.add_pairs(section, names, by=alice)
        fresh = movement.choose_movement(
            Section.objects.get(), "howell", boards_per_round=3, by=alice
        )
        rounds.start_next_round(fresh, after=0, by=alice)

    assert "This code belongs to another session" in door.read()
    door.press(people[0], people[1])
    door.press(do="guest", name="Guy Guest")

    assert here(section) == []
    assert not UnconfirmedName.objects.exists()


def test_a_code_of_another_evening_opens_nothing(door, section, people, alice):
    register_pair(section.session, people[0], people[1], by=alice)
    yesterday = section.session.date - timedelta(days=1)
    door.key = entrance_key(Session(pk=section.session_id, date=yesterday))

    page = door.read(status=404)

    assert "Ann Ash" not in page
    assert door.press(people[0], people[1]).status_code == 404
    assert here(section) == []


def test_a_director_prints_the_code_while_it_leads_somewhere(section, client, alice):
    client.force_login(alice)
    address = reverse("door-code", args=[section.code])

    page = client.get(address, follow=True).content.decode()
    switch_registration(section, is_on=False, maximum=None, by=alice)

    assert "<svg" in page
    assert "Are you here?" in page
    assert "Use this device at the door" in page
    assert "Are you here?" not in client.get(address, follow=True).content.decode()


def test_the_tablet_returns_by_itself_and_leaves_with_the_directors_code(
    section, client, alice, people
):
    register_pair(section.session, people[0], people[1], by=alice)
    client.force_login(alice)
    tablet = reverse("door-tablet", args=[section.code])
    names = reverse("door", args=[section.code, entrance_key(section.session)])
    leave = reverse("leave-door", args=[section.code, entrance_key(section.session)])
    who_comes = reverse("who-comes", args=[section.code])

    assert client.post(tablet, {"code": "4711"}).url == names

    assert client.get(who_comes).status_code == 302  # signed out
    assert leave in client.get(names).content.decode()
    tap = client.post(names + "here/", {"people": f"{people[0].pk}-{people[1].pk}"})
    welcome = client.get(tap.url).content.decode()
    assert f'content="10; url={names}"' in welcome
    assert "Where do I play?" not in welcome
    assert client.post(leave, {"code": "0815"}).status_code == 422
    assert client.get(who_comes).status_code == 302
    assert client.post(leave, {"code": "4711"}).url == who_comes
    assert client.get(who_comes).status_code == 200
    assert "Director: leave this page" not in client.get(names).content.decode()


def test_after_five_wrong_codes_the_director_signs_in(section, client, alice):
    client.force_login(alice)
    client.post(reverse("door-tablet", args=[section.code]), {"code": "4711"})
    leave = reverse("leave-door", args=[section.code, entrance_key(section.session)])

    wrong = [client.post(leave, {"code": f"000{n}"}).status_code for n in range(5)]
    last = client.post(leave, {"code": "4711"})

    assert wrong == [422] * 5
    assert last.url == reverse("who-comes", args=[section.code])
    assert client.get(last.url).status_code == 302


@pytest.mark.parametrize("what", ["password", "account"])
def test_the_code_ends_with_the_password_and_the_account(section, client, alice, what):
    client.force_login(alice)
    client.post(reverse("door-tablet", args=[section.code]), {"code": "4711"})
    if what == "password":
        alice.set_password("another one")
    else:
        alice.is_active = False
    alice.save()

    client.post(
        reverse("leave-door", args=[section.code, entrance_key(section.session)]), {"code": "4711"}
    )

    assert client.get(reverse("who-comes", args=[section.code])).status_code == 302


@pytest.mark.parametrize("code", ["", "471", "47111", "abcd", "４７１１"])
def test_a_code_has_four_digits(section, client, alice, code):
    client.force_login(alice)
    address = reverse("door-tablet", args=[section.code])

    fold = f"{reverse('who-comes', args=[section.code])}?open=door#door"
    assert client.post(address, {"code": code}).url == fold

    assert client.get(reverse("who-comes", args=[section.code])).status_code == 200


def test_names_of_guests_are_deleted_the_day_after(door, section, people, alice):
    door.press(do="guest", name="Guy Guest")
    delete_old_registrations()
    assert UnconfirmedName.objects.count() == 1
    Session.objects.update(date=section.session.date - timedelta(days=1))

    delete_old_registrations()

    assert not UnconfirmedName.objects.exists()

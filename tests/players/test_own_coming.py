"""Saying from one's own page whether one comes, and from the club's page without having one."""

from datetime import timedelta

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section, Session
from bridgebuddy.publication.models import ClubPage
from bridgebuddy.publication.own.links import give_address, page_code
from bridgebuddy.registration import registering
from bridgebuddy.registration.blocked_requests import block_requests
from bridgebuddy.registration.models import Registration, UnconfirmedName
from bridgebuddy.registration.registering import (
    record_absence,
    record_arrivals,
    register_pair,
    seek_partner,
    switch_registration,
)
from bridgebuddy.registration.registrations import Registrations
from bridgebuddy.registration.retention import delete_old_registrations, exported_registrations
from bridgebuddy.scoring.services.publishing import make_list_final, publish_results
from tests.factories import (
    ClubFactory,
    PersonFactory,
    repeat_weekly,
    section_to_enter,
    section_with,
)
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(club, alice):
    section = section_to_enter(club, alice)
    return Session.objects.get(pk=section.session_id)


@pytest.fixture
def people(club):
    names = ("Ann Ash", "Ben Birch", "Cat Cedar", "Dan Dale")
    return [PersonFactory(club=club, name=name) for name in names]


class OwnPagePhone:
    """A person's phone with their own page."""

    def __init__(self, client, person):
        self.client, self.code = client, page_code(give_address(person, by=None))

    def read(self, name, *more):
        answer = self.client.get(reverse(name, args=[self.code, *more]), follow=True)
        return " ".join(answer.content.decode().split())

    def say(self, session, do, **sent):
        return self.client.post(
            reverse("own-come", args=[self.code, session.pk]), {"do": do, **sent}
        )


@pytest.fixture
def phone(client):
    return lambda person: OwnPagePhone(client, person)


def test_who_names_a_partner_comes_when_the_partner_says_yes(phone, session, people):
    ann, ben = phone(people[0]), phone(people[1])
    assert "We are coming" in ann.read("own-page")

    ann.say(session, "come", **{"with": "other", "name": " ben  birch"})
    assert "<b>Ben Birch</b> is asked." in ann.read("own-come", session.pk)
    assert "<b>Ann Ash</b> would like to play with you." in ben.read("own-page")
    ben.say(session, "come", **{"with": people[0].pk})

    assert "You are coming with <b>Ann Ash</b>." in ben.read("own-coming")
    assert "You are coming with <b>Ben Birch</b>." in ann.read("own-coming")
    assert [pair.names for pair in Registrations(session).agreed_pairs] == ["Ann Ash & Ben Birch"]


def test_another_choice_than_the_partner_is_warned_of(phone, session, people):
    ann, ben = phone(people[0]), phone(people[1])
    warning = "Another choice ends your registration with Ben Birch."
    assert "Another choice" not in ann.read("own-come", session.pk)

    ann.say(session, "come", **{"with": "other", "name": "Ben Birch"})
    assert warning in ann.read("own-come", session.pk)
    assert '<span class="asplain">Save</span>' in ann.read("own-come", session.pk)

    ben.say(session, "away")
    assert "Another choice" not in ann.read("own-come", session.pk)


def test_the_warning_comes_too_if_the_partners_name_is_hidden(phone, session, people):
    ann = phone(people[0])
    ann.say(session, "come", **{"with": "other", "name": "Ben Birch"})
    people[1].public_name = "none"
    people[1].save()

    page = ann.read("own-come", session.pk)

    assert "Another choice ends your registration with your partner." in page
    assert "Ben Birch" not in page


def test_no_is_one_press_and_leaves_the_other_to_say_what_now(phone, session, people):
    ann, ben = phone(people[0]), phone(people[1])
    ann.say(session, "come", **{"with": "other", "name": "Ben Birch"})

    ben.say(session, "away")

    assert "Not this time." in ben.read("own-come", session.pk)
    assert "is not coming with you. What now?" in ann.read("own-page")
    answer = ann.say(session, "come", **{"with": people[1].pk})
    assert "This player has declined." in answer.content.decode()


def test_the_usual_partner_is_preset_from_published_sessions_alone(phone, club, alice, session):
    played = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    ann = played.entries.first().players[0]
    assert "Bob South1" not in phone(ann).read("own-come", session.pk)
    make_list_final(played, by=alice)
    publish_results(Section.objects.get(pk=played.pk), by=alice)

    mine = phone(ann)
    bob = played.entries.first().players[1]
    shown = mine.read("own-come", session.pk)
    assert f'name="with" value="{bob.pk}" checked' in shown
    mine.say(session, "come", **{"with": bob.pk})

    assert Registration.objects.get(person=ann).partner == bob
    bob.public_name = "none"
    bob.save()
    assert "Bob South1" not in mine.read("own-come", session.pk)


def test_a_contact_is_read_by_others_who_look_and_the_director_and_by_nobody_else(
    phone, session, people, alice, client, signed_in
):
    ann, ben, cat, dan = people
    number = "0171 555 <O’Neill>"
    mine, his, hers = phone(ann), phone(ben), phone(cat)

    mine.say(session, "come", **{"with": "look", "contact": f"  {number} "})

    shown = "0171 555 &lt;O’Neill&gt;"
    assert f'value="{shown}"' in mine.read("own-come", session.pk)
    assert shown not in his.read("own-come", session.pk)  # he does not look
    his.say(session, "come", **{"with": "look", "contact": ""})
    assert f"<small>{shown}</small>" in his.read("own-come", session.pk)
    register_pair(session, cat, dan)
    assert shown not in hers.read("own-come", session.pk)
    code = session.sections.get().code
    board = signed_in(alice).get(reverse("who-comes", args=[code])).content.decode()
    assert f"<small>{shown}</small>" in board


def test_a_refused_contact_stands_in_its_field_with_its_choice(phone, session, people):
    answer = phone(people[0]).say(session, "come", **{"with": "look", "contact": "7" * 61})

    page = " ".join(answer.content.decode().split())
    assert "at most 60 characters" in page
    assert '<input type="radio" name="with" value="look" checked>' in page
    assert f'value="{"7" * 61}"' in page
    assert not Registration.objects.exists()


def test_a_contact_is_hidden_from_a_player_whose_requests_its_owner_blocks(phone, session, people):
    ann, ben, *_others = people
    mine, his = phone(ann), phone(ben)
    mine.say(session, "come", **{"with": "look", "contact": "0171 555"})
    his.say(session, "come", **{"with": "look"})
    block_requests(ann, ben)

    shown = his.read("own-come", session.pk)

    assert "Ann Ash" in shown
    assert "0171 555" not in shown


def test_a_contact_goes_with_the_search_and_the_day_after(phone, session, people):
    ann = people[0]
    mine = phone(ann)
    mine.say(session, "come", **{"with": "look", "contact": "0171 555"})
    mine.say(session, "come", **{"with": "look"})  # the press of the home page has no field
    assert Registration.objects.get().contact == "0171 555"
    assert exported_registrations(ann)[0]["contact"] == "0171 555"
    mine.say(session, "come", **{"with": "look", "contact": "0172"})
    mine.say(session, "come", **{"with": "look", "contact": "0172"})  # a second tap
    assert Registration.objects.get().contact == "0172"

    Session.objects.update(date=session.date - timedelta(days=1))
    delete_old_registrations()
    assert [answer.contact for answer in Registration.objects.all()] == [""]
    Session.objects.update(date=session.date)
    mine.say(session, "come", **{"with": "look", "contact": "0172"})
    mine.say(session, "come", **{"with": "other", "name": "Ben Birch"})

    assert Registration.objects.get(person=ann).contact == ""


@pytest.mark.parametrize("contact", ["0" * 61, "\x01"])
def test_a_contact_that_does_not_fit_is_refused_and_kept_in_the_field(
    contact, phone, session, people
):
    mine = phone(people[0])

    answer = mine.say(session, "come", **{"with": "look", "contact": contact})

    assert answer.status_code == 200
    assert "at most 60 characters" in answer.content.decode()
    assert not Registration.objects.exists()


def test_who_looks_sees_who_looks_and_has_a_page_and_nobody_else_does(phone, session, people):
    ann, ben, cat, dan = people
    seek_partner(session, ben)
    seek_partner(session, cat)
    mine, _ = phone(ann), phone(ben)
    assert "Ben Birch" not in mine.read("own-come", session.pk)

    mine.say(session, "come", **{"with": "look"})

    shown = mine.read("own-come", session.pk)
    assert "Ben Birch" in shown
    assert "Cat Cedar" not in shown
    mine.say(session, "come", **{"with": ben.pk})
    assert Registration.objects.get(person=ann).partner == ben
    register_pair(session, cat, dan)
    for key in (cat.pk, dan.pk, 10**30, "x", ""):
        answer = mine.say(session, "come", **{"with": key})
        assert "Choose a partner" in answer.content.decode()


def test_a_partner_whom_the_roster_does_not_know_waits_for_the_director(phone, session, people):
    mine = phone(people[0])

    mine.say(session, "come", **{"with": "other", "name": "Jan <b>Neu"})

    assert "You are coming with <b>Jan &lt;b&gt;Neu</b>, when the director" in mine.read(
        "own-coming"
    )
    assert UnconfirmedName.objects.get().by == people[0]
    answer = mine.say(session, "come", **{"with": "other", "name": "\0"})
    assert answer.status_code == 200
    assert "Type the name of your partner" in answer.content.decode()
    mine.say(session, "away")
    assert not UnconfirmedName.objects.exists()


def test_a_name_that_hides_is_no_more_than_everybody_may_read_till_they_answer(
    phone, session, people
):
    ann, ben, *_ = people
    ben.public_name = "initials"
    ben.save()
    mine = phone(ann)

    mine.say(session, "come", **{"with": "other", "name": "Ben Birch"})

    assert "<b>B. B.</b> is asked." in mine.read("own-come", session.pk)
    register_pair(session, ben, ann)
    assert "You are coming with <b>Ben Birch</b>." in mine.read("own-come", session.pk)


def test_not_every_name_can_be_tried(phone, session, people):
    mine = phone(people[0])

    answers = [
        mine.say(session, "come", **{"with": "other", "name": f"Name {n}"}) for n in range(22)
    ]

    assert "You have entered too many names" in answers[-1].content.decode()


def test_who_comes_is_here_with_one_press_on_the_day_alone(phone, session, people, alice, club):
    ann, ben, *_ = people
    register_pair(session, ann, ben, by=alice)
    record_arrivals(session, [ben])
    mine = phone(ann)
    shown = mine.read("own-page")
    assert "I am here" in shown
    assert "<b>Ben Birch</b> is here." in shown

    mine.say(session, "here")
    assert "You are here." in mine.read("own-page")
    assert Registrations(session).pairs[0].is_here

    Registration.objects.update(here_at=None)
    Session.objects.update(date=club.today + timedelta(days=1))
    assert "I am here" not in mine.read("own-page")
    mine.say(session, "here")
    assert not Registration.objects.exclude(here_at=None).exists()


def test_the_place_on_the_waiting_list_is_said_and_moves_up(phone, session, people, alice):
    ann, ben, cat, dan = people
    switch_registration(session.sections.get(), is_on=True, maximum=1, by=alice)
    register_pair(session, cat, dan, by=alice)
    register_pair(session, ann, ben, by=alice)
    mine = phone(ann)
    assert "Number <b>1</b> on the waiting list." in mine.read("own-coming")

    record_absence(session, [cat])

    assert "waiting list" not in mine.read("own-coming")


def test_another_clubs_session_or_one_that_has_begun_is_not_there(phone, session, people, club):
    theirs = section_with(0, club=ClubFactory())
    Session.objects.filter(pk=theirs.session_id).update(date=club.today)
    switch_registration(Section.objects.get(pk=theirs.pk), is_on=True, maximum=None, by=None)
    mine = phone(people[0])

    assert mine.say(theirs.session, "come", **{"with": "look"}).status_code == 302
    Section.objects.filter(session=session).update(round=1)
    assert mine.say(session, "come", **{"with": "look"}).status_code == 302

    assert not Registration.objects.exists()
    assert "No session is open for registration yet" in mine.read("own-coming")


def test_who_has_no_page_types_a_name_that_nobody_but_the_director_sees(
    client, session, people, club
):
    register_pair(session, people[0], people[1])
    page = ClubPage.objects.create(club=club, address="ours", is_on=True)
    address = reverse("club-come", args=[page.address, session.pk])
    home = reverse("club-page", args=[page.address])
    assert address in client.get(home).content.decode()

    answer = client.post(address, {"name": " Stran   Ger", "partner": "Ben Birch"})

    typed = UnconfirmedName.objects.get()
    assert (typed.name, typed.partner, typed.by) == ("Stran Ger", "Ben Birch", None)
    assert "Thank you" in answer.content.decode()
    shown = client.get(address).content.decode() + client.get(home).content.decode()
    for name in ("Stran", "Ben Birch", "Ann Ash"):
        assert name not in shown
    assert client.post(address, {"name": ""}).status_code == 422
    codes = [client.post(address, {"name": f"Name {n}"}).status_code for n in range(12)]
    assert codes[-1] == 422
    page.is_on = False
    page.save()
    assert client.get(address).status_code == 404


def test_too_many_names_are_refused_with_a_sentence(client, session, club, monkeypatch):
    monkeypatch.setattr(registering, "MOST_TYPED", 0)
    page = ClubPage.objects.create(club=club, address="ours", is_on=True)

    answer = client.post(
        reverse("club-come", args=[page.address, session.pk]), {"name": "Stran Ger"}
    )

    assert answer.status_code == 422
    assert "No more names are taken here now. Ask the director." in answer.content.decode()


def test_names_are_taken_of_no_session_that_is_not_open(client, session, club):
    page = ClubPage.objects.create(club=club, address="ours", is_on=True)
    Section.objects.update(round=1)

    for key in (session.pk, 10**9):
        address = reverse("club-come", args=[page.address, key])
        answer = client.post(address, {"name": "Stran Ger"})
        assert "Entries are closed" in answer.content.decode()
    assert not UnconfirmedName.objects.exists()


def test_own_dates_cost_the_same_for_one_session_and_for_many(
    phone, session, people, alice, django_assert_max_num_queries
):
    repeat_weekly(session, 8, by=alice)
    mine = phone(people[0])
    for item in Session.objects.select_related("beforehand"):
        seek_partner(item, people[1])
        register_pair(item, people[0], people[2])

    with django_assert_max_num_queries(8):
        mine.read("own-coming")

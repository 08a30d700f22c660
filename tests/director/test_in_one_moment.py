"""Two directors who send the same form at the same moment: the second reads the first one's change."""

import re
import threading

import pytest
from django.urls import reverse

from bridgebuddy.clubs.forms import InvitationForm
from bridgebuddy.clubs.membership import members
from bridgebuddy.clubs.models import Invitation, Person, Role
from bridgebuddy.director.roster.forms import PlayerForm
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.publication.models import PlayerPage
from bridgebuddy.publication.own import links
from tests.director.reading import LATE, address_of, text, ways_on
from tests.factories import director_of, section_with
from tests.together import errors, together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def two(club, alice, signed_in):
    """Browsers of two directors of the club."""
    return signed_in(alice), signed_in(director_of(club))


def both_valid(monkeypatch, form, method):
    """Let two forms be found right before either of them is taken."""
    gate, clean, calls = threading.Barrier(2), getattr(form, method), []

    def cleaned(self):
        found = clean(self)
        calls.append(1)
        if len(calls) <= 2:
            gate.wait(30)
        return found

    monkeypatch.setattr(form, method, cleaned)


def sent_by_both(two, address, said):
    one, other = together(*(lambda browser=browser: browser.post(address, said) for browser in two))
    return sorted((one, other), key=lambda answer: answer.status_code)


def test_the_same_new_player_is_one_and_the_second_director_reads_it(club, two, monkeypatch):
    both_valid(monkeypatch, PlayerForm, "clean_name")
    address = reverse("new-player", args=[club.pk])

    first, second = sent_by_both(two, address, {"name": "Eva Neu"})

    assert (first.status_code, second.status_code) == (302, 422)
    assert "There is a Eva Neu on the roster already." in text(second)
    assert Person.objects.filter(name="Eva Neu").count() == 1


def test_two_players_who_get_one_name_stay_two_and_the_second_director_reads_why(
    club, two, monkeypatch
):
    both_valid(monkeypatch, PlayerForm, "clean_name")
    people = [Person.objects.create(club=club, name=name) for name in ("Eva Alt", "Eva Uralt")]
    addresses = [reverse("edit-player", args=[club.pk, person.pk]) for person in people]

    answers = together(
        *(
            lambda browser=browser, address=address: browser.post(address, {"name": "Eva Neu"})
            for browser, address in zip(two, addresses, strict=True)
        )
    )

    assert sorted(answer.status_code for answer in answers) == [302, 422]
    assert Person.objects.filter(name="Eva Neu").count() == 1


def test_the_same_invitation_is_one_and_its_link_goes_on_opening(club, two, monkeypatch):
    both_valid(monkeypatch, InvitationForm, "clean_email")
    address = reverse("invite", args=[club.pk])

    first, second = sent_by_both(two, address, {"email": "dan@example.org", "is_director": "on"})

    invitation = Invitation.objects.get()
    assert (first.status_code, second.status_code) == (200, 422)
    assert f"{invitation.by} has just invited this address." in text(second)
    key = re.search(r"/invitations/([\w-]{30,})/", first.content.decode())[1]
    assert members.invitation_of(key) == invitation


def test_an_invitation_of_oneself_is_renewed_at_once(club, alice):
    keys = [
        members.invite_address(club, email="dan@example.org", roles=[Role.HELPER], by=alice)[1]
        for _ in range(2)
    ]

    assert [bool(members.invitation_of(key)) for key in keys] == [False, True]


def test_a_late_pair_typed_while_round_1_is_taken_back_keeps_its_names(club, alice, two):
    section = section_with(16, "skip-mitchell", round=1, club=club, by=alice)
    way = ways_on(two[0].get(address_of(section, "late"), LATE))[0]
    rounds.take_back_round(section, round=1, by=alice)

    answer = two[0].post(
        address_of(section, "late"), {**LATE, "plan": section.plan, "way": way}, follow=True
    )

    section = Section.objects.get(pk=section.pk)
    assert answer.redirect_chain[-1][0].startswith(reverse("entries", args=[section.code]))
    assert "The start of round 1 was undone meanwhile. Enter the names here." in text(answer)
    assert answer.context["pair_form"]["first"].value() == "Eve Engel"
    assert answer.context["pair_form"]["second"].value() == "Max O’Reid"
    assert section.entries.count() == 16


def test_two_directors_give_somebody_an_address_of_their_own(club, alice):
    person = Person.objects.create(club=club, name="Eva Neu")

    given = together(*[lambda: links.give_address(person, by=alice)] * 2)

    assert errors(given) == []
    assert PlayerPage.objects.filter(person=person).count() == 1

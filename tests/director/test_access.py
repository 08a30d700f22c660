"""To everybody but the club's directors its sessions do not exist."""

import pytest
from django.test import Client
from django.urls import reverse

import bridgebuddy.director.urls as director
import bridgebuddy.printing.urls as printing
from bridgebuddy.audit.models import Record
from bridgebuddy.events.models import Section
from tests.factories import section_with
from tests.signing_in import asks_to_sign_in

pytestmark = pytest.mark.django_db

READ = ["entries", "choose-movement", "desk", "all-rounds", "edit-session", "suggestions"]
FILLED_IN = {"wish": "late", "name": "guide-cards", "pk": 1}


def addresses(section):
    """Every address of a section's director: those that begin with /s/ and its code."""
    known = {**FILLED_IN, "code": section.code, "entry": section.entries.first().pk}
    patterns = [one for one in director.urlpatterns + printing.urlpatterns if "code" in str(one)]
    return [
        (one.name, reverse(one.name, kwargs={n: known[n] for n in one.pattern.converters}))
        for one in patterns
    ]


def test_members_and_others_get_404_everywhere_and_strangers_are_to_sign_in(
    skip_section, bob, carol, signed_in, client
):
    before = Section.objects.values().get(pk=skip_section.pk)
    records = Record.objects.count()
    assert len(addresses(skip_section)) > 25

    for name, address in addresses(skip_section):
        for browser in (signed_in(bob), signed_in(carol)):
            assert browser.get(address).status_code in (404, 405), name
            assert browser.post(address, {"after": 4}).status_code in (404, 405), name
        for answer in (client.get(address), client.post(address, {"after": 4})):
            assert answer.status_code == 405 or asks_to_sign_in(answer), name

    assert Section.objects.values().get(pk=skip_section.pk) == before
    assert Record.objects.count() == records


def test_directors_see_every_page(skip_section, alice, signed_in):
    browser = signed_in(alice)

    for name in READ:
        assert browser.get(reverse(name, args=[skip_section.code])).status_code == 200, name


def test_another_clubs_director_sees_only_that_club(skip_section, carol, signed_in):
    page = signed_in(carol).get(reverse("home")).content.decode()

    assert "Tuesday Pairs" not in page
    assert skip_section.code not in page


def test_a_club_page_is_its_directors_only(club, alice, bob, carol, signed_in, client):
    address = reverse("club-settings", args=[club.pk])

    assert signed_in(alice).get(address).status_code == 200
    for browser in (signed_in(bob), signed_in(carol)):
        assert browser.get(address).status_code == 404
        assert browser.post(address, {"name": "Taken"}).status_code == 404
    assert asks_to_sign_in(client.get(address))
    assert asks_to_sign_in(client.post(address, {"name": "Taken"}))
    club.refresh_from_db()
    assert club.name == "Lindenhof Bridge Club"


def test_an_entry_of_another_section_cannot_be_changed_through_ones_own(
    skip_section, alice, carol, signed_in
):
    theirs = section_with(6, club=carol.clubs.get(), by=carol)
    entry = theirs.entries.first()

    browser = signed_in(alice)
    answer = browser.post(
        reverse("edit-pair", args=[skip_section.code, entry.pk]), {"first": "X Y", "second": "Z W"}
    )
    browser.post(reverse("withdraw", args=[skip_section.code, entry.pk]))

    assert answer.status_code == 404
    assert theirs.entries.count() == 6


def test_nothing_changes_without_the_csrf_token(skip_section, alice):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    before = Section.objects.values().get(pk=skip_section.pk)

    answers = {
        name: browser.post(address, {"after": 4, "plan": skip_section.plan}).status_code
        for name, address in addresses(skip_section)
    }

    assert set(answers.values()) == {403}, answers
    assert Section.objects.values().get(pk=skip_section.pk) == before

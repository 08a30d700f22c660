"""A director whose sign-in has expired signs in again and returns to the same page."""

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Section
from tests.factories import PersonFactory
from tests.signing_in import way_back

pytestmark = pytest.mark.django_db

SITE = "http://testserver"


@pytest.mark.parametrize("name", ["desk", "entries", "choose-movement", "print", "history"])
def test_a_page_asks_whoever_is_not_signed_in_to_do_so(skip_section, client, name):
    address = reverse(name, args=[skip_section.code]) + "?since=1"

    answer = client.get(address)

    assert answer.status_code == 302
    assert way_back(answer) == [address]


def test_after_signing_in_the_page_is_there(skip_section, alice, client):
    address = reverse("desk", args=[skip_section.code])
    to_login = client.get(address).url

    page = client.post(
        to_login, {"login": alice.email, "password": "right horse battery"}, follow=True
    )

    assert page.redirect_chain == [(address, 302)]
    assert page.status_code == 200


def test_nobody_learns_which_codes_there_are(skip_section, client):
    for code in (skip_section.code, "ZZZZZZ", "%00", "x"):
        address = f"/s/{code}/desk/"

        assert way_back(client.get(address)) == [address]
        assert way_back(client.get(address, {"v": 999})) == [f"{address}?v=999"]


@pytest.mark.parametrize("page", ["desk", "entries"])
def test_a_page_that_polls_goes_to_the_sign_in_page_as_a_whole(skip_section, client, page):
    address = reverse(page, args=[skip_section.code])
    headers = {"HX-Request": "true", "HX-Current-URL": SITE + address}

    answer = client.get(address, {"v": skip_section.shown - 1}, headers=headers)

    assert answer.status_code == 200
    assert "HX-Redirect" in answer.headers
    assert way_back(answer) == [SITE + address]


def test_a_pressed_button_leads_back_to_its_page_and_does_nothing(skip_section, client):
    before = Section.objects.values().get(pk=skip_section.pk)
    records = AuditRecord.objects.count()
    seen = SITE + reverse("desk", args=[skip_section.code])
    address, sent = reverse("next-round", args=[skip_section.code]), {"after": 4}

    form = client.post(address, sent, headers={"Referer": seen})
    fragment = client.post(address, sent, headers={"HX-Request": "true", "HX-Current-URL": seen})

    assert (way_back(form), way_back(fragment)) == ([seen], [seen])
    assert Section.objects.values().get(pk=skip_section.pk) == before
    assert AuditRecord.objects.count() == records


@pytest.mark.parametrize("elsewhere", ["https://evil.example/s/ABCDEF/desk/", "javascript:1", ""])
def test_the_way_back_never_leads_elsewhere(skip_section, client, elsewhere):
    address = reverse("next-round", args=[skip_section.code])

    form = client.post(address, headers={"Referer": elsewhere})
    fragment = client.post(address, headers={"HX-Request": "true", "HX-Current-URL": elsewhere})

    assert (way_back(form), way_back(fragment)) == ([reverse("home")], [reverse("home")])


def test_a_clubs_own_pages_ask_as_well(club, client):
    address = reverse("club-settings", args=[club.pk])

    assert way_back(client.get(address)) == [address]
    assert way_back(client.get("/clubs/999999/")) == ["/clubs/999999/"]


def test_nothing_of_a_club_stays_behind_in_the_browser_of_the_clubs_pc(club, alice, signed_in):
    person = PersonFactory(club=club)
    browser = signed_in(alice)
    pages = [reverse(name) for name in ("home", "account")]
    pages += [reverse(x, args=[club.pk]) for x in ("club-settings", "members", "players", "kept")]
    pages += [reverse("edit-player", args=[club.pk, person.pk])]

    for page in pages:
        answer = browser.get(page, follow=True)
        assert (answer.status_code, "no-store" in answer.headers["Cache-Control"]) == (200, True), (
            page
        )

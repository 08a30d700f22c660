"""From a movement's page to tonight's session, and onto paper."""

import datetime
import logging

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.events.models import Session
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(club, alice):
    """A session of today that has no movement yet."""
    section = section_with(16, club=club, by=alice)
    Session.objects.update(date=timezone.localdate())
    return section


def use(browser, family="skip-mitchell", tables=8, **asked):
    return browser.get(reverse("use-movement", args=[family, tables]), asked)


def test_where_one_session_waits_its_suggestions_open_with_the_movement(waiting, alice, signed_in):
    answer = use(signed_in(alice))

    address = reverse("choose-movement", args=[waiting.code])
    assert answer.headers["Location"] == f"{address}?open=skip-mitchell#m-skip-mitchell"


def test_where_several_wait_they_are_listed_unless_one_is_named(waiting, club, alice, signed_in):
    other = section_with(12, club=club, by=alice)
    Session.objects.update(date=timezone.localdate())

    shown = use(signed_in(alice)).content.decode()

    assert waiting.code in shown
    assert other.code in shown
    assert waiting.code in use(signed_in(alice), code=waiting.code).headers["Location"]


def test_sessions_that_are_over_or_have_begun_are_not_meant(club, alice, signed_in):
    section_with(16, "skip-mitchell", round=1, club=club, by=alice)
    over = section_with(16, club=club, by=alice)
    Session.objects.filter(pk=over.session_id).update(
        date=timezone.localdate() - datetime.timedelta(1)
    )

    assert "No session is waiting for a movement." in use(signed_in(alice)).content.decode()


def test_a_session_that_was_deleted_is_not_meant(waiting, alice, signed_in):
    Session.objects.update(deleted_at=timezone.now())

    assert "No session is waiting for a movement." in use(signed_in(alice)).content.decode()


def test_another_clubs_sessions_are_nobody_elses(waiting, carol, signed_in):
    shown = use(signed_in(carol))

    assert shown.status_code == 200
    assert waiting.code not in shown.content.decode()


def test_an_unknown_movement_is_not_found(alice, signed_in):
    browser = signed_in(alice)

    assert use(browser, "foxtrot").status_code == 404
    assert browser.get(reverse("print-movement", args=["foxtrot", 8])).status_code == 404
    assert browser.get(reverse("print-movement", args=["mitchell", 1])).status_code == 404


def test_a_movement_goes_onto_paper(alice, signed_in, caplog):
    browser = signed_in(alice)

    with caplog.at_level(logging.WARNING, logger="weasyprint"):
        answer = browser.get(reverse("print-movement", args=["share-and-relay", 8]))

    assert answer.status_code == 200
    assert answer.content.startswith(b"%PDF")
    assert caplog.records == []


def test_a_movements_page_leads_on(alice, signed_in, client, waiting):
    address = reverse("movement", args=["skip-mitchell", 8])

    page = signed_in(alice).get(address, {"for": waiting.code}).content.decode()

    assert reverse("use-movement", args=["skip-mitchell", 8]) in page
    assert reverse("print-movement", args=["skip-mitchell", 8]) in page
    assert reverse("choose-movement", args=[waiting.code]) in page
    assert "Who moves where" in page
    assert "clearly less than usual" in page
    assert "Use it tonight" not in client.get(address).content.decode()


def test_the_first_page_says_what_this_is(client):
    page = client.get(reverse("home")).content.decode()

    assert "The bridge evening, from registration to the ranking" in page
    assert reverse("account_signup") in page
    assert reverse("code") in page

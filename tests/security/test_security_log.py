"""A club's directors read the sign-ins and the attempts."""

import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Membership, SecurityEvent
from bridgebuddy.clubs.sign_in import security
from bridgebuddy.clubs.sign_in.limits import AttemptLimit
from bridgebuddy.clubs.sign_in.security import EventKind
from tests.director.reading import text
from tests.factories import UserFactory, director_of, section_with
from tests.table_phones.tapping import with_phones

pytestmark = pytest.mark.django_db
RIGHT = "right horse battery"


def logged_events(club):
    """Return the security events, oldest first: kind, user, subject."""
    return [
        (event.what, event.by.email if event.by else "", event.about, event.role)
        for event in club.security_events.order_by("pk")
    ]


def sign_in(password, email="alice@example.org"):
    browser = Client()
    browser.post(reverse("account_login"), {"login": email, "password": password})
    return browser


def test_sign_ins_and_wrong_passwords_are_told_in_the_clubs_they_open(club, alice, carol):
    sign_in("wrong")
    sign_in(RIGHT)
    sign_in("wrong", "nobody@example.org")

    assert logged_events(club) == [
        (EventKind.FAILED, "", "alice@example.org", ""),
        (EventKind.SIGN_IN, "alice@example.org", "", ""),
    ]
    assert logged_events(carol.clubs.get()) == []


def test_roles_are_told_with_who_gave_them(club, alice, signed_in):
    browser = signed_in(alice)
    browser.post(reverse("invite", args=[club.pk]), {"email": "dan@example.org", "is_helper": "on"})
    eve = UserFactory(email="eve@example.org")
    membership = Membership.objects.create(club=club, user=eve)
    browser.post(reverse("member-role", args=[club.pk, membership.pk]), {"is_director": "on"})
    browser.post(reverse("remove-member", args=[club.pk, membership.pk]))

    assert logged_events(club) == [
        (EventKind.INVITED, "alice@example.org", "dan@example.org", "helper"),
        (EventKind.ROLE, "alice@example.org", "eve@example.org", "director"),
        (EventKind.REMOVED, "alice@example.org", "eve@example.org", ""),
    ]


def test_an_invitation_that_is_taken_is_told(club, alice, signed_in, settings):
    settings.HAS_MAIL = False
    page = signed_in(alice).post(
        reverse("invite", args=[club.pk]), {"email": "dan@example.org", "is_helper": "on"}
    )
    key = re.search(r"/invitations/([\w-]{30,})/", page.content.decode())[1]

    Client().post(reverse("invitation", args=[key]), {"password": "a long password of dan"})

    assert (EventKind.JOINED, "dan@example.org", "", "helper") in logged_events(club)


def test_new_codes_are_told(club, alice, signed_in):
    section = with_phones(section_with(8, "howell", round=1, club=club, by=alice))
    browser = signed_in(alice)
    browser.post(reverse("renew-secrets", args=[section.code]))
    browser.post(reverse("renew-code", args=[section.code]))

    assert [(what, by) for what, by, *_ in logged_events(club)] == [
        (EventKind.SECRETS, "alice@example.org"),
        (EventKind.CODE, "alice@example.org"),
    ]


def test_a_table_whose_digits_are_tried_on_and_on_is_told_once(club, alice):
    section = with_phones(section_with(8, "howell", round=1, club=club, by=alice))
    address = reverse("table-digits", args=[section.code, 2])
    for number in range(30):
        Client(REMOTE_ADDR=f"10.0.{number}.1").post(address, {"digits": f"{number:04}"})

    ((what, by, about, _),) = logged_events(club)
    assert (what, by, about) == (EventKind.DIGITS, "", f"{section.session}, 2")


def test_who_tries_on_and_on_fills_no_disk(club, alice, monkeypatch):
    monkeypatch.setattr(security, "NOTED", AttemptLimit(security.NOTED.name, 3, 3600))
    for _ in range(8):
        sign_in("wrong")

    assert len(logged_events(club)) == 3


def test_a_director_reads_it_and_nobody_else(club, alice, bob, carol, signed_in):
    sign_in("wrong")
    helper = UserFactory()
    Membership.objects.create(club=club, user=helper, is_helper=True)
    address = reverse("security-log", args=[club.pk])

    assert "wrong password or code alice@example.org" in text(
        signed_in(alice).get(address, follow=True)
    )
    assert [signed_in(user).get(address).status_code for user in (bob, carol, helper)] == [404] * 3
    assert Client().get(address).status_code == 302


def test_it_is_kept_for_90_days_and_no_longer_than_the_account(club, alice, signed_in):
    eve = director_of(club, email="eve@example.org")
    security.store_event_in_users_clubs(eve, EventKind.FAILED, by=None)
    security.store_event_in_users_clubs(eve, EventKind.SIGN_IN, by=eve)
    sign_in("wrong")
    SecurityEvent.objects.filter(about="alice@example.org").update(
        at=timezone.now() - timedelta(days=91)
    )

    call_command("tidy")
    assert {about for _, _, about, _ in logged_events(club)} == {"eve@example.org", ""}

    signed_in(eve).post(reverse("delete-account"), {"password": RIGHT})
    assert logged_events(club) == [(EventKind.SIGN_IN, "", "", "")]


def test_a_log_without_events_says_so(club, alice, signed_in):
    browser = signed_in(alice)
    club.security_events.all().delete()

    page = text(browser.get(reverse("members", args=[club.pk]), {"open": "log"}))

    assert "Sign-ins and failed attempts" in page
    assert "Nothing yet." in page

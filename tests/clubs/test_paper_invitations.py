"""Invitations by a code on paper: one use, limited in time and tries, and no more rights than the paper says."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.membership import member_views, members
from bridgebuddy.clubs.models import TRIAL, Invitation, Role, SecurityEvent, User
from bridgebuddy.clubs.sign_in.limits import AttemptLimit
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

JOIN = reverse("join")
PASSWORD = "right horse battery"


@pytest.fixture
def code(club, alice):
    """The code of a paper that makes a scorer and treasurer."""
    roles = [Role.SCORER, Role.TREASURER]
    return members.invite_on_paper(club, roles=roles, by=alice)[1]


def test_a_director_makes_a_sheet_that_shows_the_code_once(club, alice, signed_in):
    browser = signed_in(alice)
    sheet = browser.post(
        reverse("invite-on-paper", args=[club.pk]), {"is_scorer": "on"}
    ).content.decode()
    code = re.search(r'class="papercode">([A-Z2-9]{4} [A-Z2-9]{4})<', sheet)[1]

    listed = browser.get(reverse("members", args=[club.pk])).content.decode()

    assert code not in listed
    assert "Code on paper" in listed
    assert "/join/" in sheet
    assert code.replace(" ", "") not in str(Invitation.objects.values_list())
    assert SecurityEvent.objects.get(what="invited").role == "scorer"


def test_the_bearer_joins_with_the_roles_of_the_paper_and_only_once(club, code, signed_in):
    bearer, other = UserFactory(), UserFactory()
    typed = f" {code[:4].lower()}-{code[4:].lower()} "

    answer = signed_in(bearer).post(JOIN, {"code": typed})

    assert answer.headers["Location"] == reverse("home")
    assert club.memberships.get(user=bearer).roles == [Role.SCORER, Role.TREASURER]
    assert signed_in(other).post(JOIN, {"code": code}).status_code == 422
    assert not club.memberships.filter(user=other).exists()


def test_a_code_ends_after_a_week_and_when_it_is_withdrawn(club, code, signed_in, monkeypatch):
    invitation = Invitation.objects.get()
    limit = invitation.until
    with monkeypatch.context() as patch:
        patch.setattr(timezone, "now", lambda: limit)
        assert members.invitation_on_paper(code) is None
        patch.setattr(timezone, "now", lambda: limit - timedelta(seconds=1))
        assert members.invitation_on_paper(code) == invitation

    director = club.memberships.get(is_director=True).user
    signed_in(director).post(reverse("withdraw-invitation", args=[club.pk, invitation.pk]))

    assert members.invitation_on_paper(code) is None


def test_too_many_wrong_codes_shut_out_the_right_one(code, signed_in, monkeypatch):
    cache.clear()
    monkeypatch.setattr(member_views, "CODES", AttemptLimit("codes in a test", 2, 3600))
    browser = signed_in(UserFactory())
    for _ in range(2):
        assert "wrong" in browser.post(JOIN, {"code": "AAAA AAAA"}).content.decode()

    answer = browser.post(JOIN, {"code": code})

    assert answer.status_code == 422
    assert "Too many tries" in answer.content.decode()
    assert Invitation.objects.exists()


def test_without_mail_the_bearer_creates_an_account_that_proves_no_address(club, code, settings):
    settings.HAS_MAIL = False
    browser = Client()
    account = {"email": "Dora@example.org", "password": PASSWORD}
    assert browser.post(JOIN, {"code": "AAAA AAAA", **account}).status_code == 422
    assert not User.objects.filter(email="dora@example.org").exists()

    answer = browser.post(JOIN, {"code": code, **account})

    dora = User.objects.get(email="dora@example.org")
    assert answer.headers["Location"] == reverse("home")
    assert club.memberships.get(user=dora).roles == [Role.SCORER, Role.TREASURER]
    assert not dora.emailaddress_set.filter(verified=True).exists()


def test_the_account_of_a_trial_takes_no_invitation(client, club, alice, code, settings):
    settings.HAS_MAIL = True
    client.post(reverse("trial"))
    trial_user = User.objects.get(email__endswith=TRIAL)
    _invitation, key = members.invite_address(club, email="x@example.org", roles=[], by=alice)

    page = client.get(JOIN).content.decode()
    client.post(JOIN, {"code": code})
    invitation = client.get(reverse("invitation", args=[key])).content.decode()

    assert f"{reverse('account_login')}?next={JOIN}" in page
    assert "Create the account and accept" in invitation
    assert trial_user.email not in invitation
    assert not club.memberships.filter(user=trial_user).exists()
    assert Invitation.objects.filter(club=club).count() == 2


def test_without_mail_a_visitor_of_a_trial_creates_an_account_with_a_code(
    client, club, code, settings
):
    settings.HAS_MAIL = False
    client.post(reverse("trial"))

    client.post(JOIN, {"code": code, "email": "dora@example.org", "password": PASSWORD})

    assert club.memberships.filter(user__email="dora@example.org").exists()
    assert client.get("/", follow=True).context["user"].email == "dora@example.org"


def test_a_code_takes_over_no_account_of_somebody_else(club, alice, code, settings):
    settings.HAS_MAIL = False

    answer = Client().post(
        JOIN, {"code": code, "email": alice.email.upper(), "password": "another good one"}
    )

    alice.refresh_from_db()
    assert answer.status_code == 422
    assert not alice.check_password("another good one")
    assert Invitation.objects.exists()


def test_with_mail_the_bearer_signs_in_first(code, settings):
    settings.HAS_MAIL = True
    browser = Client()

    page = browser.get(JOIN).content.decode()
    browser.post(JOIN, {"code": code, "email": "dora@example.org", "password": PASSWORD})

    assert f"{reverse('account_login')}?next={JOIN}" in page
    assert not User.objects.filter(email="dora@example.org").exists()
    assert Invitation.objects.exists()


def test_a_code_is_no_key_and_a_key_is_no_code(club, alice, code):
    _invitation, key = members.invite_address(club, email="x@example.org", roles=[], by=alice)

    assert members.invitation_of(code) is None
    assert members.invitation_on_paper(key) is None
    assert Client().get(reverse("invitation", args=[code])).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_two_bearers_at_once_are_one_member(club, code):
    users = [UserFactory(), UserFactory()]

    def go(user):
        try:
            found = members.invitation_on_paper(code)
            return found is not None and members.accept_invitation(found, user) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(go, users)) == [False, True]
    assert club.memberships.filter(user__in=users).count() == 1

"""Joining a club: invited people only, and only with an address of their own."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.membership import members
from bridgebuddy.clubs.models import Invitation, Membership, Role, User
from tests.factories import ClubFactory, UserFactory, director_of

pytestmark = pytest.mark.django_db

PASSWORD = "right horse battery"
DAN = "dan@example.org"


@pytest.fixture
def with_mail(settings):
    """An installation that can send e-mails."""
    settings.HAS_MAIL = settings.SIGN_UP = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def invite(browser, club, email=DAN, role="director"):
    return browser.post(reverse("invite", args=[club.pk]), {"email": email, f"is_{role}": "on"})


def link_in(text):
    return re.search(r"/invitations/[\w-]+/", text)[0]


def role_of(user, club):
    """Return the only role of a user in a club, None without a membership."""
    membership = Membership.objects.filter(user=user, club=club).first()
    if membership is None:
        return None
    (role,) = membership.roles
    return role


def proved(email):
    """Return a user with a verified address."""
    user = UserFactory(email=email)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


# ── by a link ──


def test_an_invitation_goes_to_the_address_and_nowhere_else(with_mail, club, alice, signed_in):
    answer = invite(signed_in(alice), club)

    (sent,) = mail.outbox
    assert sent.to == [DAN]
    assert club.name in sent.subject
    key = link_in(sent.body).split("/")[2]
    assert key not in signed_in(alice).get(answer.headers["Location"]).content.decode()
    assert not Invitation.objects.filter(key=key).exists()  # only a hash is kept


def test_who_is_new_makes_an_account_with_the_link(with_mail, club, alice, signed_in):
    invite(signed_in(alice), club, role="helper")
    browser, link = Client(), link_in(mail.outbox[0].body)
    assert club.name in browser.get(link).content.decode()

    answer = browser.post(link, {"password": PASSWORD}, follow=True)

    dan = User.objects.get(email=DAN)
    assert role_of(dan, club) == Role.HELPER
    assert EmailAddress.objects.get(user=dan).verified
    assert answer.wsgi_request.user == dan
    assert browser.get(link).status_code == 404  # it works once


def test_who_has_an_account_signs_in_and_accepts(with_mail, club, alice, signed_in):
    dan = proved(DAN)
    invite(signed_in(alice), club, email="DAN@example.org")
    link = link_in(mail.outbox[0].body)
    assert f"?next={link}" in Client().get(link).content.decode()

    answer = signed_in(dan).post(link)

    assert answer.headers["Location"] == reverse("home")
    assert role_of(dan, club) == Role.DIRECTOR


def test_a_short_password_is_refused(with_mail, club, alice, signed_in):
    invite(signed_in(alice), club)

    answer = Client().post(link_in(mail.outbox[0].body), {"password": "short"})

    assert answer.status_code == 422
    assert not User.objects.filter(email=DAN).exists()


def test_an_invitation_ends_after_a_week(with_mail, club, alice, signed_in, monkeypatch):
    invite(signed_in(alice), club)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(days=7, seconds=1))

    answer = Client().get(link_in(mail.outbox[0].body))

    assert answer.status_code == 404
    assert "This invitation has ended" in answer.content.decode()
    assert club.name not in answer.content.decode()


def test_an_invitation_is_withdrawn_or_replaced(with_mail, club, alice, carol, signed_in):
    browser = signed_in(alice)
    invite(browser, club)
    first = Invitation.objects.get()
    withdraw = reverse("withdraw-invitation", args=[club.pk, first.pk])
    theirs = reverse("withdraw-invitation", args=[carol.clubs.get().pk, first.pk])
    assert signed_in(carol).post(theirs).status_code == 404
    invite(browser, club)

    assert Client().get(link_in(mail.outbox[0].body)).status_code == 404
    assert Client().get(link_in(mail.outbox[1].body)).status_code == 200
    assert browser.post(withdraw).status_code == 404
    browser.post(reverse("withdraw-invitation", args=[club.pk, Invitation.objects.get().pk]))
    assert Client().get(link_in(mail.outbox[1].body)).status_code == 404


def test_without_a_mail_server_the_director_hands_the_link_over(club, alice, signed_in):
    page = invite(signed_in(alice), club)

    assert page.status_code == 200
    assert mail.outbox == []
    assert Client().get(link_in(page.content.decode())).status_code == 200


def test_a_mail_server_that_is_away_is_said(with_mail, club, alice, signed_in, settings):
    settings.EMAIL_BACKEND = "tests.security.test_bad_input.Away"

    assert invite(signed_in(alice), club).status_code == 422


# ── nobody by somebody else's address ──


def test_an_account_made_with_a_colleagues_address_gets_nothing(with_mail, club, alice, signed_in):
    stranger = UserFactory(email=DAN)  # never proved
    invite(signed_in(alice), club)
    browser = Client()

    browser.post(link_in(mail.outbox[0].body), {"password": "a password of my own"})

    assert not Client().login(email=DAN, password=PASSWORD)
    stranger.refresh_from_db()
    assert stranger.check_password("a password of my own")
    assert role_of(stranger, club) == Role.DIRECTOR


def test_sessions_of_whoever_made_that_account_end(with_mail, club, alice, signed_in):
    stranger = signed_in(UserFactory(email=DAN))
    invite(signed_in(alice), club)

    Client().post(link_in(mail.outbox[0].body), {"password": "a password of my own"})

    answer = stranger.get(reverse("club-settings", args=[club.pk]))
    assert answer.status_code == 302
    assert reverse("account_login") in answer.headers["Location"]


@pytest.mark.parametrize("how", ["proved", "of a club"])
def test_a_link_changes_the_password_of_nobodys_account_that_is_used(club, alice, signed_in, how):
    dan = proved(DAN) if how == "proved" else director_of(ClubFactory(), email=DAN)
    link = link_in(invite(signed_in(alice), club).content.decode())

    answer = Client().post(link, {"password": "a password of my own"})

    assert answer.status_code == 422
    dan.refresh_from_db()
    assert dan.check_password(PASSWORD)
    assert role_of(dan, club) is None


def test_another_account_does_not_take_the_invitation(with_mail, club, alice, carol, signed_in):
    invite(signed_in(alice), club)
    link = link_in(mail.outbox[0].body)

    answer = signed_in(carol).post(link, {"password": PASSWORD})

    assert "You are signed in as carol@example.org" in answer.content.decode()
    assert role_of(carol, club) is None
    assert Client().get(link).status_code == 200


def test_an_unproved_address_sees_nothing(with_mail, club):
    browser = Client()
    browser.post(reverse("account_signup"), {"email": DAN, "password1": PASSWORD})
    browser.post(reverse("account_login"), {"login": DAN, "password": PASSWORD})

    answer = browser.get(reverse("new-club"))

    assert reverse("account_login") in answer.headers["Location"]


def test_an_invitation_makes_nobody_less(club, alice):
    invitation, _ = members.invite_address(club, email=alice.email, roles=["member"], by=alice)

    members.accept_invitation(invitation, alice)

    assert role_of(alice, club) == Role.DIRECTOR


def test_an_invitation_sent_by_another_director_a_minute_ago_stays(club, alice, monkeypatch):
    other = director_of(club, email="other@example.org")
    sent, _ = members.invite_address(club, email=DAN, roles=[], by=alice)
    with pytest.raises(members.InvitedMeanwhile):
        members.invite_address(club, email=DAN, roles=[], by=other)
    assert Invitation.objects.get() == sent

    later = timezone.now() + timedelta(minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    members.invite_address(club, email=DAN, roles=[], by=other)

    assert Invitation.objects.get().by == other


def test_an_invitation_that_was_read_twice_makes_one_member(club, alice, carol):
    invitation, _ = members.invite_address(club, email=DAN, roles=[], by=alice)
    read_before = Invitation.objects.get(pk=invitation.pk)

    first = members.accept_invitation(invitation, UserFactory(email=DAN))

    assert first is not None
    assert members.accept_invitation(read_before, carol) is None
    assert role_of(carol, club) is None


def test_a_member_of_another_club_can_be_invited(club, alice, carol, signed_in):
    assert invite(signed_in(alice), club, email=carol.email).status_code == 200

    assert Invitation.objects.get().email == carol.email


# ── nobody learns who has an account ──


def same(pages):
    """Return whether pages are equal except for tokens, typed addresses, and the reader's name."""
    typed = r'value="[^"]*"|X-CSRFToken[^}]*|[\w.]+@example.org|>a[.]\w+<'
    bare = {re.sub(typed, "", page) for page in pages}
    return len(bare) == 1


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("account_signup", {"password1": "another good password"}),
        ("account_reset_password", {}),
        ("account_login", {"password": "wrong"}),
    ],
)
def test_no_page_says_who_has_an_account(with_mail, alice, name, sent):
    proved("known@example.org")
    pages = []
    for email in ("known@example.org", alice.email, "nobody@example.org"):
        answer = Client().post(reverse(name), {"email": email, "login": email, **sent}, follow=True)
        pages.append(f"{answer.redirect_chain} {answer.content.decode()}")

    assert same(pages)


def test_adding_an_address_does_not_say_it(with_mail, signed_in):
    UserFactory(email="somebody@example.org")
    pages = []
    for email in ("somebody@example.org", "nobody@example.org"):
        browser = signed_in(proved(f"a.{email}"))
        answer = browser.post(reverse("account_email"), {"action_add": "", "email": email})
        pages.append(browser.get(answer.headers["Location"]).content.decode())

    assert same(pages)


def test_without_a_mail_server_no_address_is_added(alice, signed_in):
    assert signed_in(alice).get(reverse("account_email")).status_code == 404


def test_inviting_does_not_say_it_either(with_mail, club, alice, carol, signed_in):
    browser, pages = signed_in(alice), []
    for email in (carol.email, "nobody@example.org"):
        answer = invite(browser, club, email=email)
        pages.append(browser.get(answer.headers["Location"]).content.decode())
        browser.post(reverse("withdraw-invitation", args=[club.pk, Invitation.objects.get().pk]))
        browser.get(reverse("members", args=[club.pk]))

    assert same([re.sub(r"invitations/\d+", "", page) for page in pages])


def test_without_a_mail_server_accounts_are_made_by_invitation(client, settings):
    sign_up = reverse("account_signup")
    first = {"email": "first@example.org", "password1": PASSWORD}

    client.post(sign_up, first)
    again = [
        Client().post(sign_up, {"email": email, "password1": PASSWORD}).content.decode()
        for email in ("first@example.org", "second@example.org")
    ]

    assert [user.email for user in User.objects.all()] == ["first@example.org"]
    assert "by invitation" in again[0]
    assert same(again)


# ── roles, removing, leaving ──


def test_a_director_changes_roles_and_removes(club, alice, bob, signed_in):
    browser, member = signed_in(alice), Membership.objects.get(user=bob)
    of_bob = [club.pk, member.pk]

    browser.post(reverse("member-role", args=of_bob), {"is_helper": "on"})
    assert role_of(bob, club) == Role.HELPER
    browser.post(reverse("member-role", args=of_bob), {"is_king": "on", "is_helper": "on"})
    assert role_of(bob, club) == Role.HELPER
    browser.post(reverse("remove-member", args=of_bob))

    assert role_of(bob, club) is None
    assert User.objects.filter(pk=bob.pk).exists()


def test_who_is_removed_sees_nothing_from_then_on(club, alice, skip_section, signed_in):
    other = director_of(club, email=DAN)
    theirs = signed_in(other)
    desk = reverse("desk", args=[skip_section.code])
    assert theirs.get(desk).status_code == 200

    member = Membership.objects.get(user=other)
    signed_in(alice).post(reverse("remove-member", args=[club.pk, member.pk]))

    assert theirs.get(desk).status_code == 404
    assert (
        theirs.get(desk, {"v": f"{skip_section.shown}-{skip_section.results}"}).status_code == 404
    )


def test_members_of_another_club_are_not_changed(club, alice, carol, signed_in):
    theirs = Membership.objects.get(user=carol)

    for name in ("member-role", "remove-member"):
        answer = signed_in(alice).post(reverse(name, args=[club.pk, theirs.pk]), {"is_scorer": ""})
        assert answer.status_code == 404

    assert role_of(carol, theirs.club) == Role.DIRECTOR


@pytest.mark.parametrize("way", ["remove-member", "member-role", "leave-club"])
def test_the_last_director_stays(club, alice, bob, signed_in, way):
    member = Membership.objects.get(user=alice)
    keys = [club.pk] if way == "leave-club" else [club.pk, member.pk]

    answer = signed_in(alice).post(reverse(way, args=keys), {"is_helper": "on"}, follow=True)

    assert role_of(alice, club) == Role.DIRECTOR
    assert "The club needs a director" in answer.content.decode()


def test_a_director_leaves_where_there_is_another(club, alice, signed_in):
    director_of(club)

    answer = signed_in(alice).post(reverse("leave-club", args=[club.pk]), follow=True)

    assert role_of(alice, club) is None
    assert "You belong to no club" in answer.content.decode()


def test_a_member_leaves_and_nobody_leaves_for_another(club, bob, carol, signed_in):
    assert signed_in(carol).post(reverse("leave-club", args=[club.pk])).status_code == 404

    page = signed_in(bob).get(reverse("account")).content.decode()
    signed_in(bob).post(reverse("leave-club", args=[club.pk]))

    assert club.name in page
    assert role_of(bob, club) is None


@pytest.mark.django_db(transaction=True)
def test_of_two_directors_who_leave_at_once_one_stays(club, alice):
    director_of(club)
    found = list(club.memberships.all())

    def go(member):
        try:
            members.remove_member(member)
        except members.LastDirector:
            return "stays"
        finally:
            connection.close()
        return "goes"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(go, found)) == ["goes", "stays"]
    assert club.memberships.count() == 1


def test_a_helper_runs_sessions_and_sees_no_settings(club, skip_section, signed_in):
    helper = UserFactory()
    Membership.objects.create(club=club, user=helper, is_helper=True)
    browser = signed_in(helper)

    home = browser.get(reverse("home")).content.decode()

    assert skip_section.session.event.name in home
    assert reverse("club-settings", args=[club.pk]) not in home
    assert reverse("players", args=[club.pk]) not in home
    assert reverse("delete-session", args=[skip_section.code]) not in home
    for name in ("desk", "entries", "print", "choose-movement"):
        assert browser.get(reverse(name, args=[skip_section.code])).status_code == 200
    for name in ("club-settings", "players", "members"):
        assert browser.get(reverse(name, args=[club.pk])).status_code == 404
    assert browser.post(reverse("delete-session", args=[skip_section.code])).status_code == 404


def test_a_helper_ends_a_rehearsal(club, skip_section, signed_in):
    helper = UserFactory()
    Membership.objects.create(club=club, user=helper, is_helper=True)
    browser = signed_in(helper)
    browser.post(reverse("rehearse", args=[skip_section.code]))
    rehearsal = club.events.get().sessions.exclude(rehearsal_until=None).get()

    code = rehearsal.sections.get().code
    answer = browser.post(reverse("delete-session", args=[code]))

    assert answer.status_code == 302

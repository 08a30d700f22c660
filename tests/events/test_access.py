"""Access to a section, and to a deleted one."""

from contextlib import nullcontext
from functools import partial

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.test import RequestFactory
from django.utils import timezone

from bridgebuddy.clubs.models import Membership
from bridgebuddy.clubs.rules import DIRECT, is_director_of, is_helper_of
from bridgebuddy.events import access
from bridgebuddy.events.models import Session
from bridgebuddy.events.services.codes import renew_code
from bridgebuddy.events.services.lifecycle.deletions import delete_session
from bridgebuddy.web.sign_in import NotSignedIn
from tests.factories import ClubFactory, UserFactory, section_with

pytestmark = pytest.mark.django_db

NOT_THERE = "AAAAAA"


@pytest.fixture
def people(club, alice, bob, carol):
    """Return visitors of all kinds: of the club, of another one, of none, and not signed in."""
    helper, elsewhere = UserFactory(), UserFactory()
    Membership.objects.create(club=club, user=helper, is_helper=True)
    Membership.objects.create(club=carol.clubs.get(), user=elsewhere, is_helper=True)
    return {
        "director": alice,
        "helper": helper,
        "member": bob,
        "director elsewhere": carol,
        "helper elsewhere": elsewhere,
        "nobody's": UserFactory(),
        "stranger": AnonymousUser(),
    }


def outcome_of(find, user, code):
    request = RequestFactory().get("/")
    request.user = user
    return find(request, code)


def outcome(find, user, code):
    """Return the section that a user finds under a code, or the refusal."""
    try:
        return outcome_of(find, user, code)
    except (Http404, NotSignedIn, access.SessionDeleted, access.CodeRenewed) as refused:
        return type(refused)


def outcomes(find, people, code):
    return {visitor: outcome(find, user, code) for visitor, user in people.items()}


def only(found, *visitors):
    """Return the expected outcomes: these visitors find the section, all others do not."""
    others = ("director", "helper", "member", "director elsewhere", "helper elsewhere", "nobody's")
    return {
        **dict.fromkeys(others, Http404),
        **dict.fromkeys(visitors, found),
        "stranger": NotSignedIn,
    }


@pytest.mark.parametrize(
    ("may", "visitors"), [({}, ("director", "helper")), ({"may": DIRECT}, ("director",))]
)
def test_who_gets_at_a_section_while_it_is_there_deleted_and_gone(club, people, may, visitors):
    section = section_with(0, club=club, by=people["director"])
    to_direct = partial(access.section_for_director, **may)
    to_bring_back = partial(access.deleted_section_for_director, **may)

    for find in (to_direct, to_bring_back):
        assert outcomes(find, people, section.code) == only(section, *visitors)
        assert outcomes(find, people, NOT_THERE) == only(Http404)

    delete_session(section, by=people["director"])
    assert outcomes(to_direct, people, section.code) == only(access.SessionDeleted, *visitors)
    assert outcomes(to_bring_back, people, section.code) == only(section, *visitors)

    Session.objects.update(deleted_at=timezone.now() - Session.KEPT_FOR)
    for find in (to_direct, to_bring_back):
        assert outcomes(find, people, section.code) == only(Http404)


def test_a_deleted_session_says_whose_it_was(club, alice):
    section = section_with(0, club=club, by=alice)
    delete_session(section, by=alice)

    with pytest.raises(access.SessionDeleted) as refused:
        outcome_of(access.section_for_director, alice, section.code)

    assert (refused.value.club, refused.value.args) == (club, (club.pk,))


@pytest.mark.parametrize(
    ("may", "visitors"), [({}, ("director", "helper")), ({"may": DIRECT}, ("director",))]
)
def test_who_may_is_led_on_from_a_code_that_was_renewed(club, people, may, visitors):
    section = section_with(0, club=club, by=people["director"])
    old = section.code
    renew_code(section, by=people["director"])

    for find in (access.section_for_director, access.deleted_section_for_director):
        assert outcomes(partial(find, **may), people, old) == only(access.CodeRenewed, *visitors)
    with pytest.raises(access.CodeRenewed) as renewed:
        outcome_of(access.section_for_director, people["director"], old)
    assert (renewed.value.section, renewed.value.args) == (section, (section.pk,))


def test_who_directs_and_helps_in_a_club_does_so_there(club, people):
    other = ClubFactory()
    Membership.objects.create(club=other, user=people["director"])  # a member only
    Membership.objects.create(club=other, user=people["member"], is_director=True)

    def visitors_who(may, club):
        return [name for name, user in people.items() if may(user, club)]

    assert (visitors_who(is_director_of, club), visitors_who(is_helper_of, club)) == (
        ["director"],
        ["director", "helper"],
    )
    assert (visitors_who(is_director_of, other), visitors_who(is_helper_of, other)) == (
        ["member"],
        ["member"],
    )


def test_who_asks_is_looked_up_before_the_moment_that_a_page_shows(monkeypatch):
    """A user whose password has changed is signed out at this time, and the snapshot may not write."""
    done = []
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    monkeypatch.setattr(
        AnonymousUser, "is_authenticated", property(lambda _user: done.append("asked"))
    )
    monkeypatch.setattr(access, "read_snapshot", lambda: nullcontext(done.append("begun")))

    @access.read_in_one_snapshot
    def page(request, code, *, label):
        done.append("read")
        return code, label

    assert page(request, "CODE", label="NS1") == ("CODE", "NS1")
    assert done == ["asked", "begun", "read"]
    assert page.__name__ == "page"

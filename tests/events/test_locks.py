"""Locks of the services that are on no page of tests/data/written, which names those of all others.

A service decides on rows that it has read under a lock. Without it two requests at the same moment would both decide
on the state before either of them: two directors who leave at once would leave a club without one.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.utils import timezone

from bridgebuddy.clubs.forms import ClubForm
from bridgebuddy.clubs.membership import members
from bridgebuddy.clubs.models import Club, Membership, Person, Role, User
from bridgebuddy.clubs.sign_in import account_deletion
from bridgebuddy.clubs.views import _make_club
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services import roster
from bridgebuddy.events.services.lifecycle import deletions, forgetting, trials
from bridgebuddy.events.services.play import rounds
from bridgebuddy.publication.mails import mailing
from tests.factories import PersonFactory, member_of, section_with

from .locks import recorded_locks

pytestmark = pytest.mark.django_db


@dataclass
class LockScene:
    """A club with two directors, a session in its first round, and a person who does not play in it."""

    club: Club
    by: User
    other: Membership
    section: Section
    ann: Person

    @property
    def player(self) -> Person:
        return self.section.entries.first().players[0]

    def invite(self) -> tuple:
        return members.invite_address(self.club, email="new@example.org", roles=[], by=self.by)


@pytest.fixture
def scene(club, alice):
    other = member_of(club, Role.DIRECTOR, email="other@example.org").memberships.get()
    section = section_with(4, "howell", round=1, club=club, by=alice)
    return LockScene(club, alice, other, section, PersonFactory(club=club, name="Ann Ash"))


def forget_inactive(scene: LockScene) -> None:
    Club.objects.filter(pk=scene.club.pk).update(names_kept_for=12)
    forgetting.anonymise_inactive_people()


def delete_for_good(scene: LockScene) -> None:
    """Delete a session after its time for restoring."""
    long_ago = timezone.now() - Session.KEPT_FOR - datetime.timedelta(days=1)
    Session.objects.filter(pk=scene.section.session_id).update(deleted_at=long_ago)
    deletions.purge_expired_sessions()


def found_club(scene: LockScene) -> None:
    form = ClubForm({"name": "Another Club", "time_zone": "Europe/Berlin"})
    assert form.is_valid(), form.errors
    _make_club(form, scene.by)


#: a service, what it is asked, and the models that it locks, in this order
TABLE: list[tuple[Callable, Callable[[LockScene], object], str]] = [
    (members.invite_address, lambda s: s.invite(), "Club"),
    (members.set_roles, lambda s: members.set_roles(s.other, []), "Club"),
    (members.remove_member, lambda s: members.remove_member(s.other), "Club"),
    (members.connect_person, lambda s: members.connect_person(s.other, s.ann), "Club"),
    (account_deletion.delete, lambda s: account_deletion.delete(s.by), "Club"),
    (_make_club, found_club, "User"),
    (trials.recent_trial, lambda s: trials.recent_trial(s.by, "wish"), "User"),
    (
        roster.merge_people,
        lambda s: roster.merge_people(s.player, s.ann, by=s.by),
        "Section Person MoneySettings",
    ),
    (
        roster.change_person,
        lambda s: roster.change_person(s.ann, "Ann Oak", None, by=s.by),
        "Person",
    ),
    (roster.set_public_name, lambda s: roster.set_public_name(s.ann, "hidden"), "Person"),
    (
        roster.store_people_numbers,
        lambda s: roster.store_people_numbers(s.club, {s.ann.pk: {"member_number": "7"}}, by=s.by),
        "Person",
    ),
    (
        forgetting.anonymise_person,
        lambda s: forgetting.anonymise_person(s.ann, by=s.by),
        "Person",
    ),
    (forgetting.anonymise_inactive_people, forget_inactive, "Person"),
    (deletions.purge_expired_sessions, delete_for_good, "Session"),
    (
        rounds.finish_session,
        lambda s: rounds.finish_session(s.section, round=1, by=s.by),
        "Section",
    ),
    (mailing.subscribe, lambda s: mailing.subscribe(s.ann, "ann@example.org"), "Person"),
]


@pytest.mark.parametrize(
    ("call", "locks"), [pytest.param(*row[1:], id=row[0].__name__) for row in TABLE]
)
def test_a_service_locks_what_it_decides_on(scene, call, locks):
    with recorded_locks() as locked:
        call(scene)

    assert locked == locks.split()


@pytest.mark.parametrize("accept", ["member", "account", "code"])
def test_an_invitation_that_is_accepted_twice_at_once_waits_for_its_club(scene, accept):
    invitation, _key = scene.invite()
    with recorded_locks() as locked:
        if accept == "member":
            members.accept_invitation(invitation, scene.by)
        elif accept == "account":
            members.account_of_invitation(invitation, "right horse battery")
        else:
            members.account_with_code(invitation, "code@example.org", "right horse battery")

    assert locked == ["Club"]


def test_a_club_that_is_deleted_locks_its_sections(scene):
    rounds.finish_session(scene.section, round=1, by=scene.by)
    with recorded_locks() as locked:
        forgetting.delete_club(scene.club, name=scene.club.name)

    assert locked == ["Club", "Section"]

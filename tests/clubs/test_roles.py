"""The rights of each role, alone and with others, and how they are taken away."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from bridgebuddy.clubs import rules
from bridgebuddy.clubs.membership import members
from bridgebuddy.clubs.models import Club, Invitation, Membership, Role
from tests.factories import ClubFactory, PersonFactory, UserFactory, director_of, member_of
from tests.together import errors, together

pytestmark = pytest.mark.django_db

EVERY_PERMISSION = set(rules.ROLES_WITH)
#: the permissions of each role, written down apart from the product's own table
RIGHTS = {
    Role.DIRECTOR: EVERY_PERMISSION,
    Role.HELPER: {"clubs.help", "clubs.score", "clubs.belong"},
    Role.SCORER: {"clubs.score", "clubs.belong"},
    Role.SECRETARY: {"clubs.keep_members", "clubs.read_members", "clubs.belong"},
    Role.TREASURER: {"clubs.keep_money", "clubs.read_members", "clubs.belong"},
    Role.MEMBER: {"clubs.belong"},
}
PAIRS_OF_ROLES = [(role, other) for role in Role for other in Role]


def permissions(user, club):
    return {permission for permission in EVERY_PERMISSION if user.has_perm(permission, club)}


@pytest.mark.parametrize(("role", "other"), PAIRS_OF_ROLES)
def test_several_roles_give_the_rights_of_each_and_no_others(club, role, other):
    user = member_of(club, role, other)

    assert permissions(user, club) == RIGHTS[role] | RIGHTS[other]
    assert rules.permissions_of(club.memberships.get(user=user)) == RIGHTS[role] | RIGHTS[other]
    for permission in EVERY_PERMISSION:
        clubs = Club.objects.filter(
            rules.memberships_with(permission, "memberships__"), memberships__user=user
        )
        assert list(clubs) == ([club] if permission in RIGHTS[role] | RIGHTS[other] else [])


def test_rights_end_at_the_club_that_gave_them(club, alice, carol):
    theirs = carol.clubs.get()

    assert permissions(alice, theirs) == set()
    assert permissions(UserFactory(), club) == set()
    assert permissions(AnonymousUser(), club) == set()
    assert rules.permissions_of(None) == set()


def test_roles_are_named_in_the_order_of_pages(club):
    membership = Membership(club=club, is_treasurer=True, is_scorer=True)

    assert membership.roles == [Role.SCORER, Role.TREASURER]
    assert membership.roles_text == "scorer, treasurer"
    membership.set_roles([])
    assert membership.roles_text == "member"
    with pytest.raises(ValueError, match="king"):
        membership.set_roles(["king"])


def test_the_same_roles_again_change_nothing(club):
    membership = club.memberships.get(user=member_of(club, Role.SCORER))

    assert members.set_roles(membership, {Role.TREASURER})
    assert not members.set_roles(membership, {Role.TREASURER})


def test_an_invitation_adds_the_roles_it_names_and_takes_none(club, alice):
    treasurer = member_of(club, Role.TREASURER)
    invitation, _key = members.invite_address(
        club, email=treasurer.email, roles=[Role.SCORER], by=alice
    )

    members.accept_invitation(invitation, treasurer)

    assert club.memberships.get(user=treasurer).roles == [Role.SCORER, Role.TREASURER]
    assert members.accept_invitation(invitation, treasurer) is None


def test_an_old_invitation_of_a_removed_member_has_ended(club, alice):
    eve = director_of(club, email="Eve@example.org")
    members.invite_address(club, email="eve@example.org", roles=[Role.DIRECTOR], by=alice)
    members.invite_address(club, email="other@example.org", roles=[Role.DIRECTOR], by=eve)
    kept, _key = members.invite_address(club, email="third@example.org", roles=[], by=alice)

    members.remove_member(club.memberships.get(user=eve))

    assert list(Invitation.objects.all()) == [kept]


def test_who_directs_no_longer_invites_nobody_with_an_old_letter(club):
    eve = director_of(club)
    members.invite_address(club, email="other@example.org", roles=[Role.DIRECTOR], by=eve)
    elsewhere = ClubFactory()
    theirs, _key = members.invite_address(elsewhere, email="x@example.org", roles=[], by=eve)
    director_of(club)

    members.set_roles(club.memberships.get(user=eve), {Role.HELPER, Role.TREASURER})

    assert list(Invitation.objects.all()) == [theirs]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("other_way", [members.remove_member, "other roles"])
def test_of_two_directors_who_step_down_at_once_one_stays(club, alice, other_way):
    director_of(club)
    first, second = club.memberships.filter(is_director=True)

    def step_down(way, membership):
        try:
            if way == "other roles":
                members.set_roles(membership, {Role.SCORER})
            else:
                way(membership)
        except members.LastDirector:
            return "stays"
        finally:
            connection.close()
        return "steps down"

    with ThreadPoolExecutor(2) as pool:
        ways, memberships = ("other roles", other_way), (first, second)
        assert sorted(pool.map(step_down, ways, memberships)) == ["stays", "steps down"]
    assert club.memberships.filter(is_director=True).count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_directors_who_set_roles_at_once_leave_one_of_both(club, alice):
    membership = club.memberships.get(user=member_of(club, Role.HELPER))

    outcomes = together(
        lambda: members.set_roles(membership, {Role.SCORER, Role.TREASURER}),
        lambda: members.set_roles(membership, {Role.SECRETARY}),
    )

    assert errors(outcomes) == []
    assert club.memberships.get(pk=membership.pk).roles in (
        [Role.SCORER, Role.TREASURER],
        [Role.SECRETARY],
    )


@pytest.mark.django_db(transaction=True)
def test_an_invitation_and_other_roles_at_once_lose_none_that_was_given_last(club, alice):
    user = member_of(club, Role.SCORER)
    membership = club.memberships.get(user=user)
    invitation, _key = members.invite_address(
        club, email=user.email, roles=[Role.TREASURER], by=alice
    )

    outcomes = together(
        lambda: members.accept_invitation(invitation, user),
        lambda: members.set_roles(membership, {Role.SECRETARY}),
    )

    assert errors(outcomes) == []
    roles = set(club.memberships.get(pk=membership.pk).roles)
    assert Role.SECRETARY in roles
    assert roles <= {Role.SECRETARY, Role.TREASURER}


@pytest.mark.django_db(transaction=True)
def test_a_link_pressed_twice_at_once_makes_one_member(club, alice):
    user = UserFactory()
    invitation, _key = members.invite_address(club, email=user.email, roles=[Role.SCORER], by=alice)

    outcomes = together(*(lambda: members.accept_invitation(invitation, user) for _ in range(3)))

    assert errors(outcomes) == []
    assert sum(outcome is not None for outcome in outcomes) == 1
    assert club.memberships.get(user=user).roles == [Role.SCORER]


@pytest.mark.django_db(transaction=True)
def test_a_member_removed_as_roles_are_set_is_gone_or_stays_removed(club, alice):
    membership = club.memberships.get(user=member_of(club, Role.SCORER))

    outcomes = together(
        lambda: members.set_roles(membership, {Role.TREASURER}),
        lambda: members.remove_member(membership),
    )

    assert {type(error) for error in errors(outcomes)} <= {Membership.DoesNotExist}
    assert not club.memberships.filter(pk=membership.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_accounts_connected_with_a_player_at_once_one_is(club, alice):
    ann = PersonFactory(club=club, name="Ann Ash")
    pair = [club.memberships.get(user=member_of(club)) for _ in "ab"]

    outcomes = together(*(lambda m=m: members.connect_person(m, ann) for m in pair))

    assert [type(error) for error in errors(outcomes)] == [members.PersonTaken]
    assert club.memberships.filter(person=ann).count() == 1


@pytest.mark.parametrize("page", ["role", "remove"])
def test_a_member_removed_at_that_moment_is_not_found(club, alice, signed_in, monkeypatch, page):
    membership = club.memberships.get(user=member_of(club, Role.SCORER))

    def gone(*_args):
        raise Membership.DoesNotExist

    monkeypatch.setattr(members, "set_roles" if page == "role" else "remove_member", gone)
    address = f"/clubs/{club.pk}/members/{membership.pk}/{page}/"

    assert signed_in(alice).post(address, {"is_treasurer": "on"}).status_code == 404

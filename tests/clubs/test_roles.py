"""The rights of each role, alone and with others, and how they are taken away."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from bridgebuddy.clubs import members, rules
from bridgebuddy.clubs.models import Club, Invitation, Membership, Role
from tests.factories import ClubFactory, UserFactory, director_of, member_of

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
        found = Club.objects.filter(
            rules.memberships_with(permission, "memberships__"), memberships__user=user
        )
        assert list(found) == ([club] if permission in RIGHTS[role] | RIGHTS[other] else [])


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
    invitation, _key = members.invite(club, email=treasurer.email, roles=[Role.SCORER], by=alice)

    members.accept(invitation, treasurer)

    assert club.memberships.get(user=treasurer).roles == [Role.SCORER, Role.TREASURER]
    assert members.accept(invitation, treasurer) is None


def test_an_old_invitation_of_a_removed_member_has_ended(club, alice):
    eve = director_of(club, email="Eve@example.org")
    members.invite(club, email="eve@example.org", roles=[Role.DIRECTOR], by=alice)
    members.invite(club, email="other@example.org", roles=[Role.DIRECTOR], by=eve)
    kept, _key = members.invite(club, email="third@example.org", roles=[], by=alice)

    members.remove(club.memberships.get(user=eve))

    assert list(Invitation.objects.all()) == [kept]


def test_who_directs_no_longer_invites_nobody_with_an_old_letter(club):
    eve = director_of(club)
    members.invite(club, email="other@example.org", roles=[Role.DIRECTOR], by=eve)
    elsewhere = ClubFactory()
    theirs, _key = members.invite(elsewhere, email="x@example.org", roles=[], by=eve)
    director_of(club)

    members.set_roles(club.memberships.get(user=eve), {Role.HELPER, Role.TREASURER})

    assert list(Invitation.objects.all()) == [theirs]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("other_way", [members.remove, "other roles"])
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

"""Permissions: the single place that defines them.

Each permission belongs to roles; a director has all. Views ask with `user.has_perm(permission, club)` or, for a page of
the club, with `club_with_permission()` in `access`.
"""

from collections.abc import Mapping

import rules
from django.db.models import Q

from .models import Club, Membership, User
from .roles import Rights, Role, RoleHolder

#: the club itself: settings, roles, privacy, deletion of sessions
DIRECT = "clubs.direct"
#: its sessions: entries, movement, desk, cards
RUN_SESSIONS = "clubs.help"
#: results: entering, correcting, rulings, publication
SCORE = "clubs.score"
#: its people and its year: members, calendar, series, championships, letters
KEEP_MEMBERS = "clubs.keep_members"
#: reading the list of members and a person's page
READ_MEMBERS = "clubs.read_members"
#: table money: prices, accounts, cash sheets
KEEP_MONEY = "clubs.keep_money"
#: pages for every member
BELONG = "clubs.belong"

#: the roles beside the director's that have a permission; `Role.MEMBER`: every membership
ROLES_WITH: Mapping[str, tuple[Role, ...]] = {
    DIRECT: (),
    RUN_SESSIONS: (Role.HELPER,),
    SCORE: (Role.HELPER, Role.SCORER),
    KEEP_MEMBERS: (Role.SECRETARY,),
    READ_MEMBERS: (Role.SECRETARY, Role.TREASURER),
    KEEP_MONEY: (Role.TREASURER,),
    BELONG: (Role.MEMBER,),
}


def memberships_with(permission: str, prefix: str = "") -> Q:
    """Return a filter (`Q`) for memberships with `permission`, or for rows linked to one by the path `prefix`.

    `prefix` is the path from the filtered model to the membership: "memberships__" for clubs and users.
    """
    roles = (Role.DIRECTOR, *ROLES_WITH[permission])
    if Role.MEMBER in roles:
        return Q(**{f"{prefix}pk__isnull": False})
    condition = Q()
    for role in roles:
        condition |= Q(**{f"{prefix}{RoleHolder.ROLE_FIELDS[role]}": True})
    return condition


def memberships_with_roles(prefix: str = "") -> Q:
    """Return a filter (`Q`) for memberships with any role, or for rows linked to one by the path `prefix`."""
    condition = Q()
    for field in RoleHolder.ROLE_FIELDS.values():
        condition |= Q(**{f"{prefix}{field}": True})
    return condition


def permissions_of(membership: Membership | None) -> set[str]:
    """Return the names of the permissions that a membership gives. No query."""
    if membership is None:
        return set()
    held = {*membership.roles, Role.MEMBER}
    return {
        permission
        for permission, roles in ROLES_WITH.items()
        if membership.is_director or held & set(roles)
    }


def rights_of(membership: Membership | None) -> Rights:
    """Return the `Rights` of a membership, which decide about the links on a page. No query."""
    permissions = permissions_of(membership)
    return Rights(
        direct=DIRECT in permissions,
        run_sessions=RUN_SESSIONS in permissions,
        score=SCORE in permissions,
        keep_members=KEEP_MEMBERS in permissions,
        read_members=READ_MEMBERS in permissions,
        keep_money=KEEP_MONEY in permissions,
    )


def may(user: User, permission: str, club: Club) -> bool:
    """Return whether a user has a permission in a club. One query."""
    if not user.is_authenticated:
        return False
    own = Membership.objects.filter(club=club, user=user)
    return own.filter(memberships_with(permission)).exists()


def is_director_of(user: User, club: Club) -> bool:
    """Return whether a user directs a club. One query."""
    return may(user, DIRECT, club)


def is_helper_of(user: User, club: Club) -> bool:
    """Return whether a user runs a club's sessions, as a helper or director. One query."""
    return may(user, RUN_SESSIONS, club)


def _add_permission(permission: str) -> None:
    """Register a permission of clubs with Django's checks (`user.has_perm`)."""
    rules.add_perm(
        permission, rules.predicate(lambda user, club: may(user, permission, club), permission)
    )


for _permission in ROLES_WITH:
    _add_permission(_permission)

"""Permissions: the single place that defines them."""

import rules

from .models import Club, Membership, Role, User

RUN_SESSIONS = (Role.DIRECTOR, Role.HELPER)


def is_director_of(user: User, club: Club) -> bool:
    """Return whether a user directs a club. One query."""
    return (
        user.is_authenticated
        and Membership.objects.filter(club=club, user=user, role=Role.DIRECTOR).exists()
    )


def is_helper_of(user: User, club: Club) -> bool:
    """Return whether a user runs a club's sessions, as a helper or director. One query."""
    return (
        user.is_authenticated
        and Membership.objects.filter(club=club, user=user, role__in=RUN_SESSIONS).exists()
    )


#: the club itself: settings, members, roster, deletion of sessions
rules.add_perm("clubs.direct", rules.predicate(is_director_of))
#: its sessions: entries, movement, desk, cards
rules.add_perm("clubs.help", rules.predicate(is_helper_of))

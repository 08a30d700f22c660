"""Who may do what: the one place that knows."""

import rules

from .models import Club, Membership, Role, User


def is_director_of(user: User, club: Club) -> bool:
    """Whether a user directs a club. One query."""
    return (
        user.is_authenticated
        and Membership.objects.filter(club=club, user=user, role=Role.DIRECTOR).exists()
    )


rules.add_perm("clubs.direct", rules.predicate(is_director_of))

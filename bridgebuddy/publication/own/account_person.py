"""The person of the roster behind a member's account.

Only two things tie an account to a person: a director's press, which is stored with the membership, or an e-mail
address that both have proved, by a mail to it. A typed name ties nothing.
"""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.db.models.functions import Lower

from bridgebuddy.clubs.models import Membership, Person

from ..models import ResultsSubscription


def person_of(membership: Membership) -> Person | None:
    """Return the person of a member, or None.

    An address that several people of the club share ties nobody. A person whom a director has tied to another account
    is nobody else's. Makes at most two queries.
    """
    if membership.person_id is not None:
        stored = membership.club.known_people.filter(pk=membership.person_id).first()
        return _in_club(stored, membership)
    proved = EmailAddress.objects.filter(user=membership.user_id, verified=True)
    confirmed = ResultsSubscription.objects.filter(
        person__club=membership.club_id,
        person__anonymous_since=None,
        confirmed_at__isnull=False,
        gone_since=None,
        stopped_at=None,
    ).annotate(address=Lower("email"))
    mine = confirmed.filter(address__in=proved.values(lowered=Lower("email")))
    people = [row.person for row in mine.select_related("person__membership")[:2]]
    if len(people) != 1 or hasattr(people[0], "membership"):
        return None
    return _in_club(people[0], membership)


def _in_club(person: Person | None, membership: Membership) -> Person | None:
    """Return a person with the club that the page has read."""
    if person is not None:
        person.club = membership.club
    return person

"""The person of the roster behind a member's account.

Only two things tie an account to a person: a director's press, which is stored with the membership, or an e-mail
address that both have proved, by a mail to it. A typed name ties nothing.
"""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.db.models.functions import Lower
from django.db.models.signals import post_save

from bridgebuddy.clubs.models import Membership, Person
from bridgebuddy.events.services.roster import MERGING

from ..models import ResultsSubscription


def connect_signals() -> None:
    """Connect the handlers for merged and deleted people of the roster. Called once, at start-up."""
    MERGING.append(_move_account)
    post_save.connect(
        _delete_account_if_anonymous, sender=Person, dispatch_uid="accounts of people"
    )


def _move_account(kept_person: Person, merged_person: Person) -> None:
    """Connect a merged person's account with `kept_person`, unless that person has an account."""
    if not Membership.objects.filter(person=kept_person).exists():
        Membership.objects.filter(person=merged_person).update(person=kept_person)


def _delete_account_if_anonymous(instance: Person, **_sent: object) -> None:
    """Disconnect the account of a person who becomes anonymous."""
    if instance.anonymous_since is not None:
        Membership.objects.filter(person=instance).update(person=None)


def person_of_member(membership: Membership) -> Person | None:
    """Return the person of the roster with whom a member's account is connected, or None.

    An address that several people of the club share ties nobody. A person whom a director has tied to another account
    is nobody else's. Makes at most two queries.
    """
    if membership.person_id is not None:
        stored = membership.club.known_people.filter(pk=membership.person_id).first()
        return _with_known_club(stored, membership)
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
    return _with_known_club(people[0], membership)


def _with_known_club(person: Person | None, membership: Membership) -> Person | None:
    """Set the club of a person to the one already read, to save a query; return the person."""
    if person is not None:
        person.club = membership.club
    return person

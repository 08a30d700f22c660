"""Who belongs to a club: invitations by a link that ends, roles, and going again.

A link proves whose address it is, so nobody gets into a club by an account that somebody else has made
with that address. A club keeps a director whatever is pressed.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils import timezone

from .models import Club, Invitation, Membership, Role, User

INVITED_FOR = timedelta(days=7)
#: who invites an address that somebody else has just invited would end a link that is being handed over
JUST_NOW = timedelta(minutes=1)


class LastDirector(Exception):
    """Without them nobody would direct the club."""


class InvitedMeanwhile(Exception):
    """Somebody else (`by`) has invited the address just now."""

    def __init__(self, by: User) -> None:
        super().__init__(by.pk)
        self.by = by


class HasAnAccount(Exception):
    """The address has an account that is somebody's: its own password opens it."""


@transaction.atomic
def invite(club: Club, *, email: str, role: str, by: User) -> tuple[Invitation, str]:
    """Invite an address; return the invitation, and its key, which is kept nowhere.

    An earlier invitation of the same address ends. Raises `InvitedMeanwhile`.
    """
    Club.objects.select_for_update().get(pk=club.pk)
    email, key = email.lower(), secrets.token_urlsafe(32)
    earlier = Invitation.objects.filter(club=club, email=email).select_related("by")
    just_now = earlier.filter(until__gt=timezone.now() + INVITED_FOR - JUST_NOW).first()
    if just_now and just_now.by and just_now.by != by:
        raise InvitedMeanwhile(just_now.by)
    earlier.delete()
    Invitation.objects.filter(until__lte=timezone.now()).delete()
    invitation = Invitation.objects.create(
        club=club, email=email, role=role, key=_kept(key), until=timezone.now() + INVITED_FOR, by=by
    )
    return invitation, key


def invitation_of(key: str) -> Invitation | None:
    """Return the invitation of a key, if it has not ended."""
    found = Invitation.objects.filter(key=_kept(key), until__gt=timezone.now())
    return found.select_related("club", "by").first()


def _kept(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


@transaction.atomic
def accept(invitation: Invitation, user: User) -> Membership | None:
    """Let somebody into the club who was invited; None where the invitation has been used meanwhile.

    Who directs already goes on doing so.
    """
    if not Invitation.objects.filter(pk=invitation.pk).delete()[0]:
        return None
    membership, is_new = Membership.objects.get_or_create(
        club=invitation.club, user=user, defaults={"role": invitation.role}
    )
    if not is_new and not membership.is_director:
        membership.role = invitation.role
        membership.save()
    return membership


@transaction.atomic
def account_for(invitation: Invitation, password: str) -> User:
    """Make the account of who was invited, with an address that the link has proved.

    An account that somebody has made with the address, and neither proved nor used, is theirs from now on.
    Raises `HasAnAccount` where it is somebody's.
    """
    Club.objects.select_for_update().get(pk=invitation.club_id)  # pressed twice, it is one account
    user = User.objects.filter(email__iexact=invitation.email).first()
    if user is None:
        user = User.objects.create_user(invitation.email)
    elif is_somebodys(user):
        raise HasAnAccount(user.pk)
    user.set_password(password)
    user.save()
    Authenticator.objects.filter(user=user).delete()
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def is_somebodys(user: User) -> bool:
    """Whether an account has a proved address, or belongs to a club."""
    proved = EmailAddress.objects.filter(user=user, verified=True)
    return user.is_superuser or proved.exists() or user.memberships.exists()


@transaction.atomic
def set_role(membership: Membership, role: str) -> None:
    """Give a member another role. Raises `LastDirector`."""
    membership = _locked(membership, keeps=role == Role.DIRECTOR)
    membership.role = role
    membership.save()


@transaction.atomic
def remove(membership: Membership) -> None:
    """Let a member go. Raises `LastDirector`."""
    _locked(membership, keeps=False).delete()


def _locked(membership: Membership, *, keeps: bool) -> Membership:
    """Return a membership as it is now; of two directors who go at once, one stays."""
    Club.objects.select_for_update().get(pk=membership.club_id)
    membership = Membership.objects.get(pk=membership.pk)
    others = Membership.objects.filter(club=membership.club_id, role=Role.DIRECTOR)
    if not keeps and membership.is_director and not others.exclude(pk=membership.pk).exists():
        raise LastDirector()
    return membership

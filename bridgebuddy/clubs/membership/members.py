"""Membership of a club: invitations by expiring links or codes on paper, roles, and leaving.

The link proves that the invited person owns the address. So no other person gets in with an account made for it. A
club always keeps a director.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ..models import Club, Invitation, Membership, Person, User
from ..roles import Role

INVITED_FOR = timedelta(days=7)
#: time in which another invitation of the same address would end a link that is being handed over
JUST_NOW = timedelta(minutes=1)
#: letters and digits that cannot be mistaken for each other
PAPER_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
PAPER_LENGTH = 8


class LastDirector(Exception):
    """Error: the member is the club's last director and must stay one."""


class InvitedMeanwhile(Exception):
    """Error: another director (`by`) has just invited the same address."""

    def __init__(self, by: User) -> None:
        super().__init__(by.pk)
        self.by = by


class PersonTaken(Exception):
    """Error: the player of the roster is already connected with another member's account."""


class AccountExists(Exception):
    """Error: the address belongs to an account that is in use, so its own password is needed."""


@transaction.atomic
def invite_address(
    club: Club, *, email: str, roles: Iterable[Role], by: User
) -> tuple[Invitation, str]:
    """Create an invitation to a club for an e-mail address. Return it and its key, of which only a hash is stored.

    An earlier invitation of the address ends. Raises `InvitedMeanwhile`.
    """
    Club.objects.select_for_update().get(pk=club.pk)
    email, key = email.lower(), secrets.token_urlsafe(32)
    earlier = Invitation.objects.filter(club=club, email=email).select_related("by")
    just_now = earlier.filter(until__gt=timezone.now() + INVITED_FOR - JUST_NOW).first()
    if just_now and just_now.by and just_now.by != by:
        raise InvitedMeanwhile(just_now.by)
    earlier.delete()
    Invitation.objects.filter(until__lte=timezone.now()).delete()
    invitation = Invitation(
        club=club, email=email, key=_hashed_key(key), until=timezone.now() + INVITED_FOR, by=by
    )
    invitation.set_roles(roles)
    invitation.save()
    return invitation, key


def invite_on_paper(club: Club, *, roles: Iterable[Role], by: User) -> tuple[Invitation, str]:
    """Create an invitation with a code to print. Return it and its code, of which only a hash is stored."""
    code = "".join(secrets.choice(PAPER_ALPHABET) for _ in range(PAPER_LENGTH))
    Invitation.objects.filter(until__lte=timezone.now()).delete()
    until = timezone.now() + INVITED_FOR
    invitation = Invitation(club=club, key=_hashed_code(code), until=until, by=by)
    invitation.set_roles(roles)
    invitation.save()
    return invitation, code


def invitation_on_paper(typed_code: str) -> Invitation | None:
    """Return the open invitation with a typed code, or None. Spaces and hyphens do not matter."""
    code = "".join(letter for letter in typed_code.upper() if letter in PAPER_ALPHABET)
    if len(code) != PAPER_LENGTH:
        return None
    valid = Invitation.objects.filter(key=_hashed_code(code), email="", until__gt=timezone.now())
    return valid.select_related("club", "by").first()


def spaced_code(code: str) -> str:
    """Return an invitation's code in two groups of letters, as it is printed.

    >>> spaced_code("ABCDEFGH")
    'ABCD EFGH'
    """
    return f"{code[: PAPER_LENGTH // 2]} {code[PAPER_LENGTH // 2 :]}"


def _hashed_code(code: str) -> str:
    """Return the keyed hash of an invitation's code: a plain hash of a short code could be guessed."""
    return salted_hmac("bridgebuddy.clubs.invitation", code, algorithm="sha256").hexdigest()


def invitation_of(key: str) -> Invitation | None:
    """Return the open invitation with the key of a link, or None."""
    valid = Invitation.objects.filter(key=_hashed_key(key), until__gt=timezone.now())
    return valid.select_related("club", "by").first()


def _hashed_key(key: str) -> str:
    """Return the hash under which the key of an invitation's link is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


@transaction.atomic
def accept_invitation(invitation: Invitation, user: User) -> Membership | None:
    """Make `user` a member of the inviting club. Return None if the invitation has been used meanwhile.

    A member keeps the roles held before and gets those of the invitation as well.
    """
    Club.objects.select_for_update().get(pk=invitation.club_id)
    if not Invitation.objects.filter(pk=invitation.pk).delete()[0]:
        return None
    membership, _is_new = Membership.objects.get_or_create(club=invitation.club, user=user)
    membership.set_roles({*membership.roles, *invitation.roles})
    membership.save()
    return membership


@transaction.atomic
def account_of_invitation(invitation: Invitation, password: str) -> User:
    """Return the account for an invitation's address, created if needed; the link has verified the address.

    An account with this address that was neither verified nor used is taken over. Raises `AccountExists` if it is in
    use.
    """
    Club.objects.select_for_update().get(
        pk=invitation.club_id
    )  # one account, also if pressed twice
    user = User.objects.filter(email__iexact=invitation.email).first()
    if user is None:
        user = User.objects.create_user(invitation.email)
    elif is_account_in_use(user):
        raise AccountExists(user.pk)
    user.set_password(password)
    user.save()
    Authenticator.objects.filter(user=user).delete()
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@transaction.atomic
def account_with_code(invitation: Invitation, email: str, password: str) -> User:
    """Create an account for a person with a code on paper; its e-mail address is not verified.

    Only for servers without mail. Raises `AccountExists`.
    """
    Club.objects.select_for_update().get(pk=invitation.club_id)
    if User.objects.filter(email__iexact=email).exists():
        raise AccountExists(email)
    return User.objects.create_user(email.lower(), password)


def is_account_in_use(user: User) -> bool:
    """Return whether an account is in use: its address is verified, or it belongs to a club."""
    proved = EmailAddress.objects.filter(user=user, verified=True)
    return user.is_superuser or proved.exists() or user.memberships.exists()


@transaction.atomic
def set_roles(membership: Membership, roles: Iterable[Role]) -> bool:
    """Give a member exactly `roles`. Return whether they differ from before. Raises `LastDirector`.

    A member that directs no longer takes back the invitations that they have sent.
    """
    wanted = set(roles) - {Role.MEMBER}
    membership = _membership_under_lock(membership, keeps=Role.DIRECTOR in wanted)
    if wanted == set(membership.roles) - {Role.MEMBER}:
        return False
    if membership.is_director and Role.DIRECTOR not in wanted:
        _end_invitations(membership)
    membership.set_roles(wanted)
    membership.save()
    return True


@transaction.atomic
def connect_person(membership: Membership, person: Person | None) -> bool:
    """Connect a member's account with `person` of the roster, or with none. Return whether that is a change.

    Raises `PersonTaken`.
    """
    Club.objects.select_for_update().get(pk=membership.club_id)
    membership = Membership.objects.get(pk=membership.pk)
    if membership.person_id == (person.pk if person else None):
        return False
    others = Membership.objects.filter(person=person).exclude(pk=membership.pk)
    if person is not None and others.exists():
        raise PersonTaken(person.pk)
    membership.person = person
    membership.save()
    return True


@transaction.atomic
def remove_member(membership: Membership) -> None:
    """Delete a membership, with the invitations that the member sent or was sent. Raises `LastDirector`."""
    membership = _membership_under_lock(membership, keeps=False)
    _end_invitations(membership)
    membership.delete()


def _end_invitations(membership: Membership) -> None:
    """Delete the open invitations of a club that a member has sent, or that are for the member's address."""
    user = membership.user
    ended = Q(by=user) | Q(email__iexact=user.email)
    Invitation.objects.filter(ended, club=membership.club_id).delete()


def _membership_under_lock(membership: Membership, *, keeps: bool) -> Membership:
    """Return a membership, read under the club's lock, so that two directors cannot both leave at once."""
    Club.objects.select_for_update().get(pk=membership.club_id)
    membership = Membership.objects.select_related("user").get(pk=membership.pk)
    others = Membership.objects.filter(club=membership.club_id, is_director=True)
    if not keeps and membership.is_director and not others.exclude(pk=membership.pk).exists():
        raise LastDirector()
    return membership

"""The security log for a club's directors: sign-ins, wrong passwords, roles and codes.

It holds no Internet addresses. Events by strangers are limited, so that repeated attempts do not fill the disk.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from allauth.account.signals import password_changed, password_reset, user_logged_in
from django.dispatch import receiver
from django.utils import timezone

from ..models import Club, SecurityEvent, User
from ..roles import Role
from ..rules import memberships_with_roles
from .limits import AttemptLimit

EventKind = SecurityEvent.EventKind
KEPT = timedelta(days=90)
#: limit for attempts of strangers; actions of directors are always noted
NOTED = AttemptLimit("noted wrong passwords of a club", 50, 3600)
BY_STRANGERS = {EventKind.FAILED, EventKind.DIGITS}


def store_security_event(
    club: Club,
    kind: EventKind,
    *,
    by: User | None = None,
    about: str = "",
    roles: Iterable[Role] = (),
) -> None:
    """Store a security event of a club. `roles` are those that the event has given to a member."""
    if kind in BY_STRANGERS and NOTED.count(str(club.pk)):
        return
    length = SecurityEvent._meta.get_field("about").max_length
    SecurityEvent.objects.create(
        club=club, what=kind, by=by, about=about[:length], role=",".join(roles)
    )


def store_event_in_users_clubs(user: User, kind: EventKind, *, by: User | None) -> None:
    """Store a security event in each club in which `user` has a role."""
    has_roles = memberships_with_roles("memberships__")
    for club in Club.objects.filter(has_roles, memberships__user=user):
        store_security_event(club, kind, by=by, about="" if by else user.email)


def delete_old_security_events() -> None:
    """Delete security events older than the retention period."""
    SecurityEvent.objects.filter(at__lt=timezone.now() - KEPT).delete()


@receiver(user_logged_in)
def _note_sign_in(user: User, **rest: Any) -> None:
    """Store a security event in the user's clubs when the user signs in."""
    store_event_in_users_clubs(user, EventKind.SIGN_IN, by=user)


@receiver([password_changed, password_reset])
def _note_new_password(user: User, **rest: Any) -> None:
    """Store a security event in the user's clubs when the password changes."""
    store_event_in_users_clubs(user, EventKind.PASSWORD, by=user)

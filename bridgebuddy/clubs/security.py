"""The security log for a club's directors: sign-ins, wrong passwords, roles and codes.

It holds no Internet addresses. Events by strangers are limited, so that repeated attempts do not fill the disk.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.account.signals import password_changed, password_reset, user_logged_in
from django.dispatch import receiver
from django.utils import timezone

from .limits import AttemptLimit
from .models import Club, SecurityEvent, User
from .rules import RUN_SESSIONS

What = SecurityEvent.What
KEPT = timedelta(days=90)
#: limit for attempts of strangers; actions of directors are always noted
NOTED = AttemptLimit("noted wrong passwords of a club", 50, 3600)
BY_STRANGERS = {What.FAILED, What.DIGITS}


def store_security_event(
    club: Club, what: What, *, by: User | None = None, about: str = "", role: str = ""
) -> None:
    """Store a security event of a club."""
    if what in BY_STRANGERS and NOTED.count(str(club.pk)):
        return
    length = SecurityEvent._meta.get_field("about").max_length
    SecurityEvent.objects.create(club=club, what=what, by=by, about=about[:length], role=role)


def note_in_clubs_of(user: User, what: What, *, by: User | None) -> None:
    """Store a security event in each club whose sessions the user runs."""
    for club in Club.objects.filter(memberships__user=user, memberships__role__in=RUN_SESSIONS):
        store_security_event(club, what, by=by, about="" if by else user.email)


def forget_old_events() -> None:
    """Delete events older than the retention period."""
    SecurityEvent.objects.filter(at__lt=timezone.now() - KEPT).delete()


@receiver(user_logged_in)
def _signed_in(user: User, **rest: Any) -> None:
    note_in_clubs_of(user, What.SIGN_IN, by=user)


@receiver([password_changed, password_reset])
def _has_another_password(user: User, **rest: Any) -> None:
    note_in_clubs_of(user, What.PASSWORD, by=user)

"""Folds of the settings of privacy: what is stored and for how long, and the record of processing."""

from __future__ import annotations

from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.clubs.rules import RUN_SESSIONS, memberships_with


def stored_data_context(club: Club, opened: str) -> dict[str, Any]:
    """Return the template context of an open part of the privacy page: stored data, or record of processing."""
    if opened == "kept":
        return {"opened": opened}
    if opened != "record":
        return {}
    running = memberships_with(RUN_SESSIONS, "memberships__")
    directors = User.objects.filter(running, memberships__club=club)
    return {
        "opened": opened,
        "today": club.today,
        "directors": directors.count(),
        "with_code": directors.filter(authenticator__type=Authenticator.Type.TOTP).count(),
        "is_encrypted": bool(settings.BACKUP_PASSPHRASE),
    }

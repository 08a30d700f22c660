"""The code by which phones find a section: it expires some time after the session, and can be replaced."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.clubs.sign_in.security import EventKind, store_security_event

from ..models import Section, new_code
from .locking import lock_section
from .recording import record_visible_change


@transaction.atomic
def renew_code(section: Section, *, by: User) -> Section:
    """Give a section a new code for phones. The old one stops working; the new one works even after the session."""
    section = lock_section(section)
    section.former_code, section.code = section.code, _unused_code()
    section.code_given_at = timezone.now()
    record_visible_change(section, "section.renew_code", by=by)
    store_security_event(section.club, EventKind.CODE, by=by, about=str(section.session))
    return section


def _unused_code() -> str:
    """Return a new section code that no section has or had."""
    while True:
        code = new_code()
        if not Section.objects.filter(Q(code=code) | Q(former_code=code)).exists():
            return code


def end_codes_as_wanted(club: Club) -> None:
    """Change the expiry of the club's valid section codes to its current setting."""
    still = Section.objects.filter(session__event__club=club, code_ends_at__gt=timezone.now())
    for section in still.select_related("session__event__club"):
        section.code_ends_at = section.end_of_code()
        section.save(update_fields=["code_ends_at"])

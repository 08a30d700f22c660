"""Setting the permissions of phones in a session, and renewing the tables' secrets."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import User
from bridgebuddy.clubs.sign_in.security import EventKind, store_security_event
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_session
from bridgebuddy.table_phones.models import EntryMode, PhoneSettings
from bridgebuddy.table_phones.queries.phones import phone_settings_of


@transaction.atomic
def store_phone_settings(
    section: Section,
    *,
    mode: str,
    agreement: str,
    feedback: str,
    asks_lead: bool,
    slips_too: bool = False,
    is_new: bool = False,
    by: User | None,
) -> PhoneSettings:
    """Store a session's settings for phones, and refresh its pages.

    The first ones of a session that `is_new` are no change, so nothing is recorded.
    """
    section, together = lock_session(section)
    phones = phone_settings_of(section)
    values = {
        "mode": mode,
        "agreement": agreement,
        "feedback": feedback,
        "asks_lead": asks_lead,
        "slips_too": slips_too and mode != EntryMode.NONE,
    }
    if phones.pk and all(getattr(phones, name) == value for name, value in values.items()):
        return phones
    for name, value in values.items():
        setattr(phones, name, value)
    phones.save()
    if not is_new:
        add_record("tables.phones", section, by=by, mode=mode)
    _touch_sections(together)
    return phones


@transaction.atomic
def renew_secrets(section: Section, *, by: User | None) -> PhoneSettings:
    """Change the secrets of all tables of a session; printed QR codes and digits become invalid."""
    section, together = lock_session(section)
    phones = phone_settings_of(section)
    phones.version += 1
    phones.save()
    add_record("tables.secrets", section, by=by)
    store_security_event(section.club, EventKind.SECRETS, by=by, about=str(section.session))
    _touch_sections(together)
    return phones


def _touch_sections(together: list[Section]) -> None:
    """Increase the counter of visible changes in these sections, so that their pages refresh."""
    for section_row in together:
        section_row.touch()

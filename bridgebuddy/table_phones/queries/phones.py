"""The permissions of phones in a session."""

from __future__ import annotations

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.compiled_queries import CompiledRows
from bridgebuddy.table_phones.models import PhoneSettings

#: every phone asks this
USUAL = CompiledRows(
    lambda club, session: PhoneSettings.objects.filter(
        session__event__club=club, session__lte=session
    ).order_by("-session_id")[:1],
    *(30_001, 30_002),
)


def phone_settings_of(section: Section) -> PhoneSettings:
    """Return a session's phone settings, else those of the club's last session, else the defaults.

    Each session has its own version of secrets. Makes one query.
    """
    rows = USUAL.rows(section.club.pk, section.session_id)
    usual = rows[0] if rows else None
    if usual is not None and usual.session_id == section.session_id:
        return usual
    usual = usual or PhoneSettings()
    return PhoneSettings(
        session_id=section.session_id,
        mode=usual.mode,
        agreement=usual.agreement,
        feedback=usual.feedback,
        asks_lead=usual.asks_lead,
        slips_too=usual.slips_too,
    )

"""What phones may do in a session."""

from __future__ import annotations

from bridgebuddy.events.models import Section

from ..models import Phones


def phones_of(section: Section) -> Phones:
    """Return what was chosen for a session; else what the club chose for one before it, else the usual.

    The secrets' version is each session's own. One query.
    """
    of_club = Phones.objects.filter(session__event__club=section.club.pk)
    usual = of_club.filter(session__lte=section.session_id).order_by("-session").first()
    if usual is not None and usual.session_id == section.session_id:
        return usual
    usual = usual or Phones()
    return Phones(
        session_id=section.session_id,
        mode=usual.mode,
        agreement=usual.agreement,
        feedback=usual.feedback,
        asks_lead=usual.asks_lead,
    )

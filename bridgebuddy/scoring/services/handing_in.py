"""A federation's data about a session, and the embargo on its results."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_session

from ..models import ScoringSettings
from .recording import note_results, refresh_displays, scoring_settings_of


@transaction.atomic
def store_federation_data(
    section: Section,
    *,
    charge_code: str = "",
    point_scale: str = "",
    points_awarded: bool = False,
    embargo_until: datetime | None = None,
    by: User | None,
) -> ScoringSettings:
    """Store what a federation asks for in a session's files, and until when only directors see results."""
    section, sections = lock_session(section)
    scoring = scoring_settings_of(section)
    values = {
        "charge_code": charge_code,
        "point_scale": point_scale,
        "points_awarded": points_awarded,
        "embargo_until": embargo_until,
    }
    if all(getattr(scoring, name) == value for name, value in values.items()):
        return scoring
    is_another_hour = scoring.embargo_until != embargo_until
    for name, value in values.items():
        setattr(scoring, name, value)
    scoring.save()
    for session_section in sections:
        note_results(
            session_section, "results.hand_in" if session_section.pk == section.pk else "", by=by
        )
    if is_another_hour:
        refresh_displays(section)
    return scoring

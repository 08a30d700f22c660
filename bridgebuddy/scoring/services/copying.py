"""Scoring of a session copied from another: it is the same as the original's."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.events.services.lifecycle.copies_of_sessions import entries_with_people

from ..models import ScoringSettings
from ..snapshot.earlier import People, regular_people

#: copied fields of scoring; a list's state and address belong to each session alone
ALIKE = ("profile", "barometer", "same_cards", "beside", "masterpoints", "correction_minutes")


@transaction.atomic
def copy_scoring(section: Section, source: Section) -> None:
    """Copy the scoring settings of the session from which this one was copied, unless it has its own.

    Entries of the same people keep stratum, handicap and categories. The rule for earlier sessions is copied only if
    the session has some.
    """
    both = ScoringSettings.objects.filter(session__in=(section.session_id, source.session_id))
    by_session = {scoring.session_id: scoring for scoring in both}
    then = by_session.get(source.session_id)
    if then is None or section.session_id in by_session:
        return
    alike = {name: getattr(then, name) for name in ALIKE}
    if section.session.follows_id is None:
        alike["profile"] = {
            name: value for name, value in then.profile.items() if name != "sessions"
        }
    before, now = (_entries_by_people(either_section) for either_section in (source, section))
    classes = {
        str(now[people]): then.classes[str(entry)]
        for people, entry in before.items()
        if people in now and str(entry) in then.classes
    }
    ScoringSettings.objects.create(session_id=section.session_id, classes=classes, **alike)


def _entries_by_people(section: Section) -> dict[People, int]:
    """Return a session's entries by their regular people."""
    return {
        regular_people(entry): entry.pk
        for other_section in sections_of_session(section)
        for entry in entries_with_people(other_section)
    }

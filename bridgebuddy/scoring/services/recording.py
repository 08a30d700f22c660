"""A change to results is counted and recorded by one call."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.recording import record_plan_change
from bridgebuddy.jobs.services import request_job
from bridgebuddy.scoring.errors import ListIsClosed
from bridgebuddy.scoring.models import Result, ScoringSettings

#: the job done by `bridgebuddy/publication/mails/results_mailing.py`, and the delay that joins quick corrections
MAIL, MAIL_WAITS = "mail-results", timedelta(minutes=5)


def note_results(
    section: Section, action: str = "", *, by: User | None, reason: str = "", **facts: object
) -> None:
    """Increase a section's change counters so that pages refresh; with `action`, add an audit record.

    No plan depends on results, so a score never refuses a change such as a late pair. A single result is its own
    record, so it needs no action.
    """
    scoring = ScoringSettings.objects.filter(session_id=section.session_id).first()
    _count_and_record(section, scoring, action, by=by, reason=reason, **facts)


def note_revision(
    section: Section, action: str = "", *, by: User | None, reason: str = "", **facts: object
) -> None:
    """Increase a section's change counters, add an audit record, and mark a final ranking as revised."""
    scoring = ScoringSettings.objects.filter(session_id=section.session_id).first()
    _count_and_record(section, scoring, action, by=by, reason=reason, **facts)
    _save_if_revised(scoring)


def note_revising_decision(section: Section, action: str, *, by: User, **facts: object) -> None:
    """Count a change of the plan, add an audit record, and mark a final ranking as revised."""
    record_plan_change(section, action, by=by, reason="", **facts)
    _save_if_revised(ScoringSettings.objects.filter(session_id=section.session_id).first())


def _save_if_revised(scoring: ScoringSettings | None) -> None:
    """Mark a final ranking as revised, and save the scoring settings in that case."""
    if scoring is not None and mark_revised(scoring):
        scoring.save(update_fields=["revision", "final_at"])


def _count_and_record(
    section: Section,
    scoring: ScoringSettings | None,
    action: str,
    *,
    by: User | None,
    reason: str,
    **facts: object,
) -> None:
    """Increase the change counters, save section and scoring, and add an audit record."""
    section.results += 1
    section.shown += _is_news_for_the_room(section, scoring)
    section.save(update_fields=["results", "shown"])
    if action:
        add_record(action, section, by=by, reason=reason, **facts)


def _is_news_for_the_room(section: Section, scoring: ScoringSettings | None) -> bool:
    """Return whether the ranking on the room display may have changed; only if all results so far are in."""
    if scoring is None or (not scoring.barometer and scoring.revealed is None):
        return False
    played = section.plays.filter(taken_back_at=None).exclude(Q(ns=None) | Q(ew=None))
    has_result = Result.objects.filter(play=OuterRef("pk"), stands=True).exclude(outcome=None)
    return not played.filter(~Exists(has_result)).exists()


def refresh_displays(section: Section) -> None:
    """Make all room displays and phones of a session refresh; its sections must be locked."""
    Section.objects.filter(session_id=section.session_id).update(shown=F("shown") + 1)


def scoring_settings_of(section: Section) -> ScoringSettings:
    """Return the scoring settings of a locked section's session, created on first use."""
    return ScoringSettings.objects.get_or_create(session_id=section.session_id)[0]


def mark_revised(scoring: ScoringSettings) -> bool:
    """Mark a final ranking as revised. Return whether it was final.

    Raises `ListIsClosed` after its correction period. Call it within the transaction of the change.
    """
    if scoring.is_closed:
        raise ListIsClosed(at=scoring.closes_at)
    if scoring.is_final:
        scoring.revision += 1
        scoring.final_at = timezone.now()
        mail_results(scoring)
    return scoring.is_final


def mail_results(scoring: ScoringSettings) -> None:
    """Request the mails with a session's results, delayed so that corrections are included."""
    if settings.HAS_MAIL:
        request_job(MAIL, scoring.session_id, wait=MAIL_WAITS)

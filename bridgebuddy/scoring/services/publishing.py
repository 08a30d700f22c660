"""A session's scoring, and the state of its list: provisional, final, revised, published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_session
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from ..errors import ListIsClosed, NothingToUndo
from ..models import ScoringSettings
from ..results.figures import place_and_score_by_entry, result_digests
from ..results.scored import ScoredSession
from .cards.solving import ask_for_leads
from .recording import (
    mail_results,
    mark_revised,
    note_results,
    refresh_displays,
    scoring_settings_of,
)
from .rulings import check_scorable


@transaction.atomic
def set_scoring_profile(
    section: Section, profile: Mapping[str, Any], *, by: User | None
) -> ScoringSettings:
    """Set the session's scoring profile; all results are calculated again.

    `profile` holds the differences from the club's default. Raises `UnknownMethod` if the session cannot be scored
    so, and `ListIsClosed`.
    """
    section, sections = lock_session(section)
    scoring = scoring_settings_of(section)
    if scoring.profile == dict(profile):
        return scoring
    scoring.profile = dict(profile)
    mark_revised(scoring)
    scoring.save()
    check_scorable(section)
    for session_section in sections:
        action = "results.profile" if session_section.pk == section.pk else ""
        note_results(session_section, action, by=by, method=str(profile.get("method", "")))
    return scoring


@transaction.atomic
def set_correction_period(
    section: Section, minutes: int | None, *, by: User | None
) -> ScoringSettings:
    """Set for how many minutes a final ranking may be corrected; None for no limit.

    For a final list it counts from when it became final. Raises `ListIsClosed`.
    """
    section, sections = lock_session(section)
    scoring = scoring_settings_of(section)
    if scoring.correction_minutes == minutes:
        return scoring
    if scoring.is_closed:
        raise ListIsClosed(at=scoring.closes_at)
    scoring.correction_minutes = minutes
    scoring.closes_at = scoring.closing(scoring.final_at)
    scoring.save()
    for session_section in sections:
        action = "results.corrections" if session_section.pk == section.pk else ""
        note_results(session_section, action, by=by, minutes=minutes or 0)
    return scoring


@transaction.atomic
def make_list_final(section: Section, *, by: User | None) -> ScoringSettings:
    """Declare the ranking final; later changes make it a revised one.

    After its correction period it closes by itself and cannot change (Law 79C).
    """
    section, _ = lock_session(section)
    now = timezone.now()
    scoring = scoring_settings_of(section)
    closes_at = scoring.closing(now)
    if scoring.first_final_at is None:
        scoring.first_final_at = now
        scored = ScoredSession(SessionSnapshot(section))
        scoring.first_figures = {
            **result_digests(scored),
            "lines": place_and_score_by_entry(scored),
        }
        scoring.save(update_fields=["first_final_at", "first_figures"])
    scoring = _set_list_state(
        section, "results.final", by, final_at=now, revision=1, closes_at=closes_at
    )
    mail_results(scoring)
    return scoring


@transaction.atomic
def reopen_list(section: Section, *, reason: str = "", by: User | None) -> ScoringSettings:
    """Make a final ranking provisional again. Raises `NothingToUndo` if it is not final."""
    return _set_list_state(
        section, "results.open_again", by, reason=reason, final_at=None, closes_at=None
    )


@transaction.atomic
def publish_results(section: Section, *, by: User | None) -> ScoringSettings:
    """Publish the session's results to everybody who has the address."""
    return _set_list_state(
        section, "results.publish", by, published_at=timezone.now(), withdrawn_at=None
    )


@transaction.atomic
def unpublish_results(section: Section, *, by: User | None) -> ScoringSettings:
    """Withdraw published results: the address shows nothing, and they count in no championship."""
    now = timezone.now()
    return _set_list_state(section, "results.unpublish", by, published_at=None, withdrawn_at=now)


@transaction.atomic
def show_after_rounds(section: Section, is_shown: bool, *, by: User | None) -> ScoringSettings:
    """Set whether the room display and phones show the ranking after each round."""
    section, _ = lock_session(section)
    is_new = scoring_settings_of(section).barometer != is_shown
    scoring = _set_list_state(section, "", by, barometer=is_shown)
    if is_new:
        refresh_displays(section)
    return scoring


@transaction.atomic
def reveal_places(section: Section, places: int | None, *, by: User | None) -> ScoringSettings:
    """Show the last `places` places of the final ranking on the room display; None shows none.

    Repeating it has no effect. Every display of the session refreshes.
    """
    section, sections = lock_session(section)
    scoring = scoring_settings_of(section)
    if scoring.revealed != places:
        scoring.revealed = places
        scoring.save()
        for session_section in sections:
            note_results(session_section, by=by)
        refresh_displays(section)
    return scoring


@transaction.atomic
def play_same_cards(section: Section, is_same: bool, *, by: User | None) -> ScoringSettings:
    """Set whether all tables of a drawn round play the same deals, or each match has its own deals."""
    return _set_list_state(section, "", by, revises=True, same_cards=is_same)


@transaction.atomic
def set_second_method(section: Section, method: str, *, by: User | None) -> ScoringSettings:
    """Show a second ranking, scored by another method; an empty name removes it."""
    section, sections = lock_session(section)
    scoring = scoring_settings_of(section)
    if scoring.beside != method:
        scoring.beside = method
        scoring.save()
        for session_section in sections:
            note_results(session_section, by=by)
    return scoring


def _set_list_state(
    section: Section,
    action: str,
    by: User | None,
    reason: str = "",
    *,
    revises: bool = False,
    **fields: Any,
) -> ScoringSettings:
    """Set fields of the session's scoring settings and refresh its pages; do nothing if they have these values."""
    section, sections = lock_session(section)
    scoring = scoring_settings_of(section)
    if action == "results.open_again" and not scoring.is_final:
        raise NothingToUndo()
    follows = ("closes_at", "withdrawn_at")  # set together with another field
    values = {name: value for name, value in fields.items() if name not in follows}
    if all(bool(getattr(scoring, name)) == bool(value) for name, value in values.items()):
        return scoring
    if fields.get("revision"):
        fields["revision"] = scoring.revision + 1
    for name, value in fields.items():
        setattr(scoring, name, value)
    if revises:
        mark_revised(scoring)
    scoring.save()
    for session_section in sections:
        note_results(
            session_section,
            action if session_section.pk == section.pk else "",
            by=by,
            reason=reason,
        )
    if fields.get("final_at") or fields.get("published_at"):
        ask_for_leads(section)
    if "published_at" in fields:
        refresh_displays(section)
    return scoring

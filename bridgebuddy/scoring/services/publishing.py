"""How a session is scored, and how far its list is: provisional, final, revised, published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_session

from ..errors import ListIsClosed, NothingToUndo
from ..models import Scoring
from ..queries.figures import figures_of
from ..queries.scored import Scored
from ..queries.tonight import Tonight
from .noting import mail_results, note_results, refresh_the_room, revised, scoring_of
from .rulings import check_scorable
from .solving import ask_for_leads


@transaction.atomic
def score_by(section: Section, profile: Mapping[str, Any], *, by: User | None) -> Scoring:
    """Score the session by another profile: everything is worked out anew at once.

    `profile` has what differs from the club's usual. Raises `UnknownMethod` where it cannot be scored so,
    and `ListIsClosed`.
    """
    section, found = lock_session(section)
    scoring = scoring_of(section)
    if scoring.profile == dict(profile):
        return scoring
    scoring.profile = dict(profile)
    revised(scoring)
    scoring.save()
    check_scorable(section)
    for section_row in found:
        action = "results.profile" if section_row.pk == section.pk else ""
        note_results(section_row, action, by=by, method=str(profile.get("method", "")))
    return scoring


@transaction.atomic
def correct_for(section: Section, minutes: int | None, *, by: User | None) -> Scoring:
    """Say how long a final list is corrected; None: as long as somebody finds a mistake.

    A list that is final counts from when it became so. Raises `ListIsClosed`.
    """
    section, found = lock_session(section)
    scoring = scoring_of(section)
    if scoring.correction_minutes == minutes:
        return scoring
    if scoring.is_closed:
        raise ListIsClosed(at=scoring.closes_at)
    scoring.correction_minutes = minutes
    scoring.closes_at = scoring.closing(scoring.final_at)
    scoring.save()
    for section_row in found:
        action = "results.corrections" if section_row.pk == section.pk else ""
        note_results(section_row, action, by=by, minutes=minutes or 0)
    return scoring


@transaction.atomic
def make_final(section: Section, *, by: User | None) -> Scoring:
    """Say that the list is final; whatever changes it from now on makes it a revised one.

    When its correction period is over nothing changes it any more: it closes by itself (Law 79C).
    """
    section, _ = lock_session(section)
    now = timezone.now()
    scoring = scoring_of(section)
    closes_at = scoring.closing(now)
    if scoring.first_final_at is None:
        scoring.first_final_at = now
        scoring.first_figures = figures_of(Scored(Tonight(section)))
        scoring.save(update_fields=["first_final_at", "first_figures"])
    scoring = _shown(section, "results.final", by, final_at=now, revision=1, closes_at=closes_at)
    mail_results(scoring)
    return scoring


@transaction.atomic
def open_again(section: Section, *, reason: str = "", by: User | None) -> Scoring:
    """Say that the list is not final after all. Raises `NothingToUndo` where it is not."""
    return _shown(section, "results.open_again", by, reason=reason, final_at=None, closes_at=None)


@transaction.atomic
def publish(section: Section, *, by: User | None) -> Scoring:
    """Let everybody with the address see the results."""
    return _shown(section, "results.publish", by, published_at=timezone.now(), withdrawn_at=None)


@transaction.atomic
def unpublish(section: Section, *, by: User | None) -> Scoring:
    """Take the published results back: their address shows nothing, and they count in no championship."""
    now = timezone.now()
    return _shown(section, "results.unpublish", by, published_at=None, withdrawn_at=now)


@transaction.atomic
def show_after_rounds(section: Section, shown: bool, *, by: User | None) -> Scoring:
    """Let the room display and phones show the ranking after each round, or not."""
    section, _ = lock_session(section)
    is_new = scoring_of(section).barometer != shown
    scoring = _shown(section, "", by, barometer=shown)
    if is_new:
        refresh_the_room(section)
    return scoring


@transaction.atomic
def reveal(section: Section, places: int | None, *, by: User | None) -> Scoring:
    """Let the room display show so many places of the final list, from the last one up; None: no list.

    Told again it happens once. Every display of the session fetches itself anew.
    """
    section, found = lock_session(section)
    scoring = scoring_of(section)
    if scoring.revealed != places:
        scoring.revealed = places
        scoring.save()
        for section_row in found:
            note_results(section_row, by=by)
        refresh_the_room(section)
    return scoring


@transaction.atomic
def play_same_cards(section: Section, same: bool, *, by: User | None) -> Scoring:
    """Say whether all tables of a round of drawn matches have the same cards, or each match its own."""
    return _shown(section, "", by, revises=True, same_cards=same)


@transaction.atomic
def count_beside(section: Section, method: str, *, by: User | None) -> Scoring:
    """Let a second list, counted another way, stand beside the first one; none with an empty name."""
    section, found = lock_session(section)
    scoring = scoring_of(section)
    if scoring.beside != method:
        scoring.beside = method
        scoring.save()
        for section_row in found:
            note_results(section_row, by=by)
    return scoring


def _shown(
    section: Section,
    action: str,
    by: User | None,
    reason: str = "",
    *,
    revises: bool = False,
    **fields: Any,
) -> Scoring:
    """Set how far the list is; what is so already changes nothing. All of the session's pages show it."""
    section, found = lock_session(section)
    scoring = scoring_of(section)
    if action == "results.open_again" and not scoring.is_final:
        raise NothingToUndo()
    follows = ("closes_at", "withdrawn_at")  # set together with another field
    said = {name: value for name, value in fields.items() if name not in follows}
    if all(bool(getattr(scoring, name)) == bool(value) for name, value in said.items()):
        return scoring
    if fields.get("revision"):
        fields["revision"] = scoring.revision + 1
    for name, value in fields.items():
        setattr(scoring, name, value)
    if revises:
        revised(scoring)
    scoring.save()
    for section_row in found:
        note_results(
            section_row, action if section_row.pk == section.pk else "", by=by, reason=reason
        )
    if fields.get("final_at") or fields.get("published_at"):
        ask_for_leads(section)
    if "published_at" in fields:
        refresh_the_room(section)
    return scoring

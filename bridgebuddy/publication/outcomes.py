"""The cached outcomes of published sessions, so that a long list needs few queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.utils import timezone

from bridgebuddy.events.models import Session
from bridgebuddy.events.queries.sessions.sections import sections_with_session
from bridgebuddy.events.queries.states import state_digest
from bridgebuddy.scoring.results.figures import has_new_figures, result_digests
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from .models import PublishedOutcome

#: sessions computed for one page; the next reader computes more
MOST_AT_ONCE = 8

Row = tuple[int, str, str]


def _outcome_state(session: Session) -> str:
    """Return a digest that changes when a session's cached rankings are outdated; names do not count."""
    sections = session.sections.all()
    return state_digest(sorted((section.pk, section.results, section.plan) for section in sections))


def update_outcomes(sessions: Iterable[Session]) -> bool:
    """Compute the missing and outdated cached rankings of sessions; return whether there were any.

    `sessions` must have their sections and outcomes prefetched. Sessions scored by another program
    have no outcomes.
    """
    scored = [session for session in sessions if getattr(session, "past", None) is None]
    stale = [
        scored_session
        for scored_session in scored
        if _stored_outcome(scored_session) is None or is_stale(scored_session)
    ]
    for session in stale[:MOST_AT_ONCE]:
        first = sections_with_session().filter(session=session).order_by("pk").first()
        if first is not None:
            results = ScoredSession(SessionSnapshot(first))
            figures = result_digests(results)
            values = {
                "state": _outcome_state(session),
                "lists": list(_ranking_lists(results)),
                "figures": figures,
                "figures_changed_at": _time_of_change(results, _stored_outcome(session), figures),
            }
            PublishedOutcome.objects.update_or_create(session=session, defaults=values)
    return bool(stale)


def _time_of_change(
    scored: ScoredSession, outcome: PublishedOutcome | None, figures: dict[str, str]
) -> datetime | None:
    """Return when a published score last changed after the ranking was final; None if never.

    Without stored figures, a list that differs from its first final one changed when it was last revised.
    """
    final_at = scored.tonight.scoring.final_at
    if outcome is None or not outcome.figures:
        return final_at if has_new_figures(scored) else None
    if outcome.figures == figures:
        return outcome.figures_changed_at
    return final_at or timezone.now()


def _stored_outcome(session: Session) -> PublishedOutcome | None:
    """Return the cached rankings of a session; None without any."""
    outcome: PublishedOutcome | None = getattr(session, "outcome", None)
    return outcome


def is_stale(session: Session) -> bool:
    """Return whether a session has changed since its cached rankings were computed."""
    outcome = _stored_outcome(session)
    return outcome is not None and outcome.state != _outcome_state(session)


def _ranking_lists(scored: ScoredSession) -> Iterator[dict[str, Any]]:
    """Yield the rankings of a session as JSON data for the cache."""
    for ranking in scored.main_lists:
        in_points = scored.is_in_points
        yield {
            "field": ranking.field or "",
            "section": ranking.section if scored.tonight.has_several else "",
            "unit": "total" if in_points else "percent",
            "rows": [
                (
                    standing.contestant.entry,
                    str(standing.row.place or ""),
                    _formatted_value(
                        standing.row.total if in_points else standing.row.percent, in_points
                    ),
                )
                for standing in ranking.standings
            ],
        }


def _formatted_value(value: float | None, in_points: bool) -> str:
    """Return a result with two decimal places for the cache."""
    if value is None:
        return ""
    return f"{value:.2f}".rstrip("0").rstrip(".") if in_points else f"{value:.2f}"

"""The running session of the demo club with its latest results, for visitors. It names nobody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from bridgebuddy.clubs.models import Membership
from bridgebuddy.clubs.sign_in.accounts import DEMO_EMAIL, has_real_users
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.club_sessions import LONGEST
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.rules.outcomes import stored_outcome
from bridgebuddy.scoring.rules.points import single_score
from movements.engine.contest import Contest

#: the results that the first page lists
MOST = 5


@dataclass(frozen=True)
class LiveResult:
    """A result just entered in a session that is being played; the score is that of North-South."""

    at: datetime
    table: int
    board: int
    outcome: Any
    score: int | None


@dataclass(frozen=True)
class LiveSession:
    """A session that is being played, with its latest results and their number."""

    section: Section
    results: tuple[LiveResult, ...]
    count: int

    @property
    def rounds(self) -> list[str]:
        """Return the state of each round: "done", "now" or ""."""
        before, now = self.section.round - 1, ["now"]
        return [*["done"] * before, *now, *[""] * (self.section.rounds - before - 1)]


def live_session() -> LiveSession | None:
    """Return the session of pairs that the demo club is playing, on a server without other accounts; else None.

    With an account of a real user, the demo club may be a real one, and its results are not for visitors.
    """
    if has_real_users():
        return None
    demo = Membership.objects.filter(user__email=DEMO_EMAIL, is_director=True)
    running = Section.objects.filter(
        contest=Contest.PAIRS,
        session__event__club__in=demo.values("club"),
        session__deleted_at=None,
        session__rehearsal_until=None,
        round__gt=0,
        finished_at=None,
        round_started_at__gt=timezone.now() - LONGEST,
    )
    played = Result.objects.filter(
        play__section__in=running,
        play__taken_back_at=None,
        stands=True,
        outcome__contract__isnull=False,
    ).order_by("-at", "-pk")
    newest = played.select_related(
        "play__section__session__event", "play__section__movement"
    ).first()
    if newest is None:
        return None
    section = newest.play.section
    of_section = played.filter(play__section=section)
    results = tuple(
        LiveResult(
            result.at,
            result.play.table,
            result.play.board,
            result.outcome,
            single_score(result.play.board, stored_outcome(result.outcome)),
        )
        for result in of_section.select_related("play")[:MOST]
    )
    return LiveSession(section, results, of_section.count())

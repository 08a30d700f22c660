"""Counters of a club's sessions in one query; they change with every change of a session."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Max, Min, QuerySet, Sum

from bridgebuddy.clubs.models import Club

from ..models import Session
from .compiled_queries import CompiledQuery

COUNTED = ("plan", "shown", "results", "round")


def _counters_query(club: int) -> QuerySet[Session, Any]:
    """Return the query of the counters. Additions and deletions show in the highest keys and the counts.

    Counters only grow, and no key is used twice.
    """
    return (
        Session.objects.filter(event__club=club)
        .order_by()
        .values("event__club")
        .annotate(
            *(Sum(f"sections__{name}") for name in COUNTED),
            *(Count("pk", distinct=True), Max("pk"), Count("sections"), Max("sections__pk")),
            *(Count("deleted_at"), Max("deleted_at"), Count("rehearsal_until")),
            *(Min("date"), Max("date"), Max("sections__code"), Min("sections__code")),
            *(Count("sections__finished_at"), Max("sections__finished_at")),
            Max("sections__round_started_at"),
            *(Count("scoring__published_at"), Max("scoring__published_at"), Max("scoring__token")),
        )
    )


COUNTS = CompiledQuery(_counters_query)


def state_of_club(club: Club) -> str:
    """Return the counters of all sessions of a club as text, a key for caches of their content."""
    return repr(COUNTS.rows(club.pk))

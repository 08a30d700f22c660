"""The states of a section, a session and a club: texts of all data that cached values depend on.

They contain every column of the rows, so a new column needs no change here. Data in other tables counts, because each
change of it counts in `shown`, `plan` or `results` of its sections.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import blake2b
from typing import Any

from django.db import models
from django.db.models import Count, Max, Min, QuerySet, Sum

from bridgebuddy.clubs.models import Club

from ..models import Section, Session
from .compiled_queries import CompiledQuery

#: the counters of a section
COUNTED = ("plan", "shown", "results", "round")


def _counters_query(club: int) -> QuerySet[Session, Any]:
    """Return the query of all counters of a club's sessions. Highest keys and counts reveal additions and deletions.

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


def section_state(section: Section, *, with_results: bool = False) -> str:
    """Return a text that changes with the data shown about a section; with `with_results` also with its results."""
    session = section.session
    rows = (section, session, session.event, section.club)
    without = () if with_results else ("results",)
    return repr([*(row_values(row, without) for row in rows), section.letter])


def session_state(sections: Iterable[Section], *more: object) -> str:
    """Return a text that changes with the data or results of these sections, or with the values in `more`."""
    values = (row_values(row) if isinstance(row, models.Model) else row for row in more)
    return repr([*(section_state(section, with_results=True) for section in sections), *values])


def club_state(club: Club) -> str:
    """Return the text that changes whenever the club's settings or the counters of its sessions change. One query."""
    return repr([row_values(club), COUNTS.rows(club.pk)])


def row_values(row: models.Model, excluded_columns: Collection[str] = ()) -> list[object]:
    """Return a row's column values without `excluded_columns`; None for columns that are not loaded."""
    read, names = vars(row), (column.attname for column in row._meta.concrete_fields)
    return [read.get(name) for name in names if name not in excluded_columns]


def state_digest(state: object) -> str:
    """Return a short digest of a state text, for tables that store derived data."""
    return blake2b(repr(state).encode(), digest_size=16).hexdigest()

"""The models whose rows a service locks.

SQLite locks its whole file, so a lost lock would only be noticed by two processes on PostgreSQL. Calls of
`select_for_update` are the same on both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from django.db.models import QuerySet

from bridgebuddy.events.services import display_refresh

#: sections that only refresh their pages are locked on PostgreSQL alone
LIKE_SQLITE = SimpleNamespace(features=SimpleNamespace(has_select_for_update=False))


@contextmanager
def recorded_locks() -> Iterator[list[str]]:
    """Record the names of the models that are locked meanwhile, each at its first lock."""
    locked: list[str] = []
    lock = QuerySet.select_for_update

    def record(queryset: QuerySet, *args: Any, **options: Any) -> QuerySet:
        if queryset.model.__name__ not in locked:
            locked.append(queryset.model.__name__)
        return lock(queryset, *args, **options)

    with (
        patch.object(QuerySet, "select_for_update", record),
        patch.object(display_refresh, "connection", LIKE_SQLITE),
    ):
        yield locked


def locks_line(locked: list[str]) -> list[str]:
    """Return the line of a page of services that names the locks; none if nothing is locked."""
    return [f"  locks {', '.join(locked)}"] if locked else []

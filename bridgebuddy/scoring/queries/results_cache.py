"""The process's cache of values calculated from documents; they are immutable and shared by all threads."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from bridgebuddy.events.queries.plan_cache import PlanCache

T = TypeVar("T")

#: number of cached documents, the newest
memory = PlanCache(50, is_shared=False)


def cached_results(what: str, document: Hashable, work_out: Callable[[], T]) -> T:
    """Return the value calculated from an equal document, or calculate it."""
    return memory.value((document,), "", what, work_out)


def clear_cache() -> None:
    """Empty the cache."""
    memory.clear()

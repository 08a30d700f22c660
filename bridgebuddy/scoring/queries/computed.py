"""What each process keeps of what it has worked out of documents: values that nobody changes, so that all share them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from bridgebuddy.events.queries.kept import Memory

T = TypeVar("T")

#: of so many documents, the newest
memory = Memory(50, is_shared=False)


def computed(what: str, document: Hashable, work_out: Callable[[], T]) -> T:
    """Return what was worked out of a document that says the same, or work it out."""
    return memory.value((document,), "", what, work_out)


def forget() -> None:
    """Keep nothing that was worked out until now."""
    memory.clear()

"""What each process keeps of what it has worked out of documents: values that nobody changes, so that all share them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from bridgebuddy.events.queries.kept import Memory

T = TypeVar("T")

#: of so many documents, the newest
memory = Memory(50, is_shared=False)


def computed(what: str, document: Mapping[str, Any], work_out: Callable[[], T]) -> T:
    """Return what was worked out of a document that says the same, or work it out."""
    text = json.dumps(document, sort_keys=True)
    return memory.value((hashlib.sha256(text.encode()).hexdigest(),), "", what, work_out)


def forget() -> None:
    """Keep nothing that was worked out until now."""
    memory.clear()

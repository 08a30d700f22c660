"""What each process keeps of what it has worked out of documents: values that nobody changes, so that all share them."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")
#: so many are kept, the newest
MOST = 50

_kept: OrderedDict[str, Any] = OrderedDict()
_lock = Lock()


def computed(what: str, document: Mapping[str, Any], work_out: Callable[[], T]) -> T:
    """Return what was worked out of a document that says the same, or work it out."""
    text = json.dumps(document, sort_keys=True)
    key = hashlib.sha256(f"{what} {text}".encode()).hexdigest()
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            found: T = _kept[key]
            return found
    found = work_out()
    with _lock:
        _kept[key] = found
        while len(_kept) > MOST:
            _kept.popitem(last=False)
    return found


def forget() -> None:
    """Keep nothing that was worked out until now."""
    with _lock:
        _kept.clear()

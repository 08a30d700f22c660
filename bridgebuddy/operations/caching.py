"""The one cache of derived values: in the process's memory, and shared with the server's other processes.

A value is used only with the state that it was built from. A state is a text of all data that the value depends on
(`events/queries/states.py`), so nothing is ever cleared: another state is another value. Decision 0021.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import TypeVar, cast

from django.db import connection

from . import process_cache

Value = TypeVar("Value")
Key = tuple[Hashable, ...]


@dataclass(frozen=True)
class CacheKind:
    """The limits of a kind of cached value: how many, and whether processes share them.

    `most` counts the values in a process's memory, the latest used ones. Values that are not shared stay in their
    process, because building them is faster than reading them.
    """

    most: int
    is_shared: bool = True


#: everything that is cached; the first part of a key names its kind
KINDS = {
    # of a section: some hundred kilobytes each
    "plan": CacheKind(64),
    "tables": CacheKind(64),
    # of a section: small
    "phones": CacheKind(64),
    "reminders": CacheKind(64),
    "room": CacheKind(64),
    "sheet pages": CacheKind(64),
    "winners": CacheKind(200),
    # of a session: results by their document, snapshots with results (megabytes), and pages of ten kilobytes
    "results": CacheKind(50, is_shared=False),
    "scored": CacheKind(6, is_shared=False),
    "page": CacheKind(200),
    "luck": CacheKind(10),
    "balance": CacheKind(10),
    "expected": CacheKind(10),
    # of a club
    "home": CacheKind(64, is_shared=False),
    "former sessions": CacheKind(10),
    "pace": CacheKind(10),
    "ratings": CacheKind(10),
    "handicaps": CacheKind(20),
    # of a championship
    "standings": CacheKind(60),
    "standings lines": CacheKind(120),
}


@dataclass
class _CachedValue:
    """A cached value and its state. If two threads need it at once, one builds it and the other waits."""

    state: str
    lock: RLock = field(default_factory=RLock)
    value: object = process_cache.NOTHING


class ProcessMemory:
    """The cached values in one process's memory: the most recently used ones of each kind."""

    def __init__(self) -> None:
        self._values: defaultdict[str, OrderedDict[Key, _CachedValue]] = defaultdict(OrderedDict)
        self._lock = Lock()

    def entry(self, kind: str, key: Key, state: str) -> _CachedValue:
        """Return the cache entry of `key`, empty if its state has changed."""
        with self._lock:
            values = self._values[kind]
            entry = values.get(key)
            if entry is None or entry.state != state:
                entry = values[key] = _CachedValue(state)
            values.move_to_end(key)
            while len(values) > KINDS[kind].most:
                values.popitem(last=False)
        return entry

    def keys(self, kind: str) -> list[Key]:
        """Return the keys of a kind of cached value, the most recently used last."""
        return list(self._values[kind])

    def clear(self) -> None:
        """Delete all cached values of the process."""
        with self._lock:
            self._values.clear()


memory = ProcessMemory()


def cached(key: Key, state: str, build: Callable[[], Value]) -> Value:
    """Return the cached value of `key` for this state of its data, or call `build` and cache the result.

    The key's first part is one of `KINDS`. Readers share the value, so they must not change it. The value may depend
    on its key and state only, not on the user or the time.
    """
    kind = str(key[0])
    key = (connection.settings_dict["NAME"], *key)
    entry = memory.entry(kind, key, state)
    with entry.lock:
        if entry.value is process_cache.NOTHING:
            name = f"{key} {state}" if KINDS[kind].is_shared else ""
            entry.value = _load_shared_value(name, build) if name else build()
        return cast(Value, entry.value)


def _load_shared_value(name: str, build: Callable[[], Value]) -> Value:
    """Return the value of the cache that processes share, or build it and store it there."""
    value = process_cache.load_value(name)
    if value is process_cache.NOTHING:
        value = build()
        process_cache.store_value(name, value)
    return cast(Value, value)

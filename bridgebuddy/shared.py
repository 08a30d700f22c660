"""What one process has worked out and the others need not: kept in a Redis, else in files beside the database.

Only what can be worked out anew is here, under a key that says all of what it was worked out from. It is known to
processes that one server has started, of one version of the program: whoever is started later, after an update, or after
a backup was brought back, begins with nothing. What comes back is believed only with our own seal on it and on its
key. Where the cache is away, everybody works out everything. Decision 0021.
"""

from __future__ import annotations

import copyreg
import logging
import os
import pickle
import secrets
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import cache
from hashlib import blake2b, sha256
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.redis import RedisCache

from . import __version__

#: this start of this program: processes that are forked from it have the same
LIFE = f"{__version__} {secrets.token_hex(16)}"
#: as long as a round, and a while
SECONDS = 3600
#: a cache that has failed is asked again after so long: nobody waits for it with every page
SECONDS_AWAY = 10.0
SEAL = 16

log = logging.getLogger(__name__)
_away_until = 0.0


class Nothing:
    """That nothing is there, where None may be something."""


NOTHING = Nothing()


class Files(FileBasedCache):
    """Files of one machine, of which none outlives its time: names are in them."""

    def _cull(self) -> None:
        self.tidy()
        super()._cull()  # type: ignore[misc]  # of Django's own

    def tidy(self) -> None:
        """Delete what is too old to be read."""
        for name in self._list_cache_files():  # type: ignore[attr-defined]
            with suppress(FileNotFoundError):
                if os.stat(name).st_mtime < time.time() - SECONDS:
                    os.remove(name)


class Redis(RedisCache):
    """A Redis that may be away: then nothing is there, every turn is free, and everybody works out everything."""

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return _tried(lambda: RedisCache.get(self, key, default, version), default)

    def get_many(self, *facts: Any, **more: Any) -> Any:
        return _tried(lambda: RedisCache.get_many(self, *facts, **more), {})

    def set(self, *facts: Any, **more: Any) -> None:
        _tried(lambda: RedisCache.set(self, *facts, **more))

    def add(self, *facts: Any, **more: Any) -> Any:
        return _tried(lambda: RedisCache.add(self, *facts, **more), True)

    def delete(self, *facts: Any, **more: Any) -> Any:
        return _tried(lambda: RedisCache.delete(self, *facts, **more), False)

    def delete_many(self, *facts: Any, **more: Any) -> None:
        _tried(lambda: RedisCache.delete_many(self, *facts, **more))


def begin() -> None:
    """Delete what is left of a start before this one."""
    with suppress(OSError):
        if isinstance(files := caches["shared"], Files):
            files.clear()


def fetched(key: str) -> Any:
    """Return what a process has left under a key; `NOTHING` where there is none, or it is none of ours."""
    name = _name(key)
    sealed = _asked("get", name)
    if not isinstance(sealed, bytes) or _seal(name, sealed[SEAL:]) != sealed[:SEAL]:
        return NOTHING
    return pickle.loads(zlib.decompress(sealed[SEAL:]))  # we have sealed it


def left(key: str, value: object, *, seconds: int = SECONDS) -> None:
    """Leave something for the other processes, and for so long."""
    name = _name(key)
    written = zlib.compress(_pickled(value), 1)
    _asked("set", name, _seal(name, written) + written, seconds)


def _pickled(value: object) -> bytes:
    written = BytesIO()
    pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {**copyreg.dispatch_table, Fraction: _parts}
    pickler.dump(value)
    return written.getvalue()


def _parts(value: Fraction) -> tuple[type[Fraction], tuple[int, int]]:
    """What makes a fraction again: two numbers, where its own way would write a text and read it."""
    return Fraction, value.as_integer_ratio()


def _asked(what: str, *facts: object) -> Any:
    return _tried(lambda: getattr(caches["shared"], what)(*facts))


def _tried(ask: Callable[[], Any], without: Any = None) -> Any:
    """Ask a cache; what is wrong with it is said once, and then it is left alone for a while."""
    global _away_until
    if time.monotonic() < _away_until:
        return without
    try:
        return ask()
    except Exception as wrong:
        _away_until = time.monotonic() + SECONDS_AWAY
        log.warning("What processes share is away: %s: %s", type(wrong).__name__, wrong)
        return without


def _name(key: str) -> str:
    return blake2b(f"{LIFE}\n{key}".encode(), digest_size=24).hexdigest()


def _seal(name: str, written: bytes) -> bytes:
    return blake2b(
        name.encode() + written, key=_key(settings.SECRET_KEY), digest_size=SEAL
    ).digest()


@cache
def _key(secret: str) -> bytes:
    return sha256(b"what processes share" + secret.encode()).digest()

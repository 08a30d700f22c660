"""A cache shared by the processes of one server, in Redis or in files beside the database.

It holds only values that can be computed again, under keys that contain all their inputs. It is
valid for processes of one start and one version: later starts, updates and restored backups begin
with an empty cache. A value is accepted only with our signature for it and its key. Without the
cache each process computes everything. Decision 0021.
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

from bridgebuddy import __version__

#: this start of the program; forked processes have the same
LIFE = f"{__version__} {secrets.token_hex(16)}"
#: the length of a round, with a margin
SECONDS = 3600
#: the pause after an error, so that pages do not wait for a failed cache each time
SECONDS_AWAY = 10.0
SEAL = 16

log = logging.getLogger(__name__)
_away_until = 0.0


class NoValue:
    """Type of the marker `NOTHING` for a value missing from the cache, because None can be a value."""


NOTHING = NoValue()


class FileCache(FileBasedCache):
    """Django's file cache for the processes of one machine; expired files are deleted, as they contain names."""

    def _cull(self) -> None:
        """Delete expired values when the cache is full, before Django deletes random ones."""
        self.delete_expired_files()
        super()._cull()  # type: ignore[misc]  # of Django's own

    def delete_expired_files(self) -> None:
        """Delete the files of expired values."""
        for name in self._list_cache_files():  # type: ignore[attr-defined]
            with suppress(FileNotFoundError):
                if os.stat(name).st_mtime < time.time() - SECONDS:
                    os.remove(name)


class TolerantCache(RedisCache):
    """A Redis cache that may fail: then no value is stored, and every lock taken with `add` succeeds."""

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return a cached value, or the default if Redis does not answer."""
        return _try_cache(lambda: RedisCache.get(self, key, default, version), default)

    def get_many(self, *facts: Any, **more: Any) -> Any:
        """Return several cached values; none if Redis does not answer."""
        return _try_cache(lambda: RedisCache.get_many(self, *facts, **more), {})

    def set(self, *facts: Any, **more: Any) -> None:
        """Cache a value, unless Redis does not answer."""
        _try_cache(lambda: RedisCache.set(self, *facts, **more))

    def add(self, *facts: Any, **more: Any) -> Any:
        """Cache a value unless the key has one; return True if Redis does not answer."""
        return _try_cache(lambda: RedisCache.add(self, *facts, **more), True)

    def delete(self, *facts: Any, **more: Any) -> Any:
        """Delete a cached value, unless Redis does not answer."""
        return _try_cache(lambda: RedisCache.delete(self, *facts, **more), False)

    def delete_many(self, *facts: Any, **more: Any) -> None:
        """Delete several cached values, unless Redis does not answer."""
        _try_cache(lambda: RedisCache.delete_many(self, *facts, **more))


def clear_old_values() -> None:
    """Delete the file cache that the server's last run left behind."""
    with suppress(OSError):
        if isinstance(files := caches["shared"], FileCache):
            files.clear()


def load_value(key: str) -> Any:
    """Return the value that a process has stored under `key`; `NOTHING` if it is missing or its signature is wrong."""
    name = _hashed_name(key)
    sealed = _ask_shared_cache("get", name)
    if not isinstance(sealed, bytes) or _signature_of_value(name, sealed[SEAL:]) != sealed[:SEAL]:
        return NOTHING
    return pickle.loads(zlib.decompress(sealed[SEAL:]))  # checked against our signature


def store_value(key: str, value: object, *, seconds: int = SECONDS) -> None:
    """Store a value under `key` for the other processes, for a number of seconds."""
    name = _hashed_name(key)
    written = zlib.compress(_pickle_value(value), 1)
    _ask_shared_cache("set", name, _signature_of_value(name, written) + written, seconds)


def _pickle_value(value: object) -> bytes:
    """Return a pickled value, with fractions in a faster form."""
    written = BytesIO()
    pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {**copyreg.dispatch_table, Fraction: _fraction_parts}
    pickler.dump(value)
    return written.getvalue()


def _fraction_parts(value: Fraction) -> tuple[type[Fraction], tuple[int, int]]:
    """Return a fraction's pickled form: two integers, which are read faster than its usual text."""
    return Fraction, value.as_integer_ratio()


def _ask_shared_cache(method: str, *facts: object) -> Any:
    """Call `method` of the shared cache, unless it has failed within the last seconds."""
    return _try_cache(lambda: getattr(caches["shared"], method)(*facts))


def _try_cache(call: Callable[[], Any], default: Any = None) -> Any:
    """Call `call`, which uses a cache; after an error, log it once and skip the cache for a while."""
    global _away_until
    if time.monotonic() < _away_until:
        return default
    try:
        return call()
    except Exception as wrong:
        _away_until = time.monotonic() + SECONDS_AWAY
        log.warning("What processes share is away: %s: %s", type(wrong).__name__, wrong)
        return default


def _hashed_name(key: str) -> str:
    """Return the hash of a key under which its value is stored in the shared cache."""
    return blake2b(f"{LIFE}\n{key}".encode(), digest_size=24).hexdigest()


def _signature_of_value(name: str, content: bytes) -> bytes:
    """Return the signature that proves that this server wrote the bytes of a cached value."""
    return blake2b(
        name.encode() + content, key=_sealing_key(settings.SECRET_KEY), digest_size=SEAL
    ).digest()


@cache
def _sealing_key(secret: str) -> bytes:
    """Return the key for signatures of cached values, derived from the server's secret."""
    return sha256(b"what processes share" + secret.encode()).digest()

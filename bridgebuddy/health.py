"""Whether this process is alive (`/healthz`) and whether it can serve (`/readyz`), for whoever watches it.

They are answered before everything else: a watcher knows neither our names nor HTTPS.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable

from django.core.cache import cache, caches
from django.core.cache.backends.db import DatabaseCache
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from .clubs.upkeep import last_done
from .versions import unknown_migrations

View = Callable[[HttpRequest], HttpResponse]
log = logging.getLogger(__name__)
NOT_READY = 503
#: what a phone asks before it leaves a page; `phone.js` knows the answer from the page of a Wi-Fi or a proxy
PING = "/ping"

#: what has been migrated stays so for as long as a process lives
_migrated = False


def probes(get_response: View) -> View:
    """Answer those who watch."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info == PING:
            return _uncached(HttpResponse("BridgeBuddy\n", content_type="text/plain"))
        if request.path_info == "/healthz":
            return _uncached(HttpResponse("alive\n", content_type="text/plain"))
        if request.path_info == "/readyz":
            return _uncached(_readiness())
        return get_response(request)

    return middleware


def _readiness() -> HttpResponse:
    checks = {"database": _database, "migrations": _migrations, "cache": _cache}
    found = {name: _holds(name, check) for name, check in checks.items()}
    said = {name: "ok" if good else "not ok" for name, good in found.items()}
    return JsonResponse(said | _chores(), status=200 if all(found.values()) else NOT_READY)


def _chores() -> dict[str, str]:
    """When it was last tidied and backed up; whether that is too long ago, whoever watches knows."""
    try:
        found = last_done()
    except DatabaseError:
        return {}
    return {
        f"last {what}": at.isoformat(timespec="seconds") if at else "never"
        for what, at in found.items()
    }


def _holds(name: str, check: Callable[[], bool]) -> bool:
    """What is wrong is for the log: whoever asks may be anybody."""
    try:
        return check()
    except Exception:
        log.exception("Not ready: %s", name)
        return False


def _database() -> bool:
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _migrations() -> bool:
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        _migrated = not missing and not unknown_migrations()
    return _migrated


def _cache() -> bool:
    if isinstance(caches["default"], DatabaseCache):  # anybody may ask, so nothing is written
        cache.get("ready")
        return True
    said = secrets.token_hex(4)
    key = f"ready:{said}"
    cache.set(key, said, 10)
    try:
        return bool(cache.get(key) == said)
    finally:
        cache.delete(key)


def _uncached(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Length"] = str(len(response.content))  # no middleware adds it later
    return response

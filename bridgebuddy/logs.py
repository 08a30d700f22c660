"""The log as JSON, a line for each thing, with nothing in it by which somebody could be known.

An address may hold a session's code, and a database quotes the row it refuses: of a request its route is
logged, of an exception its kind and where it came from.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from django.http import HttpRequest

EMAIL_ADDRESS = re.compile(r"[\w.+%-]+@[\w.-]+")


class JsonLines(logging.Formatter):
    """Writes one JSON object a record."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
        }
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            said |= {"method": request.method, "route": route_of(request)}
            said |= {"status": getattr(record, "status_code", None)}
        else:
            said["message"] = record.getMessage() if record.exc_info is None else str(record.msg)
        if record.exc_info and record.exc_info[0]:
            said["exception"] = record.exc_info[0].__name__
            said["from"] = _places(record.exc_info[2])
        said |= getattr(record, "said", {})
        return json.dumps(said, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """Writes a line for people to read, of a request its route as well: an address may open somebody's page.

    E-mail addresses are left out: mail servers quote them in their refusals.
    """

    def format(self, record: logging.LogRecord) -> str:
        text = EMAIL_ADDRESS.sub("…@…", super().format(record))
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and request.resolver_match:
            return text.replace(request.path, route_of(request))
        return text


def route_of(request: HttpRequest) -> str:
    """Return the pattern of an address, without what stands in its places."""
    match = request.resolver_match
    return f"/{match.route}" if match else "unknown"


def _places(where: TracebackType | None) -> list[str]:
    return [
        f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(where)
    ]


def without_people(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report of an error without what could name somebody: values, addresses, cookies."""
    kept = {
        name: value for name, value in event.items() if name not in ("request", "user", "extra")
    }
    for exception in (kept.get("exception") or {}).get("values", []):
        exception.pop("value", None)  # a database quotes the row it refuses
    kept.pop("logentry", None)
    return kept

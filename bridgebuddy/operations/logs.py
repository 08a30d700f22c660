"""The log as JSON lines, without personal data.

An address may contain a session's code, and a database error quotes the row. So requests are logged
by their routes, and exceptions by their types and origins.
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
    """A log formatter that writes one JSON object for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as a line of JSON, without personal data."""
        values: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
        }
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            values |= {"method": request.method, "route": route_pattern(request)}
            values |= {"status": getattr(record, "status_code", None)}
        else:
            values["message"] = record.getMessage() if record.exc_info is None else str(record.msg)
        if record.exc_info and record.exc_info[0]:
            values["exception"] = record.exc_info[0].__name__
            values["from"] = _traceback_places(record.exc_info[2])
        values |= getattr(record, "said", {})
        return json.dumps(values, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """A log formatter that writes readable text, with URL patterns instead of addresses with codes in them.

    E-mail addresses are left out: mail servers quote them in refusals.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as text, without personal data."""
        text = EMAIL_ADDRESS.sub("…@…", super().format(record))
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and request.resolver_match:
            return text.replace(request.path, route_pattern(request))
        return text


def route_pattern(request: HttpRequest) -> str:
    """Return the URL pattern of a request, without the values in the address."""
    match = request.resolver_match
    return f"/{match.route}" if match else "unknown"


def _traceback_places(trace: TracebackType | None) -> list[str]:
    """Return the files and lines of a traceback, without the values of variables."""
    return [
        f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)
    ]


def remove_personal_data(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return a Sentry report without personal data: values, addresses and cookies."""
    harmless = {
        name: value for name, value in event.items() if name not in ("request", "user", "extra")
    }
    for exception in (harmless.get("exception") or {}).get("values", []):
        exception.pop("value", None)  # a database quotes the row it refuses
    harmless.pop("logentry", None)
    return harmless

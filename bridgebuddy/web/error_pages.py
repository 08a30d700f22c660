"""The error pages of failed requests: the cause, if it is the machine, and how to go on.

A missing database or a full disk is no error of the program. The answer is 503 with the reason, and
the form can be sent again. All else is 500.
"""

from __future__ import annotations

import errno
import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

BROKEN, OUT_OF_ORDER = 500, 503
AGAIN_AFTER = 30  # seconds
MOST_FIELDS = 200
DISK, DATABASE = "disk", "database"


def error_page(request: HttpRequest) -> HttpResponse:
    """Render the page for a failed request (500), without access to the database or other services."""
    reason = failure_reason(sys.exc_info()[1])
    if not reason:
        return HttpResponse(render_to_string("500.html", request=None), status=BROKEN)
    context = {
        "reason": reason,
        "sent": _resendable_fields(request),
        "address": request.get_full_path(),
    }
    answer = HttpResponse(render_to_string("503.html", context, request=None), status=OUT_OF_ORDER)
    answer.headers["Retry-After"] = str(AGAIN_AFTER)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def failure_reason(error: BaseException | None) -> str:
    """Return which part of the machine failed, disk or database; empty for errors of the program."""
    while error is not None:
        text = str(error).lower()
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return DISK
        if isinstance(error, OperationalError | InterfaceError):
            is_full = "disk is full" in text or "no space left" in text
            return DISK if is_full else DATABASE
        error = error.__cause__ or error.__context__
    return ""


def _resendable_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a failed form, for a button that sends it again; none with passwords or files."""
    try:
        has_more = bool(request.FILES) or request.method != "POST"
        fields = [(name, value) for name, values in request.POST.lists() for value in values]
    except Exception:  # unreadable before, and so now
        return []
    is_secret = any("password" in name for name, _ in fields)
    return [] if has_more or is_secret or len(fields) > MOST_FIELDS else fields

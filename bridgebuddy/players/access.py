"""Who gets at a players' page: everybody who has the code."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bridgebuddy.events.models import CODE_LENGTH, Section
from bridgebuddy.events.queries.sections import section_by_code

from . import limits


def section_or_answer(request: HttpRequest, code: str) -> Section | HttpResponse:
    """Return the section of a code, or the page that says why not: wrong code, or too many tries."""
    typed = cleaned(code)
    if not limits.is_remembered(request, typed) and limits.is_locked_out(request):
        return render(request, "429.html", status=429)
    section = section_by_code(typed) if len(typed) == CODE_LENGTH else None
    if section is None:
        limits.count_wrong(request)
        context = {"typed": code[:20], "is_wrong": True}
        return render(request, "players/code.html", context, status=404)
    return section


def cleaned(code: str) -> str:
    """Return a code without the spaces and hyphens people put in."""
    return "".join(c for c in code.upper() if c.isalnum() and c.isascii())

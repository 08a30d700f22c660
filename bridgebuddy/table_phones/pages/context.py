"""The context of every page of a table, and the redirect back to it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect

from ..place import TablePlace


def redirect_to_table(place: TablePlace) -> HttpResponse:
    """Redirect to the round's page of the phone's table."""
    return redirect("table", place.section.code, place.table)


def page_context(place: TablePlace, **more: Any) -> dict[str, Any]:
    """Return the template context that all pages of a table need."""
    return {
        "section": place.section,
        "table": place.table,
        "place": place,
        "phones": place.phones,
        **more,
    }

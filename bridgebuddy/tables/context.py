"""What every page of a table knows, and the way back to it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect

from .place import Place


def to_table(place: Place) -> HttpResponse:
    return redirect("table", place.section.code, place.table)


def context_of(place: Place, **more: Any) -> dict[str, Any]:
    return {
        "section": place.section,
        "table": place.table,
        "place": place,
        "phones": place.phones,
        **more,
    }

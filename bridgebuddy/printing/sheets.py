"""The sheets that can be printed: one line each here, a module and a template of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .context import Job
from .guide_cards import guide_sheets
from .master import master_sheet
from .table_cards import table_cards


@dataclass(frozen=True)
class Choice:
    """For whom a sheet is printed: a table, a contestant, or (both None) everybody."""

    table: int | None = None
    number: int | None = None


@dataclass(frozen=True)
class Sheet:
    """A kind of sheet. Its name is its address, its file name and its template's name."""

    name: str
    title: Promise
    contents: Callable[[Job, Choice], Any]

    @property
    def template(self) -> str:
        return f"printing/{self.name}.html"


SHEETS = {
    sheet.name: sheet
    for sheet in (
        Sheet("table-cards", _("Table cards"), lambda job, choice: table_cards(job, choice.table)),
        Sheet(
            "guide-cards", _("Guide cards"), lambda job, choice: guide_sheets(job, choice.number)
        ),
        Sheet("master", _("Director’s sheet"), lambda job, choice: master_sheet(job)),
    )
}


def sheet_html(
    sheet: Sheet, job: Job, choice: Choice, *, request: HttpRequest | None = None
) -> str:
    """Return a sheet as HTML: with a request the preview for a screen, without one for the PDF."""
    context = {
        "sheet": sheet,
        "job": job,
        "contents": sheet.contents(job, choice),
        "is_preview": request is not None,
    }
    return render_to_string(sheet.template, context, request)

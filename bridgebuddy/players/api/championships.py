"""The JSON of a published championship: its list with the figures of the public page."""

from __future__ import annotations

from django.urls import reverse

from bridgebuddy.seasons import words
from bridgebuddy.seasons.championship_views import (
    ChampionshipLineView,
    ChampionshipView,
    GroupTable,
    SessionCell,
)
from bridgebuddy.seasons.models import Championship

from .figures import Document
from .numbers import decimal_text

#: a list without a value in a cell or total
NOTHING = "–"


def championship_facts(championship: Championship) -> Document:
    """Return the JSON with a championship's name, and the addresses of its page and its document."""
    return {
        "name": championship.name,
        "page": reverse("public-championship", args=[championship.token]),
        "json": reverse("api-championship", args=[championship.token]),
    }


def championship_document(championship_view: ChampionshipView) -> Document:
    """Return the JSON of a championship's table, by groups; without groups the table is one group."""
    championship = championship_view.championship
    return championship_facts(championship) | {
        "club": championship.club.name,
        "of": championship.of,
        "unit": "percent" if words.total_unit(championship) else "points",
        "rule": championship_view.rule_sentence,
        "state": "final" if championship.final_at else "running",
        "sessions": [day.isoformat() for day, _is_old in championship_view.column_dates],
        "groups": [_group_facts(part) for part in championship_view.group_tables],
        "notes": championship_view.notes,
    }


def _group_facts(part: GroupTable) -> Document:
    """Return the JSON of a group of a championship with its rows."""
    return {
        "name": part.name or None,
        "rows": [_row_facts(line) for line in (*part.lines, *part.below)],
    }


def _row_facts(line: ChampionshipLineView) -> Document:
    """Return the JSON of a row of a championship's table."""
    return {
        "place": line.place or None,
        "name": line.names,
        "people": line.people or None,
        "played": line.played,
        "total": None if line.total == NOTHING else decimal_text(line.total),
        "missing": line.missing,
        "values": [_session_value(cell) for cell in line.cells],
    }


def _session_value(cell: SessionCell) -> Document | None:
    """Return a contestant's result in a session of a championship; None if it was absent."""
    if not cell.text:
        return None
    return {"value": decimal_text(cell.text), "counts": cell.counts}

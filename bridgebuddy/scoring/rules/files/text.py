"""The ranking as plain text, for a message or a newspaper."""

from __future__ import annotations

from collections.abc import Iterator

from .exported import ExportedSession
from .lines import plain_number, visible_text

DIRECTIONS = {"NS": "N-S", "EW": "E-W"}


def text_file(exported: ExportedSession) -> str:
    """Return the event, the date, and a line for each contestant: place, names and result."""
    return "\n".join(_text_lines(exported)) + "\n"


def _text_lines(exported: ExportedSession) -> Iterator[str]:
    yield visible_text(f"{exported.club}: {exported.event}, {exported.date:%Y-%m-%d}")
    totals = [
        row.total for ranking in exported.lists for row in ranking.rows if row.total is not None
    ]
    decimals = 2 if any(total != int(total) for total in totals) else 0
    for ranking in exported.lists:
        yield ""
        of = ranking.section if exported.has_several and ranking.section else ""
        if title := " ".join(filter(None, (of, DIRECTIONS.get(ranking.field or "", "")))):
            yield title
        for row in ranking.rows:
            has = (
                plain_number(row.total, decimals) if row.percent is None else f"{row.percent:.2f} %"
            )
            yield visible_text(f"{row.place or '–'}. {exported.called(row.who)}, {has}")

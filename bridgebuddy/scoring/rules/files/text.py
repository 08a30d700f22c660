"""The ranking as plain text, for a message or a newspaper."""

from __future__ import annotations

from collections.abc import Iterator

from ..reports.results import RankedLine
from .exported import ExportedSession, TextFormat
from .lines import visible_text


def text_file(exported: ExportedSession) -> str:
    """Return the ranking as a text for people: event, date, and a line for each contestant."""
    return "\n".join(_text_lines(exported)) + "\n"


def _text_lines(exported: ExportedSession) -> Iterator[str]:
    """Yield the lines of the ranking's text."""
    written = exported.written
    yield visible_text(f"{exported.club}: {exported.event}, {written.date or exported.date}")
    totals = [
        row.total for ranking in exported.lists for row in ranking.rows if row.total is not None
    ]
    totals += [row.overall for row in exported.overall.values() if row.overall is not None]
    decimals = 2 if any(total != int(total) for total in totals) else 0
    for ranking in exported.lists:
        yield ""
        has_section = exported.has_several and ranking.section
        section = f"{written.section} {ranking.section}" if has_section else ""
        line = written.directions.get(ranking.field or "", "")
        if title := ", ".join(filter(None, (section, line))):
            yield title
        for row in exported.published_rows(ranking):
            result = _result_text(row, decimals, written)
            names = ", ".join(filter(None, (exported.contestant_name(row.contestant_key), result)))
            yield visible_text(f"{row.place or '–'}. {names}")


def _result_text(row: RankedLine, decimals: int, text_format: TextFormat) -> str:
    """Return a ranked contestant's result as text; empty if it has played no board."""
    if row.overall is not None:
        places = 2 if text_format.overall_unit == "%" else decimals
        return f"{text_format.number(row.overall, places)} {text_format.overall_unit}".rstrip()
    if row.percent is not None:
        return f"{text_format.number(row.percent, 2)} %"
    return "" if row.total is None else text_format.number(row.total, decimals)

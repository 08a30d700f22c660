"""Tables for spreadsheets: the ranking, and a row for each result. Commas, after a byte order mark."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ..reports.report import VALUE_PLACES, json_number
from ..reports.results import RankedLine
from .exported import ExportedSession
from .lines import visible_text

MARK = "\ufeff"  # byte order mark: spreadsheets detect UTF-8 by it
#: first characters of a cell that a spreadsheet would compute
FORMULA = ("=", "+", "-", "@", "\t", "\r")
#: numbers are safe with any sign
NUMBER = re.compile(r"-?\d+(\.\d+)?")
RANKING = (
    *("place", "section", "list", "label", "names", "boards", "due", "total", "top", "percent"),
    *("penalty", "average", "place_overall", "overall", "state", "group", "handicap"),
)
TITLES = (
    *("section", "round", "table", "board", "pair_ns", "pair_ew", "contract", "declarer", "tricks"),
    *(
        "lead",
        "score_ns",
        "points_ns",
        "points_ew",
        "percent_ns",
        "percent_ew",
        "rule_ns",
        "rule_ew",
    ),
)


def csv_file(exported: ExportedSession) -> str:
    """Return a CSV file with the ranking and, below it, the results of all boards."""
    return MARK + csv_text([*_ranking_rows(exported), [], *_result_rows(exported)])


def ranking_rows(exported: ExportedSession) -> str:
    """Return the rows of the ranking as a CSV file."""
    return MARK + csv_text(_ranking_rows(exported))


def result_rows(exported: ExportedSession) -> str:
    """Return the rows with the results of all boards as a CSV file."""
    return MARK + csv_text(_result_rows(exported))


def _ranking_rows(exported: ExportedSession) -> list[Sequence[Any]]:
    """Return the CSV rows of every ranking: all contestants first, then strata, categories and handicap."""
    rows: list[Sequence[Any]] = [RANKING]
    for ranking in (*exported.lists, *exported.more):
        group = exported.group_name(ranking)
        for row in ranking.rows:
            overall = None if group else exported.overall.get(row.contestant_key)
            rows.append(
                [
                    row.place or "",
                    row.section,
                    ranking.field or "all",
                    row.contestant,
                    visible_text(exported.contestant_name(row.contestant_key)),
                    row.boards,
                    row.due,
                    *_standing_cells(exported, row),
                    row.average,
                    *((overall.place, overall.overall) if overall else (None, None)),
                    "provisional" if exported.is_provisional else "final",
                    visible_text(group),
                    exported.handicap(row.contestant_key) if ranking.handicap else None,
                ]
            )
    return rows


def _standing_cells(exported: ExportedSession, row: RankedLine) -> Sequence[Any]:
    """Return the cells with a ranked contestant's total, top, percentage and penalty, as pages show them."""
    has = exported.total_of(row)
    scale = exported.scale
    penalty = json_number(has.adjustment / scale, VALUE_PLACES)
    return [has.printed_total(scale), row.top, row.percent, penalty]


def _result_rows(exported: ExportedSession) -> list[Sequence[Any]]:
    """Return the CSV rows with the results of all boards."""
    rows: list[Sequence[Any]] = [TITLES]
    for line in exported.lines:
        bid, ns, ew = line.known_contract, line.side("ns"), line.side("ew")
        rows.append(
            [
                *(line.section, line.play.round, line.play.table, line.board),
                *("+".join(line.sitting(side)) for side in ("ns", "ew")),
                "passed" if line.is_passed else line.contract,
                *(bid.declarer, bid.tricks, bid.lead),
                line.score,
                *(ns.value, ew.value, ns.percent, ew.percent, ns.rule, ew.rule),
            ]
        )
    return rows


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as comma-separated text; cells that spreadsheets would compute are protected.

    >>> csv_text([["=1+1", -50, "Ada, Countess"], [None, 4.0, "-"], ["-3.5", "-3+4"]])
    '\\'=1+1,-50,"Ada, Countess"\\r\\n,4,-\\r\\n-3.5,\\'-3+4\\r\\n'
    """
    text = io.StringIO()
    csv.writer(text).writerows([_csv_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _csv_cell(value: Any) -> Any:
    """Return a value as a CSV cell; a text that a spreadsheet would compute begins with an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, float) and value == int(value):
        return int(value)
    is_text = isinstance(value, str) and len(value) > 1 and not NUMBER.fullmatch(value)
    if is_text and value.startswith(FORMULA):
        return f"'{value}"
    return value

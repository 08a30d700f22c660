"""A club's chart, read and kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from bridgebuddy.clubs.models import Club
from bridgebuddy.planning.models import ClubChart

from .rules.chart import BadChart, Chart, ChartLine, as_data, read_chart, usual_chart, usual_line


def chart_of(club: Club) -> Chart:
    """Return a club's chart; the one that clubs start with where it has none of its own."""
    return own_chart(club) or usual_chart()


def own_chart(club: Club) -> Chart:
    """Return the chart that a club has made its own; no line where it has none."""
    return lines_read(own_lines(club))


def own_lines(club: Club) -> list[Any]:
    """Return a club's own chart as it is stored: nothing of it is built."""
    found = ClubChart.objects.filter(club=club).values_list("lines", flat=True).first()
    return found or []


def lines_read(lines: Iterable[Any]) -> Chart:
    """Read stored lines. One whose movement there no longer is, or no longer so large, is left out."""
    chart: Chart = ()
    for line in lines:
        try:
            chart += read_chart(json.dumps({"lines": [line]}))
        except BadChart:
            continue
    return chart


def line_of(club: Club, pairs: int) -> ChartLine | None:
    """Return what a club's own chart says of so many pairs; nothing where that cannot be played any more."""
    return _line_among(own_lines(club), pairs)


def line_said(club: Club, pairs: int) -> ChartLine | None:
    """Return what `chart_of` says of so many pairs; no other line is built for it."""
    own = own_lines(club)
    return _line_among(own, pairs) if own else usual_line(pairs)


def _line_among(lines: list[Any], pairs: int) -> ChartLine | None:
    return next(iter(lines_read(line for line in lines if line["pairs"] == pairs)), None)


def keep_line(club: Club, line: ChartLine) -> None:
    """Put a line into a club's chart, in place of the one for as many pairs."""
    keep_chart(
        club,
        (*(chart_line for chart_line in chart_of(club) if chart_line.pairs != line.pairs), line),
    )


def keep_chart(club: Club, chart: Chart) -> None:
    """Make a chart the club's own."""
    ClubChart.objects.update_or_create(
        club=club, defaults={"lines": as_data(sorted(chart, key=lambda one: one.pairs))["lines"]}
    )

"""Reading and storing a club's movement chart."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from bridgebuddy.clubs.models import Club
from bridgebuddy.planning.models import ClubChart

from .rules.chart import BadChart, Chart, ChartLine, chart_data, read_chart, usual_chart, usual_line


def chart_of_club(club: Club) -> Chart:
    """Return a club's movement chart, or the default chart if it has none."""
    return own_chart(club) or usual_chart()


def own_chart(club: Club) -> Chart:
    """Return the movement chart that a club has stored; empty if it has none."""
    return read_lines(own_lines(club))


def own_lines(club: Club) -> list[Any]:
    """Return the lines of a club's movement chart as stored JSON, without building the movements."""
    lines = ClubChart.objects.filter(club=club).values_list("lines", flat=True).first()
    return lines or []


def read_lines(lines: Iterable[Any]) -> Chart:
    """Return a movement chart from its stored JSON lines, without lines whose movement does not exist any more."""
    chart: Chart = ()
    for line in lines:
        try:
            chart += read_chart(json.dumps({"lines": [line]}))
        except BadChart:
            continue
    return chart


def own_chart_line(club: Club, pairs: int) -> ChartLine | None:
    """Return the line for `pairs` pairs of the movement chart that a club has stored, or None."""
    return _line_for_pairs(own_lines(club), pairs)


def default_line(club: Club, pairs: int) -> ChartLine | None:
    """Return the line for `pairs` pairs of a club's own chart, or of the default chart if the club has none."""
    own = own_lines(club)
    return _line_for_pairs(own, pairs) if own else usual_line(pairs)


def _line_for_pairs(lines: list[Any], pairs: int) -> ChartLine | None:
    """Return the chart line for `pairs` pairs among stored lines, or None."""
    return next(iter(read_lines(line for line in lines if line["pairs"] == pairs)), None)


def store_chart_line(club: Club, line: ChartLine) -> None:
    """Store a line in a club's movement chart in place of the line for the same number of pairs."""
    store_chart(
        club,
        (
            *(chart_line for chart_line in chart_of_club(club) if chart_line.pairs != line.pairs),
            line,
        ),
    )


def store_chart(club: Club, chart: Chart) -> None:
    """Store a movement chart as the club's own, in place of the former one."""
    ClubChart.objects.update_or_create(
        club=club,
        defaults={"lines": chart_data(sorted(chart, key=lambda item: item.pairs))["lines"]},
    )

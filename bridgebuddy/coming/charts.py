"""A club's chart, read and kept."""

from __future__ import annotations

import json

from bridgebuddy.clubs.models import Club

from .models import ClubChart
from .rules.chart import BadChart, Chart, Line, as_data, read_chart, usual_chart


def chart_of(club: Club) -> Chart:
    """Return a club's chart; the one that clubs start with where it has none of its own."""
    return own_chart(club) or usual_chart()


def own_chart(club: Club) -> Chart:
    """Return the chart that a club has made its own; no line where it has none.

    A line whose movement there no longer is, or no longer so large, is left out, and the others stay.
    """
    found = ClubChart.objects.filter(club=club).first()
    lines = found.lines if found else []
    chart: Chart = ()
    for line in lines:
        try:
            chart += read_chart(json.dumps({"lines": [line]}))
        except BadChart:
            continue
    return chart


def line_of(club: Club, pairs: int) -> Line | None:
    """Return what a club's own chart says of so many pairs; nothing where that cannot be played any more."""
    found = ClubChart.objects.filter(club=club).values_list("lines", flat=True).first()
    lines = [line for line in found or () if line["pairs"] == pairs]
    try:
        return next(iter(read_chart(json.dumps({"lines": lines}))), None)
    except BadChart:
        return None


def keep_line(club: Club, line: Line) -> None:
    """Put a line into a club's chart, in place of the one for as many pairs."""
    keep_chart(club, (*(one for one in chart_of(club) if one.pairs != line.pairs), line))


def keep_chart(club: Club, chart: Chart) -> None:
    """Make a chart the club's own."""
    ClubChart.objects.update_or_create(
        club=club, defaults={"lines": as_data(sorted(chart, key=lambda one: one.pairs))["lines"]}
    )

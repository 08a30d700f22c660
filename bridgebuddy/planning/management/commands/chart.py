"""Export and import a club's movement chart as a file."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from bridgebuddy.clubs.models import Club
from bridgebuddy.planning.charts import chart_of_club, store_chart
from bridgebuddy.planning.rules.chart import BadChart, Chart, chart_text, read_chart, usual_chart
from movements.management.refusing import RefusingCommand


class Command(RefusingCommand):
    """Print or store a club's chart."""

    help = (
        "Print a club's chart, or the one a new club starts with; --read checks one, and keeps it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments: the club, a chart file to read, and the output format."""
        parser.add_argument("--club", help="its number, or its name")
        parser.add_argument(
            "--read", metavar="FILE", help="a chart as JSON; - reads the standard input"
        )
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, **options: Any) -> None:
        """Print a club's movement chart or the default chart, or read a chart from a file and store it for the club."""
        club = self._find_club(options["club"]) if options["club"] else None
        if options["read"]:
            try:
                chart = read_chart(self.read_text(options["read"]))
            except BadChart as error:
                self.exit_with_error(str(error))
            if club:
                store_chart(club, chart)
        else:
            chart = chart_of_club(club) if club else usual_chart()
        if options["format"] == "json":
            self.stdout.write(chart_text(chart), ending="")
        else:
            self.stdout.write(_chart_text(chart))

    def _find_club(self, club_text: str) -> Club:
        """Return the club with a number or name from the command line."""
        clubs = (
            Club.objects.filter(pk=int(club_text))
            if club_text.isdecimal()
            else Club.objects.filter(name=club_text)
        )
        if len(clubs) != 1:
            self.exit_with_error(f"--club: there is no club {club_text!r}, or more than one.")
        return clubs[0]


def _chart_text(chart: Chart) -> str:
    """Format a movement chart as text, one line for each number of pairs."""
    lines = []
    for chart_line in chart:
        choice = chart_line.choice
        half = f", {choice.missing.upper()} sit out" if choice.missing else ""
        also = (
            f"; or {', '.join(other.family for other in chart_line.others)}"
            if chart_line.others
            else ""
        )
        why = f" ({chart_line.reason})" if chart_line.reason else ""
        lines.append(
            f"{chart_line.pairs:>3}  {choice.family}: {choice.tables} tables, "
            f"{choice.rounds} × {choice.boards}{half}{why}{also}"
        )
    return "\n".join(lines)

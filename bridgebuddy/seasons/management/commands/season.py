"""Calculate the championships of a season from a JSON file of its sessions."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.seasons.rules.document import read_season
from bridgebuddy.seasons.rules.report import lists_text, season_report
from movements.management.refusing import RefusingCommand


class Command(RefusingCommand):
    """Print the championships of a JSON document."""

    help = "Work out championships: exit code 0, or 2 with what is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file with the season's document, and the output format."""
        parser.add_argument("file", help="the season as JSON; - reads the standard input")
        parser.add_argument("--format", choices=("text", "json"), default="json")

    def handle(self, **options: Any) -> None:
        """Print the rankings of a season's document."""
        try:
            season = read_season(self.read_text(options["file"]))
        except ScoringError as error:
            self.exit_with_error(str(error).splitlines()[0])
        if options["format"] == "json":
            self.stdout.write(json.dumps(season_report(season), ensure_ascii=False, indent=1))
        else:
            self.stdout.write(lists_text(season))

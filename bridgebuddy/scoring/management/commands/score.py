"""Command that scores a session's document and prints the results."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.draws.stage import draw_round
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.reports.results import DrawnRound, Results
from bridgebuddy.scoring.rules.reports.results_document import (
    document_text,
    drawn_round_document,
    results_document,
)
from bridgebuddy.scoring.rules.score import score_session
from movements.management.refusing import RefusingCommand


class Command(RefusingCommand):
    """Print the scored results of a JSON document."""

    help = "Score a session: exit code 0, or 2 with what is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the document, the output format and `--draw`."""
        parser.add_argument("file", help="the session as JSON; - reads the standard input")
        parser.add_argument("--format", choices=("text", "json"), default="json")
        parser.add_argument("--draw", action="store_true", help="draw the next round")

    def handle(self, **options: Any) -> None:
        """Print the rankings of a scoring document, or the draw of its next round."""
        try:
            session, profile = read_document(self.read_text(options["file"]))
            if options["draw"]:
                drawn = draw_round(session, profile)
                document, text = drawn_round_document(drawn), _draw_text(drawn)
            else:
                results = score_session(session, profile)
                document, text = results_document(results), _rankings_text(results)
        except ScoringError as error:
            self.exit_with_error(str(error))
        self.stdout.write(document_text(document) if options["format"] == "json" else text)


def _rankings_text(results: Results) -> str:
    """Return the rankings of a scored document as text."""
    lines = [results.name, f"{results.state}: {results.entered} of {results.due} results"]
    for ranking in results.rankings:
        if ranking.section is None or ranking.stratum or ranking.category:
            continue
        lines += ["", f"Section {ranking.section}, {ranking.field}"]
        for row in ranking.rows:
            if row.overall is not None:
                figure = str(row.overall)
            elif row.percent is not None:
                figure = f"{row.percent} %"
            else:
                figure = "–" if row.total is None else str(row.total)
            lines.append(f"{row.place or '–':>4}  {row.contestant:<8}{figure}")
    lines += [f"{warning.path}: {warning.text}" for warning in results.warnings]
    return "\n".join(lines)


def _draw_text(drawn_round: DrawnRound) -> str:
    """Return the draw of a scored document's next round as text."""
    lines = [f"Round {drawn_round.round}"]
    lines += [f"{match.table:>3}  {match.home} v {match.away}" for match in drawn_round.matches]
    if drawn_round.bye:
        lines.append(f"{drawn_round.bye} has a bye")
    if drawn_round.triangle:
        lines.append(f"{', '.join(drawn_round.triangle)} play a triangle")
    return "\n".join([*lines, *drawn_round.reasons])

"""Score a session that comes as a file: its document in, the results out."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from bridgebuddy.scoring.rules import report
from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.score import score
from bridgebuddy.scoring.rules.stage import draw
from movements.management.refusing import RefusingCommand


class Command(RefusingCommand):
    help = "Score a session: exit code 0, or 2 with what is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the session as JSON; - reads the standard input")
        parser.add_argument("--format", choices=("text", "json"), default="json")
        parser.add_argument("--draw", action="store_true", help="draw the next round")

    def handle(self, **options: Any) -> None:
        try:
            session, profile = read_document(self.text_of(options["file"]))
            found = draw(session, profile) if options["draw"] else score(session, profile)
        except ScoringError as error:
            self.refuse(str(error))
        if options["format"] == "json":
            self.stdout.write(report.written(found))
        else:
            self.stdout.write(_drawn(found) if options["draw"] else _listed(found))


def _listed(found: dict[str, Any]) -> str:
    """Say the rankings for people."""
    has, due = found["results"]
    lines = [found["name"], f"{found['state']}: {has} of {due} results"]
    for ranking in found["rankings"]:
        if ranking["section"] is None or ranking["stratum"] or ranking["category"]:
            continue
        lines += ["", f"Section {ranking['section']}, {ranking['field']}"]
        for row in ranking["rows"]:
            figure = next(
                (
                    f"{row[key]} %" if key == "percent" else str(row[key])
                    for key in ("overall", "percent", "total")
                    if row[key] is not None
                ),
                "–",
            )
            lines.append(f"{row['place'] or '–':>4}  {row['contestant']:<8}{figure}")
    lines += [f"{one['path']}: {one['text']}" for one in found["warnings"]]
    return "\n".join(lines)


def _drawn(found: dict[str, Any]) -> str:
    """Say a draw for people."""
    lines = [f"Round {found['round']}"]
    lines += [f"{one['table']:>3}  {one['home']} v {one['away']}" for one in found["matches"]]
    if found["bye"]:
        lines.append(f"{found['bye']} has a bye")
    if found["triangle"]:
        lines.append(f"{', '.join(found['triangle'])} play a triangle")
    return "\n".join([*lines, *found["reasons"]])

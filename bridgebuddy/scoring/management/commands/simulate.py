"""Command that simulates random sessions with live changes, or drawn contests, and checks every step."""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path
from typing import Any

from movements.management.refusing import RefusingCommand


class Command(RefusingCommand):
    """Play random sessions and check each step."""

    help = (
        "Play random evenings with live changes, or with --contests Swisses, knock-outs, round robins and "
        "leagues; check every step, and print what happened."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the number of sessions or contests, the seed and the output folder."""
        parser.add_argument("--evenings", type=int, default=100)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--dump", type=Path, help="write one JSON file an evening or event here"
        )
        parser.add_argument("--scores", action="store_true", help="enter results, and score them")
        parser.add_argument(
            "--contests",
            type=int,
            help="instead of evenings play so many contests that are drawn from their results, on a "
            "database made for them: results late and corrected, teams late, leaving and back",
        )
        parser.add_argument(
            "--first",
            type=int,
            default=0,
            help="begin with this evening or contest (0, 1, 2 …), so that a long run can be had in parts",
        )
        parser.add_argument(
            "--leavers",
            action="store_true",
            help="let a contestant leave in every contest: in round 1, 2 … in turn, before or after the draw",
        )

    def handle(self, **options: Any) -> None:
        """Play simulated sessions or contests, and write them to the output folder."""
        try:
            proofs = import_module("tests.proofs.simulating")
        except ModuleNotFoundError as missing:
            if not (missing.name or "").startswith("tests"):
                raise
            self.exit_with_error(
                "What plays by chance, and its referees, are not in the package: run "
                "`python manage.py simulate` in a folder with BridgeBuddy's sources"
            )
        proofs.run(options, self.stdout.write, self.exit_with_error)

"""Write a session's results as a file for another program."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from bridgebuddy.events.queries.sessions.sections import section_by_code
from bridgebuddy.scoring.files.exports import FORMATS, NotInThisFormat, exported_file
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.management.refusing import RefusingCommand


class Command(RefusingCommand):
    """Print the results of a session in an exchange format."""

    help = "Write a session's results: exit code 0, or 2 with why not."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the section code and the file format."""
        parser.add_argument("code", help="the code of the session, or of one of its sections")
        parser.add_argument("--format", choices=tuple(FORMATS), default="csv")

    def handle(self, **options: Any) -> None:
        """Print the session's results in the chosen file format."""
        section = section_by_code(options["code"])
        if section is None:
            self.exit_with_error(f"There is no session with the code {options['code']}.")
        scored = ScoredSession(SessionSnapshot(section))
        if scored.problem:
            self.exit_with_error(scored.problem)
        if not scored.entered_count:
            self.exit_with_error("There are no results yet.")
        try:
            content = exported_file(section, options["format"])
        except NotInThisFormat as contest:
            self.exit_with_error(f"{options['format']} knows nothing of this contest: {contest}.")
        sys.stdout.buffer.write(content)

"""Read a bounced mail from a mail server."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError

from bridgebuddy.publication.mails.bounces import MOST_BYTES, store_bounce

#: "try again later" for mail servers (sysexits.h)
TRY_AGAIN = 75


class Command(BaseCommand):
    """Record a returned mail that is read from standard input."""

    help = (
        "Read from standard input a mail that came back, and note of which letter it was. Mail servers pipe it here: "
        "see docs/admin/federation.md."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument: the address to which the bounced mail came, where no header has it."""
        parser.add_argument(
            "--to", default="", help="the address it came to, where no header has it"
        )

    def handle(self, **options: Any) -> None:
        """Read a bounced mail from standard input, and store what it means."""
        data = sys.stdin.buffer.read(MOST_BYTES)
        while sys.stdin.buffer.read(MOST_BYTES):
            pass  # the sender waits until all input is read
        try:
            self.stdout.write(store_bounce(data, options["to"]).value)
        except DatabaseError as wrong:
            self.stderr.write(f"The database takes nothing now: {type(wrong).__name__}.")
            raise SystemExit(TRY_AGAIN) from wrong

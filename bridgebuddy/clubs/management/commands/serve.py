"""Start the server."""

import errno

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bridgebuddy.serving import serve
from bridgebuddy.wsgi import application


class Command(BaseCommand):
    help = "Answer requests until told to stop (SIGTERM, or Ctrl+C)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000, help="0: any that is free")
        parser.add_argument("--threads", type=int, default=8, help="requests answered at a time")

    def handle(self, *args: object, host: str, port: int, threads: int, **options: object) -> None:
        def say(port: int) -> None:
            self.stdout.write(f"BridgeBuddy answers on {host}:{port}")

        try:
            serve(application, host=host, port=port, threads=threads, ready=say)
        except OSError as taken:
            if taken.errno != errno.EADDRINUSE:
                raise
            raise CommandError(
                f"Port {port} is taken: BridgeBuddy is running already, or another program answers there."
                f" Close it, or take another port: {port + 1}."
            ) from taken

"""Command that runs the waiting jobs."""

from django.core.management.base import BaseCommand, CommandParser

from bridgebuddy.jobs.services import run_next_job
from bridgebuddy.jobs.worker import run_worker_process


class Command(BaseCommand):
    """Run the jobs that are due."""

    help = (
        "Do what is done beside the server (mails, double dummy) until told to stop (SIGTERM, or Ctrl+C). `serve`"
        " does so by itself unless it is started with --without-jobs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument that ends the worker when no job is due."""
        parser.add_argument("--once", action="store_true", help="do what is due now, and end")

    def handle(self, *args: object, once: bool, **options: object) -> None:
        """Run background jobs until stopped."""
        if not once:
            run_worker_process()
            return
        while run_next_job():
            pass

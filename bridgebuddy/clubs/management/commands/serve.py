"""Start the server."""

import errno
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from django.conf import settings
from django.core.cache import caches
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection, connections
from django.utils import translation

from bridgebuddy.jobs.worker import run_worker_process, start_worker_thread
from bridgebuddy.operations import process_cache
from bridgebuddy.operations.database_versions import missing_migrations, unknown_migrations
from bridgebuddy.operations.process_supervisor import can_fork, usable_cores
from bridgebuddy.operations.server import serve


class Command(BaseCommand):
    """Run the server."""

    help = "Answer requests until told to stop (SIGTERM, or Ctrl+C)."
    requires_system_checks = ()  # read when the figures are made: all processes count in files there

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments: host, port, threads, processes, and whether to run background jobs."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000, help="0: any that is free")
        parser.add_argument("--threads", type=int, help="requests that a process answers at a time")
        parser.add_argument(
            "--processes",
            type=int,
            default=settings.WEB_PROCESSES,
            help="as many as there are cores, unless WEB_PROCESSES says otherwise",
        )
        parser.add_argument(
            "--without-jobs",
            action="store_true",
            help="leave what is done beside (mails, double dummy) to a process of its own: `work`",
        )

    def handle(
        self,
        *args: object,
        host: str,
        port: int,
        threads: int | None,
        processes: int,
        without_jobs: bool,
        **options: object,
    ) -> None:
        """Run the web server, and the background jobs unless `without_jobs`, until stopped."""
        _refuse_unfit_database()

        def print_address(port: int) -> None:
            """Print the address under which the server answers."""
            self.stdout.write(f"BridgeBuddy answers on {host}:{port}")
            self.stdout.flush()

        if processes < 0:
            raise CommandError(
                f"{processes} processes? 1 or more, or 0 for as many as there are cores."
            )
        count = (processes or usable_cores()) if can_fork() else 1
        threads = threads or (8 if count == 1 else 4)
        try:
            with ExitStack() as stack:
                if count > 1 and settings.METRICS_TOKEN:
                    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bridgebuddy-"))
                    # read when the figures are made: all processes count in files there
                    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
                self._load_shared_data()
                from bridgebuddy.wsgi import application

                if not without_jobs and count == 1:
                    start_worker_thread()
                serve(
                    application,
                    host=host,
                    port=port,
                    threads=threads,
                    processes=count,
                    ready=print_address,
                    after_fork=None if without_jobs else run_worker_process,
                )
        except OSError as taken:
            if taken.errno != errno.EADDRINUSE:
                raise
            raise CommandError(
                f"Port {port} is taken: BridgeBuddy is running already, or another program answers there."
                f" Close it, or take another port: {port + 1}."
            ) from taken

    def _load_shared_data(self) -> None:
        """Load the data that every process needs before forking, and close connections that must not be shared."""
        self.check()  # checks every address, and so imports every page
        for code, _ in settings.LANGUAGES:
            with translation.override(code):
                translation.gettext("Table")
        process_cache.clear_old_values()
        connections.close_all()
        caches.close_all()


def _refuse_unfit_database() -> None:
    """Raise `CommandError` if the migrations of the database are not those of this version.

    An older version would misread data of a newer one. If changes of this version are missing, every page would fail.
    If the database cannot be reached, the server starts, and its pages say so until it is back.
    """
    try:
        unknown, missing = unknown_migrations(), missing_migrations()
    except DatabaseError:
        return
    finally:
        connection.close()
    if unknown:
        raise CommandError(
            f"A newer version of BridgeBuddy has written the database: it has {', '.join(unknown)}. Install that"
            " version again, or go back to a backup of before: restore FILE."
        )
    if missing:
        others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        program = "python manage.py" if Path(sys.argv[0]).name == "manage.py" else "bridgebuddy"
        raise CommandError(
            f"The database lacks what this version adds to it: {missing[0]}{others}."
            f" Run this, then start again: {program} migrate"
        )

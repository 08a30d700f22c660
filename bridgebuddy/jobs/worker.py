"""The process or thread that runs jobs beside a server."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress

from bridgebuddy.operations.process_supervisor import has_parent

from .services import run_worker

#: requests of people go first
LOWEST = 19


def run_worker_process(parent: int = 0) -> None:
    """Run background jobs in this process until it is told to stop, or the process `parent` has ended."""
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stopped.set())
    with suppress(OSError, AttributeError):
        os.nice(LOWEST)
    run_worker(lambda: not stopped.is_set() and has_parent(parent), stopped.wait)


def start_worker_thread() -> None:
    """Run background jobs in a thread of the server, if it is the only process."""
    threading.Thread(
        target=run_worker, args=(lambda: True, time.sleep), daemon=True, name="jobs"
    ).start()

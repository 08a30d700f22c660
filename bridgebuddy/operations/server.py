"""The server for one machine: waitress, which passes on a request only when it is complete.

An incomplete request occupies no thread, only a connection for some seconds. Decision 0015.
"""

from __future__ import annotations

import errno
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server

from bridgebuddy.web.uploads import MOST_BYTES

from .process_supervisor import can_fork, has_parent, supervise
from .request_priority import PriorityChannel, PriorityDispatcher

#: a polling phone keeps its connection; a silent connection is closed after this time
SECONDS_OF_SILENCE = 30
#: the time for open requests after a stop; a search for a change takes longest
SECONDS_TO_FINISH = 30
#: the server before may have been killed just now
SECONDS_FOR_THE_PORT = 4
MOST_CONNECTIONS = 4000
#: of a connection: its socket, and a file for long requests or responses
FILES_EACH = 2
FILES_BESIDE = 200
#: more than a form accepts, so that its page can report a slightly too large file
MOST_SENT = MOST_BYTES + 2_000_000


def serve(
    application: Callable[..., Any],
    *,
    host: str,
    port: int,
    threads: int,
    processes: int = 1,
    ready: Callable[[int], None] = lambda port: None,
    after_fork: Callable[[int], None] | None = None,
) -> None:
    """Answer requests until this process is told to stop; unfinished requests are answered first.

    `ready` receives the port when connections are accepted; port 0 selects a free one. Several
    processes accept from one socket, so a killed process leaves its unaccepted connections to the
    others. `after_fork` runs in one more process, without connections.

    Raises `OSError` if the port stays occupied.
    """
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a queue is normal
    listener = _open_listener(host, port)
    ready(listener.getsockname()[1])

    def answer_in_process(parent: int = 0) -> None:
        """Answer requests in this process."""
        _answer_requests(application, listener, threads, parent)

    if processes == 1 or not can_fork():
        answer_in_process()
        return
    works: list[Callable[[int], None]] = [answer_in_process] * processes
    if after_fork is not None:
        works.append(partial(_fork_background_worker, after_fork, listener))
    supervise(works, stopping=listener.close, grace=SECONDS_TO_FINISH)


def _fork_background_worker(
    work: Callable[[int], None], listener: socket.socket, parent: int
) -> None:
    """Run `work` (the background jobs) in a forked process that does not listen on the port."""
    listener.close()
    work(parent)


def _open_listener(host: str, port: int) -> socket.socket:
    """Open a listening socket; connections of a killed server may occupy the port for a moment."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    until = time.monotonic() + SECONDS_FOR_THE_PORT
    while True:
        try:
            return socket.create_server((host, port), family=family, backlog=1024)
        except OSError as taken:
            if taken.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise
        time.sleep(0.1)


def _answer_requests(
    application: Callable[..., Any], listener: socket.socket, threads: int, parent: int
) -> None:
    """Answer requests until this process is told to stop, or its supervisor has ended."""
    sockets: dict[int, Any] = {}
    stops: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: stops.append(number))
    server = create_server(
        application,
        map=sockets,
        sockets=[listener],
        _dispatcher=PriorityDispatcher(threads),
        connection_limit=_most_connections(),
        channel_timeout=SECONDS_OF_SILENCE,
        cleanup_interval=SECONDS_OF_SILENCE // 3,
        #: notices closed connections during other requests: a phone repeats its request after some
        #: seconds, and requests of closed connections need no answer
        channel_request_lookahead=1,
        max_request_body_size=MOST_SENT,
        max_request_header_size=32_768,
        clear_untrusted_proxy_headers=False,  # the settings define the trusted proxies
        ident=None,
    )
    server.channel_class = PriorityChannel
    while not stops and has_parent(parent):
        _exchange_data(sockets)
    _finish_requests(sockets)


def _exchange_data(sockets: dict[int, Any]) -> None:
    """Receive and send the data of all connections that are ready."""
    wasyncore.loop(timeout=0.5, use_poll=True, map=sockets, count=1)


def _finish_requests(sockets: dict[int, Any]) -> None:
    """Accept no more connections, and answer the open requests."""
    for channel in list(sockets.values()):
        if isinstance(channel, BaseWSGIServer):
            wasyncore.dispatcher.close(channel)
    until = time.monotonic() + SECONDS_TO_FINISH
    while (
        any(_has_unfinished_request(channel) for channel in sockets.values())
        and time.monotonic() < until
    ):
        _exchange_data(sockets)


def _has_unfinished_request(channel: object) -> bool:
    """Return whether a connection still has a request to be answered."""
    return isinstance(channel, HTTPChannel) and bool(channel.requests or channel.total_outbufs_len)


def _most_connections() -> int:
    """Return the largest number of open connections that the system's limit of open files allows."""
    if sys.platform == "win32":  # no such limits here, and 500 sockets for select
        return 400
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS * FILES_EACH + FILES_BESIDE
    files = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return max(100, (resource.getrlimit(resource.RLIMIT_NOFILE)[0] - FILES_BESIDE) // FILES_EACH)

"""The server for one machine: waitress, which hands on a request only when all of it has come.

Nobody who sends half a request keeps a thread; only a connection, and that for some seconds. Decision 0015.
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

from .processes import can_fork, has_parent, keep
from .turns import Channel, Dispatcher
from .uploads import MOST_BYTES

#: a phone that polls keeps its connection; what says nothing for so long is closed
SECONDS_OF_SILENCE = 30
#: what is being answered when the server is told to stop has so long; a search for a change takes longest
SECONDS_TO_FINISH = 30
#: whoever answered before may have been killed just now
SECONDS_FOR_THE_PORT = 4
MOST_CONNECTIONS = 4000
#: of a connection: its socket, and what it sends and receives where that is long
FILES_EACH = 2
FILES_BESIDE = 200
#: more than a form takes, so that its page can say that a file is a little too large
MOST_SENT = MOST_BYTES + 2_000_000


def serve(
    application: Callable[..., Any],
    *,
    host: str,
    port: int,
    threads: int,
    processes: int = 1,
    ready: Callable[[int], None] = lambda port: None,
    beside: Callable[[int], None] | None = None,
) -> None:
    """Answer requests until this process is told to stop; what is being answered then is still answered.

    `ready` is told the port as soon as connections are taken: where 0 was asked for, a free one. Several processes
    take them from one socket: one that is killed leaves those to the others that it has not taken. `beside` is done in
    one more process, which takes none.

    Raises `OSError` where the port is taken and stays so.
    """
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a queue is no news
    listener = _listener(host, port)
    ready(listener.getsockname()[1])

    def answer(parent: int = 0) -> None:
        _answer(application, listener, threads, parent)

    if processes == 1 or not can_fork():
        answer()
        return
    works: list[Callable[[int], None]] = [answer] * processes
    if beside is not None:
        works.append(partial(_work_beside, beside, listener))
    keep(works, stopping=listener.close, grace=SECONDS_TO_FINISH)


def _work_beside(work: Callable[[int], None], listener: socket.socket, parent: int) -> None:
    """Do what takes no connections, and keep no hold of the port meanwhile."""
    listener.close()
    work(parent)


def _listener(host: str, port: int) -> socket.socket:
    """Take a port; those of a server that was killed need a moment to notice it, and to let it go."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    until = time.monotonic() + SECONDS_FOR_THE_PORT
    while True:
        try:
            return socket.create_server((host, port), family=family, backlog=1024)
        except OSError as taken:
            if taken.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise
        time.sleep(0.1)


def _answer(
    application: Callable[..., Any], listener: socket.socket, threads: int, parent: int
) -> None:
    """Answer requests until this process is told to stop, or the one that watches it is gone."""
    sockets: dict[int, Any] = {}
    stops: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: stops.append(number))
    server = create_server(
        application,
        map=sockets,
        sockets=[listener],
        _dispatcher=Dispatcher(threads),
        connection_limit=_most_connections(),
        channel_timeout=SECONDS_OF_SILENCE,
        cleanup_interval=SECONDS_OF_SILENCE // 3,
        #: so that it is noticed who hangs up while others are answered: a phone asks again after some seconds,
        #: and a server that answers phones that no longer listen answers none that does
        channel_request_lookahead=1,
        max_request_body_size=MOST_SENT,
        max_request_header_size=32_768,
        clear_untrusted_proxy_headers=False,  # which proxies are trusted is said in the settings
        ident=None,
    )
    server.channel_class = Channel
    while not stops and has_parent(parent):
        _look_at(sockets)
    _finish(sockets)


def _look_at(sockets: dict[int, Any]) -> None:
    """Take and send what there is to take and send."""
    wasyncore.loop(timeout=0.5, use_poll=True, map=sockets, count=1)


def _finish(sockets: dict[int, Any]) -> None:
    """Take no more connections, and answer what has been asked."""
    for channel in list(sockets.values()):
        if isinstance(channel, BaseWSGIServer):
            wasyncore.dispatcher.close(channel)
    until = time.monotonic() + SECONDS_TO_FINISH
    while any(_is_busy(channel) for channel in sockets.values()) and time.monotonic() < until:
        _look_at(sockets)


def _is_busy(one: object) -> bool:
    """Whether a connection has a request that is not answered to its end."""
    return isinstance(one, HTTPChannel) and bool(one.requests or one.total_outbufs_len)


def _most_connections() -> int:
    """Return how many connections may be open: as many as files, where a system allows few of them."""
    if sys.platform == "win32":  # there are no such limits, and 500 sockets for a select
        return 400
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS * FILES_EACH + FILES_BESIDE
    files = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return max(100, (resource.getrlimit(resource.RLIMIT_NOFILE)[0] - FILES_BESIDE) // FILES_EACH)

"""HTTP/1.1 as bytes: a strict reader of answers, and a connection of the server inside the test's own process."""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from waitress.adjustments import Adjustments

from bridgebuddy.operations.request_priority import PriorityChannel

END = b"\r\n\r\n"
WITHOUT_CONTENT = (204, 304)


class NotHttp(AssertionError):
    """Bytes that are no valid answers to the requests."""


@dataclass(frozen=True)
class Answer:
    """An answer as a client reads it."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def closes(self) -> bool:
        return self.headers.get("connection", "").lower() == "close"


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """Return a request's bytes; underscores in names of headers are dashes."""
    named = {"Host": "localhost", **{key.replace("_", "-"): text for key, text in headers.items()}}
    if body:
        named |= {"Content-Length": str(len(body))}
        named.setdefault("Content-Type", "application/x-www-form-urlencoded")
    lines = [f"{method} {path} HTTP/1.1", *(f"{key}: {text}" for key, text in named.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def read_answers(methods: Iterable[str], received: bytes) -> list[Answer]:
    """Return the answers to requests with these methods, up to one that closes the connection.

    Raises `NotHttp` if bytes are missing or left over: these would become the next answer.
    """
    answers: list[Answer] = []
    for method in methods:
        if answers and answers[-1].closes:
            break
        answer, received = read_answer(method, received)
        answers.append(answer)
    if received:
        raise NotHttp(f"{len(received)} bytes too many: {received[:60]!r}")
    return answers


def read_answer(method: str, received: bytes) -> tuple[Answer, bytes]:
    """Return the first answer in `received` and the rest of it."""
    head, end, rest = received.partition(END)
    first, *lines = head.decode("latin-1").split("\r\n")
    if not end or not first.startswith(("HTTP/1.1 ", "HTTP/1.0 ")):
        raise NotHttp(f"no head: {received[:60]!r}")
    status = int(first.split(" ")[1])
    headers = {}
    for line in lines:
        name, _, text = line.partition(":")
        headers[name.lower()] = text.strip()
    if method == "HEAD" or status in WITHOUT_CONTENT:
        return Answer(status, headers, b""), rest
    body, rest = _body(headers, rest)
    return Answer(status, headers, body), rest


def _body(headers: dict[str, str], rest: bytes) -> tuple[bytes, bytes]:
    if "content-length" in headers:
        length = int(headers["content-length"])
        if len(rest) < length:
            raise NotHttp(f"{length - len(rest)} bytes of content are missing")
        return rest[:length], rest[length:]
    if headers.get("transfer-encoding") != "chunked":
        return rest, b""
    parts = []
    while True:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size, 16)
        parts.append(rest[:length])
        rest = rest[length + 2 :]
        if not length:
            return b"".join(parts), rest


@contextmanager
def connections_kept() -> Iterator[None]:
    """Let requests leave the database's connection open, as Django's test client does: it holds the test's rows."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


class Wire:
    """The server's end of kept connections, in this thread, so that a test's rows are seen.

    The bytes are those that the server's process would send: they come from its own `PriorityChannel`.
    """

    def __init__(self, application: Callable[..., Any]) -> None:
        self._waiting: deque[Any] = deque()
        self._server = SimpleNamespace(
            active_channels={},
            adj=Adjustments(ident=None, channel_request_lookahead=1),
            add_task=self._waiting.append,
            application=application,
            effective_port=80,
            pull_trigger=lambda: None,
            server_name="localhost",
            task_dispatcher=SimpleNamespace(queue=()),
        )

    def send(self, *requests: bytes) -> bytes:
        """Send requests at once on one connection; return all bytes of the answers."""
        ours, theirs = socket.socketpair()
        with ours, theirs, connections_kept():
            theirs.settimeout(10)
            channel = PriorityChannel(
                self._server, ours, ("127.0.0.1", 1), self._server.adj, map={}
            )
            sent = b"".join(requests)
            for begin in range(0, len(sent), self._server.adj.recv_bytes):
                channel.received(sent[begin : begin + self._server.adj.recv_bytes])
            parts = []
            while self._waiting:
                self._waiting.popleft().service()
                parts.append(self._flush(channel, theirs))
            return b"".join(parts)

    def _flush(self, channel: PriorityChannel, theirs: socket.socket) -> bytes:
        parts = []
        theirs.setblocking(False)
        while True:
            with channel.outbuf_lock:
                channel._flush_some(do_close=False)
            try:
                parts.append(theirs.recv(1 << 20))
            except BlockingIOError:
                return b"".join(parts)

    def ask(self, *requests: bytes) -> list[Answer]:
        """Send requests at once on one connection; return their answers."""
        return read_answers(
            [sent.split(b" ", 1)[0].decode() for sent in requests], self.send(*requests)
        )

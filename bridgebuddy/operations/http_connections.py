"""Corrections to HTTP where waitress is too lenient or sends too much.

Requests: a request must arrive within a time limit, however slowly its bytes come. A request that states its length
in two ways, names two hosts or speaks another major version of HTTP is refused. A proxy may read it differently.
Answers: the answer to `HEAD` is a head alone, with the headers that `GET` would get.
"""

from __future__ import annotations

import time
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import Error

#: for the head of a request, and for all of it: what proxies in front give, see deploy/
SECONDS_FOR_HEAD, SECONDS_FOR_ALL = 10, 60


class VersionNotSupported(Error):  # type: ignore[misc]  # waitress has no types
    """Error 505: the request has a major version of HTTP that this server does not support (RFC 9110, 15.6.6)."""

    code = 505
    reason = "HTTP Version Not Supported"


class IncomingRequest(HTTPRequestParser):  # type: ignore[misc]
    """A request while waitress receives it, with a time limit and a check of the HTTP version."""

    is_head = False

    def __init__(self, adjustments: object) -> None:
        super().__init__(adjustments)
        self.begun_at = time.monotonic()

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the request line and headers.

        Raises `ParsingError`, which is answered with 400, if two servers could read the head differently (RFC 9112,
        sections 3.2 and 6.1).
        """
        # of a head that is too long waitress parses a substitute, and what has arrived stands in `self.header_plus`
        self.is_head = (self.header_plus or header_plus).lstrip().startswith(b"HEAD ")
        super().parse_header(header_plus)
        if self.version[:1] not in ("", "1"):
            self._refuse_version()
            return
        has_two_lengths = self.chunked and "CONTENT_LENGTH" in self.headers
        if has_two_lengths or "TRANSFER_ENCODING" in self.headers:  # HTTP/1.0 does not know it
            raise ParsingError("Content-Length beside Transfer-Encoding")
        host = self.headers.get("HOST")
        if "," in (host or ""):  # waitress joins repeated headers with commas
            raise ParsingError("More than one Host header")
        if host is None and self.version not in ("", "1.0"):
            raise ParsingError("No Host header")

    def _refuse_version(self) -> None:
        """Answer 505 at once, because the rest of such a request cannot be parsed."""
        self.error = VersionNotSupported("This server speaks HTTP/1.1.")
        self.version = "1.1"  # of the answer
        self.body_rcv, self.content_length, self.expect_continue = None, 0, False

    @property
    def is_late(self) -> bool:
        """Return whether the time limit passed before the request was complete."""
        has_had = time.monotonic() - self.begun_at
        return has_had > (SECONDS_FOR_ALL if self.headers_finished else SECONDS_FOR_HEAD)


class HeadOnlyAnswers:
    """Mixin for waitress's tasks that sends no content in answer to `HEAD` (RFC 9110, 9.3.2).

    waitress already omits the content of 1xx, 204 and 304. A proxy would read content after the head as the answer to
    the next request on the connection, and give it to another person.
    """

    request: Any
    channel: Any
    content_length: int | None
    content_bytes_written: int

    def __init__(self, channel: Any, request: Any) -> None:
        super().__init__(channel, request)  # type: ignore[call-arg]
        # a broken view is answered by a task with a request of its own
        asked = channel.requests[:1] or [request]
        self.is_head = bool(asked[0].is_head)

    def write(self, data: bytes) -> None:
        """Send the headers, and the content unless the request was `HEAD`."""
        if self.is_head:
            self.content_bytes_written += len(data)
            data = b""
        super().write(data)  # type: ignore[misc]

    @property
    def has_body(self) -> bool:
        """Return whether the headers may announce content: `HEAD` repeats its length, but not chunks."""
        is_announced = not self.is_head or self.content_length is not None
        return bool(super().has_body) and is_announced  # type: ignore[misc]


class OutgoingResponse(HeadOnlyAnswers, WSGITask):  # type: ignore[misc]
    """Waitress's task that sends the application's response to a request."""

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environment, without a file wrapper that would bypass `write`."""
        environ: dict[str, Any] = super().get_environment()
        if self.is_head:
            environ.pop("wsgi.file_wrapper", None)
        return environ


class ErrorAnswer(HeadOnlyAnswers, ErrorTask):  # type: ignore[misc]
    """Waitress's task that sends the server's own error response to an invalid or failed request."""


class HttpConnection(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """Waitress's channel of a client's connection, with the request that is arriving on it."""

    parser_class = IncomingRequest
    task_class = OutgoingResponse
    error_task_class = ErrorAnswer

    def received(self, data: bytes) -> bool:
        """Receive data from the client. A request past its time limit closes the connection."""
        was_received = bool(super().received(data))
        if self.request is not None and not self.requests and self.request.is_late:
            self.will_close = True
        return was_received

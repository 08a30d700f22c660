"""What waitress lets anybody do with a connection, and this server does not.

A request has to come within some seconds, however slowly its bytes drip: a byte now and then is no silence, and
keeps a connection open for ever. And what says twice how long it is, in two ways, may be two requests to a proxy in
front and one here: it is refused.
"""

from __future__ import annotations

import time

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError

#: for the head of a request, and for all of it: what proxies in front give, see deploy/
SECONDS_FOR_HEAD, SECONDS_FOR_ALL = 10, 60


class Request(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """A request while it comes."""

    def __init__(self, adjustments: object) -> None:
        super().__init__(adjustments)
        self.begun_at = time.monotonic()

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        is_said_twice = self.chunked and "CONTENT_LENGTH" in self.headers
        if is_said_twice or "TRANSFER_ENCODING" in self.headers:  # which HTTP/1.0 does not know
            raise ParsingError("Content-Length beside Transfer-Encoding")

    @property
    def is_late(self) -> bool:
        """Whether it has had its time, and is not whole."""
        has_had = time.monotonic() - self.begun_at
        return has_had > (SECONDS_FOR_ALL if self.headers_finished else SECONDS_FOR_HEAD)


class Connection(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection, and the request that is coming on it."""

    parser_class = Request

    def received(self, data: bytes) -> bool:
        """Take what has come; who drips, ends by their own drop, and who stops dripping by their silence."""
        was_taken = bool(super().received(data))
        if self.request is not None and not self.requests and self.request.is_late:
            self.will_close = True
        return was_taken

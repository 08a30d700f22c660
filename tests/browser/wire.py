"""The connection between phones and server, which a test cuts, slows down, or lets answer like a Wi-Fi's login page.

A browser's own "offline" switch closes nothing: requests on their way arrive, and the worker has its own switch.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

END = b"\r\n\r\n"
#: a name that browsers do not trust as they trust `localhost`: without HTTPS there is no service worker
PLAIN = "club.test"


def page(status: str, body: str = "<h1>Welcome to our Wi-Fi</h1>", **headers: str) -> bytes:
    """An answer as a Wi-Fi or a proxy gives it."""
    told = {"Content-Type": "text/html", "Content-Length": str(len(body)), **headers}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in told.items())]
    return "\r\n".join([*lines, "Connection: close", "", body]).encode()


class Wire:
    """A wire to a server. It begins whole; every request has a connection of its own."""

    def __init__(self, server: str) -> None:
        self._to = urlsplit(server)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._open: set[asyncio.StreamWriter] = set()
        self.is_cut = False
        self.answers: dict[str, bytes] = {}  # instead of the server, by method
        self.drops: set[str] = set()  # what the server answers to these methods gets lost
        self.holds: set[str] = set()  # or is under way until the wire is mended
        self.lost = threading.Event()  # an answer that the server has given
        self.posted = threading.Event()  # an answer to a form has come through
        self._server = self._run(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]

    def _run(self, task):
        return asyncio.run_coroutine_threadsafe(task, self._loop).result(10)

    @property
    def trusted(self) -> str:
        """Return the address that a browser trusts, with a service worker as over HTTPS."""
        return f"http://localhost:{self.port}"

    @property
    def plain(self) -> str:
        """Return the address as the club's own box has it."""
        return f"http://{PLAIN}:{self.port}"

    def cut(self) -> None:
        """Cut it, and all that is on its way."""
        self.is_cut = True

        async def drop() -> None:
            for item in list(self._open):
                item.transport.abort()

        self._run(drop())

    def mend(self) -> None:
        self.is_cut = False
        self.answers, self.drops, self.holds = {}, set(), set()

    def close(self) -> None:
        self.cut()
        self._server.close()

        async def end() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        self._run(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            if not self.is_cut:
                await self._answer(reader, writer)
        self._open.discard(writer)
        writer.transport.abort() if self.is_cut else writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(END)
        first, *lines = head[: -len(END)].decode("latin-1").split("\r\n")
        headers = {line.partition(":")[0].lower(): line for line in lines}
        length = int(headers.get("content-length", ": 0").partition(":")[2])
        body = await reader.readexactly(length)
        method = first.partition(" ")[0]
        if method in self.answers:
            writer.write(self.answers[method])
            await writer.drain()
            return
        headers["connection"] = "Connection: close"
        there, to = await asyncio.open_connection(self._to.hostname, self._to.port)
        to.write("\r\n".join([first, *headers.values(), "", ""]).encode("latin-1") + body)
        answer = await there.read()
        to.close()
        if method in self.drops:
            self.lost.set()
            writer.transport.abort()
            return
        if method in self.holds:
            self.lost.set()
        while method in self.holds:
            await asyncio.sleep(0.05)
        writer.write(answer)
        await writer.drain()
        if method == "POST":
            self.posted.set()


@contextmanager
def wire_to(server: str) -> Iterator[Wire]:
    wire = Wire(server)
    try:
        yield wire
    finally:
        wire.close()

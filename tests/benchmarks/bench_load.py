"""A big evening: 600 phones and 20 directors at the server that `make run` starts.

    python -m tests.benchmarks.bench_load [SECTIONS]

Every phone polls every five seconds while each director starts round after round, first when each likes, then all in
the same moment; and once more at the pace of ours, which for a minute after news ask every two seconds. Printed are
the requests a second, how long they take, and how long after a director's click the last phone of the section has
its new page. Server and phones share this machine, so that times are rather too long.

Beside an unchanged poll a view is measured that does nothing, in turns and in the same server: their
ratio says what finding out that nothing has changed costs, by the server's CPU and by the clock.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from tests.postgres import NoServer, cluster, free_port

SECTIONS, TABLES = 20, 15  # a phone for every pair
POLL_EVERY = 5.0  # seconds
OWN_PACE = 2.0  # seconds between two polls in the minute after news, as static/js/phone.js has it
EVENING = 40.0  # seconds
ROUND = 15.0  # seconds between two clicks of a director
CSRF = "x" * 32
BATCH, BATCHES, AT_ONCE = 200, 8, 4


@dataclass(frozen=True)
class Answer:
    """An answer and the time of its arrival."""

    status: int
    headers: str
    body: bytes
    at: float
    seconds: float
    size: int  # bytes on the wire

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def cookies(self) -> str:
        return "; ".join(re.findall(r"^set-cookie: ([^;]+)", self.headers, re.M | re.I))


@dataclass
class Server:
    """A running server."""

    port: int
    pid: int

    @property
    def family(self) -> list[int]:
        """The process that was started, and those that it has started."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text()
        return [self.pid, *map(int, children.split())]

    @property
    def cpu(self) -> float:
        """The CPU seconds they have used."""
        used = 0
        for pid in self.family:
            values = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            used += int(values[11]) + int(values[12])
        return used / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> int:
        """Return the memory of the processes; shared pages count once."""
        told = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in self.family]
        return 1024 * sum(int(re.findall(r"^Pss: +(\d+) kB", item, re.M)[0]) for item in told)

    async def ask(
        self,
        path: str,
        *,
        form: str | None = None,
        cookies: str = "",
        fragment: bool = False,
        letter: str = "",
        takes: str = "gzip",
    ) -> Answer:
        """Send one request, in a connection of its own as a phone does after five seconds."""
        lines = [
            f"{'GET' if form is None else 'POST'} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Connection: close",
            f"Accept-Encoding: {takes}",
            *([f"Cookie: {cookies}"] if cookies else []),
            *(["HX-Request: true"] if fragment else []),
            *([f"X-Letter: {letter}"] if letter else []),
        ]
        if form is not None:
            lines += [
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(form)}",
            ]
        begin = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write("\r\n".join([*lines, "", form or ""]).encode())
            data = await reader.read()
        finally:
            writer.close()  # also if whoever asks has no more patience
        end = time.perf_counter()
        head, _, body = data.partition(b"\r\n\r\n")
        headers = head.decode("latin-1")
        return Answer(
            int(headers.split(" ", 2)[1]),
            headers,
            readable(headers, body),
            end,
            end - begin,
            len(data),
        )


def readable(headers: str, body: bytes) -> bytes:
    """Return a body without its transfer and content encoding."""
    import gzip

    headers = headers.lower()
    if "transfer-encoding: chunked" in headers:
        parts = []
        while body:
            size, _, body = body.partition(b"\r\n")
            parts.append(body[: int(size, 16)])
            body = body[int(size, 16) + 2 :]
        body = b"".join(parts)
    return gzip.decompress(body) if "content-encoding: gzip" in headers else body


@dataclass
class Section:
    """A section as its phones and its director know it."""

    code: str
    phones: dict[str, int]
    version: int
    round: int = 1
    clicked_at: float = 0.0
    reached: list[float] = field(default_factory=list)  # seconds after the click, by phone


@dataclass
class PollLog:
    """Measurements of the load."""

    polls: list[float] = field(default_factory=list)  # seconds
    pages: list[float] = field(default_factory=list)
    errors: int = 0
    last_phones: list[float] = field(default_factory=list)  # seconds after a click
    late: int = 0  # phones that had not heard of a click before the next


@contextmanager
def serving(
    database: str,
    folder: str,
    sections: int,
    tables: int = TABLES,
    made_by: str = "load_evening",
    **more: str,
) -> Iterator[tuple[Server, dict[str, Any]]]:
    """Make the evening in a database, and start the server on it; `more` extends its environment."""
    environment = {
        **os.environ,
        "DATABASE_URL": database,
        "DJANGO_SETTINGS_MODULE": "tests.benchmarks.load_settings",
        "VAR_DIR": folder,
        **more,
    }
    made = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.{made_by}", str(sections), str(tables)],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port)],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    server = Server(port, process.pid)
    try:
        wait_for(server)
        yield server, json.loads(made.stdout.splitlines()[-1])
    finally:
        process.terminate()
        process.wait()


def wait_for(server: Server) -> None:
    """Wait until it answers."""
    for _ in range(600):
        try:
            asyncio.run(repeat(server, "/empty/", 40))
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError("the server does not answer")


async def repeat(server: Server, path: str, times: int, cookies: str = "") -> None:
    """Ask for the same so many times, a few at once."""

    async def some(share: int) -> None:
        for _ in range(share):
            answer = await server.ask(path, cookies=cookies, fragment=True)
            assert answer.status == 204, answer.headers

    await asyncio.gather(*(some(times // AT_ONCE) for _ in range(AT_ONCE)))


async def phone(
    server: Server, section: Section, label: str, log: PollLog, until: float, every: float
) -> None:
    """Open a contestant's page, then poll until the evening is over."""
    address = f"/p/{section.code}/{label}/"
    await asyncio.sleep(random.random() * every)
    page = await server.ask(address)
    version, cookies = int(re.findall(r'data-version="(\d+)"', page.text)[0]), page.cookies
    while time.perf_counter() < until:
        await asyncio.sleep(every)
        asked = f"{address}?v={version}&entry={section.phones[label]}"
        try:
            answer = await server.ask(asked, cookies=cookies, fragment=True)
        except OSError:
            log.errors += 1
            continue
        if answer.status == 204:
            log.polls.append(answer.seconds)
        elif answer.status == 200:
            log.pages.append(answer.seconds)
            version = int(re.findall(r'data-version="(\d+)"', answer.text)[0])
            section.reached.append(answer.at - section.clicked_at)
        else:
            log.errors += 1


async def start_round(server: Server, code: str, after: int, session: str) -> Answer:
    """Press as a section's director does."""
    return await server.ask(
        f"/s/{code}/next-round/",
        form=f"after={after}&csrfmiddlewaretoken={CSRF}",
        cookies=f"sessionid={session}; csrftoken={CSRF}",
    )


async def director(
    server: Server, section: Section, session: str, log: PollLog, until: float, after: float
) -> None:
    """Start round after round, the first one some time after the phones have come."""
    await asyncio.sleep(POLL_EVERY + 1 + after)
    while time.perf_counter() < until - ROUND:
        section.reached.clear()
        section.clicked_at = time.perf_counter()
        answer = await start_round(server, section.code, section.round, session)
        assert answer.status == 302, answer.headers
        section.round += 1
        await asyncio.sleep(ROUND)
        log.late += len(section.phones) - len(section.reached)
        log.last_phones.append(max(section.reached))


async def play(
    server: Server,
    sections: list[Section],
    session: str,
    *,
    at_once: bool = False,
    every: float = POLL_EVERY,
) -> PollLog:
    """Let directors, tables and phones take part until the evening is over."""
    log = PollLog()
    until = time.perf_counter() + EVENING
    presses = [0.0 if at_once else random.random() * POLL_EVERY for _ in sections]
    await asyncio.gather(
        *(
            phone(server, section, label, log, until, every)
            for section in sections
            for label in section.phones
        ),
        *(
            director(server, item, session, log, until, after)
            for item, after in zip(sections, presses, strict=True)
        ),
    )
    return log


def compare(server: Server, poll: str, cookies: str) -> tuple[float, float, float]:
    """Return the cost of an unchanged poll beside an empty view by CPU, by the clock, and polls/s."""
    cpu: dict[str, list[float]] = {poll: [], "/empty/": []}
    clock: dict[str, list[float]] = {poll: [], "/empty/": []}
    for _ in range(BATCHES):
        for path in (poll, "/empty/"):
            begin, used = time.perf_counter(), server.cpu
            asyncio.run(repeat(server, path, BATCH, cookies))
            clock[path].append(time.perf_counter() - begin)
            cpu[path].append(server.cpu - used)
    by_cpu = sum(cpu[poll]) / sum(cpu["/empty/"])
    return by_cpu, median(clock[poll]) / median(clock["/empty/"]), BATCH / median(clock[poll])


def first_visit(server: Server, address: str, takes: str = "gzip") -> int:
    """Return the bytes of a first visit, headers included, for the content types that the phone accepts."""
    page = asyncio.run(server.ask(address))
    named = re.findall(r'<(?:link|script)[^>]*?(?:href|src)="(/[^"]+)"', page.text)
    return page.size + sum(asyncio.run(server.ask(path, takes=takes)).size for path in named)


def percentile(values: list[float], share: float) -> str:
    """Return a percentile in milliseconds."""
    ordered = sorted(values)
    return f"{1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]:.0f} ms"


def told(log: PollLog, used: float) -> None:
    """Print the figures of an evening, and the server's share of a core."""
    asked = len(log.polls) + len(log.pages)
    print(
        f"  {asked / EVENING:.0f} requests/s while playing, {log.errors} errors;"
        f" {used / EVENING:.2f} cores of {os.cpu_count()}"
    )
    for what, seconds in (("unchanged polls", log.polls), ("new pages", log.pages)):
        print(
            f"  {len(seconds)} {what}: p50 {percentile(seconds, 0.5)},"
            f" p99 {percentile(seconds, 0.99)}"
        )
    print(
        f"  click to last phone of {2 * TABLES}: median {median(log.last_phones):.1f} s,"
        f" longest {max(log.last_phones):.1f} s ({len(log.last_phones)} clicks,"
        f" {log.late} phones not reached)",
        flush=True,
    )


def report(server: Server, evening: dict[str, Any]) -> None:
    """Measure one server and print the figures."""
    sections = [Section(**section) for section in evening["sections"]]
    for every in (POLL_EVERY, OWN_PACE):
        for at_once in (False, True):
            pace = "at the phones' own pace" if every == OWN_PACE else f"a poll every {every:.0f} s"
            presses = "all directors press in the same moment" if at_once else "presses spread"
            print(f"  {pace}, {presses}:")
            used = server.cpu
            session = evening["session"]
            log = asyncio.run(play(server, sections, session, at_once=at_once, every=every))
            told(log, server.cpu - used)
    memory = server.memory
    section = evening["sections"][0]
    address = f"/p/{section['code']}/NS1/"
    page = asyncio.run(server.ask(address))
    version = re.findall(r'data-version="(\d+)"', page.text)[0]
    poll = f"{address}?v={version}&entry={section['phones']['NS1']}"
    by_cpu, by_clock, most = compare(server, poll, page.cookies)
    size, securely = (first_visit(server, address, takes) for takes in ("gzip", "gzip, br"))
    print(f"  unchanged polls alone: {most:.0f}/s")
    print(f"  unchanged poll / empty view: {by_cpu:.2f} by CPU, {by_clock:.2f} by the clock")
    print(
        f"  first visit: {size / 1000:.1f} kB, over HTTPS (where phones take brotli)"
        f" {securely / 1000:.1f} kB and its handshake"
    )
    print(f"  server: {memory / 1e6:.0f} MB of memory, all processes together")


def main(sections: int = SECTIONS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        busy = os.getloadavg()[0]
        print(
            f"{sections} sections, {sections * TABLES * 2} phones; load average before: {busy:.1f}"
        )
        print("SQLite")
        with serving(f"sqlite:///{folder}/load.sqlite3", folder, sections) as (server, evening):
            report(server, evening)
        try:
            with cluster() as database:
                print("PostgreSQL")
                with serving(database, folder, sections) as (server, evening):
                    report(server, evening)
        except NoServer as missing:
            print(f"  not measured: {missing}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

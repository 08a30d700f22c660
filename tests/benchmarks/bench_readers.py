"""The morning after, and an evening besides: 1,000 readers of a published list at one process, while 60 phones poll.

    python -m tests.benchmarks.bench_readers [READERS [SECONDS]]

Each reader opens the list with all that a browser fetches for it, then a sheet and a board, within two minutes. First
the phones poll alone, so that it is seen what readers cost them. The server has just been started: each page is worked
out once meanwhile. Server, readers and phones share this machine.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import sys
import tempfile
import time
from dataclasses import dataclass, field

from .bench_load import Section, Server, percentile, serving

READERS, SECONDS = 1000, 120
TABLES = 30  # a phone for every pair
POLL_EVERY = 5.0  # seconds
ALONE = 30.0  # seconds for which the phones have the server for themselves
READS = 3.0  # seconds for which somebody looks at a page
NAMED = re.compile(r'<(?:link|script)[^>]*?(?:href|src)="(/[^"]+)"')


@dataclass
class ReaderLog:
    """Measurements in seconds."""

    polls: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)  # pages that nobody has asked for before
    pages: list[float] = field(default_factory=list)
    files: list[float] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    errors: int = 0


async def phone(server: Server, section: Section, label: str, log: ReaderLog, until: float) -> None:
    """Poll a page on which nothing changes."""
    address = f"/p/{section.code}/{label}/"
    await asyncio.sleep(random.random() * POLL_EVERY)
    page = await server.ask(address)
    version = re.findall(r'data-version="(\d+)"', page.text)[0]
    asked = f"{address}?v={version}&entry={section.phones[label]}"
    while time.perf_counter() < until:
        await asyncio.sleep(POLL_EVERY)
        answer = await server.ask(asked, cookies=page.cookies, fragment=True)
        log.polls.append(answer.seconds)
        log.errors += answer.status != 204


async def reader(server: Server, pages: list[list[str]], log: ReaderLog, after: float) -> None:
    """Read the list, a sheet and a board; files come once, as a browser keeps them."""
    await asyncio.sleep(after)
    for addresses in pages:
        address = random.choice(addresses)
        kept = log.pages if address in log.known else log.first
        log.known.add(address)
        answer = await server.ask(address)
        kept.append(answer.seconds)
        log.errors += answer.status != 200
        if addresses is pages[0]:
            found = [await server.ask(file) for file in dict.fromkeys(NAMED.findall(answer.text))]
            log.files += [item.seconds for item in found]
        await asyncio.sleep(random.random() * 2 * READS)


async def together(
    server: Server, section: Section, pages: list[list[str]], readers: int, seconds: float
) -> ReaderLog:
    """Let phones poll for so long, and readers come meanwhile."""
    log = ReaderLog()
    until = time.perf_counter() + seconds
    comes = [random.random() * max(0.0, seconds - 4 * READS) for _ in range(readers)]
    await asyncio.gather(
        *(phone(server, section, label, log, until) for label in section.phones),
        *(reader(server, pages, log, after) for after in comes),
    )
    return log


def told(what: str, seconds: list[float]) -> None:
    """Print how long something took."""
    shares = ", ".join(f"{name} {percentile(seconds, item)}" for name, item in SHARES)
    print(f"  {len(seconds)} {what}: {shares}", flush=True)


SHARES = (("p50", 0.5), ("p99", 0.99), ("longest", 1.0))


def main(readers: int = READERS, seconds: int = SECONDS) -> None:
    print(f"load average before: {os.getloadavg()[0]:.1f}")
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(
            f"sqlite:///{folder}/load.sqlite3",
            folder,
            1,
            tables=TABLES,
            made_by="load_readers",
            WEB_PROCESSES="1",
        ) as (server, evening),
    ):
        section = Section(**evening["sections"][0])
        alone = asyncio.run(together(server, section, evening["pages"], 0, ALONE))
        told("polls without readers", alone.polls)
        used = server.cpu
        log = asyncio.run(together(server, section, evening["pages"], readers, seconds))
        told(f"polls with {readers} readers in {seconds} s", log.polls)
        told("pages asked for the first time", log.first)
        told("pages that are known", log.pages)
        told("files", log.files)
        print(f"  {alone.errors + log.errors} errors; {(server.cpu - used) / seconds:.2f} cores")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

"""A federation's evening: many sections over all cores, with PostgreSQL and Redis, behind Caddy.

    python -m tests.benchmarks.federation [SECTIONS [TABLES]]

Some minutes of an evening at its own pace: rounds of 25 minutes, whose ends lie anywhere, so that in each minute one
section in 25 begins a round. Every phone asks as `static/js/phone.js` does: every ten seconds, and every two in the
last minute of a round and in the minute after it. Meanwhile one web process is killed, and another started by
itself. At last all directors press in the same moment.

Phones, processes, databases and proxy share this machine: how many phones it carries is less than it would be.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests.postgres import NoServer, cluster, free_port

from .bench_load import Server, percentile, start_round, wait_for

CADDYFILE = Path(__file__).parents[2] / "deploy" / "Caddyfile"
USUAL = (70, 29)  # 4,060 phones
ROUND = 25 * 60.0  # seconds
SELDOM, OFTEN, MINUTE = 10.0, 2.0, 60.0  # as static/js/phone.js has them
JOINING = 0.06  # seconds for each phone until everybody has opened a page
MEASURED = 180.0  # seconds afterwards
ALL_AT_ONCE = 60.0  # seconds after the moment in which all directors press
PATIENCE = 8.0  # seconds until a phone hangs up: as templates/players/base.html has it


class Web:
    """A server that can lose one of its processes."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.port, self._environment = free_port(), environment
        self.start()

    def start(self) -> None:
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(command, env=self._environment, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        """Kill one of those that answer; the first one only watches, and starts another."""
        os.kill(self.server.family[-1], signal.SIGKILL)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    @property
    def server(self) -> Server:
        return Server(self.port, self.process.pid)


@dataclass
class Federation:
    """All processes, and the evening in the database."""

    front: Server  # the proxy
    web: Web
    database: str
    evening: dict[str, Any]  # by load_evening

    def queries(self) -> int:
        """The transactions that the database has ended: each query outside of one is one."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            connection.execute("SELECT pg_stat_clear_snapshot()")
            row = connection.execute(
                "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()"
            ).fetchone()
        assert row is not None
        return int(row[0])


@contextmanager
def federation(sections: int, tables: int) -> Iterator[Federation]:
    """Start everything, with an evening in the database."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        database = stack.enter_context(cluster())
        redis_port, front = free_port(), free_port()
        nothing_kept = ["--port", str(redis_port), "--save", "", "--dir", folder]
        redis = subprocess.Popen(["redis-server", *nothing_kept], stdout=subprocess.DEVNULL)
        stack.callback(redis.terminate)
        environment = {
            **os.environ,
            "DATABASE_URL": database,
            "CACHE_URL": f"redis://127.0.0.1:{redis_port}/0",
            "DJANGO_SETTINGS_MODULE": "tests.benchmarks.load_settings",
            "ALLAUTH_TRUSTED_PROXY_COUNT": "1",
            "VAR_DIR": folder,
        }
        make = [sys.executable, "-m", "tests.benchmarks.load_evening", str(sections), str(tables)]
        made = subprocess.run(make, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        web = Web(environment)
        stack.callback(web.stop)
        caddy = subprocess.Popen(
            ["caddy", "run", "--config", str(CADDYFILE), "--adapter", "caddyfile"],
            env={
                **os.environ,
                "BRIDGEBUDDY_SITE": f"http://127.0.0.1:{front}",
                "BRIDGEBUDDY_WEB": f"127.0.0.1:{web.port}",
                "HTTP_PORT": str(free_port()),
                "HTTPS_PORT": str(free_port()),
                "CADDY_ADMIN_AT": "off",
                "XDG_DATA_HOME": folder,
                "XDG_CONFIG_HOME": folder,
            },
            stderr=subprocess.DEVNULL,
        )
        stack.callback(caddy.terminate)
        wait_for(web.server)
        proxy = Server(front, caddy.pid)
        wait_for(proxy)
        yield Federation(proxy, web, database, json.loads(made.stdout.splitlines()[-1]))


@dataclass
class Section:
    """A section as its phones and its director know it."""

    code: str
    phones: dict[str, int]
    version: int
    presses_at: float = 0.0  # when its director will start a round, or has
    round: int = 1


@dataclass
class FederationLog:
    """Measurements since the last report."""

    polls: list[float] = field(default_factory=list)  # seconds
    pages: list[float] = field(default_factory=list)
    clicks: list[float] = field(default_factory=list)
    reached: list[float] = field(default_factory=list)  # seconds after the click, each phone
    refused: Counter[str] = field(default_factory=Counter)

    def forget(self) -> None:
        for kept in (self.polls, self.pages, self.clicks, self.reached, self.refused):
            kept.clear()

    @property
    def errors(self) -> str:
        return ", ".join(f"{count} {what}" for what, count in self.refused.items()) or "none"

    def told(self, seconds: float, queries: int | None = None) -> str:
        """Return a report of this number of seconds and queries, and reset the log."""
        asked = len(self.polls) + len(self.pages) + len(self.clicks)
        lines = [f"  {asked / seconds:.0f} requests/s; errors: {self.errors}"]
        if queries is not None:
            lines += [
                f"  {queries} queries: those of {len(self.pages)} pages and of the clicks too"
            ]
        for what, times in (("unchanged polls", self.polls), ("new pages", self.pages)):
            if times:
                lines += [
                    f"  {len(times)} {what}: p50 {percentile(times, 0.5)}, p99 {percentile(times, 0.99)}"
                ]
        if self.clicks:
            lines += [
                f"  {len(self.clicks)} directors' clicks, p99 {percentile(self.clicks, 0.99)}; from a click to each of"
                f" {len(self.reached)} phones: p50 {percentile(self.reached, 0.5)},"
                f" p99 {percentile(self.reached, 0.99)}"
            ]
        self.forget()
        return "\n".join(lines)


async def phone(
    server: Server, section: Section, label: str, log: FederationLog, joining: float
) -> None:
    """Open a contestant's page some time, then poll for ever."""
    address = f"/p/{section.code}/{label}/"
    await asyncio.sleep(random.random() * joining)
    while True:
        try:
            async with asyncio.timeout(PATIENCE):
                page = await server.ask(address)
            if page.status == 200:
                break
            log.refused[f"{page.status} on opening"] += 1
        except (OSError, ValueError, IndexError, TimeoutError) as error:
            log.refused[f"{type(error).__name__} on opening"] += 1
        await asyncio.sleep(SELDOM)
    version, cookies = section.version, page.cookies
    while True:
        await asyncio.sleep(
            OFTEN if abs(time.perf_counter() - section.presses_at) < MINUTE else SELDOM
        )
        asked = f"{address}?v={version}&entry={section.phones[label]}"
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await server.ask(asked, cookies=cookies, fragment=True)
        except (OSError, ValueError, IndexError, TimeoutError) as error:
            log.refused[type(error).__name__] += 1
            continue
        if answer.status == 204:
            log.polls.append(answer.seconds)
        elif answer.status == 200:
            log.pages.append(answer.seconds)
            version = int(re.findall(r'data-version="(\d+)"', answer.text)[0])
            log.reached.append(answer.at - section.presses_at)
        else:
            log.refused[str(answer.status)] += 1


async def press(server: Server, section: Section, session: str, log: FederationLog) -> None:
    """Start the section's next round when it is time."""
    await asyncio.sleep(max(0.0, section.presses_at - time.perf_counter()))
    section.presses_at = time.perf_counter()
    answer = await start_round(server, section.code, section.round, session)
    if answer.status != 302:
        log.refused[f"{answer.status} on a click"] += 1
        return
    section.round += 1
    log.clicks.append(answer.seconds)


async def killed(web: Web) -> None:
    """Kill a process in the middle of the evening."""
    await asyncio.sleep(MEASURED / 2)
    web.kill()


async def play(running: Federation) -> None:
    """Let all phones take part, and print the measurements."""
    log, session = FederationLog(), running.evening["session"]
    sections = [Section(**section) for section in running.evening["sections"]]
    joining = JOINING * sum(len(section.phones) for section in sections)
    begin = time.perf_counter() + joining
    for number, section in enumerate(sections):
        # spread over a round: some end one before what is measured is over, as many as in an evening
        section.presses_at = begin + ROUND * (number + 0.5) / len(sections)
    soon = [section for section in sections if section.presses_at < begin + MEASURED - MINUTE / 6]
    phones = [
        asyncio.create_task(phone(running.front, section, label, log, joining))
        for section in sections
        for label in section.phones
    ]
    await asyncio.sleep(joining + SELDOM)
    print(f"everybody has opened a page in {joining:.0f} s; errors: {log.errors}", flush=True)
    log.forget()
    queries, since = running.queries(), time.perf_counter()
    await asyncio.gather(
        asyncio.sleep(begin + MEASURED - since),
        killed(running.web),
        *(press(running.front, section, session, log) for section in soon),
    )
    seconds = time.perf_counter() - since
    print(f"{seconds:.0f} s at an evening's pace, one process killed meanwhile")
    print(log.told(seconds, running.queries() - queries))
    for section in sections:
        section.presses_at = time.perf_counter()
    await asyncio.gather(
        asyncio.sleep(ALL_AT_ONCE),
        *(press(running.front, section, session, log) for section in sections),
    )
    for task in phones:
        task.cancel()
    died = await asyncio.gather(*phones, return_exceptions=True)
    for error in died:
        if isinstance(error, Exception):
            raise error
    print(
        f"all {len(sections)} directors press in the same moment; the {ALL_AT_ONCE:.0f} s after it"
    )
    print(log.told(ALL_AT_ONCE))


def main(sections: int = USUAL[0], tables: int = USUAL[1]) -> None:
    if missing := [text for text in ("caddy", "redis-server") if not shutil.which(text)]:
        print(f"not measured: apt-get install {' '.join(missing)}")
        return
    phones = 2 * sections * tables
    print(
        f"{sections} sections, {phones} phones; load before: {os.getloadavg()[0]:.1f}", flush=True
    )
    begin = time.perf_counter()
    try:
        with federation(sections, tables) as running:
            print(f"set up in {time.perf_counter() - begin:.0f} s", flush=True)
            asyncio.run(play(running))
            memory = running.web.server.memory
    except NoServer as missing_server:
        print(f"not measured: {missing_server}")
        return
    print(f"all processes together: {memory / 1e6:.0f} MB of memory")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

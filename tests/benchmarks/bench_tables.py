"""Tables' phones on a bad evening: requests that are lost, repeated, late and out of order, a server killed twice.

    python -m tests.benchmarks.bench_tables [SECTIONS TABLES ROUNDS BOARDS] [sqlite] [postgresql] [PACE/s]

Two phones a table: North-South's enters, East-West's says yes and goes on to the next table, where it scans the card
anew; a director of each section starts its rounds meanwhile, also while a phone is offline. Afterwards what stands is
compared line by line with what was entered: each result once, as its table entered it, with both sides' yes. 600
phones with 24 boards each are `20 15 8 3`. At the usual pace of 22 boards finished in a second a board takes them some 14
seconds instead of 7 minutes: thirty times as fast as in an evening, and more than a process can take. With `5/s` (a
minute instead of seven) one is enough, and the whole takes half an hour. Every phone's page asks for news meanwhile, as it does in
an evening.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from difflib import unified_diff
from typing import Any
from urllib.parse import urlencode

from tests.postgres import NoServer, cluster

from .bench_load import CSRF, Answer, Server, percentile

USUAL = (2, 5, 2, 2)
LOST, REPEATED, SWAPPED, OFFLINE = 0.05, 0.10, 0.05, 0.03
KILLS = 2
PACE = 22.0  # boards that are finished in a second at most, at all tables together
POLL_EVERY = 5.0  # seconds: as templates/tables/table.html has it
AT_ONCE = 16  # requests on their way in one moment, however slow the machine is: in an evening they are fewer
PATIENCE, AGAIN = (
    8.0,
    10.0,
)  # seconds until a phone hangs up, and asks again: as static/js/tables.js has it
TRIES = 20  # without an answer: no server killed and started again explains that
MOST_SHOWN = 20  # lines that differ
#: Below those that a system gives whoever connects: a phone that tries while there is no server may else be given
#: the server's own port, is connected with itself, and keeps the server from coming back.
PORTS = range(20_000, 30_000)


def outcome(dice: random.Random) -> dict[str, object]:
    level, over = dice.randint(1, 7), dice.randint(-3, 2)
    tricks = min(13, 6 + level + over)
    contract = f"{level}{dice.choice(['C', 'D', 'H', 'S', 'NT'])}"
    return {"contract": contract, "declarer": dice.choice("NESW"), "tricks": tricks}


@dataclass
class Evening:
    """What happens at the server, and what has to stand when it is over."""

    server: Server
    board: float  # seconds that one takes on average, people taking their seats included
    truth: dict[int, object] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)  # seconds, of forms that were answered
    polls: list[float] = field(default_factory=list)  # of pages that ask for news
    news: int = 0
    tries: int = 0  # without an answer
    longest: float = 0.0  # seconds from a form's first try to its answer
    late: list[asyncio.Task[None]] = field(default_factory=list)
    at_once: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def surely(self, path: str, cookies: str, form: str | None = None) -> Answer:
        """Ask until there is an answer: the server may be dead just now, but not for long."""
        first = 0.0
        for _ in range(TRIES):
            async with self.at_once:
                begin = time.perf_counter()
                first = first or begin
                try:
                    asked = self.server.ask(path, form=form, cookies=cookies)
                    answer = await asyncio.wait_for(asked, PATIENCE)
                except (OSError, IndexError, ValueError, TimeoutError):  # or half an answer
                    answer = None
            if answer is not None and answer.status < 500:
                now = time.perf_counter()
                if form is not None:
                    self.times.append(now - begin)
                    self.longest = max(self.longest, now - first)
                return answer
            self.tries += 1
            await asyncio.sleep(AGAIN)
        raise TimeoutError(f"no answer to {path}")

    async def post(self, path: str, cookies: str, **said: object) -> Answer:
        """Send a form that has to be taken."""
        form = urlencode({**said, "csrfmiddlewaretoken": CSRF})
        answer = await self.surely(path, f"{cookies}; csrftoken={CSRF}", form)
        assert answer.status == 302, (path, said, answer.status, answer.text[-2000:])
        return answer

    async def lose(self, path: str, cookies: str, **said: object) -> None:
        """Send a form and hang up before there is an answer: it may have come through, or not."""
        form = urlencode({**said, "csrfmiddlewaretoken": CSRF})
        lines = [
            f"POST {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.server.port}",
            f"Cookie: {cookies}; csrftoken={CSRF}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(form)}",
        ]
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        except OSError:
            return
        writer.write("\r\n".join([*lines, "", form]).encode())
        writer.close()

    def meanwhile(self, what: Coroutine[Any, Any, None]) -> None:
        """Let something happen while the evening goes on."""
        self.late.append(asyncio.ensure_future(what))


@dataclass
class Phone:
    """A pair's phone, and what it keeps while it is offline."""

    evening: Evening
    code: str
    entry: int
    dice: random.Random
    kept: dict[str, str] = field(default_factory=dict)  # cookies
    waiting: list[tuple[str, dict[str, object], Phone]] = field(default_factory=list)
    page: str = ""  # the table's page that is open
    version: str = ""  # of what it shows

    @property
    def cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.kept.items())

    def _keep(self, answer: Answer) -> None:
        for one in filter(None, answer.cookies.split("; ")):
            name, _, value = one.partition("=")
            self.kept[name] = value

    async def scan(self, table: int, secret: str) -> None:
        """Scan a table's card; say the first time whose phone it is."""
        at = f"/p/{self.code}/table/{table}"
        is_first = not self.kept
        self._keep(await self.evening.surely(f"{at}/key/{secret}/", self.cookies))
        if is_first:
            self._keep(await self.evening.post(f"{at}/who/", self.cookies, who=self.entry))

    async def boards(self, table: int) -> list[int]:
        """The plays that the table's page offers to be entered."""
        address = f"/p/{self.code}/table/{table}/"
        page = await self.evening.surely(address, self.cookies)
        self.page, self.version = address, version_of(page)
        return [int(play) for play in re.findall(r'data-enter="(\d+)"', page.text)]

    async def poll(self) -> None:
        """Ask for news for ever; what is lost is asked again."""
        await asyncio.sleep(random.random() * POLL_EVERY)
        while True:
            await asyncio.sleep(POLL_EVERY)
            if not self.page:
                continue
            begin, page = time.perf_counter(), self.page
            asked = self.evening.server.ask(
                f"{page}?v={self.version}", cookies=self.cookies, fragment=True
            )
            try:
                answer = await asyncio.wait_for(asked, PATIENCE)
            except (OSError, IndexError, ValueError, TimeoutError):
                continue
            self.evening.polls.append(time.perf_counter() - begin)
            if answer.status == 200 and page == self.page:
                self.version = version_of(answer)
                self.evening.news += 1

    async def enter(self, path: str, said: dict[str, object], partner: Phone) -> None:
        """Send a result, and let the other side say yes; on the way much goes wrong."""
        dice, evening = self.dice, self.evening
        if dice.random() < LOST:
            await evening.lose(path, self.cookies, **said)
        await evening.post(path, self.cookies, **said)
        if dice.random() < REPEATED:
            evening.meanwhile(self._repeat(path, said))
        await evening.post(f"{path}check/", partner.cookies, side="ew", after=1)
        if dice.random() < REPEATED:
            await evening.post(f"{path}check/", partner.cookies, side="ew", after=1)

    async def _repeat(self, path: str, said: dict[str, object]) -> None:
        """Let the same form come once more, maybe after those of later boards."""
        await asyncio.sleep(self.dice.random() * 2 * self.evening.board)
        await self.evening.post(path, self.cookies, **said)

    async def send_what_waits(self) -> None:
        """Be online again: what waits is sent in its order."""
        while self.waiting:
            path, said, partner = self.waiting.pop(0)
            await self.enter(path, {**said, "late": 1}, partner)


def version_of(page: Answer) -> str:
    found = re.search(r'data-version="([^"]+)"', page.text)
    return found[1] if found else ""


@dataclass
class Room:
    """A section: its tables' phones, and its director."""

    evening: Evening
    told: dict[str, Any]  # by load_tables
    dice: random.Random
    rounds: int

    async def play(self) -> None:
        """Play all rounds; the director waits for nobody who is offline."""
        seats = {int(table): one for table, one in self.told["tables"].items()}
        north, east = (
            {table: self._phone(one[side]) for table, one in seats.items()} for side in ("ns", "ew")
        )
        polls = [asyncio.create_task(one.poll()) for one in (*north.values(), *east.values())]
        for round in range(1, self.rounds + 1):
            if round > 1:
                await self._start(after=round - 1)
                east = {table % len(seats) + 1: phone for table, phone in east.items()}
            await asyncio.gather(
                *(
                    self._play_at(table, seats[table]["secret"], north[table], east[table])
                    for table in seats
                )
            )
        await asyncio.gather(*(phone.send_what_waits() for phone in north.values()))
        for poll in polls:
            poll.cancel()

    def _phone(self, entry: int) -> Phone:
        dice = random.Random(self.dice.getrandbits(32))
        return Phone(self.evening, self.told["code"], entry, dice)

    async def _start(self, *, after: int) -> None:
        path = f"/s/{self.told['code']}/next-round/"
        await self.evening.post(path, f"sessionid={self.told['session']}", after=after)

    async def _play_at(self, table: int, secret: str, north: Phone, east: Phone) -> None:
        """Play a round at a table, whose phone may be offline for all of it."""
        dice = north.dice
        await asyncio.sleep(self.evening.board * dice.random())
        await east.scan(table, secret)
        if not north.kept:
            await north.scan(table, secret)
        await north.send_what_waits()
        plays = await north.boards(table)
        await east.boards(table)
        is_away = dice.random() < OFFLINE
        for place in range(len(plays) - 1):
            if dice.random() < SWAPPED:
                plays[place], plays[place + 1] = plays[place + 1], plays[place]
        for play in plays:
            await asyncio.sleep(self.evening.board * (0.25 + dice.random()))
            said = self.evening.truth[play] = outcome(dice)
            form = {**said, "side": "ns", "after": 0, "key": f"{dice.getrandbits(64):x}"}
            path = f"/p/{self.told['code']}/table/{table}/board/{play}/"
            if is_away:
                north.waiting.append((path, form, east))
            else:
                await north.enter(path, form, east)


@dataclass
class Machine:
    """Where the server runs, dies and is started again."""

    port: int
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        )
        while self.process.poll() is None:
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", self.port)):
                    return
            await asyncio.sleep(0.1)
        raise RuntimeError(f"the server ended: {self.process.returncode}")

    @property
    def pid(self) -> int:
        return self.process.pid if self.process else 0

    def kill(self) -> None:
        """Kill it in the middle of what it does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    async def dies(self, evening: Evening, expected: int) -> None:
        """Kill it some times in the evening, and start it again."""
        for kill in range(1, KILLS + 1):
            while len(evening.truth) < expected * kill // (KILLS + 1):
                await asyncio.sleep(0.1)
            self.kill()
            await self.start()


def free_port() -> int:
    while True:
        with socket.socket() as probe:
            port = random.choice(PORTS)
            if probe.connect_ex(("127.0.0.1", port)):
                return port


async def play(
    machine: Machine, rooms: list[dict[str, Any]], size: tuple[int, ...], pace: float
) -> Evening:
    sections, tables, rounds, boards = size
    await machine.start()
    evening = Evening(Server(machine.port, machine.pid), sections * tables / pace)
    async with asyncio.TaskGroup() as group:
        group.create_task(machine.dies(evening, sections * tables * rounds * boards))
        for number, told in enumerate(rooms):
            group.create_task(Room(evening, told, random.Random(number), rounds).play())
    await asyncio.gather(*evening.late)
    return evening


def measure(database: str, folder: str, size: tuple[int, ...], pace: float) -> None:
    """Let an evening be played, compare what stands with what was entered, and print both."""
    sections, tables, rounds, boards = size
    environment = {**os.environ, "DATABASE_URL": database, "VAR_DIR": folder}
    environment["DJANGO_SETTINGS_MODULE"] = "tests.benchmarks.load_settings"

    def told(*said: object) -> Any:
        command = [sys.executable, "-m", "tests.benchmarks.load_tables", *map(str, said)]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout.splitlines()[-1])

    rooms = told(sections, tables, boards)
    machine = Machine(free_port(), environment)
    begin = time.perf_counter()
    try:
        evening = asyncio.run(play(machine, rooms, size, pace))
    finally:
        machine.kill()
    seconds = time.perf_counter() - begin
    expected = [line(play, [said, 1, 2]) for play, said in sorted(evening.truth.items())]
    found = [line(int(play), said) for play, said in sorted(told().items(), key=by_number)]
    wrong = list(unified_diff(expected, found, "entered", "stands", n=0, lineterm=""))
    times = evening.times
    print(
        f"  {2 * sections * tables} phones, {len(expected)} results entered, {len(found)} stand,"
        f" {len(wrong)} lines differ; server killed {KILLS} times, {evening.tries} tries in vain"
    )
    print(
        f"  {len(times)} forms in {seconds:.0f} s: p50 {percentile(times, 0.5)},"
        f" p99 {percentile(times, 0.99)}; longest until stored {evening.longest:.1f} s",
        flush=True,
    )
    polls = evening.polls
    print(
        f"  {len(polls)} polls: p50 {percentile(polls, 0.5)}, p99 {percentile(polls, 0.99)};"
        f" {evening.news} of them brought news",
        flush=True,
    )
    for told_line in wrong[:MOST_SHOWN]:
        print(f"    {told_line}")
    if wrong or len(expected) != sections * tables * rounds * boards:
        raise SystemExit("What stands is not what was entered.")


def by_number(item: tuple[str, object]) -> int:
    return int(item[0])


def line(play: int, said: object) -> str:
    return f"{play} {json.dumps(said, sort_keys=True)}"


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # and the server with it
    size = tuple(int(word) for word in sys.argv[1:] if word.isdigit()) or USUAL
    pace = next((float(word[:-2]) for word in sys.argv[1:] if word.endswith("/s")), PACE)
    where = [word for word in sys.argv[1:] if word.isalpha()] or ["sqlite", "postgresql"]
    with tempfile.TemporaryDirectory() as folder:
        if "sqlite" in where:
            print("SQLite", flush=True)
            measure(f"sqlite:///{folder}/tables.sqlite3", folder, size, pace)
        if "postgresql" in where:
            try:
                with cluster() as database:
                    print("PostgreSQL", flush=True)
                    measure(database, folder, size, pace)
            except NoServer as missing:
                print(f"  not measured: {missing}")


if __name__ == "__main__":
    main()

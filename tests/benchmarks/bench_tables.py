"""Tables' phones under faults: messages are lost, repeated, late and out of order; the server is killed twice.

    python -m tests.benchmarks.bench_tables [SECTIONS TABLES ROUNDS BOARDS] [sqlite] [postgresql] [PACE/s]

Two phones a table: North-South's enters, East-West's says yes and goes on to the next table, where it scans the card
anew; a director of each section starts its rounds meanwhile, also while a phone is offline. Some phones come with a
result of last week, strangers answer instead of the server, and directors make other codes for all tables.
Afterwards the stored results are compared line by line with the entered ones: each result once, as its table entered
it, with both sides' yes, or on a phone that gives the reason. 600 phones with 24 boards each are `20 15 8 3`. At the
usual pace of 22 boards finished in a second a board takes them some 14 seconds instead of 7 minutes: thirty times as
fast as in an evening, and more than a process can take. With `5/s` (a minute instead of seven) one is enough, and
the whole takes half an hour. Every phone's page asks for news meanwhile, as it does in an evening.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from tests.postgres import NoServer, cluster

from .bench_load import Server, percentile
from .phones_at_tables import Phone, ServedEvening, outcome

USUAL = (2, 5, 2, 2)
SWAPPED, OFFLINE, RENEWED = 0.05, 0.03, 0.5  # of boards, of phones, of directors
KILLS = 2
PACE = 22.0  # boards that are finished in a second at most, at all tables together
MOST_SHOWN = 20  # lines that differ
#: Below those that a system gives whoever connects: a phone that tries while there is no server may else be given
#: the server's own port, is connected with itself, and keeps the server from coming back.
PORTS = range(20_000, 30_000)


@dataclass
class Room:
    """A section: its tables' phones, and its director."""

    evening: ServedEvening
    told: dict[str, Any]  # by load_tables
    dice: random.Random
    rounds: int
    codes: int = 0  # how often the director has made other ones

    def secret(self, table: int) -> str:
        found: str = self.told["tables"][str(table)]["secrets"][self.codes]
        return found

    async def play(self) -> None:
        """Play all rounds; the director does not wait for phones that are offline."""
        seats = {int(table): item for table, item in self.told["tables"].items()}
        north, east = (
            {table: self._phone(item[side]) for table, item in seats.items()}
            for side in ("ns", "ew")
        )
        polls = [asyncio.create_task(item.poll()) for item in (*north.values(), *east.values())]
        for round in range(1, self.rounds + 1):
            if round > 1:
                await self._direct("next-round", after=round - 1)
                if round == 2 and self.dice.random() < RENEWED:
                    await self._direct("results/phones/secrets")
                    self.codes += 1
                east = {table % len(seats) + 1: phone for table, phone in east.items()}
            await asyncio.gather(
                *(self._play_at(table, north[table], east[table]) for table in seats)
            )
        await asyncio.gather(*(phone.send_what_waits() for phone in north.values()))
        for poll in polls:
            poll.cancel()

    def _phone(self, entry: int) -> Phone:
        dice = random.Random(self.dice.getrandbits(32))
        return Phone(self.evening, self.told["code"], self.secret, entry, dice)

    async def _direct(self, what: str, **said: object) -> None:
        path = f"/s/{self.told['code']}/{what}/"
        await self.evening.post(path, f"sessionid={self.told['session']}", **said)

    async def _play_at(self, table: int, north: Phone, east: Phone) -> None:
        """Play a round at a table; its phone may be offline for the whole round."""
        dice = north.dice
        await asyncio.sleep(self.evening.board * dice.random())
        await east.scan(table)
        if not north.kept:
            await north.scan(table)
        await asyncio.gather(north.send(), east.send())  # as every page does that is opened
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
            form = {**said, "side": "ns", "after": 0}
            path = f"/p/{self.told['code']}/table/{table}/board/{play}/"
            if is_away:
                north.waiting.append((path, form, east))
            else:
                await north.enter(path, form, east)


@dataclass
class Machine:
    """The place where the server runs, dies and is started again."""

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
        """Kill the server in the middle of its work."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    async def dies(self, evening: ServedEvening, expected: int) -> None:
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
    machine: Machine, made: dict[str, Any], size: tuple[int, ...], pace: float
) -> ServedEvening:
    sections, tables, rounds, boards = size
    await machine.start()
    evening = ServedEvening(Server(machine.port, machine.pid), sections * tables / pace)
    evening.last_week = list(made["last week"])
    async with asyncio.TaskGroup() as group:
        group.create_task(machine.dies(evening, sections * tables * rounds * boards))
        for number, told in enumerate(made["rooms"]):
            group.create_task(Room(evening, told, random.Random(number), rounds).play())
    await asyncio.gather(*evening.late)
    return evening


def measure(database: str, folder: str, size: tuple[int, ...], pace: float) -> None:
    """Play an evening, compare the stored results with the entered ones, and print both."""
    sections, tables, rounds, boards = size
    environment = {**os.environ, "DATABASE_URL": database, "VAR_DIR": folder}
    environment["DJANGO_SETTINGS_MODULE"] = "tests.benchmarks.load_settings"

    def told(*said: object) -> Any:
        command = [sys.executable, "-m", "tests.benchmarks.load_tables", *map(str, said)]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout.splitlines()[-1])

    made = told(sections, tables, boards)
    machine = Machine(free_port(), environment)
    begin = time.perf_counter()
    try:
        evening = asyncio.run(play(machine, made, size, pace))
    finally:
        machine.kill()
    seconds = time.perf_counter() - begin
    sent = {play: said for play, said in evening.truth.items() if play not in evening.why}
    expected = [line(play, [said, 1, 2]) for play, said in sorted(sent.items())]
    found = [line(int(play), said) for play, said in sorted(told().items(), key=by_number)]
    wrong = list(unified_diff(expected, found, "entered", "stands", n=0, lineterm=""))
    times = evening.times
    print(
        f"  {len(evening.why)} results cannot be sent, and their phones say why: {sorted(set(evening.why.values()))};"
        f" strangers answered {evening.strangers} times, {evening.scans} letters had their card scanned anew"
    )
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

"""Simulated phones of a bad evening: their stored messages, their sending, and the results expected afterwards."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from .bench_load import CSRF, Answer, Server

LOST, REPEATED = 0.05, 0.10
LAST_WEEK, FOREIGN = 0.10, 0.02  # of phones, of answers
POLL_EVERY = 5.0  # seconds: as templates/tables/table.html has it
AT_ONCE = 16  # requests on their way in one moment, however slow the machine is: in an evening they are fewer
PATIENCE, AGAIN = (
    8.0,
    10.0,
)  # seconds until a phone hangs up, and asks again: as static/js/tables.js has it
TRIES = 20  # without an answer: no server killed and started again explains that


def outcome(dice: random.Random) -> dict[str, object]:
    level, over = dice.randint(1, 7), dice.randint(-3, 2)
    tricks = min(13, 6 + level + over)
    contract = f"{level}{dice.choice(['C', 'D', 'H', 'S', 'NT'])}"
    return {"contract": contract, "declarer": dice.choice("NESW"), "tricks": tricks}


@dataclass
class Letter:
    """A message of a phone and the form fields that it sends."""

    path: str
    said: dict[str, object]
    key: str
    why: str = ""

    @property
    def table(self) -> int:
        return int(self.path.split("/")[4])

    @property
    def play(self) -> int:
        return int(self.path.split("/")[6])


SENT, AGAIN_LATER, STUCK = "sent", "again", "stuck"
WIFI = "<h1>Welcome to our Wi-Fi</h1>"


def fate(key: str, status: int, text: str) -> tuple[str, str]:
    """Return the fate of a message by its answer, and the server's words, as static/js/letters.js does."""
    try:
        body = json.loads(text)
    except ValueError:
        return AGAIN_LATER, ""
    if body.get("letter") != key or status in (425, 429) or status >= 500:
        return AGAIN_LATER, ""
    return (STUCK, body["words"]) if status >= 400 else (SENT, "")


@dataclass
class ServedEvening:
    """Events at the server and the results expected at the end of an evening."""

    server: Server
    board: float  # seconds that one takes on average, people taking their seats included
    truth: dict[int, object] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)  # seconds, of forms that were answered
    polls: list[float] = field(default_factory=list)  # of pages that ask for news
    news: int = 0
    strangers: int = 0  # answers of a Wi-Fi's page
    scans: int = 0  # of a card once more, since its code was another one
    last_week: list[str] = field(default_factory=list)  # addresses of results of then
    why: dict[int, str] = field(default_factory=dict)  # plays whose result a phone cannot send
    tries: int = 0  # without an answer
    longest: float = 0.0  # seconds from a form's first try to its answer
    late: list[asyncio.Task[None]] = field(default_factory=list)
    at_once: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def surely(
        self, path: str, cookies: str, form: str | None = None, letter: str = ""
    ) -> Answer:
        """Ask until there is an answer: the server may be dead just now, but not for long."""
        first = 0.0
        for _ in range(TRIES):
            async with self.at_once:
                begin = time.perf_counter()
                first = first or begin
                try:
                    async with asyncio.timeout(PATIENCE):
                        answer = await self.server.ask(
                            path, form=form, cookies=cookies, letter=letter
                        )
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

    async def lose(self, letter: Letter, cookies: str) -> None:
        """Send a letter and hang up before there is an answer: it may have come through, or not."""
        form = urlencode(letter.said)
        lines = [
            f"POST {letter.path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.server.port}",
            f"Cookie: {cookies}",
            f"X-Letter: {letter.key}",
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
    """A pair's phone and the messages that it keeps while it is offline."""

    evening: ServedEvening
    code: str
    card: Callable[[int], str]  # the secret on a table's card, as it is now
    entry: int
    dice: random.Random
    kept: dict[str, str] = field(default_factory=dict)  # cookies
    letters: list[Letter] = field(default_factory=list)
    waiting: list[tuple[str, dict[str, object], Phone]] = field(default_factory=list)
    page: str = ""  # the table's page that is open
    version: str = ""  # of what it shows

    def __post_init__(self) -> None:
        if self.evening.last_week and self.dice.random() < LAST_WEEK:
            said = outcome(self.dice) | {"side": "ns", "after": 0, "late": 1}
            letter = self.writes(self.evening.last_week.pop(), said)
            self.evening.truth[letter.play] = said

    @property
    def cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.kept.items())

    def _keep(self, answer: Answer) -> None:
        for part in filter(None, answer.cookies.split("; ")):
            name, _, value = part.partition("=")
            self.kept[name] = value

    def _at(self, table: int) -> str:
        return f"/p/{self.code}/table/{table}/"

    async def scan(self, table: int) -> None:
        """Scan a table's card; name the phone's pair the first time."""
        at, secret = self._at(table), self.card(table)
        is_first = not self.kept
        self._keep(await self.evening.surely(f"{at}key/{secret}/", self.cookies))
        if is_first:
            self._keep(await self.evening.post(f"{at}who/", self.cookies, who=self.entry))

    async def boards(self, table: int) -> list[int]:
        """The plays that the table's page offers to be entered."""
        address = self._at(table)
        page = await self.evening.surely(address, self.cookies)
        if page.status == 403:  # there are other codes
            await self.scan(table)
            page = await self.evening.surely(address, self.cookies)
        self.page, self.version = address, version_of(page)
        return [int(play) for play in re.findall(r'data-enter="(\d+)"', page.text)]

    def writes(self, path: str, said: dict[str, object]) -> Letter:
        """Store a message for sending."""
        key = f"{self.dice.getrandbits(64):x}"
        letter = Letter(path, {**said, "key": key}, key)
        self.letters.append(letter)
        return letter

    async def send(self) -> None:
        """Send the stored messages, each by itself, until only unsendable ones remain."""
        due = list(self.letters)
        while due:
            for letter in due:
                await self._attempt(letter)
            due = [letter for letter in self.letters if not letter.why]
            if due:
                await asyncio.sleep(AGAIN)

    async def _attempt(self, letter: Letter) -> None:
        evening = self.evening
        if self.dice.random() < LOST:
            await evening.lose(letter, self.cookies)
        if self.dice.random() < FOREIGN:
            evening.strangers += 1
            came, why = fate(letter.key, 200, WIFI)
        else:
            said = urlencode(letter.said)
            answer = await evening.surely(letter.path, self.cookies, said, letter.key)
            came, why = fate(letter.key, answer.status, answer.text)
            if answer.status == 403 and letter.path.startswith(self._at(letter.table)):
                evening.scans += 1  # the card says so: then it is sent
                await self.scan(letter.table)
                came, why = AGAIN_LATER, ""
        letter.why = why
        if why:
            evening.why[letter.play] = why
        if came == SENT and letter in self.letters:
            self.letters.remove(letter)

    async def poll(self) -> None:
        """Poll for news without end; a lost request is repeated."""
        await asyncio.sleep(random.random() * POLL_EVERY)
        while True:
            await asyncio.sleep(POLL_EVERY)
            if not self.page:
                continue
            begin, page = time.perf_counter(), self.page
            try:
                async with asyncio.timeout(PATIENCE):
                    answer = await self.evening.server.ask(
                        f"{page}?v={self.version}", cookies=self.cookies, fragment=True
                    )
            except (OSError, IndexError, ValueError, TimeoutError):
                continue
            self.evening.polls.append(time.perf_counter() - begin)
            if answer.status == 200 and page == self.page:
                self.version = version_of(answer)
                self.evening.news += 1

    async def enter(self, path: str, said: dict[str, object], partner: Phone) -> None:
        """Send a result, and let the other side say yes; on the way much goes wrong."""
        dice, evening = self.dice, self.evening
        letter = self.writes(path, said)
        await self.send()
        if dice.random() < REPEATED:
            evening.meanwhile(self._repeat(letter))
        for _time in range(1 + (dice.random() < REPEATED)):
            partner.writes(f"{path}check/", {"side": "ew", "after": 1})
            await partner.send()

    async def _repeat(self, letter: Letter) -> None:
        """Let the same letter come once more, maybe after those of later boards."""
        await asyncio.sleep(self.dice.random() * 2 * self.evening.board)
        await self._attempt(letter)

    async def send_what_waits(self) -> None:
        """Go online again: stored messages are sent in their order."""
        while self.waiting:
            path, said, partner = self.waiting.pop(0)
            await self.enter(path, {**said, "late": 1}, partner)


def version_of(page: Answer) -> str:
    match = re.search(r'data-version="([^"]+)"', page.text)
    return match[1] if match else ""

"""Tables' phones on a bad evening: requests that are lost, repeated, late and out of order, a server killed twice.

    python -m tests.benchmarks.bench_tables [SECTIONS TABLES BOARDS]

Every result has to stand once, as its table entered it, with the other side's yes; what stands is compared with what
was entered, play by play. 20 sections of 15 tables with 24 boards are a big evening: `20 15 24`.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlencode

from .bench_load import CSRF, Answer, Server, percentile

USUAL = (2, 5, 4)
LOST, REPEATED, SWAPPED, OFFLINE = 0.05, 0.10, 0.05, 0.03
KILLS = 2
TRIES = 300
PATIENCE = 8.0  # seconds, as phones have
AWAY = 2.0  # seconds a phone has no network


def outcome(dice: random.Random) -> dict[str, object]:
    level, over = dice.randint(1, 7), dice.randint(-3, 2)
    tricks = min(13, 6 + level + over)
    contract = f"{level}{dice.choice(['C', 'D', 'H', 'S', 'NT'])}"
    return {"contract": contract, "declarer": dice.choice("NESW"), "tricks": tricks}


async def surely(server: Server, path: str, form: str, cookies: str, times: list[float]) -> Answer:
    """Send a form until there is an answer: the server may be dead just now, but not for a minute."""
    status = 0
    for _ in range(TRIES):
        begin = time.perf_counter()
        try:
            asked = server.ask(path, form=form, cookies=cookies)
            answer = await asyncio.wait_for(asked, PATIENCE)
        except (OSError, IndexError, TimeoutError):
            await asyncio.sleep(0.2)
            continue
        if answer.status < 500:
            times.append(time.perf_counter() - begin)
            return answer
        status = answer.status
        await asyncio.sleep(0.2)
    raise TimeoutError(f"no answer to {path}, last {status}")


async def lose(server: Server, path: str, form: str, cookies: str) -> None:
    """Send a form and hang up before there is an answer."""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
    except OSError:
        return
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {cookies}\r\n"
    kind = "Content-Type: application/x-www-form-urlencoded\r\n"
    writer.write(f"{head}{kind}Content-Length: {len(form)}\r\n\r\n{form}".encode())
    writer.close()


async def table(
    server: Server, one: dict, truth: dict, times: list[float], dice: random.Random
) -> None:
    """Join, and enter every board of the round."""
    at, csrf = f"/p/{one['code']}/table/{one['table']}", f"csrftoken={CSRF}"
    joined = await server.ask(f"{at}/key/{one['secret']}/")
    said = urlencode({"who": 0, "csrfmiddlewaretoken": CSRF})
    own = await server.ask(f"{at}/who/", form=said, cookies=f"{joined.cookies}; {csrf}")
    cookies = f"{own.cookies}; {csrf}"
    plays = list(one["plays"])
    for place in range(len(plays) - 1):
        if dice.random() < SWAPPED:
            plays[place], plays[place + 1] = plays[place + 1], plays[place]
    for play, _board in plays:
        await asyncio.sleep(dice.random() * 0.5)
        truth[play] = outcome(dice)
        is_away = dice.random() < OFFLINE
        if is_away:
            await asyncio.sleep(AWAY)
        key = f"{dice.getrandbits(64):x}"
        form = {**truth[play], "side": "ns", "after": 0, "key": key, "csrfmiddlewaretoken": CSRF}
        form |= {"late": 1} if is_away else {}
        path = f"{at}/board/{play}/"
        if dice.random() < LOST:
            await lose(server, path, urlencode(form), cookies)
        for _ in range(2 if dice.random() < REPEATED else 1):
            answer = await surely(server, path, urlencode(form), cookies, times)
            assert answer.status == 302, (answer.status, answer.text[:500])
        yes = urlencode({"side": "ew", "after": 1, "csrfmiddlewaretoken": CSRF})
        await surely(server, f"{path}check/", yes, cookies, times)


def start(port: int, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    for _ in range(300):
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return process
        time.sleep(0.1)
    raise TimeoutError("the server does not answer")


async def killing(port: int, environment: dict[str, str], running: list) -> None:
    """Kill the server now and then, in the middle of what it does, and start it again."""
    for _ in range(KILLS):
        await asyncio.sleep(2)
        running[0].kill()
        running[0].wait()
        running[0] = await asyncio.to_thread(start, port, environment)


async def play(server: Server, tables: list, environment: dict, running: list) -> tuple[dict, list]:
    truth: dict[int, object] = {}
    times: list[float] = []
    await asyncio.gather(
        killing(server.port, environment, running),
        *(table(server, one, truth, times, random.Random(n)) for n, one in enumerate(tables)),
    )
    return truth, times


def main() -> None:
    size = tuple(map(int, re.findall(r"\d+", " ".join(sys.argv[1:])))) or USUAL
    with tempfile.TemporaryDirectory() as folder:
        database = os.environ.get("TABLES_DATABASE_URL", f"sqlite:///{folder}/tables.sqlite3")
        environment = {**os.environ, "DATABASE_URL": database, "VAR_DIR": folder}
        environment["DJANGO_SETTINGS_MODULE"] = "tests.benchmarks.load_settings"

        def told(*said: object) -> object:
            command = [sys.executable, "-m", "tests.benchmarks.load_tables", *map(str, said)]
            done = subprocess.run(command, env=environment, check=True, capture_output=True)
            return json.loads(done.stdout.splitlines()[-1])

        tables = told(*size)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        running = [start(port, environment)]
        try:
            server = Server(port, running[0].pid)
            truth, times = asyncio.run(play(server, tables, environment, running))
        finally:
            running[0].terminate()
            running[0].wait()
        found = told()
    expected = {str(key): [said, 1, 2] for key, said in truth.items()}
    wrong = sum(found.get(key) != said for key, said in expected.items())
    print(
        f"  {len(tables)} tables, {len(truth)} results, {len(times)} forms, server killed {KILLS} times:"
        f" {wrong} wrong, {len(found) - len(expected)} too many;"
        f" p50 {percentile(times, 0.5)}, p99 {percentile(times, 0.99)}"
    )


if __name__ == "__main__":
    main()

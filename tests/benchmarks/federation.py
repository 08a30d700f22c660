"""A federation's evening: many sections over two web processes, with PostgreSQL and Redis, behind Caddy.

    python -m tests.benchmarks.federation [SECTIONS [TABLES]]

Everybody polls as in `bench_load`, whose report this is; meanwhile one web process is killed, and started again.
Phones, processes, databases and proxy share this machine: how many phones it carries is less than it would be.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from tests.postgres import cluster

from . import bench_load as load

CADDYFILE = Path(__file__).parents[2] / "deploy" / "Caddyfile"
AWAY = 3.0  # seconds for which the killed process is away


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Web:
    """A web process that can be killed and started again at its port."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.port, self._environment = free_port(), environment
        self.start()

    def start(self) -> None:
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(command, env=self._environment, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


@contextmanager
def federation(sections: int, tables: int) -> Iterator[tuple[load.Server, list[Web], dict]]:
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
        command = [
            sys.executable,
            "-m",
            "tests.benchmarks.load_evening",
            str(sections),
            str(tables),
        ]
        made = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        webs = [Web(environment) for _ in range(2)]
        for web in webs:
            stack.callback(web.stop)
        caddy = subprocess.Popen(
            ["caddy", "run", "--config", str(CADDYFILE), "--adapter", "caddyfile"],
            env={
                **os.environ,
                "BRIDGEBUDDY_SITE": f"http://127.0.0.1:{front}",
                "BRIDGEBUDDY_WEB": " ".join(f"127.0.0.1:{web.port}" for web in webs),
                "HTTP_PORT": str(free_port()),
                "HTTPS_PORT": str(free_port()),
                "CADDY_ADMIN_AT": "off",
                "XDG_DATA_HOME": folder,
                "XDG_CONFIG_HOME": folder,
            },
            stderr=subprocess.DEVNULL,
        )
        stack.callback(caddy.terminate)
        for web in webs:
            load.wait_for(load.Server(web.port, web.process.pid))
        server = load.Server(front, webs[0].process.pid)
        load.wait_for(server)
        yield server, webs, json.loads(made.stdout.splitlines()[-1])


async def killed_meanwhile(web: Web) -> None:
    """Kill a process in the middle of the evening, and start it again."""
    await asyncio.sleep(load.EVENING / 2)
    web.kill()
    await asyncio.sleep(AWAY)
    web.start()


async def evening(server: load.Server, webs: list[Web], made: dict) -> load.Log:
    played, _ = await asyncio.gather(load.play(server, made), killed_meanwhile(webs[1]))
    return played


def main(sections: int = 20, tables: int = 29) -> None:
    if missing := [one for one in ("caddy", "redis-server") if not shutil.which(one)]:
        print(f"not measured: apt-get install {' '.join(missing)}")
        return
    print(
        f"{sections} sections, {2 * sections * tables} phones; load before: {os.getloadavg()[0]:.1f}"
    )
    begin = time.perf_counter()
    with federation(sections, tables) as (server, webs, made):
        print(f"  set up in {time.perf_counter() - begin:.0f} s")
        log = asyncio.run(evening(server, webs, made))
        memory = sum(load.Server(web.port, web.process.pid).memory for web in webs)
    asked = len(log.polls) + len(log.pages)
    print(
        f"  {asked / load.EVENING:.0f} requests/s, {log.errors} errors, one process killed meanwhile"
    )
    for what, seconds in (("unchanged polls", log.polls), ("new pages", log.pages)):
        p50, p99 = load.percentile(seconds, 0.5), load.percentile(seconds, 0.99)
        print(f"  {len(seconds)} {what}: p50 {p50}, p99 {p99}")
    print(
        f"  click to last phone of a section: median {median(log.last_phones):.1f} s,"
        f" longest {max(log.last_phones):.1f} s ({log.late} phones not reached)"
    )
    print(f"  both processes: {memory / 1e6:.0f} MB resident")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

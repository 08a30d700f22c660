"""The systemd units of BridgeBuddy: stop, start and renew them, and ask whether servers answer."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .machine import Machine, UpdateFailed, for_user, last_lines, must, put_file, root_command, say

#: seconds: a Raspberry Pi begins slowly
PATIENCE = float(os.environ.get("BRIDGEBUDDY_PATIENCE", "120"))
INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LIST = ("list-units", "--plain", "--no-legend", "--state=active,activating", "bridgebuddy*")


def running_services() -> list[str]:
    """Return the units of BridgeBuddy that run now; none where systemd does not run."""
    if not Path("/run/systemd/system").is_dir():
        return []
    lines = root_command("systemctl", *LIST).stdout.splitlines()
    return [line.split()[0] for line in lines if line.strip()]


@contextmanager
def stopped(services: list[str]) -> Iterator[None]:
    """Stop services, and start them again whatever happens meanwhile, also when the terminal is closed."""

    def interrupted(number: int, _frame: object) -> None:
        raise UpdateFailed(f"The update was interrupted (signal {number}).")

    usual = {number: signal.signal(number, interrupted) for number in INTERRUPTIONS}
    try:
        if services:
            say("Stopping the server")
            must(root_command("systemctl", "stop", *services), "The server could not be stopped.")
        yield
    finally:
        for number in INTERRUPTIONS:
            signal.signal(number, signal.SIG_IGN)
        if services:
            say("Starting the server")
            root_command("systemctl", "daemon-reload")
            lasting = [name for name in services if name != "bridgebuddy-night.service"]
            root_command("systemctl", "start", *lasting)
        for number, handler in usual.items():
            signal.signal(number, handler)


def put_units(machine: Machine, release: Path) -> None:
    """Bring the units that this machine uses to those of a version."""
    for unit in sorted((release / "deploy/systemd").glob("bridgebuddy*")):
        installed = machine.units / unit.name
        if installed.exists() and installed.read_bytes() != unit.read_bytes():
            put_file(unit, installed)


def addresses(machine: Machine, services: list[str]) -> list[str]:
    """Return where the servers among some services answer, by the port in their units."""
    found = []
    for name in services:
        family, is_one_of_many, instance = name.removesuffix(".service").partition("@")
        unit = machine.units / f"{family}{is_one_of_many}.service"
        text = unit.read_text() if unit.exists() else ""
        if port := re.search(r"^ExecStart=.* serve .*--port (\S+)", text, re.M):
            found.append(f"http://127.0.0.1:{port[1].replace('%i', instance)}/healthz")
    return found


def answers(address: str) -> bool:
    """Tell whether a server says within `PATIENCE` that it can answer."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(OSError, ValueError), urllib.request.urlopen(address, timeout=5) as answer:
            if answer.status == 200:
                return True
        time.sleep(0.5)
    return False


def try_release(machine: Machine, release: Path) -> None:
    """Start a version at a free port of this machine, on its database, and see whether it answers.

    Raises `UpdateFailed` with the last lines of its log if it does not.
    """
    say("Trying the new version")
    own = {"WEB_PROCESSES": "1"}
    if machine.has_own_database:
        own["DATABASE_URL"] = f"sqlite:///{(release / 'database').resolve()}"
    serve = ("-u", "manage.py", "serve", "--host", "127.0.0.1", "--port", "0", "--without-jobs")
    with (
        tempfile.TemporaryFile("w+") as log,
        subprocess.Popen(
            [release / ".venv/bin/python", *serve],
            cwd=release,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            **for_user(machine, **own),
        ) as server,
    ):
        try:
            assert server.stdout is not None
            line = next((line for line in server.stdout if "answers on" in line), "")
            port = line.strip().rpartition(":")[2]
            if not port.isdigit() or not answers(f"http://127.0.0.1:{port}/healthz"):
                log.seek(0)
                raise UpdateFailed(f"The new version does not answer.\n{last_lines(log.read())}")
        finally:
            server.terminate()

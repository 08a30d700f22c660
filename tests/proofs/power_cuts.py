"""Cut the power of a server that stores results, and count the acknowledged results that are missing.

    python -m tests.proofs.power_cuts [CUTS] [FORMS]

The database lies on an ext4 file system in an image on a loop device. A cut stops the server's processes in the middle
of their work and copies the image as the device holds it: what waits in the system's page cache is not in it, as after
a plug is pulled. Mounting the copy replays the file system's journal, and opening the database replays SQLite's. Every
form that the server had answered before the cut has to be found there. Needs the rights to mount.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from filecmp import cmp
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests import prepared
from tests.security.servers import PATIENCE, ROOT, Server, bridgebuddy, children

FILE = "evening.sqlite3"
SIZE = 96 * 2**20
MOST_COPIES = 50
TABLES = 7


class CannotMount(Exception):
    """This machine, or this account, mounts no file system image."""


@contextmanager
def mounted(image: Path) -> Iterator[Path]:
    """Mount an image on a loop device; yield the folder. Raises `CannotMount`."""
    folder = Path(tempfile.mkdtemp(prefix="mounted-", dir=image.parent))
    _run("mount", "-o", "loop,noatime", str(image), str(folder))
    try:
        yield folder
    finally:
        _run("umount", "--lazy", str(folder))  # also where a process still ends
        folder.rmdir()


@contextmanager
def disk(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Make a file system in an image; yield the image and where it is mounted. Raises `CannotMount`."""
    image = folder / "disk.img"
    with image.open("wb") as opened:
        opened.truncate(SIZE)
    _run("mkfs.ext4", "-q", "-F", str(image))
    with mounted(image) as at:
        yield image, at


def _run(*command: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as broken:
        said = getattr(broken, "stderr", "") or str(broken)
        raise CannotMount(f"{command[0]}: {said.strip()}") from broken


@dataclass
class Form:
    """A result as a table's phone sends it."""

    address: str
    cookies: str
    play: int
    contract: str

    def send(self, port: int) -> bool:
        """Send it as a letter; return whether the server says that it is stored."""
        said = {"side": "ns", "after": 0, "key": f"key-{self.play}", "contract": self.contract}
        said |= {"declarer": "N", "tricks": 9}
        status, _cookies, text = _ask(
            port, self.address, self.cookies, urlencode(said), f"letter-{self.play}"
        )
        return status == 200 and "to" in json.loads(text)


def _ask(
    port: int, path: str, cookies: str = "", form: str | None = None, letter: str = ""
) -> tuple[int, str, str]:
    """Send a request; return its status, the cookies it sets and its text."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if form is not None else {}
    headers |= {"Cookie": cookies} if cookies else {}
    headers |= {"X-Letter": letter} if letter else {}
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET" if form is None else "POST", path, form, headers)
        answer = connection.getresponse()
        given = [value.partition(";")[0] for value in answer.msg.get_all("Set-Cookie") or []]
        return answer.status, "; ".join(given), answer.read().decode()


@dataclass
class InterruptedEvening:
    """A session with incoming results, and the results that the server has acknowledged."""

    server: Server
    forms: list[Form]
    acknowledged: dict[int, str] = field(default_factory=dict)

    def send(self, form: Form) -> None:
        if form.send(self.server.port):
            self.acknowledged[form.play] = form.contract

    def cut(self, image: Path, copy: Path) -> dict[int, str]:
        """Copy the disk as it is at this moment; return the results acknowledged before it.

        No process of the server runs meanwhile, and two copies that are equal are of one moment.
        """
        acknowledged = dict(self.acknowledged)
        processes = [self.server.process.pid, *children(self.server)]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        again = copy.with_suffix(".again")
        try:
            for _ in range(MOST_COPIES):
                shutil.copy(image, copy)
                shutil.copy(image, again)
                if cmp(copy, again, shallow=False):
                    return acknowledged
            raise AssertionError("the disk is being written all the time")
        finally:
            again.unlink(missing_ok=True)
            for process in reversed(processes):
                os.kill(process, signal.SIGCONT)


def missing_after(copy: Path, acknowledged: dict[int, str]) -> dict[int, str]:
    """Start the copied disk again; return the acknowledged results that its database does not have."""
    with mounted(copy) as at, closing(sqlite3.connect(at / FILE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = database.execute("SELECT play_id, outcome FROM scoring_result WHERE stands")
        stored = {play: json.loads(outcome).get("contract") for play, outcome in rows}
    return {
        play: contract for play, contract in acknowledged.items() if stored.get(play) != contract
    }


@contextmanager
def evening(
    folder: Path, at: Path, *, tables: int, boards: int, seed: int
) -> Iterator[InterruptedEvening]:
    """Serve a session from a database in `at` whose tables have phones, with a form for each board of round 1."""
    address = f"sqlite:///{at / FILE}"
    if prepared.made().exists():
        shutil.copy(prepared.made(), at / FILE)
    own = {"DATABASE_URL": address, "VAR_DIR": str(folder)}
    made = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.load_tables", "1", str(tables), str(boards)],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "bridgebuddy.settings", **own},
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    room = json.loads(made.stdout)["rooms"][0]
    with bridgebuddy(folder, DATABASE_URL=address, WEB_PROCESSES="2") as server:
        plays = _plays_of(at / FILE, room["code"])
        dice = random.Random(seed)
        try:
            yield InterruptedEvening(server, _forms(server.port, room, plays, dice))
        finally:  # all its processes: one that is left keeps the file system busy
            server.process.terminate()
            server.process.wait(PATIENCE)


def _plays_of(file: Path, code: str) -> dict[int, list[int]]:
    """Return the keys of a section's plays by table."""
    found: dict[int, list[int]] = {}
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute(
            "SELECT play.'table', play.id FROM events_play play JOIN events_section section"
            " ON section.id = play.section_id WHERE section.code = ? ORDER BY play.id",
            [code],
        )
        for table, play in rows:
            found.setdefault(table, []).append(play)
    return found


def _forms(
    port: int, room: dict[str, Any], plays: dict[int, list[int]], dice: random.Random
) -> list[Form]:
    """Let a phone in at each table; return the results that it will send, board by board."""
    found = []
    for table, told in room["tables"].items():
        at = f"/p/{room['code']}/table/{table}/"
        _status, cookies, _text = _ask(port, f"{at}key/{told['secrets'][0]}/")
        _status, more, _text = _ask(port, f"{at}who/", cookies, f"who={told['ns']}", "who")
        for play in plays[int(table)]:
            contract = f"{dice.randint(1, 7)}{dice.choice('CDHS')}"
            found.append(Form(f"{at}board/{play}/", more, play, contract))
    found.sort(key=lambda form: form.play)
    return found


def proof(cuts: int, forms: int) -> int:
    """Cut the power `cuts` times while forms come in; print each cut and return the missing results."""
    lost = 0
    boards = -(-forms // TABLES)
    with (
        tempfile.TemporaryDirectory() as name,
        disk(Path(name)) as (image, at),
        evening(Path(name), at, tables=TABLES, boards=boards, seed=8) as played,
    ):
        enough = threading.Semaphore(0)

        def tell(_done: Future[None]) -> None:
            enough.release()

        with ThreadPoolExecutor(TABLES) as phones:
            for form in played.forms[:forms]:
                phones.submit(played.send, form).add_done_callback(tell)
            for number in range(cuts):
                for _ in range(forms // cuts):
                    enough.acquire()
                copy = Path(name, f"cut-{number}.img")
                acknowledged = played.cut(image, copy)
                missing = missing_after(copy, acknowledged)
                copy.unlink()
                lost += len(missing)
                print(f"cut {number + 1}: {len(missing)} of {len(acknowledged)} missing")
        print(f"{len(played.acknowledged)} of {forms} forms acknowledged")
    return lost


if __name__ == "__main__":
    sys.exit(1 if proof(*[int(said) for said in sys.argv[1:]] or (10, 200)) else 0)

"""A server as `make run` starts it, and connections to it that do as they like."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import prepared

ROOT = Path(__file__).resolve().parents[2]
#: seconds: a test that passes never waits for their end
PATIENCE = 60


@dataclass
class Server:
    """A running server."""

    process: subprocess.Popen[str]
    port: int

    def connect(self, sent: bytes = b"") -> socket.socket:
        """Open a connection, and send something that need not be a request."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection.sendall(sent)
        return connection

    def ask(self, path: str, *headers: str) -> bytes:
        """Ask for a page in a connection of its own, and return the whole answer."""
        lines = [f"GET {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", ""]
        with self.connect("\r\n".join(lines).encode()) as connection:
            return received(connection)


def received(connection: socket.socket) -> bytes:
    """Read until the other side closes."""
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def children(server: Server) -> set[int]:
    """The processes that a server has started."""
    told = os.popen(f"ps -o pid= --ppid {server.process.pid}").read()
    return {int(pid) for pid in told.split()}


def status(answer: bytes) -> bytes:
    return answer.split(b" ", 2)[1]


@contextmanager
def running(*command: str, cwd: Path = ROOT, **environment: str) -> Iterator[Server]:
    """Start a Python program that says on which port it answers."""
    process = subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, **environment},
        cwd=cwd,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        said = next((line for line in process.stdout if "answers on" in line), "")
        yield Server(process, int(re.findall(r":(\d+)$", said.strip())[0]))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@contextmanager
def bridgebuddy(folder: Path, *, with_jobs: bool = False, **environment: str) -> Iterator[Server]:
    """Start BridgeBuddy on an empty database in a folder: a copy of the migrated one if there is one."""
    empty = folder / "empty.sqlite3"
    own = {"VAR_DIR": str(folder), "DATABASE_URL": f"sqlite:///{empty}", **environment}
    if "DATABASE_URL" not in environment and not empty.exists() and prepared.made().exists():
        shutil.copy(prepared.made(), empty)
    else:
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0", "--without-backup"]
        subprocess.run(migrate, env={**os.environ, **own}, cwd=ROOT, check=True)
    jobs = () if with_jobs else ("--without-jobs",)
    with running("-u", "manage.py", "serve", "--port", "0", *jobs, cwd=ROOT, **own) as server:
        yield server

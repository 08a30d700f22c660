"""A PostgreSQL cluster for the length of a test run."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class NoServer(Exception):
    """This machine has no PostgreSQL server binary."""


def _binaries() -> Path:
    """Return the folder of initdb and postgres, newest version first."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    if found:
        return found[0].parent
    if initdb := shutil.which("initdb"):
        return Path(initdb).resolve().parent
    raise NoServer("no initdb found; install the package postgresql to include it")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def cluster() -> Iterator[str]:
    """Start a cluster in a temporary directory and yield its DATABASE_URL.

    PostgreSQL refuses to run as root: root runs it as an unprivileged user, usually `postgres`.
    Raises `NoServer`.
    """
    binaries = _binaries()
    folder = Path(tempfile.mkdtemp(prefix="bridgebuddy-pg-"))
    as_user: dict[str, Any] = {}
    if os.geteuid() == 0:
        user = next(name for name in ("postgres", "nobody") if _exists(name))
        entry = pwd.getpwnam(user)
        os.chown(folder, entry.pw_uid, entry.pw_gid)
        as_user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    data, port = folder / "data", free_port()
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "check": True, "cwd": folder, **as_user}
    control: list[str | Path] = [binaries / "pg_ctl", "-D", data, "-w"]
    quick = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c jit=off"
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 {quick}"
    try:
        subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "bridgebuddy", "-A", "trust", "-E", "UTF8"],
            **quiet,
        )
        subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], **quiet)
        try:
            yield f"postgres://bridgebuddy@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **quiet)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True

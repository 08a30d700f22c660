"""The folders, settings, links and commands of an installed BridgeBuddy."""

from __future__ import annotations

import fcntl
import os
import pwd
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

USER = "bridgebuddy"


class UpdateFailed(Exception):
    """A step that failed, as a sentence for the operator."""


def _place(name: str, default: str) -> Path:
    return Path(os.environ.get(f"BRIDGEBUDDY_{name}", default))


@dataclass
class Machine:
    """Where BridgeBuddy lies on this machine. Tests name other places by environment variables."""

    opt: Path = field(default_factory=lambda: _place("OPT", "/opt/bridgebuddy"))
    var: Path = field(default_factory=lambda: _place("VAR", "/var/lib/bridgebuddy"))
    environment: Path = field(default_factory=lambda: _place("ENV", "/etc/bridgebuddy.env"))
    units: Path = field(default_factory=lambda: _place("UNITS", "/etc/systemd/system"))

    @property
    def current(self) -> Path:
        return self.opt / "current"

    @property
    def previous(self) -> Path:
        return self.opt / "previous"

    @property
    def releases(self) -> Path:
        return self.opt / "releases"

    @property
    def database(self) -> Path:
        return self.var / "bridgebuddy.sqlite3"

    @property
    def settings(self) -> dict[str, str]:
        return read_environment(self.environment)

    @property
    def has_own_database(self) -> bool:
        """Tell whether the database is the embedded one, which belongs to a version."""
        return "DATABASE_URL" not in self.settings


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def read_environment(file: Path) -> dict[str, str]:
    """Return the variables of an environment file, read as systemd reads it (systemd.exec, `EnvironmentFile=`).

    A value may hold spaces without quotes, unlike in a shell. Raises `UpdateFailed` for a quote that never ends.
    """
    found = {}
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    for number, line in enumerate(lines, 1):
        name, is_set, value = line.strip().partition("=")
        if not is_set or name.startswith(("#", ";")):
            continue
        value = value.strip()
        if re.search(r"[\"'\\]", value):
            try:
                value = " ".join(shlex.split(value))
            except ValueError as error:
                raise UpdateFailed(f"{file}, line {number}: a quote has no end.") from error
        found[name.strip()] = value
    return found


# ── commands ──


def for_user(machine: Machine, **more: str) -> dict[str, Any]:
    """Return the arguments of `subprocess` that run the program as its own user, with its settings."""
    usual = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
    usual |= {"HOME": str(machine.var), "VAR_DIR": str(machine.var)}
    passed_on = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    chosen: dict[str, Any] = {"env": {**usual, **passed_on, **machine.settings, **more}}
    if os.geteuid() != 0:  # a command that the user itself runs
        return chosen
    with suppress(KeyError):
        group = pwd.getpwnam(USER).pw_gid
        chosen |= {"user": USER, "group": group, "extra_groups": [], "umask": 0o077}
    return chosen


def command(
    machine: Machine, release: Path, *words: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with a version's program as its user, and return what came of it."""
    return subprocess.run(
        [release / ".venv/bin/python", *words],
        cwd=release,
        capture_output=True,
        text=True,
        **for_user(machine, **environment),
    )


def root_command(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, **more)


def must(completed: subprocess.CompletedProcess[str], sentence: str) -> str:
    """Return what a command wrote. Raises `UpdateFailed` with its last lines if it failed."""
    if completed.returncode:
        raise UpdateFailed(
            f"{sentence}\n{last_lines(completed.stderr or completed.stdout)}".strip()
        )
    return completed.stdout


def last_lines(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-5:])


# ── files and links: each is changed by one rename ──


def put_link(link: Path, target: str | Path) -> None:
    """Make a link, or point it somewhere else. There is no moment without it."""
    draft = link.with_name(f".{link.name}.new")
    draft.unlink(missing_ok=True)
    draft.symlink_to(target)
    os.replace(draft, link)
    opened = os.open(link.parent, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def put_file(source: Path, target: Path) -> None:
    """Copy a file over another one by a rename."""
    draft = target.with_name(f".{target.name}.new")
    shutil.copyfile(source, draft)
    draft.chmod(0o644)
    os.replace(draft, target)


def linked(link: Path) -> Path | None:
    """Return the folder of the version that a link names, if it is there."""
    return link.resolve() if link.is_symlink() and link.exists() else None


def refuse_full_disk(folder: Path, needed_mb: float) -> None:
    """Raise `UpdateFailed` if a folder's disk has less than so many MB free."""
    free = shutil.disk_usage(folder).free / 1e6
    if free < needed_mb:
        raise UpdateFailed(
            f"{folder} has {free:.0f} MB free, and {needed_mb:.0f} MB are needed. Make room, then try again."
        )


@contextmanager
def alone(machine: Machine) -> Iterator[None]:
    """Hold the lock of an update. Raises `UpdateFailed` if another update runs."""
    machine.opt.mkdir(parents=True, exist_ok=True)
    with (machine.opt / ".update.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UpdateFailed("Another update is running. Wait until it has ended.") from error
        yield

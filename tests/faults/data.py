"""Faults by app, from `by_hand/*.toml`: the file, the change, and the tests that should notice it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BY_HAND = Path(__file__).with_name("by_hand")

#: the kinds of faults: those that survived the tests most often when they were first counted
KINDS = {
    "boundary": "`<` for `<=`, or one too many",
    "second press": "the same button pressed again",
    "second section": "only the first section is changed",
    "other of two": "the wrong one of two equals: side, line, argument",
    "sign": "a sign or character left out of a list",
    "day": "the wrong hour zone, or the border of a day",
    "environment": "what a process of ours is given",
    "counter": "a cache whose key misses something",
    "another table": "a right that holds at another table, too",
    "final again": "what is final is changed or made final again",
    "lock": "a lost lock or transaction",
    "club": "a lost filter by club or session",
    "default": "a wrong default",
    "error": "an error that nobody hears of",
}


@dataclass(frozen=True)
class Fault:
    """A change of one file that users would notice."""

    app: str
    kind: str
    file: str
    old: str
    new: str
    #: what a user would see
    seen: str
    #: files of tests, relative to `tests`
    tests: tuple[str, ...]
    #: whether no test noticed it when it was first tried
    survived: bool = False
    #: whether it shows only in a process that starts with it: its own process, or what a module keeps when it is loaded
    own_process: bool = False

    @property
    def path(self) -> Path:
        return ROOT / self.file

    @property
    def text(self) -> str:
        """The text of the file with the fault."""
        return self.path.read_text(encoding="utf-8").replace(self.old, self.new, 1)

    def __str__(self) -> str:
        return (
            f"{self.file}: {self.old.strip()!r} → {self.new.strip()!r} ({self.kind}: {self.seen})"
        )


def apps() -> list[str]:
    return sorted(path.stem for path in BY_HAND.glob("*.toml"))


def faults_of(app: str) -> list[Fault]:
    """Return the faults of an app; a fault without tests has those of the app."""
    found = tomllib.loads((BY_HAND / f"{app}.toml").read_text(encoding="utf-8"))
    return [
        Fault(app=app, **{**row, "tests": tuple(row.get("tests", found["tests"]))})
        for row in found["fault"]
    ]

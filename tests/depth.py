"""Depth of `make test`: everything with CI=1, else a sample of ten minutes.

The sample has all tests of quick files, all that are marked `guard`, and of the files that a change touches the
closest ones, for 100 core seconds. Of another slow file it has every second test, every third and so on, other ones
each day, until each has had its day. Only `tests.run` samples: a file that is named to pytest runs whole.
`tests/minutes.md` says which files are slow.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from math import ceil
from pathlib import Path
from zlib import crc32

import pytest

from .minutes import known
from .touched import ROOT, changed, texts_of_tests, touched

#: core seconds of tests in a sample: two cores need seven minutes for them, and collect tests before
BUDGET = 800.0
#: every test of a slow file has its day within so many
MOST_DAYS = 10
#: a file that only CI and a change of its subject run: browser engines beside Chromium
ONLY_WHEN_TOUCHED = ("tests/browser/test_engines.py",)
#: files of the product whose change runs the PostgreSQL part: by their path, or by a word in them
DATABASE_PATH = re.compile(
    r"/migrations/|/models|settings\.py$|^requirements|^tests/(postgres|run)\.py$"
)
DATABASE_WORD = re.compile(
    r"cursor\(|select_for_update|RawSQL|\.raw\(|connection\.vendor|JSONField"
)


def is_full() -> bool:
    """Return whether this run leaves nothing out."""
    return bool(os.environ.get("CI"))


@dataclass(frozen=True)
class Sample:
    """Tests to run on a day."""

    day: int
    #: files that run whole, because a change touches them
    whole: tuple[str, ...] = ()
    #: whether a change touches what databases do in different ways
    is_of_database: bool = False

    @classmethod
    def of_today(cls) -> Sample:
        """Return the sample of today, or of the day in DAY, for the changes since main or BASE."""
        day = int(os.environ.get("DAY") or date.today().toordinal())
        try:
            paths = changed(os.environ.get("BASE") or "main")
        except (OSError, subprocess.CalledProcessError):  # a copy without history
            return cls(day)
        return cls(
            day, tuple(touched(paths, texts_of_tests(), known())[0]), touches_database(paths)
        )

    @classmethod
    def of_environment(cls) -> Sample:
        return cls(int(os.environ["DAY"]), tuple(os.environ["WHOLE_FILES"].split()))

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of pytest's processes."""
        return {"DAY": str(self.day), "WHOLE_FILES": " ".join(self.whole)}

    def has(self, file: str, number: int, share: int) -> bool:
        """Return whether a file's test of this number is in the sample, if one in `share` is."""
        if file in self.whole:
            return True
        return (
            file not in ONLY_WHEN_TOUCHED
            and (self.day + crc32(file.encode()) + number) % share == 0
        )


def touches_database(paths: Iterable[str]) -> bool:
    """Return whether a change may do something else on PostgreSQL than on SQLite."""
    found = [
        path for path in paths if path.endswith((".py", ".txt", ".lock")) and (ROOT / path).exists()
    ]
    return any(
        DATABASE_PATH.search(path)
        or DATABASE_WORD.search((ROOT / path).read_text(encoding="utf-8"))
        for path in found
        if DATABASE_PATH.search(path) or not path.startswith(("tests/", "docs/"))
    )


def shares(seconds: Mapping[str, float], budget: float = BUDGET) -> dict[str, int]:
    """Return a number for each file: of so many of its tests one is run, so that all files together take the budget.

    Each file has the same time. What quick files leave of it is divided among the others. No test waits longer than
    `MOST_DAYS`.

    >>> shares({"slow.py": 60, "slower.py": 180, "quick.py": 1}, budget=61)
    {'slow.py': 2, 'slower.py': 6, 'quick.py': 1}
    """
    left, time = budget, 0.0
    ordered = sorted(seconds.values())
    for place, taken in enumerate(ordered):
        time = left / (len(ordered) - place)
        if taken > time:
            return {
                file: min(MOST_DAYS, ceil(taken / time)) or 1 for file, taken in seconds.items()
            }
        left -= taken
    return dict.fromkeys(seconds, 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests outside of the sample; with CI=1 none."""
    if is_full():
        return
    sample, of_files = Sample.of_environment(), shares(known())
    kept: list[pytest.Item] = []
    for file, tests in groupby(items, key=lambda item: item.location[0]):
        share = of_files.get(file, 1)
        kept += [
            test
            for number, test in enumerate(tests)
            if test.get_closest_marker("guard") or sample.has(file, number, share)
        ]
    if path := os.environ.get("LEFT_OUT"):
        Path(path).write_text(f"{len(items) - len(kept)} of {len(items)}", encoding="utf-8")
    names = {id(item) for item in kept}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in names])
    items[:] = kept

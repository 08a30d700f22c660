"""Measure the time of the suite by file: `make minutes` runs it and writes tests/minutes.md.

As a plugin of pytest it lets the files that take longest come first: of two processes none ends long after the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest

PAGE = Path(__file__).resolve().parent / "minutes.md"
#: what is above the table
ABOVE = """# Where the minutes go

`CI=1 make test` runs all of this on two cores, `make minutes` does and writes this page anew. Seconds are those of the
tests alone, one after the other; two processes share them. Files under a second are summed up at the end. `make test` and
`make test-fast` read here how long a file takes.

"""
#: files that take less are one line
SHOWN = 1.0


def seconds(report: Path) -> Counter[str]:
    """Return the time of each file's tests, from pytest's report."""
    found: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        found[case.get("file") or "?"] += float(case.get("time") or 0)
    return found


def page(spent: Mapping[str, Mapping[str, float]]) -> str:
    """Return the page: a line for each folder, then one for each file that takes its time."""
    names = list(spent)
    head = f"| | {' | '.join(names)} |\n|---|{'---:|' * len(names)}\n"
    files = sorted({file for found in spent.values() for file in found}, key=_most(spent))
    folders = sorted({folder(file) for file in files}, key=lambda item: -_of(spent, files, item))
    shown = [file for file in files if _all(spent, file) >= SHOWN]
    return (
        ABOVE
        + head
        + _line("**everything**", [sum(spent[name].values()) for name in names])
        + "".join(
            _line(item, [_of({name: spent[name]}, files, item) for name in names])
            for item in folders
        )
        + f"\n{head}"
        + "".join(_line(file, [spent[name].get(file, 0) for name in names]) for file in shown)
        + _line(
            f"{len(files) - len(shown)} others",
            [sum(spent[n].get(file, 0) for file in files if file not in shown) for n in names],
        )
    )


def folder(file: str) -> str:
    return "/".join(file.split("/")[:2]) if "/" in file else file


def _all(spent: Mapping[str, Mapping[str, float]], file: str) -> float:
    return sum(found.get(file, 0) for found in spent.values())


def _most(spent: Mapping[str, Mapping[str, float]]) -> object:
    return lambda file: (-_all(spent, file), file)


def _of(spent: Mapping[str, Mapping[str, float]], files: Iterable[str], one: str) -> float:
    return sum(_all(spent, file) for file in files if folder(file) == one)


def _line(name: str, found: Iterable[float]) -> str:
    return f"| {name} | {' | '.join(f'{value:.0f}' if value else '' for value in found)} |\n"


def known() -> dict[str, float]:
    """Return how long files take on SQLite, as the page has it."""
    if not PAGE.exists():
        return {}
    table = PAGE.read_text(encoding="utf-8").rpartition("\n\n")[2]  # the other one is of folders
    lines = re.findall(r"^\| ([\w/]+\.py) \| (\d+) ", table, re.M)
    return {file: float(taken) for file, taken in lines}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests of slow files come first, and those of a file stay together."""
    taken = known()
    items.sort(key=lambda item: -taken.get(item.location[0], 0.0))

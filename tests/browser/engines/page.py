"""The page docs/dev/engines.md: which engine has done which step."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .evening import STEPS

PAGE = Path(__file__).parents[3] / "docs" / "dev" / "engines.md"
COLUMNS = [
    "Chromium 92",
    "WPE WebKit (Safari 16)",
    "WebKitGTK (Safari 26)",
    "Firefox ESR",
    "QtWebKit (Safari 10)",
]
ABOVE = """# A table's phone in other browser engines

Written by `make engines`, which installs the engines; `make test` does not run them yet, since they have passed together
only once. `tests/browser/test_engines.py` plays a short evening on a table's phone in each of these
engines, and fails where an engine does other steps than this page says. QtWebKit parses none of our scripts: there
everything goes by forms, and nothing can be entered without a connection.

"""
YES, NO = "yes", "–"


def done_steps() -> dict[str, list[str]]:
    """Return the steps each engine has done, as the page has them."""
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    done: dict[str, list[str]] = {name: [] for name in COLUMNS}
    for step, *cells in rows[2:]:
        for name, cell in zip(COLUMNS, cells, strict=True):
            if cell == YES:
                done[name].append(step)
    return done


def steps_on_page(name: str) -> list[str]:
    return done_steps()[name]


def write_steps(name: str, steps: Iterable[str]) -> None:
    """Write the steps of one engine onto the page."""
    done = done_steps() | {name: list(steps)}
    rows = [["step", *COLUMNS], ["---"] * (len(COLUMNS) + 1)]
    for step in STEPS:
        rows.append([step, *(YES if step in done[column] else NO for column in COLUMNS)])
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    PAGE.write_text(ABOVE + table, encoding="utf-8")

"""The page docs/dev/engines.md: which engine has done which step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import desk, evening

PAGE = Path(__file__).parents[3] / "docs" / "dev" / "engines.md"
ABOVE = """# Other browser engines

Written by `make engines`. `tests/browser/test_engines.py`, a part of `CI=1 make test`, and of `make test` where a script
changes, does these steps in each engine. It fails where an engine does other steps than this page says. `make test`
installs the engines, and names those that a machine lacks among its warnings; a column without marks is an engine that
was missing when this page was written.

"""
YES, NO, MISSING = "yes", "–", "not installed"


@dataclass(frozen=True)
class StepTable:
    """A table of the page: a column for each engine, a row for each step."""

    heading: str
    words: str
    engines: Sequence[str]
    steps: Sequence[str]

    def marks(self, page: str) -> dict[str, dict[str, str]]:
        """Return the mark of each step by engine, as the text of a page has it."""
        part = page.partition(f"## {self.heading}\n")[2].partition("\n## ")[0]
        lines = [line for line in part.splitlines() if line.startswith("|")]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        found: dict[str, dict[str, str]] = {name: {} for name in self.engines}
        for step, *cells in rows[2:]:
            for name, cell in zip(rows[0][1:], cells, strict=True):
                found.setdefault(name, {})[step] = cell
        return found

    def write(self, marks: dict[str, dict[str, str]]) -> str:
        rows = [["step", *self.engines], ["---"] * (len(self.engines) + 1)]
        for step in self.steps:
            rows.append([step, *(marks[name].get(step, NO) for name in self.engines)])
        table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
        return f"## {self.heading}\n\n{self.words}\n\n{table}"


#: engines by the number of tables that play the evening in them
PHONES = {
    "Chromium": 3,
    "Firefox ESR": 3,
    "WebKitGTK (Safari 26)": 3,
    "WPE WebKit (Safari 16)": 1,
    "Chromium 92": 1,
    "QtWebKit (Safari 10)": 1,
}
DESKS = ("Firefox ESR", "WebKitGTK (Safari 26)")
TABLES = {
    "phones": StepTable(
        "A table's phone",
        "A short evening, each table with a phone of its own: three tables in today's engines, one in the others.\n"
        "QtWebKit parses none of our scripts: there everything goes by forms, and nothing can be entered without a\n"
        "connection.",
        tuple(PHONES),
        tuple(evening.STEPS),
    ),
    "desk": StepTable(
        "The director's pages",
        "With the keyboard of the engine. Firefox also prints: its PDF is compared with the one of the server.\n"
        "Chromium does all this, and more, in the other browser tests.",
        DESKS,
        tuple(desk.STEPS),
    ),
}


def steps_on_page(table: str, engine: str) -> list[str]:
    """Return the steps that an engine has done, as the page has them."""
    marks = TABLES[table].marks(PAGE.read_text(encoding="utf-8"))
    return [step for step, mark in marks[engine].items() if mark == YES]


def write_steps(table: str, engine: str, steps: Iterable[str], *, otherwise: str = NO) -> None:
    """Write the steps that an engine has done onto the page, and a mark for the others."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    done = set(steps)
    parts = []
    for name, part in TABLES.items():
        marks = part.marks(page)
        if name == table:
            marks[engine] = {step: YES if step in done else otherwise for step in part.steps}
        parts.append(part.write(marks))
    PAGE.write_text(ABOVE + "\n".join(parts), encoding="utf-8")

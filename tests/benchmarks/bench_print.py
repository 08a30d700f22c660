"""Time of printed sheets, compared with a bare <pre> of the same text.

    python -m tests.benchmarks.bench_print

Two bare PDFs are measured beside each sheet, both without columns, stripes, headings or QR codes:
one has the sheet's text as it stands in the HTML, a line for a line; the harder one to match has one
line for a whole row of a card. Times are CPU seconds, the best of some runs, all in this process. A
sheet's time is a request's: reading, drawing every QR code, filling the template, making the PDF.
"""

import os
import re
import time
from collections.abc import Callable
from html import unescape

import django

os.environ["DATABASE_URL"] = "sqlite://:memory:"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils.html import escape  # noqa: E402

from bridgebuddy.events.models import Section  # noqa: E402
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan  # noqa: E402
from bridgebuddy.events.queries.sessions.sections import section_by_code  # noqa: E402
from bridgebuddy.printing.context import PrintJob  # noqa: E402
from bridgebuddy.printing.layout import LayoutColumn  # noqa: E402
from bridgebuddy.printing.rendering.pdf import render_pdf  # noqa: E402
from bridgebuddy.printing.selection import SheetSelection  # noqa: E402
from bridgebuddy.printing.sheets import SHEETS, sheet_html  # noqa: E402
from bridgebuddy.web.qr_codes import qr_svg  # noqa: E402
from tests.factories import section_with  # noqa: E402

CASES = (  # tables, rounds, boards a round, the ratio we aim to stay under
    ("guide-cards", 16, 8, 3, None),
    ("guide-cards", 32, 31, 1, 3),
    ("table-cards", 16, 8, 3, None),
    ("master", 16, 8, 3, None),
    ("table-cards", 60, 9, 3, None),
    ("score-slips", 16, 8, 3, None),
    ("score-cards", 16, 8, 3, None),
)


def job_for(section: Section) -> PrintJob:
    """Read a section as a request does."""
    found = section_by_code(section.code)
    assert found is not None
    return PrintJob(SectionPlan.of(found), "a4", "http://192.168.178.25:8000")


def print_sheet(section: Section, name: str) -> bytes:
    """Do all a request does: read, draw the QR codes, fill the template, make the PDF."""
    qr_svg.cache_clear()
    return render_pdf(sheet_html(SHEETS[name], job_for(section), SheetSelection()))


def text_by_rows(section: Section, name: str) -> str:
    """Return the text of all cards, a line for each of their rows."""
    contents = SHEETS[name].contents(job_for(section), SheetSelection())
    lines: list[str] = []
    if name == "guide-cards":
        for card in (card for sheet in contents for card in sheet.cards):
            lines += [f"{card.kind} {card.contestant.label}", card.players]
            lines += [*rows_of(card.columns), " ".join(card.notes)]
    elif name == "score-cards":
        for card in (card for sheet in contents for card in sheet.cards):
            lines += [f"{card.kind} {card.contestant.label}", card.players, *rows_of(card.columns)]
    elif name == "score-slips":
        for slip in (slip for sheet in contents for slip in sheet.slips):
            lines += [f"Board {slip.board}", slip.dealer, slip.vulnerable, *rows_of(slip.columns)]
    elif name == "table-cards":
        for card in contents:
            lines += [f"Table {card.table}", *rows_of(card.columns), *card.notes]
    else:
        for grid in contents.grids:
            for index, round in enumerate(grid.rounds):
                cells = (f"{c.cells[index].pairs} {c.cells[index].sets}" for c in grid.columns)
                lines.append(" ".join((round, grid.starts[index], *cells)))
        lines += [f"{saying.when} {saying.say}" for saying in contents.sayings]
        lines += [f"{c.label} {c.names}" for block in contents.names for col in block for c in col]
    return "\n".join(lines)


def rows_of(columns: tuple[LayoutColumn, ...]) -> list[str]:
    """Return a grid's text row by row."""
    blocks = [block.rows for column in columns for block in column.blocks]
    return [" ".join(column.title for column in columns), *map(" ".join, zip(*blocks, strict=True))]


def text_as_it_stands(section: Section, name: str) -> str:
    """Return the text of a sheet's HTML, without the names of its QR codes and empty lines."""
    html = sheet_html(SHEETS[name], job_for(section), SheetSelection())
    html = re.sub(r"<(svg|head)\b.*?</\1>", "", html, flags=re.DOTALL)
    text = re.sub(r"<(?!/?(b|i|em|span)\b)[^>]+>", "\n", html)
    return "\n".join(
        line for line in unescape(re.sub(r"<[^>]+>", " ", text)).splitlines() if line.strip()
    )


def seconds(work: Callable[[], object], runs: int) -> float:
    """Return the CPU seconds of the fastest of some runs."""
    times = []
    for _ in range(runs):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def measure(section: Section, name: str, runs: int) -> tuple[float, float, float]:
    """Return the seconds of a sheet, of its text as it stands, and of its text by rows."""
    texts = text_as_it_stands(section, name), text_by_rows(section, name)
    sheet = seconds(lambda: print_sheet(section, name), runs)
    pres = [seconds(lambda: render_pdf(f"<pre>{escape(t)}</pre>"), runs) for t in texts]  # noqa: B023
    return sheet, *pres


def main() -> None:
    call_command("migrate", verbosity=0)
    small = section_with(6, "mitchell")
    first = seconds(lambda: print_sheet(small, "table-cards"), 1)
    print(f"the first sheet of a process, three table cards: {first:.2f} s")
    print(
        "sheet, tables x rounds: CPU seconds; ratio to a <pre> of its text as it stands / by rows"
    )
    for name, tables, rounds, boards, aim in CASES:
        section = section_with(2 * tables, "skip-mitchell", rounds=rounds, boards_per_round=boards)
        sheet, literal, rowwise = measure(section, name, runs=1 if tables * rounds > 500 else 3)
        said = f" (aim: under {aim})" if aim else ""
        print(
            f"{name:11} {tables:2} x {rounds:2}: {sheet:.2f} s;"
            f" {sheet / literal:.2f} / {sheet / rowwise:.2f}{said}"
        )


if __name__ == "__main__":
    main()

"""The contents of a table's cell on the director's sheet."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from ..context import PrintJob
from ..measure import SMALLEST_TYPE, text_width

#: the width of the columns beside the tables, and a column's margin (mm)
BESIDE = 9 + 14
INSIDE = 1.4
OUT_WIDTHS = (16, 22, 34, 48)


@dataclass(frozen=True)
class TableLook:
    """A layout of the master sheet's cells: columns per grid, type size, and which boards are left out."""

    is_first_only: bool  # of a set only its first board
    is_out_only: bool  # of waiting boards only those that go out next
    points: float
    columns: int  # in one grid
    stand: float = 0  # the width of a stand's column (mm), a class of print.css; 0: like a table's


def stand_title(job: PrintJob, table: int, layout: TableLook) -> str:
    """Return the title of a board stand's column: its name if it fits, else its first letter."""
    name = capfirst(job.plan.boards.stand(table))
    space = (
        layout.stand or (max(job.size) - 26 - BESIDE - sit_out_column_width(job)) / layout.columns
    )
    badge = 5 if job.plan.boards.copies else 0
    if text_width(name, SMALLEST_TYPE, 800) + badge <= space - INSIDE:
        return name
    stands = job.plan.boards.stands
    return f"{name[0]}{stands.index(table) + 1 if len(stands) > 1 else ''}"


def have_ns_table_numbers(job: PrintJob) -> bool:
    """Return whether every North-South contestant has the number of its table in all rounds."""
    return all(
        len(game.ns) == 1 and game.ns[0].contestant.slug.removeprefix("NS") == str(game.table)
        for games in job.evening.games.values()
        for game in games
        if game.ns
    )


def sit_out_column_width(job: PrintJob) -> int:
    """Return the width of the master sheet's sit-out column in mm; 0 without sit-outs."""
    texts = [
        ", ".join(out.label for out in job.evening.sit_outs(round))
        for round in range(1, job.evening.rounds + 1)
    ]
    if not any(texts):
        return 0
    longest = max(text_width(phrase, SMALLEST_TYPE, 800) for phrase in (_("Sits out"), *texts))
    return next((size for size in OUT_WIDTHS if longest + INSIDE <= size), OUT_WIDTHS[-1])

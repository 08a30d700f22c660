"""How much of a table stands in its field of the director's sheet."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from .context import Job
from .measure import SMALLEST_TYPE, width

#: the columns beside the tables, and what of a column is its margin (mm)
BESIDE = 9 + 14
INSIDE = 1.4
OUT_WIDTHS = (16, 22, 34, 48)


@dataclass(frozen=True)
class Look:
    """How much of a table stands in its field, so that it fits."""

    is_first_only: bool  # of a set only its first board
    is_out_only: bool  # of what waits on a stand only what goes out next
    points: float
    columns: int  # in one grid
    stand: float = (
        0  # how wide the column of a stand is (mm): a class of print.css; 0: as that of a table
    )


def stand_title(job: Job, table: int, look: Look) -> str:
    """A stand's name if it fits its column; otherwise its first letter, which the key explains."""
    name = capfirst(job.plan.boards.stand(table))
    space = look.stand or (max(job.size) - 26 - BESIDE - width_out(job)) / look.columns
    badge = 5 if job.plan.boards.copies else 0
    if width(name, SMALLEST_TYPE, 800) + badge <= space - INSIDE:
        return name
    stands = job.plan.boards.stands
    return f"{name[0]}{stands.index(table) + 1 if len(stands) > 1 else ''}"


def ns_are_at_home(job: Job) -> bool:
    """Whether North-South have the number of their table, all evening at every table."""
    return all(
        len(game.ns) == 1 and game.ns[0].contestant.slug.removeprefix("NS") == str(game.table)
        for games in job.evening.games.values()
        for game in games
        if game.ns
    )


def width_out(job: Job) -> int:
    """How wide the column of those who sit out is (mm): a class of print.css; 0: nobody ever does."""
    said = [
        ", ".join(out.label for out in job.evening.sit_outs(round))
        for round in range(1, job.evening.rounds + 1)
    ]
    if not any(said):
        return 0
    longest = max(width(phrase, SMALLEST_TYPE, 800) for phrase in (_("Sits out"), *said))
    return next((size for size in OUT_WIDTHS if longest + INSIDE <= size), OUT_WIDTHS[-1])

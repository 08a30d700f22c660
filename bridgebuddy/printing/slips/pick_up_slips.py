"""Pick-up slips: one for each table and round, in the order of entry."""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.printing.context import short_numbers

from ..context import PrintJob
from ..layout import part_label
from ..selection import EVERYBODY, SheetSelection

#: slips on a sheet, its class, and the boards that fit on a slip
SHAPES = ((8, "", 5), (4, "few", 14))


@dataclass(frozen=True)
class PickUpSlip:
    """The slip on which a table writes all its results of a round."""

    table: int
    round: str  # "3a" in a round of parts
    ns: str
    ew: str
    boards: tuple[int, ...]


@dataclass(frozen=True)
class PickUpSheet:
    """A sheet of paper with pick-up slips, for cutting."""

    css: str
    slips: tuple[PickUpSlip, ...]


def pick_up_slips(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[PickUpSheet]:
    """Return a pick-up slip for every table in every round whose contestants are known.

    They are cut in stacks: the slips of a table lie together, by round.
    """
    tables = selection.tables(job)
    slips = [
        PickUpSlip(
            game.table,
            part_label(round, game.part if game.parts > 1 else 0),
            short_numbers(game.ns),
            short_numbers(game.ew),
            tuple(game.boards),
        )
        for round in sorted(job.evening.games)
        for game in job.evening.games[round]
        if game.is_played and game.table in tables and selection.has_slip(round, game.table)
    ]
    slips.sort(key=lambda slip: slip.table)
    most = max((len(slip.boards) for slip in slips), default=0)
    per_sheet, css, _ = next((shape for shape in SHAPES if most <= shape[2]), SHAPES[-1])
    return [
        PickUpSheet(css, tuple(slips[start : start + per_sheet]))
        for start in range(0, len(slips), per_sheet)
    ]

"""The lines of a table's grid, and the widths of its columns."""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.events.queries.plan.games import TableGame, TableSide

from ..context import PrintJob, side_numbers
from ..layout import NOTHING, part_label
from ..measure import fits_width

#: a column's margins, and the height of wrapped lines (mm)
INSIDE, TYPE_LINE = 3.8, 4.4
LARGE_TYPE = 12.5  # pt: the largest type for names and moves

#: the columns' shares of the sheet, as in print.css: with both sides, and without a constant one
BOTH = {"rd": 0.09, "ns": 0.235, "ew": 0.235, "bd": 0.17, "then": 0.27}
ONE = {"rd": 0.09, "ns": 0.3, "ew": 0.3, "bd": 0.17, "then": 0.44}


@dataclass(frozen=True)
class StayingContestant:
    """A contestant that never leaves its direction at a table, and is named once above the table card's rows."""

    line: str
    label: str
    names: str


@dataclass(frozen=True)
class TableRow:
    """A row of a table card: a game in a round or in a part of it, or a round in which nobody plays."""

    round: int
    game: TableGame | None
    is_last: bool

    @property
    def is_end(self) -> bool:
        """Return whether the row is the last round of the session, or the last part of it."""
        return self.is_last and (self.game is None or self.game.part == self.game.parts)

    @property
    def label(self) -> str:
        """Return the label of the row's round, or of its part: "5", "5a"."""
        return part_label(self.round, self.game.part if self.game and self.game.parts > 1 else 0)


def column_widths(job: PrintJob, staying: StayingContestant | None) -> dict[str, float]:
    """Return the inner widths of a table card's columns in mm, by CSS class."""
    shares = ONE if staying else BOTH
    return {css: share * (job.size[0] - 24) - INSIDE for css, share in shares.items()}


def font_weight(css: str) -> int:
    """Return the CSS font weight of a class, for measuring text."""
    return 800 if "strong" in css else 400


def side_of_game(game: TableGame, direction: str) -> tuple[TableSide, ...]:
    """Return the contestants that sit in a direction of a game."""
    return game.ns if direction == "ns" else game.ew


def has_single_stand(job: PrintJob) -> bool:
    """Return whether the section has only one board stand, which needs no number."""
    return len(job.plan.boards.stands) < 2


def sized_class(css: str, space: float, *blocks: list[str]) -> str:
    """Return a text block's CSS class, with smaller type if a line is wider than `space` mm."""
    lines = (line for block in blocks for line in block)
    is_large = all(fits_width(line, space, LARGE_TYPE, font_weight(css)) for line in lines)
    return css if is_large else f"{css} small"


def side_number_text(game: TableGame | None, direction: str) -> str:
    """Return the numbers of the contestants in a direction of a game as text."""
    return (side_numbers(side_of_game(game, direction)) if game else "") or NOTHING

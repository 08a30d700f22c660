"""Grids as columns of lines: one block a column, one line a row.

A sheet's cost grows with its boxes, and table cells cost most; one block of preformatted lines is
several times faster. All blocks of a grid have one line a row with the same height, so rows align.
The heights are classes of static/css/print.css.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan.games import board_text

#: line heights in mm, tallest first; each has a class in print.css
HEIGHTS = (
    *(26, 24, 22, 20, 18, 16.5, 15, 14, 13, 12, 11, 10.5, 10, 9.5, 9, 8.6, 8.2),
    *(7.8, 7.4, 7, 6.6, 6.2, 5.8, 5.4, 5, 4.7, 4.4, 4.2),
)
#: the sign in an empty cell, which could be taken for an error otherwise
NOTHING = "–"
BLANK = "\u00a0"


def height_class(height: float) -> str:
    """Return the CSS class of a row height in mm.

    >>> height_class(8.2)
    'h82'
    """
    return f"h{round(height * 10)}"


def fitting_height(space: float, rows: int, tallest: float, smallest: float) -> float | None:
    """Return the largest row height with which `rows` rows fit into `space`, in mm; None if none does.

    >>> fitting_height(186, 7, 26, 8.2), fitting_height(186, 40, 26, 8.2)
    (26, None)
    """
    return next(
        (h for h in HEIGHTS if smallest <= h <= tallest and h * max(rows, 1) <= space), None
    )


def fitting_line_height(
    space: float, heights: Sequence[float], tallest: float, smallest: float
) -> float | None:
    """Return the largest row height (mm) with which all rows fit, where rows may need more; None if none fits.

    >>> fitting_line_height(186, [5, 5, 40, 5], 26, 8.2), fitting_line_height(186, [100, 100], 26, 8.2)
    (26, None)
    """
    return next(
        (
            h
            for h in HEIGHTS
            if smallest <= h <= tallest and sum(max(h, need) for need in heights) <= space
        ),
        None,
    )


def most_rows(space: float, smallest: float) -> int:
    """Return how many rows fit into `space` at the smallest row height, in mm."""
    return int(space / smallest)


def even_chunks(count: int, maximum: int) -> list[range]:
    """Divide `count` things into as few chunks as possible, of similar sizes.

    >>> even_chunks(31, 22)
    [range(0, 16), range(16, 31)]
    """
    chunks = max(1, -(-count // maximum))
    size = max(1, -(-count // chunks))
    return [range(start, min(start + size, count)) for start in range(0, max(count, 1), size)]


def fewest_chunks(heights: Sequence[float], space: float, smallest: float) -> list[range]:
    """Divide rows of `heights` into the fewest similar chunks that each fit into `space`, in mm.

    >>> fewest_chunks([5, 5, 40, 5], 50, 8)
    [range(0, 2), range(2, 4)]
    """
    for parts in range(1, len(heights) + 1):
        chunks = even_chunks(len(heights), -(-len(heights) // parts))
        tall = [sum(max(smallest, need) for need in heights[c.start : c.stop]) for c in chunks]
        if max(tall) <= space:
            return chunks
    return even_chunks(len(heights), 1)


def part_label(round: int, part: int) -> str:
    """Return the label of a round, or of a part of it: "5", "5a", "5b".

    >>> part_label(5, 0), part_label(5, 2)
    ('5', '5b')
    """
    return f"{round}{'abcdefgh'[part - 1]}" if part else str(round)


@dataclass(frozen=True)
class LineBlock:
    """A block of text with one line per row of its grid, all in one CSS class."""

    css: str
    rows: tuple[str, ...]

    @property
    def text(self) -> SafeString:
        """Return all rows joined with line breaks; rows that are HTML are not escaped."""
        return mark_safe("\n".join(conditional_escape(row or BLANK) for row in self.rows))


@dataclass(frozen=True)
class LayoutColumn:
    """A column of a printed grid: CSS class, heading, and text blocks laid over each other."""

    css: str
    title: str
    blocks: tuple[LineBlock, ...]

    def part(self, rows: range) -> LayoutColumn:
        """Return the column with only the given rows."""
        blocks = (replace(block, rows=block.rows[rows.start : rows.stop]) for block in self.blocks)
        return replace(self, blocks=tuple(blocks))

    def cell_texts(self, row: int) -> list[tuple[str, str]]:
        """Return the texts in a row of the column, each with its CSS class."""
        return [(block.css, block.rows[row]) for block in self.blocks if block.rows[row]]


def table_rows(columns: Sequence[LayoutColumn]) -> list[list[tuple[str, list[tuple[str, str]]]]]:
    """Return the columns of a grid as rows, for grids with wrapped lines."""
    rows = max((len(block.rows) for column in columns for block in column.blocks), default=0)
    return [[(column.css, column.cell_texts(row)) for column in columns] for row in range(rows)]


def block_column(css: str, title: str, blocks: Mapping[str, Sequence[str]]) -> LayoutColumn:
    """Return a column of the non-empty blocks of text in `blocks`, by their CSS class."""
    return LayoutColumn(
        css,
        title,
        tuple(LineBlock(name, tuple(rows)) for name, rows in blocks.items() if any(rows)),
    )


def first_column(css: str, title: str, rows: Sequence[str], style: str = "") -> LayoutColumn:
    """Return the leftmost column of a printed grid; it has a cell in every row, because the row stripes begin there."""
    return LayoutColumn(css, title, (LineBlock(style, tuple(rows)),))


def empty_columns(*columns: tuple[str, str]) -> tuple[LayoutColumn, ...]:
    """Return columns without text, given as (class, title), to be filled in by hand."""
    return tuple(LayoutColumn(css, title, ()) for css, title in columns)


def tabbed_columns(*columns: Sequence[str]) -> list[str]:
    """Join columns to one text per row, separated by tab stops, which WeasyPrint lays out faster."""
    return ["\t".join(row) if any(row) else "" for row in zip(*columns, strict=True)]


def round_numbers(rounds: Sequence[int]) -> str:
    """Format round numbers as ranges: "2–5, 8"."""
    return board_text(rounds)


def joined_with_and(items: Sequence[str]) -> str:
    """Join items to a list with "and": "1, 2 and 8"."""
    if len(items) < 2:
        return "".join(items)
    return _("%(first)s and %(last)s") % {"first": ", ".join(items[:-1]), "last": items[-1]}


def estimated_lines(paragraphs: Iterable[str], characters: int) -> int:
    """Estimate how many lines paragraphs take at a number of characters a line.

    >>> estimated_lines(("North-South stay.", "x" * 100), 80)
    3
    """
    return sum(max(1, -(-len(paragraph) // characters)) for paragraph in paragraphs)

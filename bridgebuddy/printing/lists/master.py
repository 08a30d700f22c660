"""The director's sheet: the whole movement as a grid, the announcements and all names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan.board_moves import HeldSets
from bridgebuddy.events.queries.plan.games import Contestant, TableGame, board_text
from movements.engine.boards import board_ranges, boards_of_sets
from movements.words.copies import CopyName

from .. import copies
from ..context import PrintJob, side_numbers
from ..layout import NOTHING, even_chunks, fitting_height, height_class, part_label
from ..measure import SMALLEST_TYPE, line_count, text_width
from .master_look import (
    BESIDE,
    INSIDE,
    TableLook,
    have_ns_table_numbers,
    sit_out_column_width,
    stand_title,
)
from .master_words import (
    NAME_COLUMNS,
    RoundAnnouncement,
    announcements_by_rounds,
    cell_explanation,
    master_sheet_notes,
    name_blocks_of_master_sheet,
)

MOST_COLUMNS = 20  # tables and stands side by side on landscape paper, as many as are readable
#: margins, heading, a grid's head row and the space below it (mm)
MARGINS, BAR, HEAD = 25.5, 20, 9
TALLEST, COMFORTABLE, SMALLEST = 10, 6.2, 4.4
STAND_WIDTHS = (12, 16, 22, 34)
#: the lines of the key and the announcements, and of the names (mm); their types (pt)
WORDS_LINE, WORDS_TYPE, NAMES_LINE, NAMES_TYPE = 4.9, 11, 4.3, 10.5
LABEL = 20  # the width of box and label beside a name (mm)
TYPES = (13, 12, 11, SMALLEST_TYPE)  # pt, for the grid


@dataclass(frozen=True)
class MasterCell:
    """A cell of the director's master sheet: what a table plays in a round, or what lies on a board stand."""

    pairs: str
    boards: str = ""


@dataclass(frozen=True)
class GridColumn:
    """A column of the director's master sheet: a table, or a board stand, in all rounds."""

    title: str
    cells: tuple[MasterCell, ...]
    is_stand: bool = False
    copy: CopyName | None = None  # the copy of all boards here


@dataclass(frozen=True)
class MasterGrid:
    """A grid of the director's master sheet: the tables that fit side by side, by rounds."""

    rounds: tuple[str, ...]
    starts: tuple[str, ...]
    columns: tuple[GridColumn, ...]
    sit_outs: tuple[str, ...]  # empty without sit-outs
    out: int = 0  # the width of their column (mm)


@dataclass(frozen=True)
class MasterSheet:
    """The director's master sheet of the whole movement: grids, announcements and notes."""

    height: str
    size: str  # the class of the type in the grid
    stand: str  # the class of a stand's column
    grids: tuple[MasterGrid, ...]
    key: tuple[SafeString | str, ...]
    sayings: tuple[RoundAnnouncement, ...]
    notes: tuple[str, ...]
    names: tuple[tuple[tuple[Contestant, ...], ...], ...]  # blocks of three columns
    fresh: tuple[bool, ...]  # for grids, words and blocks of names: whether it begins a page

    @property
    def pages(self) -> int:
        """Return the number of pages of the master sheet."""
        return 1 + sum(self.fresh)

    @property
    def all_grids(self) -> list[tuple[bool, MasterGrid]]:
        """Return the grids, each with a flag whether it begins a new page."""
        return list(zip(self.fresh, self.grids, strict=False))

    @property
    def text_begins_page(self) -> bool:
        """Return whether the text below the grids begins a new page."""
        return self.fresh[len(self.grids)]

    @property
    def all_names(self) -> list[tuple[bool, tuple[tuple[Contestant, ...], ...]]]:
        """Return the blocks of names, each with a flag whether it begins a new page."""
        return list(zip(self.fresh[len(self.grids) + 1 :], self.names, strict=True))


def master_sheet(job: PrintJob) -> MasterSheet:
    """Return the director's master sheet of a section, on one page if possible."""
    rows = _grid_rows(job)
    look = _best_look(job, rows)
    grids = tuple(_master_grids(job, rows, look))
    key, sayings, notes = (
        tuple(cell_explanation(job, look)),
        tuple(announcements_by_rounds(job)),
        tuple(master_sheet_notes(job)),
    )
    names = tuple(name_blocks_of_master_sheet(job))
    words = (*key, *(f"{saying.when} {saying.say}" for saying in sayings), *notes)
    below = [
        2 + WORDS_LINE * _count_text_lines(words, max(job.size) - 26, WORDS_TYPE),
        *(max(_names_height(job, column) for column in block) for block in names),
    ]
    page = min(job.size) - MARGINS
    space = page - BAR - HEAD
    height = (
        fitting_height(space - sum(below), len(rows), TALLEST, SMALLEST)
        if len(grids) == 1
        else fitting_height((space - HEAD) / 2, len(rows), TALLEST, COMFORTABLE)
    )
    height = height or fitting_height(space, len(rows), TALLEST, SMALLEST) or SMALLEST
    blocks = [*(HEAD + height * len(rows) for _grid in grids), *below]
    return MasterSheet(
        height=height_class(height),
        size=f"t{round(look.points * 10)}",
        stand=f"w{look.stand:.0f}" if look.stand else "",
        grids=grids,
        key=key,
        sayings=sayings,
        notes=notes,
        names=names,
        fresh=tuple(_begins_page(blocks, page)),
    )


def _begins_page(blocks: list[float], page: float) -> Iterator[bool]:
    """Yield for each block (heights in mm) whether it begins a new page; blocks are not divided."""
    left = page - BAR
    for index, block in enumerate(blocks):
        is_fresh = index > 0 and block > left
        left = (page if is_fresh else left) - block
        yield is_fresh


def _count_text_lines(words: Iterable[str], space: float, points: float) -> int:
    """Return the number of lines that these texts need in a width of `space` mm."""
    return sum(line_count(word, space - 4, points, 600) for word in words)


def _names_height(job: PrintJob, names: Iterable[Contestant]) -> float:
    """Return the height of a column of names in mm."""
    space = (max(job.size) - 26) / NAME_COLUMNS - LABEL - 4
    return 4 + sum(NAMES_LINE * line_count(name.names, 0.96 * space, NAMES_TYPE) for name in names)


# ── the grid ──


def _grid_rows(job: PrintJob) -> list[tuple[int, int, int]]:
    """Return (round, part, parts) for every row of the master sheet's grids."""
    rows = []
    for round in range(1, job.evening.rounds + 1):
        parts = max((game.parts for game in job.evening.games.get(round, ())), default=1)
        rows += [(round, part, parts) for part in range(1, parts + 1)]
    return rows


def _best_look(job: PrintJob, rows: list[tuple[int, int, int]]) -> TableLook:
    """Return the most complete layout that is readable: one grid, then fewer boards, then several grids."""
    stands = len(job.plan.boards.stands)
    room = max(job.size) - 26 - BESIDE - sit_out_column_width(job)
    count = job.tables + stands
    first = max(1, -(-count // MOST_COLUMNS))

    @cache
    def filled(is_first_only: bool, is_out_only: bool) -> list[GridColumn]:
        """Return the columns with their texts, which do not depend on sizes."""
        return list(
            _table_columns(job, rows, TableLook(is_first_only, is_out_only, TYPES[-1], count))
        )

    for several in range(first, first + 4):
        columns = -(-count // several)
        for is_first_only in (False, True):
            for points in TYPES if not is_first_only else TYPES[-2:]:
                look = TableLook(is_first_only, False, points, columns)
                narrowed = (
                    _look_with_stands(filled, look, room) if several == 1 and stands else None
                )
                if narrowed is not None:
                    return narrowed
                tables = filled(is_first_only, False)
                space = room / columns - INSIDE
                if all(
                    _can_fit_column(table, space, points) for table in tables if not table.is_stand
                ):
                    is_out_only = not all(_can_fit_column(table, space, points) for table in tables)
                    return replace(look, is_out_only=is_out_only)
    return look


def _look_with_stands(
    filled: Callable[[bool, bool], list[GridColumn]], layout: TableLook, room: float
) -> TableLook | None:
    """Return the layout with narrower columns for board stands; None if the cells do not fit."""
    for is_out_only in (False, True):
        columns = filled(layout.is_first_only, is_out_only)
        stands = [column for column in columns if column.is_stand]
        tables = [column for column in columns if not column.is_stand]
        for wide in STAND_WIDTHS:
            space = (room - wide * len(stands)) / len(tables) - INSIDE
            if all(
                _can_fit_column(stand, wide - INSIDE, layout.points) for stand in stands
            ) and all(_can_fit_column(table, space, layout.points) for table in tables):
                return replace(layout, is_out_only=is_out_only, stand=wide)
    return None


def _can_fit_column(column: GridColumn, space: float, points: float) -> bool:
    """Return whether all cells of a master sheet's column fit into `space` mm."""
    return all(
        text_width(f"{cell.pairs} ", points, 800) + text_width(cell.boards, points) <= space
        for cell in column.cells
    )


def _master_grids(
    job: PrintJob, rows: list[tuple[int, int, int]], layout: TableLook
) -> Iterator[MasterGrid]:
    """Yield the grids of the master sheet."""
    columns = list(_table_columns(job, rows, layout))
    rounds = tuple(part_label(round, part if parts > 1 else 0) for round, part, parts in rows)
    starts = tuple(job.starts_at(round) if part == 1 else "" for round, part, _parts in rows)
    sit_outs = tuple(
        ", ".join(out.label for out in job.evening.sit_outs(round)) if part == 1 else ""
        for round, part, _parts in rows
    )
    for chunk in even_chunks(len(columns), layout.columns):
        yield MasterGrid(
            rounds=rounds,
            starts=starts,
            columns=tuple(columns[index] for index in chunk),
            sit_outs=tuple(out or NOTHING for out in sit_outs) if any(sit_outs) else (),
            out=sit_out_column_width(job),
        )


def _table_columns(
    job: PrintJob, rows: list[tuple[int, int, int]], layout: TableLook
) -> Iterator[GridColumn]:
    """Yield the master sheet's column of each table."""
    at: dict[tuple[int, int], list[TableGame]] = {}
    for games in job.evening.games.values():
        for game in games:
            at.setdefault((game.round, game.table), []).append(game)
    stands = job.plan.boards.stands
    is_at_home = have_ns_table_numbers(job)
    for table in range(1, job.tables + 1):
        held = [
            held_set
            for (_r, t), games in at.items()
            if t == table
            for game in games
            for held_set in _held_sets(job, game)
        ]
        copy = _single_copy_of_column(held)
        yield GridColumn(
            title=str(table),
            cells=tuple(
                _grid_cell(
                    job, at.get((round, table), []), part, layout, is_at_home=is_at_home, copy=copy
                )
                for round, part, _parts in rows
            ),
            copy=copy,
        )
        if table in stands:
            copy = _single_copy_of_column(
                held_set
                for round, _p, _n in rows
                for held_set in job.plan.boards.boards_on_stand(round, table)
            )
            yield GridColumn(
                title=stand_title(job, table, layout),
                cells=tuple(
                    MasterCell(
                        "", _stand_cell_text(job, round, table, layout, copy) if part == 1 else ""
                    )
                    for round, part, _parts in rows
                ),
                is_stand=True,
                copy=copy,
            )


def _held_sets(job: PrintJob, game: TableGame) -> tuple[HeldSets, ...]:
    """Return the board sets that a table plays in a game, with their copies."""
    return job.plan.boards.sets_in_play(game) if game.sets else ()


def _single_copy_of_column(all_held: Iterable[HeldSets]) -> CopyName | None:
    """Return the copy to which all boards of a column belong; None if they are of several, or sets have no copies."""
    copies_held = {held.copy for held in all_held}
    return copies_held.pop() if len(copies_held) == 1 else None


def _grid_cell(
    job: PrintJob,
    games: list[TableGame],
    part: int,
    layout: TableLook,
    *,
    is_at_home: bool,
    copy: CopyName | None,
) -> MasterCell:
    """Return the master sheet's cell of a table in a round or part of it."""
    if not games:
        return MasterCell(NOTHING)
    if part > len(games):
        return MasterCell(_("same"))
    game = games[part - 1]
    boards = _boards_cell_text(job, _held_sets(job, game), layout, copy)
    if game.is_played:
        return MasterCell(
            side_numbers(game.ew)
            if is_at_home
            else f"{side_numbers(game.ns)}–{side_numbers(game.ew)}",
            boards,
        )
    return MasterCell(NOTHING, boards)


def _boards_cell_text(
    job: PrintJob, all_held: Iterable[HeldSets], layout: TableLook, copy_name: CopyName | None
) -> SafeString:
    """Return a cell's boards as text, shortened to the first of each set if the layout asks for it.

    A copy named by the column is not repeated.
    """
    texts = []
    for held in all_held:
        numbers = boards_of_sets(held.sets, job.boards_by_set)
        text = (
            ", ".join(str(first) for first, _last in board_ranges(numbers))
            if layout.is_first_only
            else board_text(numbers)
        )
        texts.append(
            (text, copies.copy_badge(held.copy) if held.copy and held.copy != copy_name else "")
        )
    return format_html_join(", ", "{}{}", texts)


def _stand_cell_text(
    job: PrintJob, round: int, table: int, layout: TableLook, copy: CopyName | None
) -> str:
    """Return the boards on the board stand after a table in a round, as text."""
    boards = job.plan.boards
    if layout.is_out_only:
        out = _boards_cell_text(
            job, (carriage.held for carriage in boards.sets_taken(round, table)), layout, copy
        )
        return out or NOTHING
    return _boards_cell_text(job, boards.boards_on_stand(round, table), layout, copy) or NOTHING

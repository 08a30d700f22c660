"""Score slips (travellers): one for every board, filled in at the tables."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from movements.engine.boards import dealer

from ..context import PrintJob, short_numbers
from ..layout import (
    LayoutColumn,
    block_column,
    empty_columns,
    even_chunks,
    first_column,
    fitting_height,
    height_class,
    part_label,
    tabbed_columns,
)
from ..selection import EVERYBODY, SheetSelection
from ..words import DEALERS, vulnerable_in_words

#: margins, heading and last lines (mm), smaller on the shorter paper, so that both hold as many
#: lines; the column titles
AROUND, HEAD = {"a4": 14 + 17 + 14, "letter": 12 + 15 + 14}, 8
#: a line needs space for handwriting
TALLEST, SMALLEST = 11, {"a4": 6.2, "letter": 5.8}
SHORT = 4  # characters of a side that leave space for the other
# class, slips on a sheet, divisor of the sheet's height
SHAPES = (("cards4", 4, 2), ("cards2", 2, 1))


@dataclass(frozen=True)
class ScoreSlip:
    """The slip (traveller) that goes with a board, with a row for each time it is played."""

    board: int
    dealer: str
    vulnerable: str
    columns: tuple[LayoutColumn, ...]
    continues: bool  # the second slip of a board that is played very often


@dataclass(frozen=True)
class SlipSheet:
    """A sheet of paper with score slips (travellers)."""

    css: str
    height: str
    is_individual: bool
    slips: tuple[ScoreSlip, ...]


def score_slips(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[SlipSheet]:
    """Return a score slip (traveller) for every board, with a row for each time it is played.

    The contestants are printed if the movement determines them; undrawn rounds have blank lines.
    """
    lines = _lines_by_board(job)
    boards = selection.boards(job)
    longest = max((len(lines[board]) for board in boards), default=1)
    css, per_sheet, height, most = _slip_layout(job, longest)
    slips = [
        ScoreSlip(
            board=board,
            dealer=str(DEALERS[dealer(board)]),
            vulnerable=vulnerable_in_words(board),
            columns=_slip_columns(job, [lines[board][index] for index in chunk]),
            continues=chunk.start > 0,
        )
        for board in boards
        for chunk in even_chunks(len(lines[board]), most)
    ]
    return [
        SlipSheet(
            css=css,
            height=height_class(height),
            is_individual=job.contest.plays_alone,
            slips=tuple(slips[start : start + per_sheet]),
        )
        for start in range(0, len(slips), per_sheet)
    ]


def _slip_layout(job: PrintJob, rows: int) -> tuple[str, int, float, int]:
    """Return the CSS class, the slips per sheet, the row height in mm and the rows per slip for score slips."""
    smallest = SMALLEST[job.paper]
    for css, per_sheet, share in SHAPES:
        space = job.size[1] / share - AROUND[job.paper] - HEAD
        if height := fitting_height(space, rows, TALLEST, smallest):
            return css, per_sheet, height, rows
    return css, per_sheet, smallest, int(space / smallest)


@dataclass(frozen=True)
class _SlipLine:
    """A row of a score slip: the round and the contestants if they are known."""

    round: str
    ns: str = ""
    ew: str = ""


def _lines_by_board(job: PrintJob) -> dict[int, list[_SlipLine]]:
    """Return the rows of every board's score slip, in the order of play."""
    by_board: defaultdict[int, list[_SlipLine]] = defaultdict(list)
    for round in sorted(job.evening.games):
        games = sorted(job.evening.games[round], key=lambda game: (game.part, game.table))
        for game in games:
            for board in game.boards if game.is_played else ():
                label = part_label(round, game.part if game.parts > 1 else 0)
                by_board[board].append(
                    _SlipLine(label, short_numbers(game.ns), short_numbers(game.ew))
                )
    blank = max((len(games) for games in job.evening.games.values()), default=0)
    for name, boards in job.boards_by_set.items():
        for board in boards:
            if board not in by_board:
                by_board[board] = [_SlipLine(_round_of(job, name))] * max(blank, 1)
    return by_board


def _round_of(job: PrintJob, name: str) -> str:
    """Return the round of a board set in a drawn event where each round has its own set; otherwise empty."""
    sets = list(job.boards_by_set)
    is_one_a_round = len(sets) == job.evening.rounds and bool(job.evening.open_rounds)
    return str(sets.index(name) + 1) if is_one_a_round else ""


def _slip_columns(job: PrintJob, lines: list[_SlipLine]) -> tuple[LayoutColumn, ...]:
    """Return the columns of a score slip from its rows."""
    return (
        first_column("rd", _("Rd"), [line.round for line in lines]),
        *_side_columns(job, [line.ns for line in lines], [line.ew for line in lines]),
        *empty_columns(("c", _("Contract")), ("d", pgettext("declarer", "By"))),
        *([] if job.contest.plays_alone else empty_columns(("e", _("Tricks")))),
        *empty_columns(("f", _("NS +")), ("g", _("EW +"))),
    )


def _side_columns(job: PrintJob, ns: list[str], ew: list[str]) -> tuple[LayoutColumn, ...]:
    """Return the score slip's columns of both sides, joined if the numbers are short enough."""
    if job.contest.plays_alone or max(map(len, ns)) > SHORT:
        return block_column("a", _("NS"), {"strong": ns}), block_column(
            "b", _("EW"), {"strong": ew}
        )
    return block_column("a", _("NS"), {"strong": tabbed_columns(ns, ew)}), *empty_columns(
        ("b", _("EW"))
    )

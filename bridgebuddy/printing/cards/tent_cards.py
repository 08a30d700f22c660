"""Tent cards, folded across: the table's number and moves on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan.games import TableGame
from movements.words.sentences import LINES

from ..context import PrintJob
from ..layout import (
    LayoutColumn,
    block_column,
    estimated_lines,
    even_chunks,
    first_column,
    fitting_height,
    height_class,
    round_numbers,
)
from ..selection import EVERYBODY, SheetSelection
from .table_cards import games_by_table, moving_directions, table_rows
from .table_notes import table_notes
from .table_rows import TableRow
from .table_steps import next_place_of_side, next_places_of_boards

#: the height on half a sheet beside the grid (mm): margins, number and heading, head row
AROUND, HEAD, NOTE_LINE, NOTE_LENGTH = 17, 52 + 8, 5.0, 95
TALLEST, SMALLEST = 11, 4.7
LONG_MOVE = 16  # characters beyond which type is smaller


@dataclass(frozen=True)
class TentCard:
    """A sheet to fold into a tent on the table: two equal halves with the moves, one upside down."""

    table: int
    height: str
    columns: tuple[LayoutColumn, ...]
    notes: tuple[str, ...]
    part: int = 1
    parts: int = 1


def tent_cards(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[TentCard]:
    """Return the tent cards of the selected tables."""
    by_table = games_by_table(job)
    return [
        card
        for table in selection.tables(job)
        for card in _cards_of_table(job, table, by_table[table])
    ]


def _cards_of_table(
    job: PrintJob, table: int, by_round: Mapping[int, list[TableGame]]
) -> Iterator[TentCard]:
    """Yield the tent cards of a table."""
    rows = table_rows(job, by_round)
    games = [row.game for row in rows if row.game]
    movers = moving_directions(job, games)
    notes = tuple(table_notes(job, games, movers))
    moves = _round_texts(job, rows, movers)
    space = (
        job.size[1] / 2 - AROUND - HEAD - NOTE_LINE * max(1, estimated_lines(notes, NOTE_LENGTH))
    )
    chunks = even_chunks(len(moves), max(1, int(space / SMALLEST)))
    height = fitting_height(space, len(chunks[0]), TALLEST, SMALLEST) or SMALLEST
    for part, chunk in enumerate(chunks, start=1):
        yield TentCard(
            table=table,
            height=height_class(height),
            columns=_card_columns([moves[index] for index in chunk], movers),
            notes=notes,
            part=part,
            parts=len(chunks),
        )


@dataclass(frozen=True)
class _RoundText:
    """The texts of a tent card for some rounds: the moves of each moving direction and of the boards."""

    rounds: str
    people: tuple[str, ...]
    boards: str


def _round_texts(job: PrintJob, rows: list[TableRow], movers: list[str]) -> list[_RoundText]:
    """Return the different moves of a table, each with all rounds after which it is made."""
    rows_by_move: dict[tuple[tuple[str, ...], str], list[TableRow]] = {}
    for row in rows:
        people = tuple(
            next_place_of_side(job, row, line, says_end=line == movers[0]) for line in movers
        )
        rows_by_move.setdefault((people, next_places_of_boards(job, row)), []).append(row)
    return [
        _RoundText(_rounds_text(job, together), people, boards)
        for (people, boards), together in rows_by_move.items()
    ]


def _rounds_text(job: PrintJob, rows: list[TableRow]) -> str:
    """Return the round numbers of these rows as text."""
    if any(row.label != str(row.round) for row in rows):
        return ", ".join(row.label for row in rows)
    rounds = [row.round for row in rows]
    return round_numbers(rounds)


def _card_columns(texts: list[_RoundText], movers: list[str]) -> tuple[LayoutColumn, ...]:
    """Return the columns of a tent card from the texts of its moves."""
    boards = [tent.boards for tent in texts]
    return (
        first_column("rd", _("After round"), [tent.rounds for tent in texts], "strong"),
        *(
            block_column(
                line if len(movers) > 1 else "only",
                str(LINES[line]),
                {
                    _sized_class("strong", [tent.people[index] for tent in texts]): [
                        tent.people[index] for tent in texts
                    ]
                },
            )
            for index, line in enumerate(movers)
        ),
        block_column("bd", _("Boards"), {_sized_class("", boards): boards}),
    )


def _sized_class(css: str, rows: list[str]) -> str:
    """Return a text block's CSS class, with smaller type if a row would not fit its line."""
    return f"{css} small" if max(map(len, rows)) > LONG_MOVE else css

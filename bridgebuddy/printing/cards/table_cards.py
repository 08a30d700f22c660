"""Table cards: one sheet for every table, with the pairs, boards and moves of every round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan.board_moves import FetchedSet
from bridgebuddy.events.queries.plan.games import TableGame, board_text
from movements.engine.boards import boards_of_sets
from movements.words.sentences import CHAIRS, LINE_LETTERS, LINES

from .. import copies
from ..context import Drawn, PrintJob, side_surnames
from ..layout import (
    NOTHING,
    LayoutColumn,
    block_column,
    estimated_lines,
    fewest_chunks,
    fitting_line_height,
    height_class,
    joined_with_and,
)
from ..layout import table_rows as grid_rows
from ..measure import SMALLEST_TYPE, fits_width, line_count, plain_text
from ..selection import EVERYBODY, SheetSelection
from .edges import DepartureGame, PlayerEdge, card_edges
from .table_notes import table_notes
from .table_rows import (
    TYPE_LINE,
    StayingContestant,
    TableRow,
    column_widths,
    font_weight,
    has_single_stand,
    side_number_text,
    side_of_game,
    sized_class,
)
from .table_steps import _boards_part, moves_column

#: the height of margins, heading and column titles, and of a line of the notes (mm)
AROUND, NOTE_LINE, NOTE_LENGTH = 26 + 51 + 9 + 6, 5.8, 80
TALLEST = 26
SMALLEST = {2: 8.2, 3: 12.6}  # by lines a row: a line is at least 4.1 mm high
LONG_BOARDS = 6  # characters beyond which type is smaller


@dataclass(frozen=True)
class TableCard:
    """One printed page of a table's card: contestants, boards and moves, round by round."""

    table: int
    height: str  # class of the line height
    columns: tuple[LayoutColumn, ...]
    notes: tuple[str, ...]
    edges: tuple[PlayerEdge, ...]
    part: int = 1
    parts: int = 1
    stays: StayingContestant | None = None
    copies: str = ""  # the copies of the boards that are played there
    qr: Drawn | None = None
    digits: str = ""  # for a phone that cannot scan
    is_wrapped: bool = False  # whether lines are wrapped because they do not fit their column

    @property
    def rows(self) -> list[list[tuple[str, list[tuple[str, str]]]]]:
        """Return the card's rows if it is laid out as an HTML table."""
        return grid_rows(self.columns) if self.is_wrapped else []


def table_cards(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[TableCard]:
    """Return the cards of the selected tables."""
    job = job.job_as_seated
    by_table = games_by_table(job)
    return [
        card
        for number in selection.tables(job)
        for card in _cards_of_table(job, number, by_table[number])
    ]


def games_by_table(job: PrintJob) -> Mapping[int, Mapping[int, list[TableGame]]]:
    """Return every table's games, by round."""
    by_table: defaultdict[int, defaultdict[int, list[TableGame]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for games in job.evening.games.values():
        for game in games:
            by_table[game.table][game.round].append(game)
    return by_table


def table_rows(job: PrintJob, by_round: Mapping[int, list[TableGame]]) -> list[TableRow]:
    """Return the rows of a table's card: one for every round, or for every part of it."""
    return [
        TableRow(round, game, is_last=round == job.evening.rounds)
        for round in range(1, job.evening.rounds + 1)
        for game in (by_round.get(round) or (None,))
    ]


def moving_directions(job: PrintJob, games: list[TableGame]) -> list[str]:
    """Return the directions ("ns", "ew") of a table whose contestant changes during the session."""
    return [line for line in ("ns", "ew") if not _keeps_contestant(job, games, line)]


def _cards_of_table(
    job: PrintJob, table: int, by_round: Mapping[int, list[TableGame]]
) -> Iterator[TableCard]:
    """Yield the pages of a table's card."""
    rows = table_rows(job, by_round)
    games = [row.game for row in rows if row.game]
    movers = moving_directions(job, games)
    stays = _staying_contestant(job, rows, movers)
    columns = _card_columns(job, rows, movers, stays)
    takes = _stand_take_texts(job, rows) if stays and len(movers) == 1 else []
    if any(takes) and _can_fit_columns(job, _add_taken_boards(columns, takes), stays):
        columns = _add_taken_boards(columns, takes)
    else:
        takes = []
    notes = tuple(table_notes(job, games, movers, staying=stays, tells_takes=not takes))
    around = card_edges(
        job, [DepartureGame(row.label, row.game) for row in rows if row.game and not row.is_end]
    )
    space = (
        job.size[1]
        - AROUND
        - NOTE_LINE * max(2, estimated_lines(map(plain_text, notes), NOTE_LENGTH))
    )
    if stays:
        space -= 3 + 5 * line_count(
            f"{stays.label} {stays.names}" + 30 * "n", job.size[0] - 24, 12, 800
        )
    is_wrapped = not _can_fit_columns(job, columns, stays)
    smallest = SMALLEST[3 if len(movers) == 2 or _boards_part(job, rows) else 2]
    needs = [
        _row_height(job, columns, stays, row) if is_wrapped else 0.0 for row in range(len(rows))
    ]
    chunks = fewest_chunks(needs, space, smallest)
    heights = [
        fitting_line_height(space, needs[chunk.start : chunk.stop], TALLEST, smallest) or smallest
        for chunk in chunks
    ]
    for part, chunk in enumerate(chunks, start=1):
        yield TableCard(
            table=table,
            height=height_class(min(heights)) + (" stays" if stays else ""),
            columns=tuple(grid_column.part(chunk) for grid_column in columns),
            notes=notes,
            edges=around,
            part=part,
            parts=len(chunks),
            stays=stays,
            copies=copies.copies_at_table(job, table),
            qr=partial(job.table_qr, table),
            digits=job.table_digits(table),
            is_wrapped=is_wrapped,
        )


def _staying_contestant(
    job: PrintJob, rows: list[TableRow], movers: list[str]
) -> StayingContestant | None:
    """Return the contestant that sits in the same direction of a table in every round; None if there is none."""
    for line in ("ns", "ew"):
        sides = {
            tuple(s.contestant for s in side_of_game(row.game, line)) if row.game else ()
            for row in rows
        }
        if line not in movers and len(sides) == 1 and len(side := sides.pop()) == 1:
            contestant = side[0]  # of a team any two players may sit there, so its name is used
            return StayingContestant(
                line,
                contestant.label,
                contestant.surnames if contestant.halves else contestant.names,
            )
    return None


def _can_fit_columns(
    job: PrintJob, columns: tuple[LayoutColumn, ...], staying: StayingContestant | None
) -> bool:
    """Return whether all names and moves fit the columns of a table card in the smallest type."""
    widths = column_widths(job, staying)
    return all(
        fits_width(line, widths[grid_column.css], SMALLEST_TYPE, font_weight(block.css))
        for grid_column in columns
        if grid_column.css in ("ns", "ew", "then")
        for block in grid_column.blocks
        if not {"number", "two"} & {*block.css.split()}
        for line in block.rows
    )


def _row_height(
    job: PrintJob, columns: tuple[LayoutColumn, ...], staying: StayingContestant | None, row: int
) -> float:
    """Return the height of a table card's row with wrapped lines, in mm."""
    widths = column_widths(job, staying)
    return 3 + max(
        sum(
            TYPE_LINE
            * line_count(line, 0.94 * widths[grid_column.css], SMALLEST_TYPE, font_weight(css))
            for css, line in grid_column.cell_texts(row)
        )
        for grid_column in columns
        if grid_column.css in ("ns", "ew", "then")
    )


def _keeps_contestant(job: PrintJob, games: list[TableGame], direction: str) -> bool:
    """Return whether the same contestant, or none, sits in a direction of a table in all rounds."""
    sides = {tuple(s.contestant.number for s in side_of_game(game, direction)) for game in games}
    return len(sides) <= 1 and all(
        job.plan.people.stays_put(number, direction) for side in sides for number in side
    )


# ── the grid ──


def _card_columns(
    job: PrintJob, rows: list[TableRow], movers: list[str], staying: StayingContestant | None
) -> tuple[LayoutColumn, ...]:
    """Return the columns of a table card."""
    boards = [_boards_text(job, row.game) if row.game else NOTHING for row in rows]
    size = "long" if any(len(plain_text(text)) > LONG_BOARDS for text in boards) else "big"
    under_boards = [_note_below_boards(job, row) for row in rows]
    return (
        block_column("rd", _("Round"), {"number": [row.label for row in rows]}),
        *(
            _side_column(job, rows, line, staying)
            for line in ("ns", "ew")
            if staying is None or line != staying.line
        ),
        block_column("bd", _("Boards"), _stacked_blocks(size, boards, under_boards)),
        moves_column(job, rows, movers, staying),
    )


def _boards_text(job: PrintJob, game: TableGame) -> str:
    """Return the boards of a game with their copy as text; those of a team match half by half.

    Without play the boards may be elsewhere.
    """
    if not (job.plan.boards.are_boards_at_table(game) or job.section.contest.has_halves):
        return NOTHING
    if job.plan.boards.copies:
        return copies.boards_of_game(job, game)
    return ", ".join(game.half_texts)


def _stand_take_texts(job: PrintJob, rows: list[TableRow]) -> list[str]:
    """Return the text on the boards that a table takes from a board stand after each row, empty for none."""
    return [
        "".join(_fetch_text(job, fetched) for fetched in job.plan.boards.fetched_sets(after.game))
        if after.game and not row.is_end
        else ""
        for row, after in zip(rows, [*rows[1:], TableRow(0, None, is_last=True)], strict=True)
    ]


def _fetch_text(job: PrintJob, fetched: FetchedSet) -> str:
    """Return the text that says where the players fetch a board set."""
    words = {"boards": board_text(boards_of_sets(fetched.sets, job.boards_by_set))}
    if fetched.kind == "stand":
        words["stand"] = job.plan.boards.stand(fetched.stand)
        return (
            _("; take %(boards)s from the %(stand)s") % words
            if has_single_stand(job)
            else (_("; take %(boards)s from %(stand)s") % words)
        )
    if fetched.stand:
        return _("; fetch %(boards)s from table %(table)s") % {**words, "table": fetched.stand}
    return _("; fetch %(boards)s") % words


def _add_taken_boards(
    columns: tuple[LayoutColumn, ...], taken_boards: list[str]
) -> tuple[LayoutColumn, ...]:
    """Return a table card's columns with the boards fetched from elsewhere added to the last one."""
    *others, then = columns
    *above, boards = then.blocks
    texts = tuple(
        own + take if own else capfirst(take.removeprefix("; "))
        for own, take in zip(boards.rows, taken_boards, strict=True)
    )
    css = boards.css if "small" in boards.css else f"{boards.css} small".strip()
    return (*others, replace(then, blocks=(*above, replace(boards, css=css, rows=texts))))


def _stacked_blocks(
    css: str, main_lines: list[str], lower_lines: list[str]
) -> dict[str, list[str]]:
    """Return a column's text blocks: one in the middle, or a main one with a smaller one below it."""
    if not any(lower_lines):
        return {css: main_lines}
    return {f"up {css}": main_lines, "down small": lower_lines}


def _side_column(
    job: PrintJob, rows: list[TableRow], direction: str, staying: StayingContestant | None
) -> LayoutColumn:
    """Return the table card's column with the contestants of a direction."""
    space = column_widths(job, staying)[direction]
    players = max((len(side_of_game(row.game, direction)) for row in rows if row.game), default=1)
    names = [_names_in_direction(job, row, direction) for row in rows]
    return block_column(
        direction,
        _side_title(rows, direction),
        {
            "up number" if players < 2 else "up two": [
                side_number_text(row.game, direction) for row in rows
            ],
            sized_class("down", space, names): names,
        },
    )


def _side_title(rows: list[TableRow], direction: str) -> str:
    """Return the column title of a direction: "NS North-South", or in an individual the two seats."""
    sittings = (
        sitting for row in rows if row.game for sitting in side_of_game(row.game, direction)
    )
    first = next(sittings, None)
    if first and first.contestant.is_single:
        return _("%(first)s and %(last)s") % {
            "first": CHAIRS[direction[0]],
            "last": CHAIRS[direction[1]],
        }
    return f"{LINE_LETTERS[direction]} {LINES[direction]}"


def _names_in_direction(job: PrintJob, row: TableRow, direction: str) -> str:
    """Return the names of the contestant in a direction of a row's game, or why there is none."""
    game = row.game
    if row.round in job.evening.open_rounds:
        return _("drawn later")
    if game is None or not (game.ns or game.ew):
        return _("nobody")
    if side := side_of_game(game, direction):
        return side_surnames(side)
    return _("nobody: %(line)s sit out") % {
        "line": LINE_LETTERS["ew" if direction == "ns" else "ns"]
    }


def _note_below_boards(job: PrintJob, row: TableRow) -> str:
    """Return the note below a row's boards: not played, shared, arrow-switched, lent …; empty for none."""
    if row.game is None or not (
        row.game.is_played or job.plan.boards.are_boards_at_table(row.game)
    ):
        return ""
    if not row.game.is_played:
        return _("not played")
    if row.game.boards_from:
        return _("from table %(table)s") % {"table": row.game.boards_from}
    texts = [
        _turned_boards_text(job, row.game),
        _shared_tables_text(job, row.game),
        _lender_text(job, row.game),
    ]
    return ", ".join(filter(None, texts))


def _lender_text(job: PrintJob, game: TableGame) -> str:
    """Return the text that a game's boards are on another section's board stand; empty otherwise."""
    letter = job.plan.boards.lending_section_of(game)
    return _("from section %(letter)s") % {"letter": letter} if letter else ""


def _turned_boards_text(job: PrintJob, game: TableGame) -> str:
    """Return the text that a game's boards, or some of them, are arrow-switched; empty otherwise."""
    turned = job.plan.turned_boards(game)
    if len(turned) == len(game.boards):
        return _("turn the boards") if turned else ""
    return _("turn %(boards)s") % {"boards": board_text(turned)} if turned else ""


def _shared_tables_text(job: PrintJob, game: TableGame) -> str:
    """Return the tables with which a game shares its boards, as text; empty for none."""
    tables = job.plan.boards.tables_sharing_with(game)
    words = {
        "tables": joined_with_and([str(table) for table in tables]),
        "table": "".join(map(str, tables)),
    }
    if len(tables) > 1:
        return _("with %(tables)s") % words
    return _("with table %(table)s") % words if tables else ""

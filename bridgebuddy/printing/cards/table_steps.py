"""The moves of contestants and boards after each row of a table."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.plan.board_moves import BoardMove
from bridgebuddy.events.queries.plan.games import TableGame, TableSide, board_text
from bridgebuddy.events.queries.plan.moves import SeatAt
from movements.engine.boards import boards_of_sets
from movements.words.sentences import CHAIR_LETTERS, LINE_LETTERS

from ..context import PrintJob
from ..layout import NOTHING, LayoutColumn, block_column, joined_with_and
from ..measure import fits_width
from .table_rows import (
    LARGE_TYPE,
    StayingContestant,
    TableRow,
    column_widths,
    has_single_stand,
    side_of_game,
    sized_class,
)


def moves_column(
    job: PrintJob, rows: list[TableRow], movers: list[str], staying: StayingContestant | None
) -> LayoutColumn:
    """Return the table card's column with the contestants' moves, and below them the boards' moves."""
    people = {
        line: [next_place_of_side(job, row, line, says_end=line == movers[0]) for row in rows]
        for line in movers
    }
    boards = [next_places_of_boards(job, row) for row in rows]
    if len(movers) == 1 and _boards_part(job, rows):
        steps = [_board_steps(job, row.game, row.is_last) if row.game else [] for row in rows]
        blocks = {
            "up3 strong": people[movers[0]],
            "": [of_row[0] if of_row else "" for of_row in steps],
            "down3": [", ".join(of_row[1:]) for of_row in steps],
        }
    elif len(movers) == 2:
        blocks = {"up3 strong": people["ns"], "strong": people["ew"], "down3": boards}
    elif movers:
        blocks = {"up strong": people[movers[0]], "down": boards}
    else:
        blocks = {"": boards}
    space = column_widths(job, staying)["then"]
    size = sized_class("", space, *blocks.values())
    if not size and any(
        not fits_width(line, space, LARGE_TYPE, 800) for line in people.get("ew", ())
    ):
        size = " small"
    return block_column("then", _("Then"), {css + size: lines for css, lines in blocks.items()})


def _boards_part(job: PrintJob, rows: list[TableRow]) -> bool:
    """Return whether a table's board sets go to different places after some round."""
    return any(
        len(job.plan.boards_after(row.game)) > 1 for row in rows if row.game and not row.is_last
    )


def next_place_of_side(job: PrintJob, row: TableRow, direction: str, *, says_end: bool) -> str:
    """Return where a direction's contestant goes after a row; `says_end` adds "The end" and "drawn later"."""
    if row.is_end:
        return _("The end") if says_end else ""
    side = side_of_game(row.game, direction) if row.game else ()
    if row.game is None or not side:
        return NOTHING
    if row.round + 1 in job.evening.open_rounds and row.game.part == row.game.parts:
        return _("drawn later") if says_end else ""
    seats = [(sitting, job.plan.next_seat(sitting.contestant.number, row.game)) for sitting in side]
    if len(seats) == 1:
        sitting, seat = seats[0]
        if seat is None:
            return _sit_out_text(job, row.game, sitting, direction)
        return _side_move_text(job, row.game, str(LINE_LETTERS[direction]), direction, seat)
    return ", ".join(
        _player_step(row.game, sitting, seat) for sitting, seat in seats
    )  # an individual: all players move separately


def _sit_out_text(job: PrintJob, game: TableGame, side: TableSide, direction: str) -> str:
    """Return that a contestant sits out next, and where it plays after that: "EW sit out, then table 3"."""
    seats = job.plan.people.seats.get(side.contestant.number, ())
    now = (game.round, game.part)
    seat = next((s for s in seats if (s.round, s.part) > now and s.is_played), None)
    words: dict[str, object] = {"line": LINE_LETTERS[direction]}
    is_known = seat and not any(r <= seat.round for r in job.evening.open_rounds)
    if seat is None or not is_known or job.contest.has_halves:
        return _("%(line)s sit out") % words
    words |= {"table": seat.table, "other": LINE_LETTERS[seat.line]}
    if seat.line != direction:
        return _("%(line)s sit out, then table %(table)s, sit %(other)s") % words
    return _("%(line)s sit out, then table %(table)s") % words


def _side_move_text(
    job: PrintJob, game: TableGame, subject: str, direction: str, seat: SeatAt
) -> str:
    """Return the next move of the contestant in a direction: "EW to table 4"."""
    words = {"line": subject, "table": seat.table, "other": LINE_LETTERS[seat.line]}
    if not seat.is_played:
        return _("%(line)s to table %(table)s: sit out") % words
    if seat.line != direction and seat.table == game.table:
        return _("%(line)s stay, sit %(other)s") % words
    if seat.line != direction:
        return _("%(line)s to table %(table)s, sit %(other)s") % words
    if seat.table == game.table:
        return _("%(line)s stay here") % words
    if job.plan.people.is_skip(game, seat):
        return _("%(line)s to table %(table)s: skip") % words
    return _("%(line)s to table %(table)s") % words


def _player_step(game: TableGame, side: TableSide, seat: SeatAt | None) -> str:
    """Return the next move of a player in an individual: "S 3 to 4 E"."""
    words: dict[str, object] = {"player": side.contestant.label}
    if seat is None or not seat.is_played:
        return _("%(player)s sits out") % words
    if seat.place == (game.table, game.chair_of(side.contestant.number)):
        return _("%(player)s stays") % words
    words |= {"table": seat.table, "line": CHAIR_LETTERS[seat.chair]}
    return _("%(player)s to %(table)s %(line)s") % words


def next_places_of_boards(job: PrintJob, row: TableRow) -> str:
    """Return where a table's boards go after a row's game, as text."""
    if row.game is None:
        return NOTHING
    return ", ".join(_board_steps(job, row.game, row.is_last))


def _board_steps(job: PrintJob, game: TableGame, is_last: bool) -> list[str]:
    """Return where the boards of a game go next: one text, or one for each group of board sets."""
    if game.boards_to:
        return [_board_step(job, BoardMove("tables", (), (game.boards_to,)))]
    if not game.sets:  # a match of teams: its boards are dealt at the table
        return []
    if is_last and game.part == game.parts and not job.plan.boards.borrowed_set(game):
        return [_("Leave the boards here")] if job.plan.boards.are_boards_at_table(game) else []
    moves = job.plan.boards_after(game)
    if len(moves) == 1:
        return [_board_step(job, moves[0])]
    return [_set_step(job, move) for move in moves]


def _board_step(job: PrintJob, move: BoardMove) -> str:
    """Return the text of where board sets go after a game: "Boards to table 3"."""
    if move.kind == "tables":
        words = {"tables": joined_with_and([str(table) for table in move.tables])}
        return (
            ngettext("Boards to table %(tables)s", "Boards to tables %(tables)s", len(move.tables))
            % words
        )
    return {
        "stay": _("Boards stay here"),
        "stand": _boards_to_stand_text(job, move),
        "lent": _("Boards back to section %(letter)s") % {"letter": job.plan.boards.lender},
        "aside": _("Put the boards aside"),
        "done": _("Boards are finished"),
    }[move.kind]


def _boards_to_stand_text(job: PrintJob, move: BoardMove) -> str:
    """Return the text for board sets that go to a board stand; empty for other moves."""
    words = {"stand": job.plan.boards.stand(move.tables[0])} if move.kind == "stand" else {}
    if not words:
        return ""
    return (
        _("Boards to the %(stand)s") if has_single_stand(job) else _("Boards to %(stand)s")
    ) % words


def _set_step(job: PrintJob, move: BoardMove) -> str:
    """Return the text of where some of a table's boards go: "1–2 to table 3"."""
    words = {
        "sets": board_text(boards_of_sets(move.sets, job.boards_by_set)),
        "tables": joined_with_and([str(table) for table in move.tables]),
        "stand": job.plan.boards.stand(move.tables[0]) if move.kind == "stand" else "",
    }
    sentence = {
        "tables": _("%(sets)s to table %(tables)s"),
        "stay": _("%(sets)s stay"),
        "stand": _("%(sets)s to the %(stand)s")
        if has_single_stand(job)
        else _("%(sets)s to %(stand)s"),
        "aside": _("%(sets)s aside"),
        "done": _("%(sets)s done"),
    }[move.kind]
    return sentence % words

"""Personal score cards: every board of a contestant, with space for the results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from bridgebuddy.events.queries.plan.games import Contestant, RoundTurn, TableGame
from movements.engine.boards import dealer
from movements.words.sentences import CHAIR_LETTERS

from ..context import Drawn, PrintJob, short_numbers
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
from ..words import vulnerability_text
from .guide_cards import heading_class, heading_height, name_lines
from .guide_rows import contestant_word, games_in_order, text_without_game

#: margins, heading, last lines (mm); two cards side by side, as high as the sheet
AROUND = 14 + 31 + 18
TALLEST, SMALLEST, PER_SHEET = 9.5, 5.4, 2


@dataclass(frozen=True)
class ScoreCard:
    """A contestant's personal score card, with an empty row for each board to fill in."""

    contestant: Contestant
    kind: str
    qr: Drawn
    columns: tuple[LayoutColumn, ...]
    continues: bool

    @property
    def players(self) -> str:
        """Return the players' names, one per text line."""
        return "\n".join(name_lines(self.contestant))

    @property
    def heading(self) -> str:
        """Return the CSS class of the names in the heading: smaller type or wrapped lines if they are long."""
        return heading_class(self.contestant)


@dataclass(frozen=True)
class ScoreCardSheet:
    """A sheet of paper with personal score cards."""

    height: str
    is_individual: bool
    cards: tuple[ScoreCard, ...]


@dataclass(frozen=True)
class _CardLine:
    """A row of a score card: a board, or a round without known boards or without a game.

    Only the first board of a game names the table and the opponents.
    """

    round: str = ""
    table: str = ""
    partner: str = ""
    against: str = ""
    board: int = 0
    remark: str = ""  # instead of a board: "you sit out"


def score_cards(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[ScoreCardSheet]:
    """Return the score cards of the selected contestants, sheet by sheet."""
    wanted = selection.contestants(job)
    lines = {contestant.number: list(_card_lines(job, contestant)) for contestant in wanted}
    space = job.size[1] - AROUND - max(map(heading_height, wanted), default=0)
    most = max((len(of_one) for of_one in lines.values()), default=1)
    height = fitting_height(space, most + 1, TALLEST, SMALLEST)  # one more for the head row
    if height is None:
        height, most = SMALLEST, int(space / SMALLEST) - 1
    cards = [
        ScoreCard(
            contestant=contestant,
            kind=contestant_word(job),
            qr=partial(job.player_qr, contestant),
            columns=_card_columns(job, [lines[contestant.number][index] for index in chunk]),
            continues=chunk.start > 0,
        )
        for contestant in wanted
        for chunk in even_chunks(len(lines[contestant.number]), most)
    ]
    return [
        ScoreCardSheet(
            height=height_class(height),
            is_individual=job.contest.plays_alone,
            cards=tuple(cards[start : start + PER_SHEET]),
        )
        for start in range(0, len(cards), PER_SHEET)
    ]


def _card_lines(job: PrintJob, contestant: Contestant) -> Iterator[_CardLine]:
    """Yield the rows of a contestant's score card."""
    boards_a_round = job.section.boards_per_round or 1
    for turn in job.evening.schedule(contestant.number)[contestant.first_round - 1 :]:
        if turn.games:
            for game in games_in_order(turn):
                yield from _game_lines(game, contestant, boards_a_round)
        else:
            yield from _lines_without_game(turn, boards_a_round)


def _game_lines(
    game: TableGame, contestant: Contestant, boards_a_round: int
) -> Iterator[_CardLine]:
    """Yield the rows of a game on a score card, one for each board."""
    partner = game.partner_of(contestant.number)
    first = _CardLine(
        round=part_label(game.round, game.part if game.parts > 1 else 0),
        table=f"{game.table} {CHAIR_LETTERS[game.chair_of(contestant.number)]}",
        partner=partner.contestant.short if partner else "",
        against=short_numbers(game.opponents_of(contestant.number)),
    )
    if not game.boards:  # a match of teams: its boards are dealt at the table
        yield from _empty_lines(first, boards_a_round)
    for index, board in enumerate(game.boards):
        yield replace(first, board=board) if index == 0 else _CardLine(board=board)


def _lines_without_game(turn: RoundTurn, boards_a_round: int) -> Iterator[_CardLine]:
    """Yield the rows of a round without known game: one for a sit-out, one per board for an undrawn round."""
    if turn.is_open:
        yield from _empty_lines(_CardLine(round=str(turn.round)), boards_a_round)
        return
    yield _CardLine(round=str(turn.round), remark=text_without_game(turn))


def _empty_lines(first_line: _CardLine, boards_a_round: int) -> Iterator[_CardLine]:
    """Yield a score card's rows for a round of unknown boards; only the first row has text."""
    yield first_line
    for _board in range(boards_a_round - 1):
        yield _CardLine()


# ── the grid ──


def _card_columns(job: PrintJob, lines: list[_CardLine]) -> tuple[LayoutColumn, ...]:
    """Return the columns of a score card."""
    remarks = [line.remark for line in lines]
    tables, against = [line.table for line in lines], [line.against for line in lines]
    boards = [str(line.board or "") for line in lines]
    columns = (
        *_table_columns(tables, [line.partner for line in lines], against, remarks),
        block_column(
            "c",
            pgettext("board, short", "Bd"),
            {
                "": tabbed_columns(
                    boards, list(map(_dealer_letter, lines)), list(map(_vulnerable_side, lines))
                )
            },
        ),
        *empty_columns(
            ("d", pgettext("dealer, short", "Dlr")),
            ("e", pgettext("vulnerable, short", "Vul")),
            ("f", _("Contract")),
        ),
    )
    columns = (first_column("rd", _("Rd"), [line.round for line in lines]), *columns)
    if job.contest.plays_alone:  # partner and two opponents leave no space for more
        return columns + empty_columns(("h", _("Score")))
    return columns + empty_columns(("g", pgettext("declarer", "By")), ("h", _("Score")))


def _table_columns(
    tables: list[str], partners: list[str], opponent_columns: list[str], remarks: list[str]
) -> tuple[LayoutColumn, ...]:
    """Return the score card's columns of tables and opponents, joined to one block unless there are partners."""
    opponents = pgettext("opponents, short", "Vs")
    if any(partners):
        return (
            block_column("a", _("Table"), {"strong": tables, "": remarks}),
            block_column("w", _("With"), {"": partners}),
            block_column("b", opponents, {"strong": opponent_columns}),
        )
    return (
        block_column(
            "a", _("Table"), {"strong": tabbed_columns(tables, opponent_columns), "": remarks}
        ),
        *empty_columns(("b", opponents)),
    )


def _dealer_letter(line: _CardLine) -> str:
    """Return the letter of the dealer of a row's board; empty without a board number."""
    return str(CHAIR_LETTERS[dealer(line.board).lower()]) if line.board else ""


def _vulnerable_side(line: _CardLine) -> str:
    """Return the vulnerability of a row's board; empty without a board number."""
    return vulnerability_text(line.board) if line.board else ""

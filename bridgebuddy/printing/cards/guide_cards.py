"""Guide cards: a contestant's whole plan on a card; several cards on a sheet.

A full session has many lines, and a PDF's cost grows with its lines. So a pair's columns are two
blocks with tab stops, one in large and one in small type.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bridgebuddy.clubs.people.names import short_names
from bridgebuddy.events.queries.plan.games import Contestant
from movements.words.sentences import CHAIR_LETTERS

from ..context import Drawn, PrintJob, side_numbers, side_surnames
from ..copies import boards_of_game
from ..layout import (
    NOTHING,
    LayoutColumn,
    block_column,
    estimated_lines,
    even_chunks,
    fitting_line_height,
    height_class,
    most_rows,
    table_rows,
)
from ..measure import SMALLEST_TYPE, fits_width, line_count, plain_text
from ..selection import EVERYBODY, SheetSelection
from .guide_notes import TURNED, notes_for
from .guide_rows import CardRow, card_rows, contestant_word, text_without_game

#: the height of a card's margins, heading and last lines (mm), and a line of the notes
AROUND, NOTE_LINE, NOTE_LENGTH = 14 + 31 + 19, 4.8, 50
#: class, cards on a sheet, divisor of the sheet's height: two by two, two tall cards side by side,
#: or one card with all sizes multiplied by 1.8 or 1.4
SHAPES = (("cards4", 4, 2), ("cards2", 2, 1), ("cards1 x18", 1, 1.8), ("cards1 x14", 1, 1.4))
MOST_CARDS = 4
TALLEST = 10
SMALLEST = {1: 4.2, 2: 8.2}  # by lines a row: in an individual two opponents are named
LONG_BOARDS, WIDE_BOARDS, LONG_NUMBER, LONG_NAMES = 5, 8, 2, 36  # characters
#: the inner width of a card, of its heading beside the QR code, and of names: after the tab stops,
#: after their number with short and with long boards, of an individual's partner and opponents (mm)
INSIDE, BESIDE_QR, BEHIND_TABS, BEHIND, FAR_BEHIND, WITH, AGAINST = 93, 67, 40, 47, 39.5, 21, 25
CARD_TYPE, NAME_TYPE, LONG_NAME_TYPE = 10.7, 14, 11  # pt
#: for wrapped names: the height of their lines, of the heading's lines, of the heading, and of a
#: row's margin (mm)
TYPE_LINE, HEADING_LINE, HEADING, AROUND_ROW = 4.4, 4.7, 12.4, 1.4


@dataclass(frozen=True)
class GuideCard:
    """A contestant's guide card: seats, opponents and boards, round by round."""

    contestant: Contestant
    kind: str  # "Pair", "Team" or "Player"
    qr: Drawn
    columns: tuple[LayoutColumn, ...]
    notes: tuple[str, ...]
    continues: bool  # the second card of a contestant with very many rounds
    is_wrapped: bool = False  # whether names are wrapped because they do not fit their column

    @property
    def rows(self) -> list[list[tuple[str, list[tuple[str, str]]]]]:
        """Return the guide card's rows if it is laid out as an HTML table."""
        return table_rows(self.columns) if self.is_wrapped else []

    @property
    def players(self) -> str:
        """Return the players' full names, one per text line."""
        return "\n".join(name_lines(self.contestant))

    @property
    def heading(self) -> str:
        """Return the CSS class of the names in the heading: smaller type or wrapped lines if they are long."""
        return heading_class(self.contestant)


@dataclass(frozen=True)
class GuideSheet:
    """A sheet of paper with at most `per_sheet` guide cards to cut out, all with the same row height."""

    css: str
    per_sheet: int
    height: str
    cards: tuple[GuideCard, ...]


def guide_sheets(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[GuideSheet]:
    """Return sheets with the guide cards of the selected contestants."""
    job = job.job_as_seated
    wanted = selection.contestants(job)
    rows = {contestant.number: card_rows(job, contestant) for contestant in wanted}
    notes = {
        contestant.number: tuple(notes_for(job, contestant, rows[contestant.number]))
        for contestant in wanted
    }
    columns = {
        contestant.number: _card_columns(job, contestant, rows[contestant.number])
        for contestant in wanted
    }
    long = {number for number, grid in columns.items() if not _can_fit_names(grid)}
    columns |= {
        contestant.number: _card_columns(job, contestant, rows[contestant.number], is_wrapped=True)
        for contestant in wanted
        if contestant.number in long
    }
    shape = _choose_layout(
        job,
        line_heights=[
            [_row_height(columns[n], row) if n in long else 0.0 for row in range(len(rows[n]))]
            for n in rows
        ],
        extra=max((heading_height(contestant) for contestant in wanted), default=0),
        notes=max(
            (
                estimated_lines([" ".join(map(plain_text, sentences))], NOTE_LENGTH)
                for sentences in notes.values()
            ),
            default=1,
        ),
        maximum=selection.per_sheet or MOST_CARDS,
    )
    cards = [
        GuideCard(
            contestant=contestant,
            kind=contestant_word(job),
            qr=partial(job.player_qr, contestant),
            columns=tuple(grid.part(part) for grid in columns[contestant.number]),
            notes=notes[contestant.number],
            continues=part.start > 0,
            is_wrapped=contestant.number in long,
        )
        for contestant in wanted
        for part in even_chunks(len(rows[contestant.number]), shape.rows)
    ]
    return [
        GuideSheet(
            css=shape.css,
            per_sheet=shape.per_sheet,
            height=height_class(shape.height),
            cards=tuple(cards[start : start + shape.per_sheet]),
        )
        for start in range(0, len(cards), shape.per_sheet)
    ]


@dataclass(frozen=True)
class _CardLayout:
    """A way to arrange guide cards on a sheet: cards per sheet, row height, and rows that fit on a card."""

    css: str
    per_sheet: int
    height: float
    rows: int


def _choose_layout(
    job: PrintJob, line_heights: list[list[float]], extra: float, notes: int, maximum: int
) -> _CardLayout:
    """Return the largest layout of guide cards that fits: four cards a sheet, the number asked for, or fewer.

    `line_heights` are the heights of every card's rows with wrapped names.
    """
    rows = max(map(len, line_heights), default=1)
    smallest = SMALLEST[2 if job.contest.plays_alone else 1]
    for css, per_sheet, share in SHAPES:
        if per_sheet > maximum:
            continue
        space = job.size[1] / share - AROUND - extra - notes * NOTE_LINE
        fitting = [
            fitting_line_height(space, [0.0, *heights], TALLEST, smallest)
            for heights in line_heights
        ]
        if None not in fitting:
            return _CardLayout(
                css, per_sheet, min((h for h in fitting if h), default=TALLEST), rows
            )
        if per_sheet == 2:
            break  # larger cards have no space for more
    tallest = max(
        (max(smallest, *heights) for heights in line_heights if any(heights)), default=smallest
    )
    return _CardLayout(css, per_sheet, smallest, max(1, most_rows(space, tallest) - 1))


def heading_class(contestant: Contestant) -> str:
    """Return the CSS class of a contestant's names beside the QR code: smaller type or wrapped lines if long."""
    lines = name_lines(contestant)
    if all(fits_width(line, BESIDE_QR, NAME_TYPE, 800) for line in lines):
        return ""
    if all(fits_width(line, BESIDE_QR, LONG_NAME_TYPE, 800) for line in lines):
        return "long"
    return "long wraps"


def heading_height(contestant: Contestant) -> float:
    """Return by how much a contestant's names are higher than the usual two lines, in mm."""
    if "wraps" not in heading_class(contestant):
        return 0
    lines = sum(
        line_count(line, BESIDE_QR - 2, LONG_NAME_TYPE, 800) for line in name_lines(contestant)
    )
    return max(0.0, lines * HEADING_LINE - HEADING)


def _can_fit_names(columns: tuple[LayoutColumn, ...]) -> bool:
    """Return whether all names in a guide card's columns fit on one line each."""
    return all(
        fits_width(_text_after_tabs(row), space, CARD_TYPE, 400)
        for grid_column in columns
        if (space := _space_for_names(grid_column))
        for block in grid_column.blocks
        for row in block.rows
    )


def _text_after_tabs(row: str) -> str:
    """Return a row's text after its last tab stop; a row that is HTML is returned whole."""
    return row if isinstance(row, SafeString) else row.rpartition("\t")[2]


def _space_for_names(column: LayoutColumn) -> float:
    """Return the width that a guide card's column has for names, in mm."""
    if column.css == "rd":  # with tab stops
        return BEHIND_TABS
    return {"vs": BEHIND, "vs far": FAR_BEHIND, "wi": WITH, "ag": AGAINST}.get(column.css, 0)


def _row_height(columns: tuple[LayoutColumn, ...], row: int) -> float:
    """Return the height of a guide card's row with wrapped names, in mm."""
    names = [
        (grid_column, grid_column.cell_texts(row))
        for grid_column in columns
        if grid_column.css != "rd" and _space_for_names(grid_column)
    ]
    return AROUND_ROW + TYPE_LINE * max(
        sum(
            line_count(line, 0.94 * _space_for_names(grid_column), SMALLEST_TYPE, 600)
            for _css, line in cell
        )
        for grid_column, cell in names
    )


def name_lines(contestant: Contestant) -> tuple[str, ...]:
    """Return a contestant's names in two lines for a card; of a team two names share a line.

    If two full names are too long for a line, surnames are used.
    """
    surnames = short_names(contestant.players)
    if contestant.halves and contestant.surnames != surnames[0]:  # the team has its own name
        return contestant.surnames, ", ".join(surnames)
    half = -(-len(contestant.players) // 2)
    if half < 2:
        return contestant.players
    lines = tuple(", ".join(contestant.players[start : start + half]) for start in (0, half))
    if max(map(len, lines)) <= LONG_NAMES:
        return lines
    return tuple(" & ".join(surnames[start : start + half]) for start in (0, half))


# ── the grid ──


def _card_columns(
    job: PrintJob, contestant: Contestant, rows: list[CardRow], *, is_wrapped: bool = False
) -> tuple[LayoutColumn, ...]:
    """Return the columns of a contestant's guide card."""
    labels = [row.label for row in rows]
    tables = [_table_and_direction(job, row, contestant) for row in rows]
    boards = [boards_of_game(job, row.game) if row.game else NOTHING for row in rows]
    if job.contest.plays_alone:
        sit_out = ["" if row.game else text_without_game(row.turn) for row in rows]
        return (
            block_column("rd", _("Rd"), {"": labels}),
            block_column("tb", _("Table"), {"big": tables}),
            block_column("bd", _("Boards"), {"strong": boards}),
            block_column("wi", _("With"), {"": [_partner_text(row, contestant) for row in rows]}),
            block_column(
                "ag", _("Against"), {**_both_opponents_column(rows, contestant), "strong": sit_out}
            ),
        )
    sides = [row.game.opponents_of(contestant.number) if row.game else () for row in rows]
    against = [
        side_numbers(side) if side else text_without_game(row.turn)
        for row, side in zip(rows, sides, strict=True)
    ]
    names = [side_surnames(side) for side in sides]
    fits_tabs = _can_fit_tab_stops(boards, [side_numbers(side) for side in sides])
    if is_wrapped or job.plan.boards.copies or not fits_tabs or not _fit_after_last_tab_stop(names):
        both = [_numbered_name(number, name) for number, name in zip(against, names, strict=True)]
        is_far = max(len(plain_text(text)) for text in boards) > WIDE_BOARDS
        return (
            block_column("rd", _("Rd"), {"": labels}),
            block_column("tb", _("Table"), {"big": tables}),
            block_column("bd", _("Boards"), {"": boards}),
            block_column("vs far" if is_far else "vs", _("Against"), {"": both}),
        )
    return (
        block_column(
            "rd", _("Rd"), {"": _join_columns(labels, [""] * len(rows), [""] * len(rows), names)}
        ),
        block_column("tb", _("Table"), {"big": _join_columns(tables, boards, against)}),
        block_column("bd", _("Boards"), {}),
        block_column("vs", _("Against"), {}),
    )


def _fit_after_last_tab_stop(names: list[str]) -> bool:
    """Return whether these names fit into the width after a guide card's last tab stop."""
    return all(fits_width(name, BEHIND_TABS, CARD_TYPE) for name in names)


def _numbered_name(number: str, name: str) -> str:
    """Return a contestant's number and name as HTML for a guide card."""
    return format_html("<b>{}</b> {}", number, name) if name else number


def _join_columns(*columns: list[str]) -> list[str]:
    """Join the columns of a guide card to one text per row, separated by tab stops."""
    return ["\t".join(row) for row in zip(*columns, strict=True)]


def _can_fit_tab_stops(boards: list[str], opponents: list[str]) -> bool:
    """Return whether the board and pair numbers are short enough for the tab stops of joined columns."""
    return max(map(len, boards)) <= LONG_BOARDS and max(map(len, opponents)) <= LONG_NUMBER


def _table_and_direction(job: PrintJob, row: CardRow, contestant: Contestant) -> str:
    """Return a row's table and direction: "3 NS", with a star where boards are arrow-switched."""
    if row.game is None:
        return str(row.turn.waits_at) if row.turn.waits_at else NOTHING
    star = TURNED if job.plan.turned_boards(row.game) else ""
    return f"{row.game.table} {CHAIR_LETTERS[row.game.chair_of(contestant.number)]}{star}"


def _both_opponents_column(rows: list[CardRow], contestant: Contestant) -> dict[str, list[str]]:
    """Return the column of a player's two opponents in an individual, one above the other."""
    sides = [row.game.opponents_of(contestant.number) if row.game else () for row in rows]
    return {
        css: [
            f"{side[place].chip} {side[place].contestant.surnames}" if len(side) > place else ""
            for side in sides
        ]
        for place, css in enumerate(("up", "down"))
    }


def _partner_text(row: CardRow, contestant: Contestant) -> str:
    """Return the number and surname of a player's partner in a row of an individual's guide card."""
    partner = row.game.partner_of(contestant.number) if row.game else None
    return f"{partner.contestant.short} {partner.surnames}" if partner else NOTHING

"""The rover's card, and a slip for each contestant that sits out or gives up a seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.events.queries.plan.moves import SeatAt
from movements.engine.exchanges import exchanged_seats
from movements.words.sentences import CHAIR_LETTERS, CHAIRS

from ..context import Drawn, PrintJob, side_numbers, side_surnames
from ..layout import (
    NOTHING,
    LayoutColumn,
    block_column,
    even_chunks,
    first_column,
    fitting_line_height,
    height_class,
    part_label,
    table_rows,
)
from ..measure import fits_width, line_count
from ..selection import EVERYBODY, SheetSelection
from .guide_rows import CardRow, card_rows, contestant_word, text_without_game

AROUND = 26 + 48 + 10  # margins, heading, column titles (mm)
TALLEST, SMALLEST = 14, 6.2
LONG_NAMES = 22  # characters beyond which type is smaller
#: the shares of the sheet for names, a column's margins, the height of a line (mm)
IN_PLACE, AGAINST, INSIDE, NAME_LINE = 0.30, 0.28, 3.2, 4.5
SLIP_NAME = 88  # the inner width of a slip (mm)
SLIPS, MOST_WORDS = 8, 4  # slips on a sheet, and the most absences on a slip


@dataclass(frozen=True)
class RoverCard:
    """A sheet with a rover's moves: table, seat and the contestant to replace, round by round."""

    contestant: Contestant
    kind: str
    qr: Drawn
    height: str
    columns: tuple[LayoutColumn, ...]
    in_halves: bool
    is_wrapped: bool = False  # whether names are wrapped because they do not fit their column

    @property
    def rows(self) -> list[list[tuple[str, list[tuple[str, str]]]]]:
        """Return the card's rows if it is laid out as an HTML table."""
        return table_rows(self.columns) if self.is_wrapped else []


@dataclass(frozen=True)
class SitOutSlip:
    """The slip of a contestant that sits out or is displaced by a rover, with two sentences for each absence."""

    kind: str
    contestant: Contestant
    lines: tuple[str, ...]

    @property
    def has_long_name(self) -> bool:
        """Return whether the names need smaller type, so that all lines fit."""
        return not fits_width(self.contestant.surnames, SLIP_NAME, 14, 600)


@dataclass(frozen=True)
class RoverSheet:
    """A printed sheet with a rover's card or with sit-out slips for cutting."""

    card: RoverCard | None = None
    slips: tuple[SitOutSlip, ...] = ()


def rover_sheets(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[RoverSheet]:
    """Return sheets with the cards of the selected rovers, then with slips for the contestants they displace."""
    wanted = selection.contestants(job)
    rovers = [contestant for contestant in wanted if job.rovers.is_rover(contestant.number)]
    slips = [
        slip
        for contestant in wanted
        if contestant not in rovers
        for slip in _sit_out_slips(job, contestant)
    ]
    return [
        *(RoverSheet(card=card) for rover in rovers for card in _cards_of_rover(job, rover)),
        *(
            RoverSheet(slips=tuple(slips[start : start + SLIPS]))
            for start in range(0, len(slips), SLIPS)
        ),
    ]


# ── the card ──


def _cards_of_rover(job: PrintJob, contestant: Contestant) -> Iterator[RoverCard]:
    """Yield the cards of a rover, several if it plays many rounds."""
    rows = card_rows(job, contestant)
    columns = _card_columns(job, contestant, rows)
    space, wide = job.size[1] - AROUND, job.size[0] - 24
    room = {"ip": IN_PLACE * wide - INSIDE, "ag": AGAINST * wide - INSIDE}
    named = [
        (c, [row for block in c.blocks for row in block.rows]) for c in columns if c.css in room
    ]
    is_wrapped = not all(fits_width(row, room[c.css]) for c, texts in named for row in texts)
    needs = [
        2 + NAME_LINE * max(line_count(texts[row], 0.94 * room[c.css]) for c, texts in named)
        if is_wrapped
        else 0.0
        for row in range(len(rows))
    ]
    tallest = max([SMALLEST, *needs])
    for chunk in even_chunks(len(rows), max(1, int(space / tallest))):
        height = (
            fitting_line_height(space, needs[chunk.start : chunk.stop], TALLEST, SMALLEST)
            or SMALLEST
        )
        yield RoverCard(
            contestant=contestant,
            kind=contestant_word(job),
            qr=partial(job.player_qr, contestant),
            height=height_class(height),
            columns=tuple(column.part(chunk) for column in columns),
            in_halves=any(rows[index].part for index in chunk),
            is_wrapped=is_wrapped,
        )


def _card_columns(
    job: PrintJob, contestant: Contestant, rows: list[CardRow]
) -> tuple[LayoutColumn, ...]:
    """Return the columns of a rover's card."""
    places = [_displaced_contestant(job, contestant, row) for row in rows]
    against = [_opponents_text(contestant, row) for row in rows]
    size = "small" if max(map(len, places + against)) > LONG_NAMES else ""
    return (
        first_column("rd", _("Round"), [row.label for row in rows]),
        block_column(
            "tb",
            _("Table"),
            {"big": [str(row.game.table) if row.game else NOTHING for row in rows]},
        ),
        block_column("se", _("Seat"), {"strong": [_chair_letter(contestant, row) for row in rows]}),
        block_column("ip", _("In place of"), {size: places}),
        block_column("ag", _("Against"), {size: against}),
        block_column(
            "bd",
            _("Boards"),
            {"strong": [row.game.board_text if row.game else NOTHING for row in rows]},
        ),
    )


def _chair_letter(contestant: Contestant, row: CardRow) -> str:
    """Return the letter of the direction in which the contestant sits in a row's game."""
    return str(CHAIR_LETTERS[row.game.chair_of(contestant.number)]) if row.game else NOTHING


def _displaced_contestant(job: PrintJob, contestant: Contestant, row: CardRow) -> str:
    """Return the contestant that the rover displaces in a row's round, as text."""
    if row.game is None:
        return text_without_game(row.turn)
    displaced = job.rovers.displaced_by(contestant.number, row.turn.round, row.part)
    return f"{displaced.label} {displaced.surnames}" if displaced else NOTHING


def _opponents_text(contestant: Contestant, row: CardRow) -> str:
    """Return the numbers and surnames of the opponents in a row's game."""
    side = row.game.opponents_of(contestant.number) if row.game else ()
    return f"{side_numbers(side)} {side_surnames(side)}" if side else NOTHING


# ── the slips ──


def _sit_out_slips(job: PrintJob, contestant: Contestant) -> Iterator[SitOutSlip]:
    """Yield slips with a contestant's sit-outs, its games at the extra (party) table, and its returns."""
    words = list(_absence_lines(job, contestant))
    for chunk in even_chunks(len(words), MOST_WORDS) if words else ():
        lines = tuple(line for index in chunk for line in words[index])
        yield SitOutSlip(contestant_word(job), contestant, lines)


def _absence_lines(job: PrintJob, contestant: Contestant) -> Iterator[tuple[str, ...]]:
    """Yield the sentences on the rounds in which a contestant gives its seat to the rover."""
    exchanges = exchanged_seats(job.movement) if job.rovers.displaced_contestants else {}
    for row in card_rows(job, contestant):
        round = part_label(row.turn.round, row.part)
        other = exchanges.get((contestant.number, row.turn.round))
        taker = job.rovers.rover_displacing(contestant.number, row.turn.round, row.part)
        words: dict[str, object] = {"round": round, "rover": taker.label if taker else ""}
        if row.is_sit_out and taker:
            say = _("Round %(round)s: you sit out, the rover %(rover)s takes your seat.")
        elif row.is_sit_out:
            say = _("Round %(round)s: you sit out.")
        elif taker and row.game:
            words["table"] = row.game.table
            words["line"] = CHAIRS[row.game.chair_of(contestant.number)]
            say = _(
                "Round %(round)s: the rover %(rover)s takes your seat,"
                " you play at table %(table)s, %(line)s."
            )
        elif other and row.game:
            words |= {
                "table": row.game.table,
                "line": CHAIRS[row.game.chair_of(contestant.number)],
                "other": job.evening.contestants[other].label,
            }
            say = _("Round %(round)s: table %(table)s, %(line)s. You change places with %(other)s.")
        else:
            continue
        back = _return_text(job, contestant, row)
        yield (say % words, back) if back else (say % words,)


def _return_text(job: PrintJob, contestant: Contestant, row: CardRow) -> str:
    """Return where a contestant plays next after a row's round, as text."""
    now = (row.turn.round, row.part or 99)
    seats = (seat for seat in job.plan.people.seats.get(contestant.number, ()) if seat.is_played)
    seat: SeatAt | None = next((seat for seat in seats if (seat.round, seat.part) > now), None)
    if seat is None:
        return _("That is the end of your session.")
    return _("Round %(round)s: table %(table)s, %(line)s.") % {
        "round": part_label(seat.round, seat.part if seat.parts > 1 else 0),
        "table": seat.table,
        "line": CHAIRS[seat.chair],
    }

"""The seating list for the entrance: all players by name, and every table, at the beginning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from bridgebuddy.clubs.models import searchable
from bridgebuddy.clubs.people.names import surname_first
from bridgebuddy.events.queries.plan.games import Contestant, TableGame, TableSide
from bridgebuddy.events.queries.plan.home_tables import home_table
from movements.words.sentences import CHAIR_LETTERS, LINES

from ..cards.guide_rows import contestant_word
from ..context import PrintJob
from ..layout import (
    NOTHING,
    LayoutColumn,
    block_column,
    even_chunks,
    first_column,
    fitting_height,
    fitting_line_height,
    height_class,
    table_rows,
)
from ..measure import fits_width, line_count
from ..selection import EVERYBODY, SheetSelection

AROUND = 26 + 34 + 10  # margins, heading, column titles (mm)
TALLEST, SMALLEST = 12, 6.2
LONG_NAMES = 34  # characters of a table's side beyond which type is smaller
#: the shares of the sheet for names, a column's margins, a line of them (mm), its type (pt)
NAME_SHARE, SIDE_SHARE, INSIDE, NAME_LINE, SMALLEST_NAME = 0.56, 0.44, 2.4, 4.8, 11


@dataclass(frozen=True)
class HalfGrid:
    """A grid of the seating list on the left or right half of the sheet, or on all of it."""

    css: str  # "left", "right" or "whole"
    columns: tuple[LayoutColumn, ...]
    is_wrapped: bool = False  # whether names are wrapped because they do not fit their column

    @property
    def rows(self) -> list[list[tuple[str, list[tuple[str, str]]]]]:
        """Return the grid's rows if it is laid out as an HTML table."""
        return table_rows(self.columns) if self.is_wrapped else []


@dataclass(frozen=True)
class SeatingSheet:
    """A sheet of the seating list, which hangs at the entrance."""

    title: str
    height: str
    halves: tuple[HalfGrid, ...]
    note: str = ""


def seating_list(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[SeatingSheet]:
    """Return the seating list, first by player, then by table."""
    job, selection = job.job_as_seated, selection.without_change_limit()
    contestants = selection.contestants(job)
    people = sorted(
        (
            (player, contestant)
            for contestant in contestants
            for player in contestant.all_names
            if contestant.first_round_of_person(player)
        ),
        key=lambda found: searchable(surname_first(found[0])),
    )
    return [*_player_sheet(job, people), *_table_sheet(job, selection)]


# ── by player ──


def _player_sheet(
    job: PrintJob, people: Sequence[tuple[str, Contestant]]
) -> Iterator[SeatingSheet]:
    """Yield the sheets of the seating list by players, in the order of surnames."""
    space, wide = job.size[1] - AROUND, job.size[0] - 24
    is_short = fitting_height(space, len(people), TALLEST, 8.2) is not None
    room = NAME_SHARE * (wide if is_short else wide / 2 - 3) - INSIDE
    names = [surname_first(player) for player, _one in people]
    is_wrapped = not all(fits_width(name, room, SMALLEST_NAME) for name in names)
    needs = [
        1.2 + NAME_LINE * line_count(name, 0.94 * room, SMALLEST_NAME) if is_wrapped else 0.0
        for name in names
    ]
    halves = ("whole",) if is_short else ("left", "right")
    for parts in _divide_over_sheets(needs, space, len(halves)):
        tallest = [needs[part.start : part.stop] for part in parts]
        heights = [
            fitting_line_height(space, phrase, TALLEST, SMALLEST) or SMALLEST for phrase in tallest
        ]
        yield SeatingSheet(
            title=_("Where do I sit?"),
            height=height_class(min(heights)),
            halves=tuple(
                HalfGrid(css, _player_columns(job, [people[index] for index in part]), is_wrapped)
                for css, part in zip(halves, parts, strict=False)
                if part
            ),
        )


def _divide_over_sheets(
    heights: Sequence[float], space: float, halves: int
) -> Iterator[list[range]]:
    """Yield the rows of each half of every sheet, on as few sheets as possible; `heights` are row heights in mm."""
    if not heights:
        return
    sheets = 1
    while True:
        parts = [
            list(_divide_into_columns(chunk, halves))
            for chunk in even_chunks(len(heights), -(-len(heights) // sheets))
        ]
        tall = max(
            sum(max(SMALLEST, need) for need in heights[part.start : part.stop])
            for sheet in parts
            for part in sheet
        )
        if tall <= space or sheets >= len(heights):
            yield from parts
            return
        sheets += 1


def _divide_into_columns(rows: range, halves: int) -> Iterator[range]:
    """Yield the rows of each of `halves` columns."""
    lines = -(-len(rows) // halves)
    for start in range(rows.start, rows.stop, lines):
        yield range(start, min(start + lines, rows.stop))


def _player_columns(
    job: PrintJob, people: Sequence[tuple[str, Contestant]]
) -> tuple[LayoutColumn, ...]:
    """Return the columns of the seating list by players."""
    return (
        first_column("rd", _("Name"), [surname_first(player) for player, _one in people]),
        block_column(
            "lb",
            contestant_word(job),
            {"strong": [contestant.label for _player, contestant in people]},
        ),
        block_column(
            "tb",
            _("Table"),
            {
                "strong": [
                    _first_place_text(job, contestant, player) for player, contestant in people
                ]
            },
        ),
    )


def _first_place_text(job: PrintJob, contestant: Contestant, player: str) -> str:
    """Return a player's first table: "3", or "3 NS" if the number does not imply the direction."""
    first = contestant.first_round_of_person(player) or 1
    seats = (s for s in job.plan.people.seats.get(contestant.number, ()) if s.round >= first)
    seat = next(seats, None)
    if seat is not None and first > 1:
        return _("Rd %(round)s: %(table)s") % {"round": seat.round, "table": seat.table}
    if seat is None or seat.round > 1:
        turn = job.evening.round_turn(contestant.number, 1)
        return NOTHING if turn.is_open else _("sits out")
    if contestant.field == seat.chair:
        return str(seat.table)
    if job.contest.has_halves and (
        tables := {s.table: None for s in job.plan.people.seats[contestant.number] if s.round == 1}
    ):
        return " & ".join(
            map(str, sorted(tables, key=lambda table: table != home_table(contestant)))
        )
    return f"{seat.table} {CHAIR_LETTERS[seat.chair]}"


# ── by table ──


def _table_sheet(job: PrintJob, selection: SheetSelection) -> Iterator[SeatingSheet]:
    """Yield the sheets of the seating list by tables."""
    first = {game.table: game for game in reversed(job.evening.games.get(1, ()))}
    tables = [table for table in selection.tables(job) if table in first]
    space = job.size[1] - AROUND
    waiting = [
        out.label
        for out in job.evening.sit_outs(1)
        if out.number not in job.plan.people.seats or _is_absent(job, out)
    ]
    note = _("Sits out round 1: %(pairs)s") % {"pairs": ", ".join(waiting)} if waiting else ""
    games = [first[table] for table in tables]
    room = SIDE_SHARE * (job.size[0] - 24) - INSIDE
    sides = [[_side_text(game.ns), _side_text(game.ew)] for game in games]
    is_wrapped = not all(fits_width(side, room) for both in sides for side in both)
    needs = [
        1.2 + NAME_LINE * max(line_count(side, 0.94 * room, SMALLEST_NAME) for side in both)
        if is_wrapped
        else 0.0
        for both in sides
    ]
    for (part,) in _divide_over_sheets(needs, space, 1):
        height = (
            fitting_line_height(space, needs[part.start : part.stop], TALLEST, SMALLEST) or SMALLEST
        )
        yield SeatingSheet(
            title=_("Who sits where?"),
            height=height_class(height),
            halves=(
                HalfGrid("whole tables", _table_columns([games[i] for i in part]), is_wrapped),
            ),
            note=note,
        )


def _is_absent(job: PrintJob, contestant: Contestant) -> bool:
    """Return whether a contestant has no seat in round 1."""
    return all(seat.round > 1 for seat in job.plan.people.seats[contestant.number])


def _table_columns(games: Sequence[TableGame]) -> tuple[LayoutColumn, ...]:
    """Return the columns of the seating list by tables."""
    ns, ew = ([_side_text(game.ns) for game in games], [_side_text(game.ew) for game in games])
    size = "small" if max(map(len, ns + ew)) > LONG_NAMES else ""
    return (
        first_column("rd", _("Table"), [str(game.table) for game in games], "strong"),
        block_column("ns", str(LINES["ns"]), {size: ns}),
        block_column("ew", str(LINES["ew"]), {size: ew}),
    )


def _side_text(side: tuple[TableSide, ...]) -> str:
    """Return the number and names of the contestant on a side of a table."""
    return ", ".join(f"{s.chip} {s.names}" for s in side) or _("nobody")

"""A slip for each contestant after a draw: table, seat and opponents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.plan.games import (
    Contestant,
    RoundTurn,
    TableGame,
    TableSide,
    board_text,
)
from movements.words.sentences import CHAIRS

from ..cards.guide_rows import contestant_word, games_in_order
from ..context import PrintJob
from ..layout import part_label
from ..measure import line_count
from ..selection import EVERYBODY, SheetSelection
from .draw import newest_draw

#: the inner width of a slip; the height of its margins, number and last line (mm)
INSIDE, AROUND = 89.0, 9 + 7.5 + 12
#: by the number of seats, at most three: type of the table, and of the rest (pt)
USUAL = ((26, 14), (15, 12), (12, 10.5))
LARGE = ((36, 19), (24, 15), (16, 12.5))
DENSE = (*USUAL[:2], (10.5, 8.5))
#: slips on a sheet, class, and types: the first shape in which all fits is used
SHAPES = ((8, "", USUAL), (4, "few large", LARGE), (4, "few", USUAL), (4, "few dense", DENSE))
ACROSS, NAME_TYPE = 2, 14
LINE = 1.25 * 25.4 / 72  # mm for each point


@dataclass(frozen=True)
class NextSeat:
    """The next table and seat of a contestant, or of each pair of a team, on a draw slip."""

    part: str  # "3a" in a round of parts
    table: int
    chair: Promise
    pair: str  # the team's players at this seat
    against: str
    boards: str


@dataclass(frozen=True)
class DrawSlip:
    """The slip that tells one contestant its table in the drawn round."""

    contestant: Contestant
    kind: str
    seats: tuple[NextSeat, ...]  # empty for a sit-out

    @property
    def seat_count(self) -> int:
        """Return how many seats the slip names (one to three), which decides the type size."""
        return min(max(len(self.seats), 1), len(USUAL))

    def height(self, sizes: Sequence[tuple[float, float]]) -> float:
        """Return the height of the draw slip in mm; `sizes` are the type sizes for each number of seats."""
        large, small = sizes[self.seat_count - 1]
        used = AROUND + LINE * NAME_TYPE * line_count(
            self.contestant.surnames, INSIDE, NAME_TYPE, 600
        )
        for seat in self.seats:
            lines = (seat.pair, f"against {seat.against}", seat.boards)
            used += 1 + LINE * large
            used += (
                LINE * small * sum(line_count(line, 0.94 * INSIDE, small) for line in lines if line)
            )
        return used


@dataclass(frozen=True)
class DrawSlipSheet:
    """A sheet of paper with draw slips, for cutting."""

    round: int
    css: str
    slips: tuple[DrawSlip, ...]


def draw_slips(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[DrawSlipSheet]:
    """Return the slips of the newest draw, by contestant number; empty without a draw."""
    round = newest_draw(job)
    if not round:
        return []
    slips = [
        DrawSlip(
            contestant,
            contestant_word(job),
            tuple(_next_seat(contestant, game) for game in games_in_order(turn)),
        )
        for contestant in selection.without_change_limit().contestants(job)
        if (turn := job.evening.round_turn(contestant.number, round)) and _is_present(turn)
    ]
    each, css = _sheet_layout(job, slips)
    return [
        DrawSlipSheet(round, css, tuple(slips[start : start + each]))
        for start in range(0, len(slips), each)
    ]


def _sheet_layout(job: PrintJob, slips: Sequence[DrawSlip]) -> tuple[int, str]:
    """Return the number of draw slips on a sheet, and its CSS class."""
    return next(
        (
            (each, css)
            for each, css, sizes in SHAPES
            if all(slip.height(sizes) <= ACROSS * job.size[1] / each for slip in slips)
        ),
        SHAPES[-1][:2],
    )


def _is_present(turn: RoundTurn) -> bool:
    """Return whether the contestant is present in the round: it has arrived and has not left."""
    return turn.has_come and not turn.has_left


def _next_seat(contestant: Contestant, game: TableGame) -> NextSeat:
    """Return the seat and opponents of a contestant in a game of the drawn round."""
    line = game.side_of(contestant.number)
    [mine] = [
        s
        for s in (game.ns if line == "ns" else game.ew)
        if s.contestant.number == contestant.number
    ]
    [other] = game.opponents_of(contestant.number)
    return NextSeat(
        part=part_label(game.round, game.part) if game.parts > 1 else "",
        table=game.table,
        chair=CHAIRS[line],
        pair=_pair_names(mine) if contestant.halves else "",
        against=f"{other.chip} {other.contestant.surnames}",
        boards=_game_boards_text(game),
    )


def _pair_names(side: TableSide) -> str:
    """Return the names of a team's pair at this seat, and of the pair after half-time if it changes."""
    if side.pair_after_half_time is None:
        return side.surnames
    words = {"pair": side.surnames, "then": " & ".join(side.pair_after_half_time.last_names)}
    return _("%(pair)s, from half-time on %(then)s") % words


def _game_boards_text(game: TableGame) -> str:
    """Return the boards of a game in the order in which the table plays them."""
    listed = ", ".join(board_text(half) for half in game.board_halves)
    return ngettext("Board %(boards)s", "Boards %(boards)s", len(game.boards)) % {"boards": listed}

"""The round schedule as a poster: the table of every moving contestant in every round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan.games import Contestant, RoundTurn
from movements.words.sentences import CHAIR_LETTERS

from ..cards.guide_rows import contestant_word, games_in_order
from ..context import PrintJob
from ..layout import NOTHING, even_chunks, fewest_chunks, fitting_line_height, height_class
from ..measure import SMALLEST_TYPE, line_count
from ..selection import EVERYBODY, SheetSelection

#: margins, heading, head row, last line (mm); margins, and numbers and names beside the rounds
AROUND, BESIDE = 22 + 22 + 12 + 11, 26 + 82
#: readable from three metres: capital letters of 6 mm are type of 24 pt
TALLEST, TALLEST_DOUBLE, SMALLEST = 16.5, 22, 10.5
#: a round's column (mm): a number alone, with the direction, or two places in one round
NARROW, WIDE, WIDEST = 12.5, 18.5, 30.0
DOUBLE = 2**0.5
#: the width of names, the height of a line of them, and a row's margin (mm)
NAMES, NAME_LINE, NAME_MARGIN = 50, 4.4, 1.0


@dataclass(frozen=True)
class RoundColumn:
    """A column of the wall poster: a round, its start, and each contestant's table in it."""

    title: str
    starts: str
    text: str  # a line for each contestant


@dataclass(frozen=True)
class RoundPoster:
    """A wall poster for the contestants of a field: their names, and a column for each round."""

    height: str
    is_double: bool
    is_small: bool  # whether two places in one round need smaller type
    kind: str
    names: tuple[tuple[str, str], ...]  # label, surnames
    rounds: tuple[RoundColumn, ...]
    note: str

    @property
    def rows(self) -> list[tuple[str, str, list[list[str]]]]:
        """Return a row for each contestant: label, names and its table in every round."""
        places = [column.text.split("\n") for column in self.rounds]
        return [
            (label, names, [places[index][row].split(" ", 1) for index in range(len(places))])
            for row, (label, names) in enumerate(self.names)
        ]


def round_posters(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[RoundPoster]:
    """Return the wall posters of a section, several if one cannot hold all contestants and rounds."""
    job = job.job_as_seated
    times = DOUBLE if selection.is_double else 1
    height, width = (times * side for side in sorted(job.size))
    staying: list[Contestant] = []
    moving: list[Contestant] = []
    for contestant in selection.without_change_limit().contestants(job):
        (staying if job.plan.people.stays_put(contestant.number) else moving).append(contestant)
    cells = {
        contestant.number: [
            _table_text(turn, contestant) for turn in job.evening.schedule(contestant.number)
        ]
        for contestant in moving
    }
    everything = [cell for row in cells.values() for cell in row]
    is_small = any("/" in cell for cell in everything)
    column = WIDEST if is_small else WIDE if any(" " in cell for cell in everything) else NARROW
    columns = int((width - BESIDE) / column)
    space = height - AROUND
    tallest = TALLEST_DOUBLE if selection.is_double else TALLEST
    note = _staying_text(staying)
    needs = [
        NAME_MARGIN
        + NAME_LINE * sum(line_count(name, NAMES, SMALLEST_TYPE) for name in contestant.last_names)
        for contestant in moving
    ]
    return [
        RoundPoster(
            height=height_class(
                fitting_line_height(space, [needs[index] for index in part], tallest, SMALLEST)
                or SMALLEST
            ),
            is_double=selection.is_double,
            is_small=is_small,
            kind=contestant_word(job),
            names=tuple((moving[index].label, moving[index].surnames) for index in part),
            rounds=tuple(
                _round_columns(job, rounds, [cells[moving[index].number] for index in part])
            ),
            note=note,
        )
        for part in fewest_chunks(needs, space, SMALLEST)
        for rounds in even_chunks(job.evening.rounds, columns)
        if moving or staying
    ]


def _round_columns(job: PrintJob, rounds: range, rows: list[list[str]]) -> Iterator[RoundColumn]:
    """Yield the poster's column of each of these rounds."""
    for index in rounds:
        yield RoundColumn(
            title=str(index + 1),
            starts=job.starts_at(index + 1),
            text="\n".join(row[index] for row in rows),
        )


def _table_text(turn: RoundTurn, contestant: Contestant) -> str:
    """Return a contestant's table in a round, with the direction if it is not the usual one."""
    if not turn.games:
        return "?" if turn.is_open else NOTHING
    places: dict[str, None] = {}
    for game in games_in_order(turn):
        chair = game.chair_of(contestant.number)
        letters = "" if chair == contestant.field else f" {CHAIR_LETTERS[chair]}"
        places[f"{game.table}{letters}"] = None
    return "/".join(places)


def _staying_text(staying: list[Contestant]) -> str:
    """Return a sentence that names the contestants that never move; empty if there are none."""
    if not staying:
        return ""
    words = {"pairs": ", ".join(contestant.label for contestant in staying)}
    return _("Table and seat stay the same in every round for: %(pairs)s.") % words

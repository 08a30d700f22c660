"""The list for the door: everybody by name, and every table, as they begin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from bridgebuddy.clubs.models import folded
from bridgebuddy.clubs.names import surname_first
from bridgebuddy.events.queries.evening import Contestant, Game, Sitting
from bridgebuddy.events.queries.home_tables import home_table
from movements.words.sentences import CHAIR_LETTERS, LINES

from .context import Job
from .guide_cards import kind_of
from .layout import NOTHING, Column, column, evenly, first_column, fitting_height, height_class
from .selection import EVERYBODY, Selection

AROUND = 26 + 34 + 10  # margins, heading, column titles (mm)
TALLEST, SMALLEST = 12, 6.2
LONG_NAMES = 34  # characters of a table's side beyond which type is smaller


@dataclass(frozen=True)
class Half:
    """A grid that takes half the sheet's width, or all of it."""

    css: str  # "left", "right" or "whole"
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class DoorSheet:
    title: str
    height: str
    halves: tuple[Half, ...]
    note: str = ""


def seating_list(job: Job, selection: Selection = EVERYBODY) -> list[DoorSheet]:
    """Return the sheets for the door: first by player, then by table."""
    selection = selection.whole()
    contestants = selection.contestants(job)
    people = sorted(
        ((player, one) for one in contestants for player in one.everybody if one.begins(player)),
        key=lambda found: folded(surname_first(found[0])),
    )
    return [*_by_player(job, people), *_by_table(job, selection)]


# ── by player ──


def _by_player(job: Job, people: Sequence[tuple[str, Contestant]]) -> Iterator[DoorSheet]:
    space = job.size[1] - AROUND
    most = int(space / SMALLEST)
    is_short = fitting_height(space, len(people), TALLEST, 8.2) is not None
    per_sheet = most if is_short else 2 * most
    for chunk in evenly(len(people), per_sheet) if people else ():
        lines = len(chunk) if is_short else -(-len(chunk) // 2)
        parts = [chunk] if is_short else [chunk[:lines], chunk[lines:]]
        names = ("whole",) if is_short else ("left", "right")
        yield DoorSheet(
            title=_("Where do I sit?"),
            height=height_class(fitting_height(space, lines, TALLEST, SMALLEST) or SMALLEST),
            halves=tuple(
                Half(css, _player_columns(job, [people[index] for index in part]))
                for css, part in zip(names, parts, strict=True)
                if part
            ),
        )


def _player_columns(job: Job, people: Sequence[tuple[str, Contestant]]) -> tuple[Column, ...]:
    return (
        first_column("rd", _("Name"), [surname_first(player) for player, _one in people]),
        column("lb", kind_of(job), {"strong": [one.label for _player, one in people]}),
        column("tb", _("Table"), {"strong": [_place(job, one, player) for player, one in people]}),
    )


def _place(job: Job, one: Contestant, player: str) -> str:
    """Say where somebody begins: "3", or "3 NS" where their number does not tell the side."""
    first = one.begins(player) or 1
    seats = (s for s in job.plan.people.seats.get(one.number, ()) if s.round >= first)
    seat = next(seats, None)
    if seat is not None and first > 1:
        return _("Rd %(round)s: %(table)s") % {"round": seat.round, "table": seat.table}
    if seat is None or seat.round > 1:
        turn = job.evening.turn(one.number, 1)
        return NOTHING if turn.is_open else _("sits out")
    if one.field == seat.chair:
        return str(seat.table)
    if job.is_teams and (
        tables := {s.table: None for s in job.plan.people.seats[one.number] if s.round == 1}
    ):
        return " & ".join(map(str, sorted(tables, key=lambda table: table != home_table(one))))
    return f"{seat.table} {CHAIR_LETTERS[seat.chair]}"


# ── by table ──


def _by_table(job: Job, selection: Selection) -> Iterator[DoorSheet]:
    first = {game.table: game for game in reversed(job.evening.games.get(1, ()))}
    tables = [table for table in selection.tables(job) if table in first]
    space = job.size[1] - AROUND
    waiting = [
        one.label
        for one in job.evening.sit_outs(1)
        if one.number not in job.plan.people.seats or _is_away(job, one)
    ]
    note = _("Sits out round 1: %(pairs)s") % {"pairs": ", ".join(waiting)} if waiting else ""
    for chunk in evenly(len(tables), int(space / SMALLEST)) if tables else ():
        games = [first[tables[index]] for index in chunk]
        height = fitting_height(space, len(games), TALLEST, SMALLEST) or SMALLEST
        yield DoorSheet(
            title=_("Who sits where?"),
            height=height_class(height),
            halves=(Half("whole tables", _table_columns(games)),),
            note=note,
        )


def _is_away(job: Job, one: Contestant) -> bool:
    """Whether somebody has no seat at all in round 1."""
    return all(seat.round > 1 for seat in job.plan.people.seats[one.number])


def _table_columns(games: Sequence[Game]) -> tuple[Column, ...]:
    ns, ew = ([_side(game.ns) for game in games], [_side(game.ew) for game in games])
    size = "small" if max(map(len, ns + ew)) > LONG_NAMES else ""
    return (
        first_column("rd", _("Table"), [str(game.table) for game in games], "strong"),
        column("ns", str(LINES["ns"]), {size: ns}),
        column("ew", str(LINES["ew"]), {size: ew}),
    )


def _side(side: tuple[Sitting, ...]) -> str:
    return ", ".join(f"{s.chip} {s.contestant.names}" for s in side) or _("nobody")

"""The director's sheet: the whole movement as a grid, what to announce, who everybody is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.evening import Contestant, Game, board_text
from movements.words.sentences import Call

from .context import Job, drawn_later, numbers
from .layout import (
    NOTHING,
    and_list,
    evenly,
    fitting_height,
    height_class,
    lines_of,
    part_label,
    round_numbers,
)

MOST_COLUMNS = 12  # tables and stands side by side on landscape paper
HEAD = 13  # a grid's head row and the space below the grid (mm)
AROUND = 25 + 28 + HEAD  # margins and heading
TALLEST, COMFORTABLE, SMALLEST = 10, 6.2, 4.4
WORDS_A_LINE = 125  # characters of what is announced
NAMES_A_BLOCK = 24  # lines of one block of names: three columns of them fit any sheet


@dataclass(frozen=True)
class Cell:
    """What happens at a table: the two sides, and the sets they play."""

    pairs: str
    sets: str = ""


@dataclass(frozen=True)
class GridColumn:
    """A table through all rounds, or a place where boards wait beside it."""

    title: str
    cells: tuple[Cell, ...]
    is_stand: bool = False


@dataclass(frozen=True)
class Grid:
    """As many tables as fit side by side, with the rounds beside them."""

    rounds: tuple[str, ...]
    starts: tuple[str, ...]
    columns: tuple[GridColumn, ...]
    sit_outs: tuple[str, ...]  # empty where nobody ever sits out


@dataclass(frozen=True)
class Saying:
    """What is announced after some rounds."""

    when: str
    say: SafeString


@dataclass(frozen=True)
class MasterSheet:
    height: str
    grids: tuple[Grid, ...]
    sayings: tuple[Saying, ...]
    notes: tuple[str, ...]
    boards: str
    names: tuple[tuple[tuple[Contestant, ...], ...], ...]  # blocks of three columns


def master_sheet(job: Job) -> MasterSheet:
    """Return the director's sheet."""
    rows = _rows(job)
    grids = tuple(_grids(job, rows))
    sayings = tuple(_sayings(job))
    notes = tuple(_notes(job))
    below = _below(job, len(grids), sayings, notes)
    return MasterSheet(
        height=height_class(_height(job, len(rows), below)),
        grids=grids,
        sayings=sayings,
        notes=notes,
        boards=", ".join(
            f"{name} {board_text(numbers)}" for name, numbers in job.stored.numbers.items()
        ),
        names=tuple(_names(job)),
    )


def _height(job: Job, rows: int, below: float) -> float:
    """Return the line height: everything on one sheet if that stays comfortable to read."""
    space = min(job.size) - AROUND
    return (
        fitting_height(space - below, rows, TALLEST, COMFORTABLE)
        or fitting_height(space, rows, TALLEST, SMALLEST)
        or SMALLEST
    )


def _below(job: Job, grids: int, sayings: tuple[Saying, ...], notes: tuple[str, ...]) -> float:
    """Estimate what should share a sheet with a grid (mm): another of many grids, or the words."""
    if grids > 1:
        return (min(job.size) - AROUND + HEAD) / 2
    words = (*(f"{saying.when} {saying.say}" for saying in sayings), *notes, "")
    names = -(-len(job.evening.contestants) // 3)
    return 8 + 5.8 * lines_of(words, WORDS_A_LINE) + 6.6 * names


# ── the grid ──


def _rows(job: Job) -> list[tuple[int, int, int]]:
    """Return (round, part, parts) of every line: a round played in parts has a line for each."""
    rows = []
    for round in range(1, job.evening.rounds + 1):
        parts = max((game.parts for game in job.evening.games.get(round, ())), default=1)
        rows += [(round, part, parts) for part in range(1, parts + 1)]
    return rows


def _grids(job: Job, rows: list[tuple[int, int, int]]) -> Iterator[Grid]:
    columns = list(_table_columns(job, rows))
    rounds = tuple(part_label(round, part if parts > 1 else 0) for round, part, parts in rows)
    starts = tuple(job.starts_at(round) if part == 1 else "" for round, part, _parts in rows)
    sit_outs = tuple(
        ", ".join(one.label for one in job.evening.sit_outs(round)) if part == 1 else ""
        for round, part, _parts in rows
    )
    for chunk in evenly(len(columns), MOST_COLUMNS):
        yield Grid(
            rounds=rounds,
            starts=starts,
            columns=tuple(columns[index] for index in chunk),
            sit_outs=tuple(one or NOTHING for one in sit_outs) if any(sit_outs) else (),
        )


def _table_columns(job: Job, rows: list[tuple[int, int, int]]) -> Iterator[GridColumn]:
    at: dict[tuple[int, int], list[Game]] = {}
    for games in job.evening.games.values():
        for game in games:
            at.setdefault((game.round, game.table), []).append(game)
    stands = {stand.after_table for stand in job.movement.stands}
    for table in range(1, job.tables + 1):
        yield GridColumn(
            title=_("Table %(table)s") % {"table": table},
            cells=tuple(_cell(at.get((round, table), []), part) for round, part, _parts in rows),
        )
        if table in stands:
            yield GridColumn(
                title=job.stand.capitalize(),
                cells=tuple(
                    Cell("", _waiting(job, round, table) if part == 1 else "")
                    for round, part, _parts in rows
                ),
                is_stand=True,
            )


def _cell(games: list[Game], part: int) -> Cell:
    if not games:
        return Cell(NOTHING)
    if part > len(games):
        return Cell(_("same"))
    game = games[part - 1]
    sets = " ".join(game.sets)
    if game.is_played:
        return Cell(f"{numbers(game.ns)}–{numbers(game.ew)}", sets)
    if side := game.ns or game.ew:
        return Cell(_("%(pair)s out") % {"pair": side[0].contestant.label}, sets)
    return Cell(NOTHING, sets)


def _waiting(job: Job, round: int, table: int) -> str:
    sets = [
        name
        for stand in job.plan.stands(round)
        if stand.after_table == table
        for name in stand.sets
    ]
    return " ".join(sets) or NOTHING


# ── what to announce, and what the grid does not say ──


def _sayings(job: Job) -> Iterator[Saying]:
    """What is said after each round: the usual first, then every round that differs."""
    said = job.plan.calls
    calls = {
        after: said.moves_after(after)
        for after in range(1, job.evening.rounds)
        if not {after, after + 1} & job.evening.open_rounds
    }
    if not calls:
        return
    same: dict[object, list[int]] = {}
    for after, call in calls.items():
        same.setdefault((call.sentence, frozenset(call.exceptions)), []).append(after)
    usual = max(same.values(), key=len)
    for rounds in sorted(same.values(), key=lambda rounds: (rounds is not usual, rounds)):
        say = _spoken(calls[rounds[0]])
        if rounds is usual and len(rounds) > 1:
            yield Saying(_("After each round:"), say)
        else:
            when = ngettext("After round %(rounds)s:", "After rounds %(rounds)s:", len(rounds))
            yield Saying(when % {"rounds": round_numbers(rounds)}, say)
    turned = [
        sentence for round in range(1, job.evening.rounds + 1) for sentence in said.turned(round)
    ]
    if turned:
        yield Saying(_("Arrow-switch:"), format_html("{}", " ".join(turned)))


def _spoken(call: Call) -> SafeString:
    exceptions = format_html_join(" ", "{}", ((sentence,) for sentence in call.exceptions))
    return format_html("{} {}", call.sentence, exceptions) if exceptions else call.sentence


def _notes(job: Job) -> Iterator[str]:
    """Which rounds are drawn later, who plays for whom; which tables share their boards, and when."""
    if job.evening.open_rounds:
        yield drawn_later(job)
    for one in job.evening.contestants.values():
        yield from (f"{one.label}: {stint.sentence}" for stint in one.substitutes)
    found: dict[tuple[int, ...], list[int]] = {}
    for round in range(1, job.evening.rounds + 1):
        for game in job.evening.games.get(round, ()):
            others = job.plan.boards.shared_with(game)
            if others and game.table < others[0]:
                rounds = found.setdefault((game.table, *others), [])
                if round not in rounds:
                    rounds.append(round)
    for tables, rounds in found.items():
        words = {
            "tables": and_list([str(table) for table in tables]),
            "rounds": round_numbers(rounds),
        }
        if len(rounds) == job.evening.rounds:
            yield _("Tables %(tables)s share their boards in every round.") % words
        else:
            yield (
                ngettext(
                    "Tables %(tables)s share their boards in round %(rounds)s.",
                    "Tables %(tables)s share their boards in rounds %(rounds)s.",
                    len(rounds),
                )
                % words
            )


def _names(job: Job) -> Iterator[tuple[tuple[Contestant, ...], ...]]:
    """Everybody, in blocks of three columns that never break across sheets."""
    everybody = list(job.evening.contestants.values())
    for chunk in evenly(len(everybody), 3 * NAMES_A_BLOCK):
        block = [everybody[index] for index in chunk]
        lines = -(-len(block) // 3)
        yield tuple(tuple(block[start : start + lines]) for start in range(0, len(block), lines))

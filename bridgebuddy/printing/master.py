"""The director's sheet: the whole movement as a grid, what to announce, who everybody is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.board_moves import Held
from bridgebuddy.events.queries.games import Contestant, Game, board_text
from movements.engine.boards import boards_of, ranges
from movements.words.copies import CopyName
from movements.words.sentences import Call

from . import copies
from .context import Job, drawn_later, numbers
from .layout import (
    NOTHING,
    and_list,
    evenly,
    fitting_height,
    height_class,
    part_label,
    round_numbers,
)
from .measure import SMALLEST_TYPE, width, wrapped

MOST_COLUMNS = 20  # tables and stands side by side on landscape paper; as many as can be read
#: margins, heading, a grid's head row and the space below it (mm)
MARGINS, BAR, HEAD = 25.5, 20, 9
#: the columns beside the tables, and what of a table's column is its margin (mm)
BESIDE, INSIDE = 9 + 14, 1.4
TALLEST, COMFORTABLE, SMALLEST = 10, 6.2, 4.4
OUT_WIDTHS = (16, 22, 34, 48)
STAND_WIDTHS = (12, 16, 22, 34)
#: a line of the key and of what is announced, and of the names (mm); their type (pt)
WORDS_LINE, WORDS_TYPE, NAMES_LINE, NAMES_TYPE = 4.9, 11, 4.3, 10.5
NAME_COLUMNS, LABEL = 3, 20  # and what box and label take beside a name (mm)
NAMES_A_BLOCK = 34  # lines of one block of names: they fit a sheet of their own
TYPES = (13, 12, 11, SMALLEST_TYPE)  # pt, for what stands in the grid


@dataclass(frozen=True)
class Cell:
    """What happens at a table: who sits there, and the boards; on a stand, those that wait."""

    pairs: str
    boards: str = ""


@dataclass(frozen=True)
class GridColumn:
    """A table through all rounds, or a place where boards wait beside it."""

    title: str
    cells: tuple[Cell, ...]
    is_stand: bool = False
    copy: CopyName | None = None  # of which everything here is


@dataclass(frozen=True)
class Grid:
    """As many tables as fit side by side, with the rounds beside them."""

    rounds: tuple[str, ...]
    starts: tuple[str, ...]
    columns: tuple[GridColumn, ...]
    sit_outs: tuple[str, ...]  # empty where nobody ever sits out
    out: int = 0  # how wide their column is (mm)


@dataclass(frozen=True)
class Saying:
    """What is announced after some rounds."""

    when: str
    say: SafeString


@dataclass(frozen=True)
class MasterSheet:
    height: str
    size: str  # the class of the type in the grid
    stand: str  # the class of a stand's column
    grids: tuple[Grid, ...]
    key: tuple[SafeString | str, ...]
    sayings: tuple[Saying, ...]
    notes: tuple[str, ...]
    names: tuple[tuple[tuple[Contestant, ...], ...], ...]  # blocks of three columns
    fresh: tuple[bool, ...]  # of grids, words and blocks of names, whether it begins a page

    @property
    def pages(self) -> int:
        return 1 + sum(self.fresh)

    @property
    def all_grids(self) -> list[tuple[bool, Grid]]:
        """The grids, each with whether it begins a page."""
        return list(zip(self.fresh, self.grids, strict=False))

    @property
    def words_are_fresh(self) -> bool:
        return self.fresh[len(self.grids)]

    @property
    def all_names(self) -> list[tuple[bool, tuple[tuple[Contestant, ...], ...]]]:
        """The blocks of names, each with whether it begins a page."""
        return list(zip(self.fresh[len(self.grids) + 1 :], self.names, strict=True))


@dataclass(frozen=True)
class _Look:
    """How much of a table stands in its field, so that it fits."""

    is_first_only: bool  # of a set only its first board
    is_out_only: bool  # of what waits on a stand only what goes out next
    points: float
    columns: int  # in one grid
    stand: float = (
        0  # how wide the column of a stand is (mm): a class of print.css; 0: as that of a table
    )


def master_sheet(job: Job) -> MasterSheet:
    """Return the director's sheet: on one page if it can be."""
    rows = _rows(job)
    look = _look(job, rows)
    grids = tuple(_grids(job, rows, look))
    key, sayings, notes = tuple(_key(job, look)), tuple(_sayings(job)), tuple(_notes(job))
    names = tuple(_names(job))
    words = (*key, *(f"{saying.when} {saying.say}" for saying in sayings), *notes)
    below = [
        2 + WORDS_LINE * _lines_of(words, max(job.size) - 26, WORDS_TYPE),
        *(max(_height_of(job, column) for column in block) for block in names),
    ]
    page = min(job.size) - MARGINS
    space = page - BAR - HEAD
    height = (
        fitting_height(space - sum(below), len(rows), TALLEST, SMALLEST)
        if len(grids) == 1
        else fitting_height((space - HEAD) / 2, len(rows), TALLEST, COMFORTABLE)
    )
    height = height or fitting_height(space, len(rows), TALLEST, SMALLEST) or SMALLEST
    blocks = [*(HEAD + height * len(rows) for _grid in grids), *below]
    return MasterSheet(
        height=height_class(height),
        size=f"t{round(look.points * 10)}",
        stand=f"w{look.stand:.0f}" if look.stand else "",
        grids=grids,
        key=key,
        sayings=sayings,
        notes=notes,
        names=names,
        fresh=tuple(_fresh(blocks, page)),
    )


def _fresh(blocks: list[float], page: float) -> Iterator[bool]:
    """Yield of each block whether it begins a page: none ever breaks (mm)."""
    left = page - BAR
    for index, block in enumerate(blocks):
        is_fresh = index > 0 and block > left
        left = (page if is_fresh else left) - block
        yield is_fresh


def _lines_of(words: Iterable[str], space: float, points: float) -> int:
    return sum(wrapped(one, space - 4, points, 600) for one in words)


def _height_of(job: Job, names: Iterable[Contestant]) -> float:
    """How tall a column of names is (mm)."""
    space = (max(job.size) - 26) / NAME_COLUMNS - LABEL - 4
    return 4 + sum(NAMES_LINE * wrapped(one.names, 0.96 * space, NAMES_TYPE) for one in names)


# ── the grid ──


def _rows(job: Job) -> list[tuple[int, int, int]]:
    """Return (round, part, parts) of every line: a round played in parts has a line for each."""
    rows = []
    for round in range(1, job.evening.rounds + 1):
        parts = max((game.parts for game in job.evening.games.get(round, ())), default=1)
        rows += [(round, part, parts) for part in range(1, parts + 1)]
    return rows


def _look(job: Job, rows: list[tuple[int, int, int]]) -> _Look:
    """Return what can be read: everything in one grid; then less of the boards; then several grids."""
    stands = len(job.plan.boards.stands)
    room = max(job.size) - 26 - BESIDE - _width_out(job)
    count = job.tables + stands
    first = max(1, -(-count // MOST_COLUMNS))

    @cache
    def filled(is_first_only: bool, is_out_only: bool) -> list[GridColumn]:
        """What stands in the fields, which no size changes."""
        return list(_table_columns(job, rows, _Look(is_first_only, is_out_only, TYPES[-1], count)))

    for several in range(first, first + 4):
        columns = -(-count // several)
        for is_first_only in (False, True):
            for points in TYPES if not is_first_only else TYPES[-2:]:
                look = _Look(is_first_only, False, points, columns)
                found = _with_stands(filled, look, room) if several == 1 and stands else None
                if found is not None:
                    return found
                tables = filled(is_first_only, False)
                space = room / columns - INSIDE
                if all(_fits(one, space, points) for one in tables if not one.is_stand):
                    is_out_only = not all(_fits(one, space, points) for one in tables)
                    return replace(look, is_out_only=is_out_only)
    return look


def _with_stands(
    filled: Callable[[bool, bool], list[GridColumn]], look: _Look, room: float
) -> _Look | None:
    """The same with columns for stands that are as narrow as what waits there, if all fits so."""
    for is_out_only in (False, True):
        columns = filled(look.is_first_only, is_out_only)
        stands = [one for one in columns if one.is_stand]
        tables = [one for one in columns if not one.is_stand]
        for wide in STAND_WIDTHS:
            space = (room - wide * len(stands)) / len(tables) - INSIDE
            if all(_fits(one, wide - INSIDE, look.points) for one in stands) and all(
                _fits(one, space, look.points) for one in tables
            ):
                return replace(look, is_out_only=is_out_only, stand=wide)
    return None


def _fits(column: GridColumn, space: float, points: float) -> bool:
    return all(
        width(f"{cell.pairs} ", points, 800) + width(cell.boards, points) <= space
        for cell in column.cells
    )


def _width_out(job: Job) -> int:
    """How wide the column of those who sit out is (mm): a class of print.css; 0: nobody ever does."""
    said = [
        ", ".join(one.label for one in job.evening.sit_outs(round))
        for round in range(1, job.evening.rounds + 1)
    ]
    if not any(said):
        return 0
    longest = max(width(one, SMALLEST_TYPE, 800) for one in (_("Sits out"), *said))
    return next((size for size in OUT_WIDTHS if longest + INSIDE <= size), OUT_WIDTHS[-1])


def _grids(job: Job, rows: list[tuple[int, int, int]], look: _Look) -> Iterator[Grid]:
    columns = list(_table_columns(job, rows, look))
    rounds = tuple(part_label(round, part if parts > 1 else 0) for round, part, parts in rows)
    starts = tuple(job.starts_at(round) if part == 1 else "" for round, part, _parts in rows)
    sit_outs = tuple(
        ", ".join(one.label for one in job.evening.sit_outs(round)) if part == 1 else ""
        for round, part, _parts in rows
    )
    for chunk in evenly(len(columns), look.columns):
        yield Grid(
            rounds=rounds,
            starts=starts,
            columns=tuple(columns[index] for index in chunk),
            sit_outs=tuple(one or NOTHING for one in sit_outs) if any(sit_outs) else (),
            out=_width_out(job),
        )


def _table_columns(job: Job, rows: list[tuple[int, int, int]], look: _Look) -> Iterator[GridColumn]:
    at: dict[tuple[int, int], list[Game]] = {}
    for games in job.evening.games.values():
        for game in games:
            at.setdefault((game.round, game.table), []).append(game)
    stands = job.plan.boards.stands
    is_at_home = _ns_are_at_home(job)
    for table in range(1, job.tables + 1):
        held = [
            one
            for (_r, t), games in at.items()
            if t == table
            for game in games
            for one in _held(job, game)
        ]
        copy = _one_copy(held)
        yield GridColumn(
            title=str(table),
            cells=tuple(
                _cell(job, at.get((round, table), []), part, look, is_at_home=is_at_home, copy=copy)
                for round, part, _parts in rows
            ),
            copy=copy,
        )
        if table in stands:
            copy = _one_copy(
                one for round, _p, _n in rows for one in job.plan.boards.on_stand(round, table)
            )
            yield GridColumn(
                title=_stand(job, table, look),
                cells=tuple(
                    Cell("", _waiting(job, round, table, look, copy) if part == 1 else "")
                    for round, part, _parts in rows
                ),
                is_stand=True,
                copy=copy,
            )


def _held(job: Job, game: Game) -> tuple[Held, ...]:
    return job.plan.boards.held(game) if game.sets else ()


def _one_copy(all_held: Iterable[Held]) -> CopyName | None:
    """The copy of which all boards of a column are; None where there is one, or they are of several."""
    found = {held.copy for held in all_held}
    return found.pop() if len(found) == 1 else None


def _stand(job: Job, table: int, look: _Look) -> str:
    """A stand's name if it fits its column; otherwise its first letter, which the key explains."""
    name = capfirst(job.plan.boards.stand(table))
    space = look.stand or (max(job.size) - 26 - BESIDE - _width_out(job)) / look.columns
    badge = 5 if job.plan.boards.copies else 0
    if width(name, SMALLEST_TYPE, 800) + badge <= space - INSIDE:
        return name
    stands = job.plan.boards.stands
    return f"{name[0]}{stands.index(table) + 1 if len(stands) > 1 else ''}"


def _ns_are_at_home(job: Job) -> bool:
    """Whether North-South have the number of their table, all evening at every table."""
    return all(
        len(game.ns) == 1 and game.ns[0].contestant.slug.removeprefix("NS") == str(game.table)
        for games in job.evening.games.values()
        for game in games
        if game.ns
    )


def _cell(
    job: Job, games: list[Game], part: int, look: _Look, *, is_at_home: bool, copy: CopyName | None
) -> Cell:
    if not games:
        return Cell(NOTHING)
    if part > len(games):
        return Cell(_("same"))
    game = games[part - 1]
    boards = _boards(job, _held(job, game), look, copy)
    if game.is_played:
        return Cell(
            numbers(game.ew) if is_at_home else f"{numbers(game.ns)}–{numbers(game.ew)}", boards
        )
    return Cell(NOTHING, boards)


def _boards(job: Job, all_held: Iterable[Held], look: _Look, known: CopyName | None) -> SafeString:
    """Boards as they stand in a field; of a set perhaps its first alone. The column may name the copy."""
    found = []
    for held in all_held:
        numbers = boards_of(held.sets, job.boards_by_set)
        text = (
            ", ".join(str(first) for first, _last in ranges(numbers))
            if look.is_first_only
            else board_text(numbers)
        )
        found.append((text, copies.badge(held.copy) if held.copy and held.copy != known else ""))
    return format_html_join(", ", "{}{}", found)


def _waiting(job: Job, round: int, table: int, look: _Look, copy: CopyName | None) -> str:
    boards = job.plan.boards
    if look.is_out_only:
        out = _boards(job, (one.held for one in boards.taken(round, table)), look, copy)
        return out or NOTHING
    return _boards(job, boards.on_stand(round, table), look, copy) or NOTHING


def _key(job: Job, look: _Look) -> Iterator[SafeString | str]:
    """Say how a field is to be read."""
    if _ns_are_at_home(job):
        yield _(
            "In each field: the East-West pair, then its boards. North-South have the number of their table."
        )
    else:
        yield _("In each field: North-South against East-West, then the boards.")
    if look.is_first_only:
        yield _("Of the boards only the first one of each set is named.")
    for after_table in job.plan.boards.stands:
        name, short = capfirst(job.plan.boards.stand(after_table)), _stand(job, after_table, look)
        words = {"stand": name if short == name else f"{short}: {name}", "table": after_table}
        if look.is_out_only:
            say = _("%(stand)s, after table %(table)s: the boards that go out after the round.")
        else:
            say = _("%(stand)s, after table %(table)s: the boards that wait there.")
        yield " ".join([say % words, *_ways(job, after_table)])
    if job.plan.boards.copies:
        yield copies.key(job)


def _ways(job: Job, after_table: int) -> Iterator[str]:
    """Say which table takes from a stand and which brings to it, where they are always the same."""
    boards, rounds = job.plan.boards, range(1, job.evening.rounds)
    takers = {one.table for round in rounds for one in boards.taken(round, after_table)}
    bringers = {one.table for round in rounds for one in boards.brought(round, after_table)}
    if len(takers) == len(bringers) == 1:
        words = {"taker": takers.pop(), "bringer": bringers.pop()}
        yield _("Table %(taker)s takes from it, table %(bringer)s brings to it.") % words


# ── what to announce, and what the grid does not say ──


def _sayings(job: Job) -> Iterator[Saying]:
    """What is said after each round: the usual first, then every round that differs."""
    said = job.plan.calls
    if said.is_drawn:
        return
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
    for chunk in evenly(len(everybody), NAME_COLUMNS * NAMES_A_BLOCK):
        block = [everybody[index] for index in chunk]
        lines = -(-len(block) // NAME_COLUMNS)
        yield tuple(tuple(block[start : start + lines]) for start in range(0, len(block), lines))

"""Table cards: one sheet for every table, with every round's pairs, boards and where they go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.board_moves import BoardMove, Fetched
from bridgebuddy.events.queries.games import Game, Sitting, board_text
from bridgebuddy.events.queries.moves import Seat
from movements.engine.boards import boards_of
from movements.words.sentences import CHAIR_LETTERS, CHAIRS, LINE_LETTERS, LINES

from . import copies
from .context import Drawn, Job, numbers, surnames
from .edges import Edge, Leaving, edges
from .guide_cards import played_in_halves
from .layout import (
    NOTHING,
    Column,
    and_list,
    as_few_as_fit,
    column,
    height_class,
    height_for,
    lines_of,
    part_label,
    round_numbers,
)
from .layout import table_rows as grid_rows
from .measure import SMALLEST_TYPE, fits, plain, wrapped
from .selection import EVERYBODY, Selection

#: what margins, heading and column titles take of a sheet's height (mm), and a line of the notes
AROUND, NOTE_LINE, NOTE_LENGTH = 26 + 51 + 9 + 6, 5.8, 80
TALLEST = 26
SMALLEST = {2: 8.2, 3: 12.6}  # by lines a row: a line never under 4.1 mm
LONG_BOARDS = 6  # characters beyond which type is smaller
#: what a column's margins take of it, and a line of type where names go on below (mm)
INSIDE, TYPE_LINE = 3.8, 4.4
LARGE_TYPE = 12.5  # pt: the largest for names and moves
#: the columns' shares of the sheet, as in print.css: with both sides, and without one that stays
BOTH = {"rd": 0.09, "ns": 0.235, "ew": 0.235, "bd": 0.17, "then": 0.27}
ONE = {"rd": 0.09, "ns": 0.3, "ew": 0.3, "bd": 0.17, "then": 0.44}


@dataclass(frozen=True)
class Stays:
    """Who sits in one line of a table all evening: said once, above the grid."""

    line: str
    label: str
    names: str


@dataclass(frozen=True)
class TableCard:
    """One side of paper; a table with more rounds than fit has several."""

    table: int
    height: str  # class of the line height
    columns: tuple[Column, ...]
    notes: tuple[str, ...]
    edges: tuple[Edge, ...]
    part: int = 1
    parts: int = 1
    stays: Stays | None = None
    copies: str = ""  # which copies of the boards are played there
    qr: Drawn | None = None
    is_wrapped: bool = False  # whether a line does not fit its column and goes on below

    @property
    def rows(self) -> list[list[tuple[str, list[tuple[str, str]]]]]:
        """The grid row by row, where it is one."""
        return grid_rows(self.columns) if self.is_wrapped else []


@dataclass(frozen=True)
class TableRow:
    """A line of a table's grid: a game, or a round in which nobody is at the table."""

    round: int
    game: Game | None
    is_last: bool

    @property
    def is_end(self) -> bool:
        """Whether nobody goes on after it: it is the last round, or the last part of it."""
        return self.is_last and (self.game is None or self.game.part == self.game.parts)

    @property
    def label(self) -> str:
        return part_label(self.round, self.game.part if self.game and self.game.parts > 1 else 0)


def table_cards(job: Job, selection: Selection = EVERYBODY) -> list[TableCard]:
    """Return the cards of the tables that were chosen."""
    by_table = games_by_table(job)
    return [
        card for number in selection.tables(job) for card in _cards(job, number, by_table[number])
    ]


def games_by_table(job: Job) -> Mapping[int, Mapping[int, list[Game]]]:
    """Return every table's games, by round."""
    by_table: defaultdict[int, defaultdict[int, list[Game]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for games in job.evening.games.values():
        for game in games:
            by_table[game.table][game.round].append(game)
    return by_table


def table_rows(job: Job, by_round: Mapping[int, list[Game]]) -> list[TableRow]:
    """Return a table's lines: one for every round, or for every part of one."""
    return [
        TableRow(round, game, is_last=round == job.evening.rounds)
        for round in range(1, job.evening.rounds + 1)
        for game in (by_round.get(round) or (None,))
    ]


def movers_of(job: Job, games: list[Game]) -> list[str]:
    """Return the lines of a table in which not one and the same contestant sits all evening."""
    return [line for line in ("ns", "ew") if not _line_stays(job, games, line)]


def _cards(job: Job, table: int, by_round: Mapping[int, list[Game]]) -> Iterator[TableCard]:
    rows = table_rows(job, by_round)
    games = [row.game for row in rows if row.game]
    movers = movers_of(job, games)
    stays = _stays(job, rows, movers)
    columns = _columns(job, rows, movers, stays)
    takes = _takes(job, rows) if stays and len(movers) == 1 else []
    if any(takes) and _fit(job, _with_takes(columns, takes), stays):
        columns = _with_takes(columns, takes)
    else:
        takes = []
    notes = tuple(notes_of(job, games, movers, stays=stays, tells_takes=not takes))
    around = edges(
        job, [Leaving(row.label, row.game) for row in rows if row.game and not row.is_end]
    )
    space = job.size[1] - AROUND - NOTE_LINE * max(2, lines_of(map(plain, notes), NOTE_LENGTH))
    if stays:
        space -= 3 + 5 * wrapped(
            f"{stays.label} {stays.names}" + 30 * "n", job.size[0] - 24, 12, 800
        )
    is_wrapped = not _fit(job, columns, stays)
    smallest = SMALLEST[3 if len(movers) == 2 or _boards_part(job, rows) else 2]
    needs = [_need(job, columns, stays, row) if is_wrapped else 0.0 for row in range(len(rows))]
    chunks = as_few_as_fit(needs, space, smallest)
    heights = [
        height_for(space, needs[chunk.start : chunk.stop], TALLEST, smallest) or smallest
        for chunk in chunks
    ]
    for part, chunk in enumerate(chunks, start=1):
        yield TableCard(
            table=table,
            height=height_class(min(heights)) + (" stays" if stays else ""),
            columns=tuple(one.part(chunk) for one in columns),
            notes=notes,
            edges=around,
            part=part,
            parts=len(chunks),
            stays=stays,
            copies=copies.played_here(job, table),
            qr=partial(job.table_qr, table),
            is_wrapped=is_wrapped,
        )


def _stays(job: Job, rows: list[TableRow], movers: list[str]) -> Stays | None:
    """Who need not be named in every row: a pair that sits in a line of the table in every round."""
    for line in ("ns", "ew"):
        sides = {
            tuple(s.contestant for s in _side(row.game, line)) if row.game else () for row in rows
        }
        if line not in movers and len(sides) == 1 and len(side := sides.pop()) == 1:
            one = side[0]  # of a team any two may sit there: it is named
            return Stays(line, one.label, one.surnames if one.halves else one.names)
    return None


def _widths(job: Job, stays: Stays | None) -> dict[str, float]:
    """How wide the columns are inside (mm)."""
    shares = ONE if stays else BOTH
    return {css: share * (job.size[0] - 24) - INSIDE for css, share in shares.items()}


def _fit(job: Job, columns: tuple[Column, ...], stays: Stays | None) -> bool:
    """Whether every name and every move fits its column in the smallest type."""
    widths = _widths(job, stays)
    return all(
        fits(line, widths[one.css], SMALLEST_TYPE, _weight(block.css))
        for one in columns
        if one.css in ("ns", "ew", "then")
        for block in one.blocks
        if not {"number", "two"} & {*block.css.split()}
        for line in block.rows
    )


def _weight(css: str) -> int:
    return 800 if "strong" in css else 400


def _need(job: Job, columns: tuple[Column, ...], stays: Stays | None, row: int) -> float:
    """How tall a row is in which lines go on below (mm)."""
    widths = _widths(job, stays)
    return 3 + max(
        sum(
            TYPE_LINE * wrapped(line, 0.94 * widths[one.css], SMALLEST_TYPE, _weight(css))
            for css, line in one.cell(row)
        )
        for one in columns
        if one.css in ("ns", "ew", "then")
    )


def _line_stays(job: Job, games: list[Game], line: str) -> bool:
    """Whether whoever sits in a line of a table sits there all evening; so does nobody."""
    sides = {tuple(s.contestant.number for s in _side(game, line)) for game in games}
    return len(sides) <= 1 and all(
        job.plan.people.stays_put(number, line) for side in sides for number in side
    )


def _side(game: Game, line: str) -> tuple[Sitting, ...]:
    return game.ns if line == "ns" else game.ew


# ── the grid ──


def _columns(
    job: Job, rows: list[TableRow], movers: list[str], stays: Stays | None
) -> tuple[Column, ...]:
    boards = [_boards_of(job, row.game) if row.game else NOTHING for row in rows]
    size = "long" if any(len(plain(text)) > LONG_BOARDS for text in boards) else "big"
    under_boards = [_under_boards(job, row) for row in rows]
    return (
        column("rd", _("Round"), {"number": [row.label for row in rows]}),
        *(
            _side_column(job, rows, line, stays)
            for line in ("ns", "ew")
            if stays is None or line != stays.line
        ),
        column("bd", _("Boards"), _stacked(size, boards, under_boards)),
        _then_column(job, rows, movers, stays),
    )


def _boards_of(job: Job, game: Game) -> str:
    """The boards of a game with their copy; of a match half by half. Where nobody plays they may not be there."""
    if not (job.plan.boards.lie_at(game) or job.section.contest.has_halves):
        return NOTHING
    if job.plan.boards.copies:
        return copies.boards_of_game(job, game)
    return ", ".join(game.half_texts)


def _takes(job: Job, rows: list[TableRow]) -> list[str]:
    """What a table takes from a stand after each of its rows, to be said beside its own boards."""
    return [
        "".join(_take(job, fetched) for fetched in job.plan.boards.fetched(after.game))
        if after.game and not row.is_end
        else ""
        for row, after in zip(rows, [*rows[1:], TableRow(0, None, is_last=True)], strict=True)
    ]


def _take(job: Job, fetched: Fetched) -> str:
    words = {"boards": board_text(boards_of(fetched.sets, job.boards_by_set))}
    if fetched.kind == "stand":
        words["stand"] = job.plan.boards.stand(fetched.stand)
        return (
            _("; take %(boards)s from the %(stand)s") % words
            if _is_alone(job)
            else (_("; take %(boards)s from %(stand)s") % words)
        )
    return _("; fetch %(boards)s") % words


def _is_alone(job: Job) -> bool:
    """Whether there is one stand, which needs no number."""
    return len(job.plan.boards.stands) < 2


def _with_takes(columns: tuple[Column, ...], takes: list[str]) -> tuple[Column, ...]:
    """Add to the boards' own line what is taken from elsewhere."""
    *others, then = columns
    *above, boards = then.blocks
    said = tuple(own + take for own, take in zip(boards.rows, takes, strict=True))
    css = boards.css if "small" in boards.css else f"{boards.css} small".strip()
    return (*others, replace(then, blocks=(*above, replace(boards, css=css, rows=said))))


def _stacked(css: str, above: list[str], below: list[str]) -> dict[str, list[str]]:
    """Lay out the main line alone in the middle, or above what some rows say below it."""
    if not any(below):
        return {css: above}
    return {f"up {css}": above, "down small": below}


def _side_column(job: Job, rows: list[TableRow], line: str, stays: Stays | None) -> Column:
    space = _widths(job, stays)[line]
    players = max((len(_side(row.game, line)) for row in rows if row.game), default=1)
    names = [_name(job, row, line) for row in rows]
    return column(
        line,
        _side_title(rows, line),
        {
            "up number" if players < 2 else "up two": [_number(row.game, line) for row in rows],
            _sized("down", space, names): names,
        },
    )


def _side_title(rows: list[TableRow], line: str) -> str:
    """Name a side: "NS North-South", in an individual its two chairs in the order of their players."""
    sittings = (sitting for row in rows if row.game for sitting in _side(row.game, line))
    first = next(sittings, None)
    if first and first.contestant.is_single:
        return _("%(first)s and %(last)s") % {"first": CHAIRS[line[0]], "last": CHAIRS[line[1]]}
    return f"{LINE_LETTERS[line]} {LINES[line]}"


def _sized(css: str, space: float, *blocks: list[str]) -> str:
    """Return a block's class, for smaller type where a line does not fit its column (mm)."""
    lines = (line for block in blocks for line in block)
    is_large = all(fits(line, space, LARGE_TYPE, _weight(css)) for line in lines)
    return css if is_large else f"{css} small"


def _number(game: Game | None, line: str) -> str:
    return (numbers(_side(game, line)) if game else "") or NOTHING


def _name(job: Job, row: TableRow, line: str) -> str:
    """Return the names in a line of a table, or that there is nobody."""
    game = row.game
    if row.round in job.evening.open_rounds:
        return _("drawn later")
    if game is None or not (game.ns or game.ew):
        return _("nobody")
    if side := _side(game, line):
        return surnames(side)
    return _("nobody: %(line)s sit out") % {"line": LINE_LETTERS["ew" if line == "ns" else "ns"]}


def _under_boards(job: Job, row: TableRow) -> str:
    if row.game is None or not (row.game.is_played or job.plan.boards.lie_at(row.game)):
        return ""
    if not row.game.is_played:
        return _("not played")
    if row.game.boards_from:
        return _("from table %(table)s") % {"table": row.game.boards_from}
    if tables := job.plan.boards.shared_with(row.game):
        others = and_list([str(table) for table in tables])
        if len(tables) > 1:
            return _("with %(tables)s") % {"tables": others}
        return _("with table %(table)s") % {"table": others}
    return ""


def _then_column(job: Job, rows: list[TableRow], movers: list[str], stays: Stays | None) -> Column:
    """Where whoever does not stay all evening goes next, and below it the boards."""
    people = {
        line: [people_then(job, row, line, says_end=line == movers[0]) for row in rows]
        for line in movers
    }
    boards = [boards_then(job, row) for row in rows]
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
    space = _widths(job, stays)["then"]
    size = _sized("", space, *blocks.values())
    if not size and any(not fits(line, space, LARGE_TYPE, 800) for line in people.get("ew", ())):
        size = " small"
    return column("then", _("Then"), {css + size: lines for css, lines in blocks.items()})


def _boards_part(job: Job, rows: list[TableRow]) -> bool:
    """Whether somewhere the boards of a table go different ways, each of which needs a line."""
    return any(
        len(job.plan.boards_after(row.game)) > 1 for row in rows if row.game and not row.is_last
    )


def people_then(job: Job, row: TableRow, line: str, *, says_end: bool) -> str:
    """Say where a line of a table goes next; the end is said once."""
    if row.is_end:
        return _("The end") if says_end else ""
    side = _side(row.game, line) if row.game else ()
    if row.game is None or not side:
        return NOTHING
    if row.round + 1 in job.evening.open_rounds and row.game.part == row.game.parts:
        return _("drawn later") if says_end else ""
    seats = [(sitting, job.plan.next_seat(sitting.contestant.number, row.game)) for sitting in side]
    if len(seats) == 1:
        return _step(job, row.game, str(LINE_LETTERS[line]), line, seats[0][1])
    return ", ".join(
        _player_step(row.game, sitting, seat) for sitting, seat in seats
    )  # an individual: everybody goes their own way


def _step(job: Job, game: Game, who: str, line: str, seat: Seat | None) -> str:
    """Say where a side goes: "EW to table 4"."""
    if seat is None:
        return _("%(line)s sit out") % {"line": who}
    words = {"line": who, "table": seat.table, "other": LINE_LETTERS[seat.line]}
    if not seat.is_played:
        return _("%(line)s to table %(table)s: sit out") % words
    if seat.line != line and seat.table == game.table:
        return _("%(line)s stay, sit %(other)s") % words
    if seat.line != line:
        return _("%(line)s to table %(table)s, sit %(other)s") % words
    if seat.table == game.table:
        return _("%(line)s stay here") % words
    if job.plan.people.is_skip(game, seat):
        return _("%(line)s to table %(table)s: skip") % words
    return _("%(line)s to table %(table)s") % words


def _player_step(game: Game, sitting: Sitting, seat: Seat | None) -> str:
    """Say where one player of an individual goes: "S 3 to 4 E"."""
    words: dict[str, object] = {"player": sitting.contestant.label}
    if seat is None or not seat.is_played:
        return _("%(player)s sits out") % words
    if seat.place == (game.table, game.chair_of(sitting.contestant.number)):
        return _("%(player)s stays") % words
    words |= {"table": seat.table, "line": CHAIR_LETTERS[seat.chair]}
    return _("%(player)s to %(table)s %(line)s") % words


def boards_then(job: Job, row: TableRow) -> str:
    """Say where a table's boards go next."""
    if row.game is None:
        return NOTHING
    return ", ".join(_board_steps(job, row.game, row.is_last))


def _board_steps(job: Job, game: Game, is_last: bool) -> list[str]:
    """Say where the boards of a game go: a step, or one for each part of them."""
    if game.boards_to:
        return [_board_step(job, BoardMove("tables", (), (game.boards_to,)))]
    if not game.sets:  # a match of teams: its boards are dealt at the table
        return []
    if is_last and game.part == game.parts:
        return [_("Leave the boards here")]
    moves = job.plan.boards_after(game)
    if len(moves) == 1:
        return [_board_step(job, moves[0])]
    return [_set_step(job, move) for move in moves]


def _board_step(job: Job, move: BoardMove) -> str:
    if move.kind == "tables":
        words = {"tables": and_list([str(table) for table in move.tables])}
        return (
            ngettext("Boards to table %(tables)s", "Boards to tables %(tables)s", len(move.tables))
            % words
        )
    return {
        "stay": _("Boards stay here"),
        "stand": _to_stand(job, move),
        "aside": _("Put the boards aside"),
        "done": _("Boards are finished"),
    }[move.kind]


def _to_stand(job: Job, move: BoardMove) -> str:
    words = {"stand": job.plan.boards.stand(move.tables[0])} if move.kind == "stand" else {}
    if not words:
        return ""
    return (_("Boards to the %(stand)s") if _is_alone(job) else _("Boards to %(stand)s")) % words


def _set_step(job: Job, move: BoardMove) -> str:
    """Say where some of a table's boards go: "1–2 to table 3"."""
    words = {
        "sets": board_text(boards_of(move.sets, job.boards_by_set)),
        "tables": and_list([str(table) for table in move.tables]),
        "stand": job.plan.boards.stand(move.tables[0]) if move.kind == "stand" else "",
    }
    sentence = {
        "tables": _("%(sets)s to table %(tables)s"),
        "stay": _("%(sets)s stay"),
        "stand": _("%(sets)s to the %(stand)s") if _is_alone(job) else _("%(sets)s to %(stand)s"),
        "aside": _("%(sets)s aside"),
        "done": _("%(sets)s done"),
    }[move.kind]
    return sentence % words


# ── the notes ──


def _in_triangles(games: list[Game]) -> list[int]:
    """The rounds in which a table plays a triangle."""
    return sorted({game.round for game in games if game.boards_to or game.boards_from})


def notes_of(
    job: Job,
    games: list[Game],
    movers: list[str],
    *,
    stays: Stays | None = None,
    tells_takes: bool = True,
) -> Iterator[str]:
    """Say what holds for a table all evening, or in several rounds.

    Who `stays`, and what the table takes from stands where its rows say it, need no note.
    """
    for line in ("ns", "ew"):
        is_said = stays is not None and stays.line == line
        if line not in movers and not is_said and any(_side(game, line) for game in games):
            yield _("%(line)s stay at this table.") % {"line": LINES[line]}
    if exchanging := [game for game in games if game.exchanges_with]:
        yield (
            _(
                "Play the boards in this order; in the middle of each half exchange them with your match’s other table."
            )
            if any(game.is_in_quarters for game in exchanging)
            else _(
                "Play the boards in this order; at half-time exchange them with your match’s other table."
            )
        )
        if triangles := _in_triangles(games):
            yield _("%(rounds)s: a triangle, in which nothing is exchanged.") % {
                "rounds": in_rounds(triangles, job.evening.rounds)
            }
    if halves := sorted({game.round for game in games if game.parts > 1}):
        yield played_in_halves(halves)
    for game in games:
        yield from _rover_comes(job, game)
    for tables, rounds in _by_rounds(games, job.plan.boards.shared_with):
        yield _(
            "%(rounds)s: play the same boards as table %(tables)s; pass each one on when it is played."
        ) % {
            "rounds": in_rounds(rounds, job.evening.rounds),
            "tables": and_list([str(table) for table in tables]),
        }
    left = _by_rounds(games, lambda game: _fetched(job, game, "stand")) if tells_takes else []
    for table in _stands_met(job, games, tells_takes=tells_takes):
        if (table,) not in [tables for tables, _rounds in left]:
            yield _where_stand_is(job, table)
    for (table,), rounds in left:
        words = {
            "rounds": in_rounds(rounds, job.evening.rounds),
            "stand": job.plan.boards.stand(table),
            "table": table,
        }
        if _is_alone(job):
            yield (
                _("%(rounds)s: take your boards from the %(stand)s after table %(table)s.") % words
            )
        else:
            yield _("%(rounds)s: take your boards from %(stand)s after table %(table)s.") % words
    aside = _by_rounds(games, lambda game: _fetched(job, game, "aside")) if tells_takes else []
    for _found, rounds in aside:
        yield _("%(rounds)s: fetch your boards, nobody brings them.") % {
            "rounds": in_rounds(rounds, job.evening.rounds)
        }
    if job.plan.boards.copies:
        yield copies.key(job)


def _stands_met(job: Job, games: list[Game], *, tells_takes: bool) -> list[int]:
    """The stands to which a table brings boards, or from which its rows say that it takes some."""
    met = {
        move.tables[0]
        for game in games
        if game.round < job.evening.rounds
        for move in job.plan.boards_after(game)
        if move.kind == "stand"
    }
    if not tells_takes:
        met |= {table for game in games for table in _fetched(job, game, "stand")}
    return sorted(met)


def _where_stand_is(job: Job, table: int) -> str:
    words = {"stand": job.plan.boards.stand(table), "table": table}
    if _is_alone(job):
        return _("The %(stand)s is after table %(table)s.") % words
    return capfirst(_("%(stand)s is after table %(table)s.") % words)


def _fetched(job: Job, game: Game, kind: str) -> tuple[int, ...]:
    found = job.plan.boards.fetched(game)
    return tuple(one.stand for one in found if one.kind == kind)[:1]


def _rover_comes(job: Job, game: Game) -> Iterator[str]:
    """Say whose seat a rover takes at a table."""
    for sitting in game.ns + game.ew:
        part = game.part if game.parts > 1 else 0
        if displaced := job.rovers.displaced_by(sitting.contestant.number, game.round, part):
            yield _("Round %(round)s: the rover %(rover)s takes the seat of %(pair)s.") % {
                "round": part_label(game.round, part),
                "rover": sitting.contestant.label,
                "pair": displaced.label,
            }


def _by_rounds(
    games: list[Game], tables: Callable[[Game], tuple[int, ...]]
) -> list[tuple[tuple[int, ...], list[int]]]:
    """Return for every answer that is not empty the rounds in which it holds."""
    found: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for game in games:
        if answer := tables(game):
            found[answer].append(game.round)
    return [(answer, sorted(set(rounds))) for answer, rounds in found.items()]


def in_rounds(rounds: list[int], of: int) -> str:
    """Say in which rounds something holds: "Rounds 1–3, 7", or "Every round"."""
    if len(rounds) == of:
        return _("Every round")
    return ngettext("Round %(rounds)s", "Rounds %(rounds)s", len(rounds)) % {
        "rounds": round_numbers(rounds)
    }

"""Name cards for players and labels for board boxes, eight on a sheet for cutting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.plan.games import LINES, Contestant, TableGame, TeamHalf, board_text
from movements.engine.board_copies.borrowed_sets import borrowed_set
from movements.engine.board_copies.copies import SetCopy
from movements.words.copies import CopyName, copy_name
from movements.words.sentences import CHAIRS

from ..context import Drawn, PrintJob
from ..measure import line_count
from ..selection import EVERYBODY, SheetSelection
from .guide_rows import contestant_word

PER_SHEET = 8
LONG_NAME, LONG_BOARDS = 22, 9  # characters beyond which type is smaller
NAME_ROOM, MOST_LINES = (
    88,
    2,
)  # the width of a name (mm), and the most lines that leave space for the rest


@dataclass(frozen=True)
class SheetLabel:
    """One of eight labels on a sheet, for a name or a board box: a large text with small ones above and below."""

    above: str
    large: str
    below: tuple[str, ...]
    is_long: bool
    qr: Drawn | None = None
    copy: CopyName | None = None
    is_very_long: bool = False


@dataclass(frozen=True)
class LabelSheet:
    """A sheet of paper with at most eight labels."""

    labels: tuple[SheetLabel, ...]


def name_cards(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[LabelSheet]:
    """Return sheets with a name card for each player: name, pair and first table."""
    return _sheets_of_labels(
        SheetLabel(
            above=_kind_and_name(job, contestant),
            large=player,
            below=tuple(_first_places(job, contestant, player)),
            is_long=len(player) > LONG_NAME,
            is_very_long=line_count(player, NAME_ROOM, 17, 800) > MOST_LINES,
            qr=partial(job.player_qr, contestant),
        )
        for contestant in selection.contestants(job)
        for player in contestant.all_names
        if contestant.first_round_of_person(player)
    )


def _kind_and_name(job: PrintJob, contestant: Contestant) -> str:
    """Return the pair or team of a player as text: "Pair 12", "Team 8, Market"."""
    kind = f"{contestant_word(job)} {job.label_with_section(contestant)}"
    return f"{kind}, {contestant.surnames}" if contestant.halves else kind


def _first_places(job: PrintJob, contestant: Contestant, player: str) -> Iterator[str]:
    """Yield the first table and seat of a player; of teams, those of the player's pair."""
    if contestant.halves:
        first = job.evening.contestant_in(contestant.number, 1)
        line = _direction_of_player(player, first.halves)
        if not line:
            yield from _place_after_half_time(
                job, contestant, _direction_of_player(player, first.then_halves)
            )
            return
        seat = next(
            (s for s in job.plan.people.seats_of_half(contestant.number, line) if s.round == 1),
            None,
        )
        if seat:
            yield _("Table %(table)s, %(line)s") % {"table": seat.table, "line": CHAIRS[line]}
            return
    yield first_place(job, contestant.number, contestant.first_round_of_person(player))
    away = job.plan.people.seats_of_half(contestant.number, "ew") if job.contest.has_halves else []
    if away and away[0].round == 1:
        words = {"table": away[0].table, "line": CHAIRS["ew"]}
        yield _("or table %(table)s, %(line)s") % words


def _direction_of_player(player: str, halves: Sequence[TeamHalf]) -> str:
    """Return the direction ("ns", "ew") of the team's pair with this player; empty for a resting one."""
    lines = zip(LINES, halves, strict=False)
    return next((line for line, half in lines if player in half.names), "")


def _place_after_half_time(job: PrintJob, contestant: Contestant, direction: str) -> Iterator[str]:
    """Yield the table and seat of a team's player who starts after half-time."""
    seat = next(
        (s for s in job.plan.people.seats_of_half(contestant.number, direction) if s.round == 1),
        None,
    )
    if not direction or seat is None:
        yield _("Sits out round 1")
        return
    words = {"table": seat.table, "line": CHAIRS[direction]}
    yield _("From half-time on: table %(table)s, %(line)s") % words


def first_place(job: PrintJob, number: int, begins: int | None = None) -> str:
    """Return a contestant's first table and direction: "Table 3, North-South"; for a late one with the round."""
    first = begins or job.evening.contestants[number].first_round
    seat = next((s for s in job.plan.people.seats.get(number, ()) if s.round >= first), None)
    if first > 1 and seat is not None:
        return _("Round %(round)s: table %(table)s, %(line)s.") % {
            "round": seat.round,
            "table": seat.table,
            "line": CHAIRS[seat.chair],
        }
    if seat is None or seat.round > 1:
        turn = job.evening.round_turn(number, 1)
        return "" if turn.is_open else _("Sits out round 1")
    return _("Table %(table)s, %(line)s") % {"table": seat.table, "line": CHAIRS[seat.chair]}


def board_labels(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[LabelSheet]:
    """Return sheets with a label for the box of every board set and every copy of it."""
    if not job.boards_by_set:
        return _sheets_of_labels(_match_labels(job))
    wanted = set(selection.without_change_limit().boards(job))
    return _sheets_of_labels(
        label
        for name, boards in job.boards_by_set.items()
        if wanted & set(boards) and not borrowed_set(name)
        for label in _set_labels(job, name, boards)
    )


def _match_labels(job: PrintJob) -> Iterator[SheetLabel]:
    """Yield a label for the boards with which each table begins its team match.

    If numbers continue from round to round, each drawn round has its own boards.
    """
    goes_on = job.section.boards_of_matches.goes_on
    rounds = job.evening.rounds if goes_on else 1
    games = [game for round in range(1, rounds + 1) for game in job.evening.games.get(round, ())]
    for game in games:
        if not game.is_played or game.part > 1 or game.boards_from:
            continue
        # of quarters every second one comes from the other table, which has its label
        for place, first in enumerate(game.board_halves[: 3 if game.is_in_quarters else 1]):
            if place % 2 == 0:
                yield SheetLabel(
                    above=_("Round %(round)s") % {"round": game.round} if goes_on else _("Match"),
                    large=ngettext("Board %(boards)s", "Boards %(boards)s", len(first))
                    % {"boards": board_text(first)},
                    below=tuple(_board_tables(game, is_second=place > 0)),
                    is_long=len(board_text(first)) > LONG_BOARDS,
                )


def _board_tables(game: TableGame, *, is_second: bool) -> Iterator[str]:
    """Yield sentences on the table where a team match's boards begin, and the table that gets them next."""
    words = {"table": game.table, "other": game.exchanges_with}
    if is_second:
        yield _("From half-time on at table %(table)s") % words
    else:
        yield _("Begins at table %(table)s") % words
    if game.is_in_quarters:
        yield _("In the middle of the half to table %(other)s") % words
    elif game.exchanges_with:
        yield _("At half-time to table %(table)s") % {"table": game.exchanges_with}
    if game.boards_to:
        yield _first_half_then(game)


def _first_half_then(game: TableGame) -> str:
    """Return the text that says when and to which table the boards of a three-way match go next."""
    words = {"table": game.boards_to}
    if game.parts > 1:
        return _("At half-time to table %(table)s") % words
    return _("After the round to table %(table)s") % words


def _set_labels(job: PrintJob, name: str, boards: range) -> Iterator[SheetLabel]:
    """Yield a label for each copy of a board set in use; a single copy has no letter."""
    text = board_text(boards)
    moves = job.plan.boards
    of_copies: list[int] = [copy.number for copy in moves.used_copies_of_set(name)] or [1]
    for number in of_copies:
        copy = copy_name(number, moves.copy_places.copies) if len(of_copies) > 1 else None
        words = [_first_place_text(job, name, number)]
        if copy:
            words.append(copy.name)
        yield SheetLabel(
            above=_("Set %(set)s") % {"set": name},
            large=ngettext("Board %(boards)s", "Boards %(boards)s", len(boards)) % {"boards": text},
            below=tuple(line for line in words if line),
            is_long=len(text) > LONG_BOARDS,
            copy=copy,
        )


def _first_place_text(job: PrintJob, name: str, number: int) -> str:
    """Return the table or board stand where a copy of a board set is in round 1, as text."""
    first = job.plan.boards.first_spot(SetCopy(name, number))
    if first is None:
        return ""
    round, spot = first
    if spot.kind == "stand" and round == 1:
        words = {"stand": job.plan.boards.stand(spot.tables[0]), "table": spot.tables[0]}
        if len(job.plan.boards.stands) > 1:
            return _("Begins on %(stand)s after table %(table)s") % words
        return _("Begins on the %(stand)s after table %(table)s") % words
    if round == 1:
        return ngettext(
            "Begins at table %(tables)s", "Begins at tables %(tables)s", len(spot.tables)
        ) % {"tables": ", ".join(map(str, spot.tables))}
    return _("From round %(round)s at table %(table)s") % {"round": round, "table": spot.tables[0]}


def _sheets_of_labels(labels: Iterable[SheetLabel]) -> list[LabelSheet]:
    """Return the labels divided into sheets."""
    everything = list(labels)
    return [
        LabelSheet(tuple(everything[start : start + PER_SHEET]))
        for start in range(0, len(everything), PER_SHEET)
    ]

"""The notes on a table card, for all or several rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.plan.games import TableGame
from movements.words.sentences import LINES

from .. import copies
from ..context import PrintJob
from ..layout import joined_with_and, part_label, round_numbers
from .guide_notes import split_rounds_sentence
from .table_rows import StayingContestant, has_single_stand, side_of_game


def _triangle_rounds(games: list[TableGame]) -> list[int]:
    """Return the rounds in which a table plays in a three-way team match."""
    return sorted({game.round for game in games if game.boards_to or game.boards_from})


def table_notes(
    job: PrintJob,
    games: list[TableGame],
    movers: list[str],
    *,
    staying: StayingContestant | None = None,
    tells_takes: bool = True,
) -> Iterator[str]:
    """Yield the notes on a table's card that hold for all or several rounds.

    `staying` is already named above the grid. With `tells_takes`, the notes name the boards to fetch; else the rows do.
    """
    for line in ("ns", "ew"):
        is_said = staying is not None and staying.line == line
        if line not in movers and not is_said and any(side_of_game(game, line) for game in games):
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
        if triangles := _triangle_rounds(games):
            yield _("%(rounds)s: a triangle, in which nothing is exchanged.") % {
                "rounds": rounds_text(triangles, job.evening.rounds)
            }
    if halves := sorted({game.round for game in games if game.parts > 1}):
        yield split_rounds_sentence(halves)
    for game in games:
        yield from _rover_arrival_sentences(job, game)
    for tables, rounds in _by_rounds(games, job.plan.boards.tables_sharing_with):
        yield _(
            "%(rounds)s: share boards with table %(tables)s. Pass each board on when you have "
            "played it."
        ) % {
            "rounds": rounds_text(rounds, job.evening.rounds),
            "tables": joined_with_and([str(table) for table in tables]),
        }
    yield from _lender_notes(job, games)
    left = _by_rounds(games, lambda game: _fetch_stand(job, game, "stand")) if tells_takes else []
    for table in _stands_used_by_table(job, games, tells_takes=tells_takes):
        if (table,) not in [tables for tables, _rounds in left]:
            yield _stand_position_text(job, table)
    for (table,), rounds in left:
        words = {
            "rounds": rounds_text(rounds, job.evening.rounds),
            "stand": job.plan.boards.stand(table),
            "table": table,
        }
        if has_single_stand(job):
            yield (
                _("%(rounds)s: take your boards from the %(stand)s after table %(table)s.") % words
            )
        else:
            yield _("%(rounds)s: take your boards from %(stand)s after table %(table)s.") % words
    aside = _by_rounds(games, lambda game: _fetch_stand(job, game, "aside")) if tells_takes else []
    for _found, rounds in aside:
        yield _("%(rounds)s: fetch your boards yourselves.") % {
            "rounds": rounds_text(rounds, job.evening.rounds)
        }
    if job.plan.boards.copies:
        yield copies.copies_key(job)
    if job.break_sentence:
        yield job.break_sentence


def _stands_used_by_table(job: PrintJob, games: list[TableGame], *, tells_takes: bool) -> list[int]:
    """Return the board stands that a table brings boards to and, without `tells_takes`, takes them from."""
    met = {
        move.tables[0]
        for game in games
        if game.round < job.evening.rounds
        for move in job.plan.boards_after(game)
        if move.kind == "stand"
    }
    if not tells_takes:
        met |= {table for game in games for table in _fetch_stand(job, game, "stand")}
    return sorted(met)


def _stand_position_text(job: PrintJob, table: int) -> str:
    """Return a sentence on the place of the board stand after a table."""
    words = {"stand": job.plan.boards.stand(table), "table": table}
    if has_single_stand(job):
        return _("The %(stand)s is after table %(table)s.") % words
    return capfirst(_("%(stand)s is after table %(table)s.") % words)


def _fetch_stand(job: PrintJob, game: TableGame, kind: str) -> tuple[int, ...]:
    """Return the table where a game's boards are fetched, from its stand or put aside (`kind`); empty for none."""
    carriages = job.plan.boards.fetched_sets(game)
    return tuple(note.stand for note in carriages if note.kind == kind)[:1]


def _lender_notes(job: PrintJob, games: list[TableGame]) -> Iterator[str]:
    """Yield sentences on the board stand of another section from which a table takes its boards."""
    for (table, *others), rounds in _by_rounds(games, lambda game: _lender_stand(job, game)):
        yield _(
            "%(rounds)s: take your boards from the stand of section %(letter)s, after its table %(table)s, and bring them back after the round."
        ) % {
            "rounds": rounds_text(rounds, job.evening.rounds),
            "letter": job.plan.boards.lender,
            "table": table,
        }
        yield _(
            "If section %(letter)s is in another round, share the boards of table %(table)s."
        ) % {
            "letter": job.plan.boards.lender,
            "table": others[0],
        }


def _lender_stand(job: PrintJob, game: TableGame) -> tuple[int, ...]:
    """Return the table before the lending section's board stand for a game, and the tables that share its boards."""
    lent = job.plan.boards.borrowed_set(game)
    return (lent.after_table, *game.shared_with) if lent else ()


def _rover_arrival_sentences(job: PrintJob, game: TableGame) -> Iterator[str]:
    """Yield sentences on the rover that takes a seat in a game."""
    for sitting in game.ns + game.ew:
        part = game.part if game.parts > 1 else 0
        if displaced := job.rovers.displaced_by(sitting.contestant.number, game.round, part):
            yield _("Round %(round)s: the rover %(rover)s takes the seat of %(pair)s.") % {
                "round": part_label(game.round, part),
                "rover": sitting.contestant.label,
                "pair": displaced.label,
            }


def _by_rounds(
    games: list[TableGame], tables: Callable[[TableGame], tuple[int, ...]]
) -> list[tuple[tuple[int, ...], list[int]]]:
    """Group games by the tables that the function `tables` returns for them; return each group's rounds."""
    rounds_by_answer: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for game in games:
        if answer := tables(game):
            rounds_by_answer[answer].append(game.round)
    return [(answer, sorted(set(rounds))) for answer, rounds in rounds_by_answer.items()]


def rounds_text(rounds: list[int], round_count: int) -> str:
    """Return rounds of a session of `round_count` rounds as text: "Rounds 1–3, 7", or "Every round"."""
    if len(rounds) == round_count:
        return _("Every round")
    return ngettext("Round %(rounds)s", "Rounds %(rounds)s", len(rounds)) % {
        "rounds": round_numbers(rounds)
    }

"""The texts below the director's grid: key, announcements, notes and names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.events.queries.sessions.lent_boards import (
    extra_copy_sentence,
    lent_boards_sentence,
)
from movements.words.calls import SpokenAnnouncement

from .. import copies
from ..context import PrintJob, undrawn_rounds_sentence
from ..layout import even_chunks, joined_with_and, round_numbers
from .master_look import TableLook, have_ns_table_numbers, stand_title

NAME_COLUMNS = 3
NAMES_A_BLOCK = 34  # lines in a block of names, so that a block fits a sheet


@dataclass(frozen=True)
class RoundAnnouncement:
    """An announcement of moves on the master sheet, with the rounds after which it holds."""

    when: str
    say: SafeString


def cell_explanation(job: PrintJob, layout: TableLook) -> Iterator[SafeString | str]:
    """Yield the key to the master sheet: what its cells contain."""
    if have_ns_table_numbers(job):
        yield _(
            "In each field: the East-West pair, then its boards. North-South have the number of their table."
        )
    else:
        yield _("In each field: North-South against East-West, then the boards.")
    if layout.is_first_only:
        yield _("Only the first board of each set is shown.")
    for after_table in job.plan.boards.stands:
        name, short = (
            capfirst(job.plan.boards.stand(after_table)),
            stand_title(job, after_table, layout),
        )
        words = {"stand": name if short == name else f"{short}: {name}", "table": after_table}
        if layout.is_out_only:
            say = _("%(stand)s, after table %(table)s: the boards that go out after the round.")
        else:
            say = _("%(stand)s, after table %(table)s: the boards that wait there.")
        yield " ".join([say % words, *_stand_transfer_text(job, after_table)])
    if job.plan.boards.copies:
        yield copies.copies_key(job)


def _stand_transfer_text(job: PrintJob, after_table: int) -> Iterator[str]:
    """Yield which tables take boards from a board stand and bring them, if they are the same in all rounds."""
    boards, rounds = job.plan.boards, range(1, job.evening.rounds)
    takers = {
        carriage.table for round in rounds for carriage in boards.sets_taken(round, after_table)
    }
    bringers = {
        carriage.table
        for round in rounds
        for carriage in boards.boards_brought_to(round, after_table)
    }
    if len(takers) == len(bringers) == 1:
        words = {"taker": takers.pop(), "bringer": bringers.pop()}
        yield (
            _("Table %(taker)s takes boards from the stand, table %(bringer)s brings boards to it.")
            % words
        )


def announcements_by_rounds(job: PrintJob) -> Iterator[RoundAnnouncement]:
    """Yield the different announcements with their rounds, the most frequent first."""
    plan_calls = job.plan.announcements
    if plan_calls.is_drawn:
        return
    calls = {
        after: plan_calls.moves_after(after)
        for after in range(1, job.evening.rounds)
        if not {after, after + 1} & job.evening.open_rounds
    }
    if not calls:
        return
    same: dict[object, list[int]] = {}
    for after, call in calls.items():
        same.setdefault((call.sentence, call.exceptions, call.halfway), []).append(after)
    usual = max(same.values(), key=len)
    for rounds in sorted(same.values(), key=lambda rounds: (rounds is not usual, rounds)):
        say = _announcement_text(calls[rounds[0]])
        if len(rounds) == job.evening.rounds - 1 > 1:
            yield RoundAnnouncement(_("After each round:"), say)
        elif rounds == list(range(1, job.evening.rounds, 2)) and len(rounds) > 1:
            yield RoundAnnouncement(_("After odd rounds:"), say)
        else:
            when = ngettext("After round %(rounds)s:", "After rounds %(rounds)s:", len(rounds))
            yield RoundAnnouncement(when % {"rounds": round_numbers(rounds)}, say)
    if halfway := plan_calls.mid_round_sentences(1):
        yield RoundAnnouncement(_("In round 1:"), format_html("{}", " ".join(halfway)))
    turned = [
        sentence
        for round in range(1, job.evening.rounds + 1)
        for sentence in plan_calls.switched_boards_sentences(round)
    ]
    if turned:
        yield RoundAnnouncement(_("Arrow-switch:"), format_html("{}", " ".join(turned)))


def _announcement_text(call: SpokenAnnouncement) -> SafeString:
    """Return an announcement without the moves of board copies, which the grid shows."""
    details = format_html_join(
        " ", "{}", ((sentence,) for sentence in (*call.exceptions, *call.halfway))
    )
    return format_html("{} {}", call.sentence, details) if details else call.sentence


def master_sheet_notes(job: PrintJob) -> Iterator[str]:
    """Yield the master sheet's notes on later draws, substitutes, and tables that share boards."""
    if job.break_sentence:
        yield job.break_sentence
    if lent := lent_boards_sentence(job.section, job.plan.lending):
        yield lent
    if extra := extra_copy_sentence(job.section):
        yield extra
    if job.evening.open_rounds:
        yield undrawn_rounds_sentence(job)
    for contestant in job.evening.contestants.values():
        yield from (f"{contestant.label}: {stint.sentence}" for stint in contestant.substitutes)
    rounds_by_tables: dict[tuple[int, ...], list[int]] = {}
    for round in range(1, job.evening.rounds + 1):
        for game in job.evening.games.get(round, ()):
            others = job.plan.boards.tables_sharing_with(game)
            if others and game.table < others[0]:
                rounds = rounds_by_tables.setdefault((game.table, *others), [])
                if round not in rounds:
                    rounds.append(round)
    for tables, rounds in rounds_by_tables.items():
        words = {
            "tables": joined_with_and([str(table) for table in tables]),
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


def name_blocks_of_master_sheet(job: PrintJob) -> Iterator[tuple[tuple[Contestant, ...], ...]]:
    """Yield the contestants' names in blocks of three columns, which no page break divides."""
    everybody = list(job.evening.contestants.values())
    for chunk in even_chunks(len(everybody), NAME_COLUMNS * NAMES_A_BLOCK):
        block = [everybody[index] for index in chunk]
        lines = -(-len(block) // NAME_COLUMNS)
        yield tuple(tuple(block[start : start + lines]) for start in range(0, len(block), lines))

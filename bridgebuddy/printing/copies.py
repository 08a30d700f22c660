"""Copies of the boards on paper: a letter with colour and shape, readable in grey print."""

from __future__ import annotations

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan.board_moves import HeldSets
from bridgebuddy.events.queries.plan.games import TableGame, board_text
from movements.engine.boards import boards_of_sets
from movements.words.copies import CopyName

from .context import PrintJob


def copy_badge(copy: CopyName) -> SafeString:
    """Return the HTML badge with the letter of a copy of the boards, alike on all sheets."""
    return format_html('<i class="copy {}">{}</i>', copy.key, copy.letter)


def boards_of_game(job: PrintJob, game: TableGame) -> str:
    """Return the boards of a game, with the copy if there are several: "5–6", "5–6 R"."""
    if not job.plan.boards.copies:
        return game.board_text
    return boards_with_copies(job, job.plan.boards.sets_in_play(game))


def boards_with_copies(job: PrintJob, held_sets: tuple[HeldSets, ...]) -> SafeString:
    """Return the board numbers of these sets as HTML, each with the badge of its copy."""
    return format_html_join(
        ", ", "{}{}", (_text_and_badge(job, held_set) for held_set in held_sets)
    )


def _text_and_badge(job: PrintJob, held_sets: HeldSets) -> tuple[str, str]:
    """Return the board numbers of sets held together, and the HTML badge of their copy."""
    text = board_text(boards_of_sets(held_sets.sets, job.boards_by_set))
    return text, format_html(" {}", copy_badge(held_sets.copy)) if held_sets.copy else ""


def copies_at_table(job: PrintJob, table: int) -> SafeString:
    """Return the copies of the boards that a table plays, as HTML; empty if there is only one copy."""
    copies = job.plan.boards.copies_at(table)
    if not copies:
        return SafeString("")
    named = format_html_join(", ", "{} {}", ((copy.name, copy_badge(copy)) for copy in copies))
    return format_html(_("At this table: {}"), named)


def copies_key(job: PrintJob) -> SafeString:
    """Return the explanation of the copies' letters with their tables: "R: red copy, tables 1–8."."""
    boards = job.plan.boards
    return format_html_join(
        " ",
        "{}: {}",
        (
            (
                copy_badge(copy),
                _("%(copy)s, tables %(tables)s.")
                % {"copy": copy.name, "tables": board_text(boards.tables_of(copy))},
            )
            for copy in boards.copies
        ),
    )

"""Stand cards: for every stand, its boards in each round with those that leave and arrive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from bridgebuddy.events.queries.plan.board_moves import SetTransfer
from movements.words.copies import CopyName

from ..context import PrintJob
from ..copies import boards_with_copies, copy_badge
from ..layout import (
    NOTHING,
    LayoutColumn,
    block_column,
    even_chunks,
    fitting_height,
    height_class,
    most_rows,
)
from ..selection import EVERYBODY, SheetSelection

#: the height of margins, heading and column titles (mm)
AROUND = 26 + 51 + 9 + 14
TALLEST, SMALLEST = 18, 7.4


@dataclass(frozen=True)
class BoardStandCard:
    """A printed card that lies on a board stand: the boards that leave and arrive after each round."""

    title: str  # "Stand", or "Relay"
    number: int  # 0 for the only one
    where: str
    height: str
    columns: tuple[LayoutColumn, ...]
    part: int = 1
    parts: int = 1


def stand_cards(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[BoardStandCard]:
    """Return the cards for all board stands, or for the stand after the selected table."""
    if selection.number is not None:
        return []
    stands, outdated = job.plan.boards.stands, selection.outdated
    return [
        card
        for number, after_table in enumerate(stands, start=1)
        if selection.table in (None, after_table)
        and (outdated is None or after_table in outdated.stands)
        for card in _cards_of_stand(job, number if len(stands) > 1 else 0, after_table)
    ]


def _cards_of_stand(job: PrintJob, number: int, after_table: int) -> Iterator[BoardStandCard]:
    """Yield the cards of the board stand after a table, several if there are many rounds."""
    boards, rounds = job.plan.boards, range(1, job.evening.rounds + 1)
    waits = [boards.boards_on_stand(round, after_table) for round in rounds]
    columns = (
        block_column("rd", _("Round"), {"number": list(map(str, rounds))}),
        block_column(
            "wt",
            _("Waiting here"),
            {"big": [boards_with_copies(job, held_sets) or NOTHING for held_sets in waits]},
        ),
        block_column(
            "out",
            _("Then goes out"),
            {
                "": [
                    _leaving_boards_text(job, boards.sets_taken(round, after_table)) or NOTHING
                    for round in rounds
                ]
            },
        ),
        block_column(
            "in",
            _("and comes in"),
            {
                "": [
                    _arriving_boards_text(job, boards.boards_brought_to(round, after_table))
                    or NOTHING
                    for round in rounds
                ]
            },
        ),
    )
    space = job.size[1] - AROUND
    chunks = even_chunks(len(rounds), most_rows(space, SMALLEST))
    height = fitting_height(space, len(chunks[0]), TALLEST, SMALLEST) or SMALLEST
    for part, chunk in enumerate(chunks, start=1):
        yield BoardStandCard(
            title=capfirst(job.stand),
            number=number,
            where=_place_of_stand(
                job, after_table, {held.copy for held_sets in waits for held in held_sets}
            ),
            height=height_class(height),
            columns=tuple(grid_column.part(chunk) for grid_column in columns),
            part=part,
            parts=len(chunks),
        )


def _place_of_stand(job: PrintJob, after_table: int, copies: set[CopyName | None]) -> str:
    """Return where a board stand is, its copy if all its boards have one, and the section that borrows from it."""
    after = _("after table %(table)s") % {"table": after_table}
    copy = copies.pop() if len(copies) == 1 else None
    if lending := job.plan.lending:
        words = {"after": capfirst(after), "table": lending.lends_to, "letter": lending.letter}
        return _("%(after)s; table %(table)s of section %(letter)s plays what waits here") % words
    if copy is None:
        return capfirst(after)
    return format_html(
        _("Only the {copy} {letter} lies here, {after}"),
        copy=copy.name,
        letter=copy_badge(copy),
        after=after,
    )


def _leaving_boards_text(job: PrintJob, transfers: Iterable[SetTransfer]) -> SafeString:
    """Return the boards that leave a board stand after a round, with the tables that take them."""
    return _transfers_text(job, transfers, _("{boards} to table {table}"))


def _arriving_boards_text(job: PrintJob, transfers: Iterable[SetTransfer]) -> SafeString:
    """Return the boards that arrive at a board stand after a round, with the tables that bring them."""
    return _transfers_text(job, transfers, _("{boards} from table {table}"))


def _transfers_text(job: PrintJob, transfers: Iterable[SetTransfer], words: str) -> SafeString:
    """Return boards and their tables as HTML; `words` is the translated pattern for each transfer."""
    sentences = (
        format_html(words, boards=boards_with_copies(job, (o.held,)), table=o.table)
        for o in transfers
    )
    return format_html_join(", ", "{}", ((sentence,) for sentence in sentences))

"""The sheets that can be printed: one line each here, with a module and a template."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _

from .cards.guide_cards import guide_sheets
from .cards.labels import board_labels, name_cards
from .cards.rover_cards import rover_sheets
from .cards.score_cards import score_cards
from .cards.stand_cards import stand_cards
from .cards.table_cards import table_cards
from .cards.tent_cards import tent_cards
from .context import PrintJob
from .lists.master import master_sheet
from .lists.poster import round_posters
from .lists.seating import seating_list
from .results.booklet import booklet_pages
from .results.hand_records import hand_records
from .results.ranking import ranking_pages
from .results.score_sheets import score_sheets
from .selection import SheetSelection
from .slips.deal_slips import deal_slips
from .slips.draw import draw_pages
from .slips.draw_slips import draw_slips
from .slips.pick_up_slips import pick_up_slips
from .slips.score_slips import score_slips


class NothingToPrint(LookupError):
    """Raised if no sheet of the chosen kind exists for the selection."""


@dataclass(frozen=True)
class SheetKind:
    """A kind of printed sheet, for example guide cards, with its title, template and contents.

    Its name is used in its address, its file and its template.
    """

    name: str
    title: Promise
    about: Promise
    contents: Callable[[PrintJob, SheetSelection], Any]
    pages: Callable[[Any], int] = len
    is_for_tonight: bool = False  # laid out before the session

    @property
    def template(self) -> str:
        """Return the name of the template that renders the sheet."""
        return f"printing/{self.name}.html"

    @property
    def picture(self) -> str:
        """Return the static path of the small picture of the sheet."""
        return f"printing/pictures/{self.name}.svg"

    @property
    def is_of_results(self) -> bool:
        """Return whether the sheet shows results, so that it is printed after the session."""
        return self.name in OF_RESULTS


#: every sheet in the order of laying out: entrance, tables, players, the director's own
LAID_OUT: tuple[SheetKind, ...] = (
    SheetKind(
        "seating",
        _("Seating list"),
        _("For the door: everybody by name, and every table, as they begin."),
        seating_list,
        is_for_tonight=True,
    ),
    SheetKind(
        "table-cards",
        _("Table cards"),
        _("Who plays there in every round, which boards, where everybody goes next."),
        table_cards,
        is_for_tonight=True,
    ),
    SheetKind(
        "stand-cards",
        _("Stand cards"),
        _("For every stand: waiting boards, boards that leave and boards that arrive."),
        stand_cards,
        is_for_tonight=True,
    ),
    SheetKind(
        "guide-cards",
        _("Guide cards"),
        _("To carry: table, direction, boards and opponents of every round."),
        guide_sheets,
        is_for_tonight=True,
    ),
    SheetKind(
        "rover-cards",
        _("Rover and sit-outs"),
        _("The rover’s card, and slips for those who sit out or lend their seat."),
        rover_sheets,
    ),
    SheetKind(
        "master",
        _("Director’s sheet"),
        _("The whole movement, announcements, sit-outs and all names."),
        lambda job, selection: master_sheet(job),
        pages=lambda sheet: sheet.pages,
        is_for_tonight=True,
    ),
    SheetKind(
        "board-labels",
        _("Board labels"),
        _("For the boxes: which boards, and where they begin."),
        board_labels,
    ),
    SheetKind(
        "score-slips",
        _("Travellers"),
        _("One for each board, to travel with it: who plays it is printed already."),
        score_slips,
    ),
    SheetKind(
        "pick-up-slips",
        _("Pick-up slips"),
        _("One for each table and round, eight on a sheet, in the order of entering them."),
        pick_up_slips,
    ),
    SheetKind(
        "deal-slips",
        _("Slips to deal by hand"),
        _("Two for each board dealt here. A single slip reveals no cards."),
        deal_slips,
    ),
    SheetKind(
        "score-cards",
        _("Score cards"),
        _("Every board of the session with dealer, vulnerability and opponents."),
        score_cards,
    ),
    SheetKind(
        "name-cards",
        _("Name cards"),
        _("For everybody’s place at the table, eight on a sheet, to be cut."),
        name_cards,
    ),
    SheetKind(
        "tent-cards",
        _("Tent cards"),
        _("To fold and stand up: the table’s number and its moves on both sides."),
        tent_cards,
    ),
    SheetKind(
        "poster",
        _("Poster"),
        _("The table of everybody who moves, in every round, to be read from afar."),
        round_posters,
    ),
    SheetKind(
        "draw",
        _("The draw"),
        _("Who meets whom in the round that was drawn last: for the wall."),
        draw_pages,
    ),
    SheetKind(
        "draw-slips",
        _("Slips of the draw"),
        _("To carry: everybody’s table, opponents and boards of that round."),
        draw_slips,
    ),
    SheetKind(
        "ranking",
        _("Ranking"),
        _("The ranking from the results entered so far, for the wall."),
        ranking_pages,
    ),
    SheetKind(
        "score-sheets",
        _("Score sheets"),
        _("Everybody’s own results, board by board, two on a sheet."),
        score_sheets,
    ),
    SheetKind(
        "booklet",
        _("Booklet of the boards"),
        _("Every board with all its results, to take home."),
        booklet_pages,
    ),
    SheetKind(
        "hand-records",
        _("Hand records"),
        _("The cards of every board and the makeable contracts, eight on a page."),
        hand_records,
    ),
)
SHEETS = {sheet.name: sheet for sheet in LAID_OUT}
#: several sheets in one file
TOGETHER = "together"
#: the sheets that changes make outdated; all others hang on a wall, or are already filled in
OF_CHANGES = ("table-cards", "stand-cards", "guide-cards", "rover-cards", "master", "pick-up-slips")
#: sheets that exist only after the first result
OF_RESULTS = ("ranking", "score-sheets", "booklet", "hand-records")


def sheet_html(
    sheet: SheetKind,
    job: PrintJob,
    selection: SheetSelection,
    *,
    request: HttpRequest | None = None,
) -> str:
    """Return a sheet as HTML: with a request as a preview page, without one for the PDF.

    Raises `NothingToPrint` if the selection leaves it empty.
    """
    contents = sheet.contents(job, selection)
    if not contents:
        raise NothingToPrint(sheet.name)
    context = {
        "sheet": sheet,
        "job": job,
        "contents": contents,
        "is_preview": request is not None,
    }
    return render_to_string(sheet.template, context, request)


def html_of_several_sheets(
    sheets: Iterable[SheetKind], job: PrintJob, selection: SheetSelection
) -> str:
    """Return one HTML document with several kinds of sheets, for a single PDF.

    Raises `NothingToPrint` if the selection leaves all of them empty.
    """
    bodies = [
        render_to_string(
            sheet.template,
            {"sheet": sheet, "job": job, "contents": contents, "frame": "printing/alone.html"},
        )
        for sheet in sheets
        if (contents := sheet.contents(job, selection))
    ]
    if not bodies:
        raise NothingToPrint(TOGETHER)
    sheet = next(iter(sheets))
    body = mark_safe("".join(bodies))  # each of them comes from a template
    return render_to_string("printing/together.html", {"sheet": sheet, "job": job, "body": body})

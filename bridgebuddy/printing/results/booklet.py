"""The booklet: every board with all its results, three boards a page if they are short."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import SheetRow, Traveller, boards_of, travellers_of_board
from bridgebuddy.scoring.words import opening_lead

from ..context import PrintJob
from ..layout import fewest_chunks
from ..selection import SheetSelection

#: boards on a page, and the number of results for each that fits beside its picture
OF_MATCHES = (6, 4)  # a match's boards have two results each, and no picture of the cards
SHAPES = {"a4": ((3, 11), (2, 19), (1, 41)), "letter": ((3, 10), (2, 17), (1, 37))}


@dataclass(frozen=True)
class BoardPart:
    """The results of a board in the booklet, or some of them if they need several pages."""

    traveller: Traveller
    rows: tuple[SheetRow, ...]
    is_first: bool

    @property
    def board_number(self) -> int:
        """Return the number of the board."""
        return self.traveller.board

    @property
    def round_and_match(self) -> str:
        """Return the round and match of the board as text, if its number occurs in several matches."""
        if self.traveller.deal is None:
            return ""
        rounds = ", ".join(map(str, self.traveller.rounds))
        teams = " – ".join(team.surnames for team in self.traveller.match)
        told = _("Round %(round)s") % {"round": rounds}
        return f"{told}: {teams}" if teams else told

    @property
    def scored(self) -> ScoredSession:
        """Return the session's computed results, which the template needs."""
        return self.traveller.scored

    @property
    def has_leads(self) -> bool:
        """Return whether a result of the board has an opening lead."""
        return any(opening_lead(row.line.outcome) for row in self.rows)


@dataclass(frozen=True)
class BookletPage:
    """A page of the booklet with all travellers; `shape` is the number of boards on it."""

    shape: int
    parts: tuple[BoardPart, ...]


def booklet_pages(job: PrintJob, selection: SheetSelection) -> list[BookletPage]:
    """Return the pages of the booklet with all boards' results; empty before the first result."""
    scored = job.scored
    if scored is None:
        return []
    section = scored.tonight.section
    shown = [
        traveller
        for board in selection.selected_boards(
            boards_of(scored.tonight.lines_of_section(section)), job
        )
        for traveller in travellers_of_board(scored, section, board)
    ]
    if not shown:
        return []
    if section.stored.is_draw:
        shown.sort(
            key=lambda traveller: (
                traveller.rounds,
                [team.number for team in traveller.match],
                traveller.board,
            )
        )
    longest = max(sum(map(_lines_of_result, traveller.rows)) for traveller in shown)
    shapes: tuple[tuple[int, int], ...] = SHAPES[job.paper]
    if all(traveller.match and not traveller.cards for traveller in shown):
        shapes = (OF_MATCHES, *shapes)
    shape, most = next((shape for shape in shapes if longest <= shape[1]), shapes[-1])
    parts = [
        BoardPart(traveller, tuple(traveller.rows[chunk.start : chunk.stop]), chunk.start == 0)
        for traveller in shown
        for chunk in fewest_chunks([*map(_lines_of_result, traveller.rows)], most, 1)
    ]
    return [
        BookletPage(shape, tuple(parts[start : start + shape]))
        for start in range(0, len(parts), shape)
    ]


def _lines_of_result(row: SheetRow) -> int:
    """Return how many printed lines a row of a board's results takes."""
    outcome = row.line.outcome or {}
    return 2 if "artificial" in outcome or "assigned" in outcome else 1

"""Hand records: the cards of the boards with their double-dummy results, eight to a page."""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.scoring.results.sheets import Traveller, boards_of
from bridgebuddy.scoring.snapshot.cards import BoardCards

from ..context import PrintJob
from ..selection import EVERYBODY, SheetSelection

ON_A_PAGE = 8


@dataclass(frozen=True)
class RecordsPage:
    """A printed page with the hands of several boards (hand records)."""

    boards: tuple[BoardCards, ...]


def hand_records(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[RecordsPage]:
    """Return the pages with the hands of all boards that are no longer played; empty if none are known."""
    scored = job.scored
    if scored is None or not scored.tonight.knows_cards:
        return []
    section = scored.tonight.section
    hands = [
        cards
        for board in selection.selected_boards(
            boards_of(scored.tonight.lines_of_section(section)), job
        )
        if (cards := Traveller(scored, section, board).cards)
    ]
    return [
        RecordsPage(tuple(hands[start : start + ON_A_PAGE]))
        for start in range(0, len(hands), ON_A_PAGE)
    ]

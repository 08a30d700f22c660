"""Slips to deal boards by hand without knowing where the cards go.

Two people deal a board. The first slip has an order of the pack, in which its reader lays down the
cards. The second slip has 52 seats, to which its reader deals that pack face down. Only both slips
together determine the deal. Four people at a table deal four boards at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.deals.rules.hands import SEATS, hands_of_deal
from bridgebuddy.deals.rules.making import card_order_from_secret
from bridgebuddy.scoring.models import DealGeneration
from bridgebuddy.scoring.results.dealing import deal_generation_of

from ..context import PrintJob
from ..selection import EVERYBODY, SheetSelection

ON_A_PAGE, IN_A_ROW = 4, 8


@dataclass(frozen=True)
class DealSlip:
    """One of the two slips for dealing a board by hand: the order of the pack, then the seats to deal to."""

    board: int
    is_first: bool
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class DealSheet:
    """A sheet of paper with dealing slips of one kind, for cutting."""

    slips: tuple[DealSlip, ...]


def deal_slips(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[DealSheet]:
    """Return the dealing slips for boards dealt by the program; empty without such boards and after the start."""
    dealing = deal_generation_of(job.section) if not job.section.is_started else None
    if dealing is None or dealing.closed_at is None:
        return []
    slips = [
        slips_of_board(dealing, board) for board in selection.selected_boards(dealing.boards, job)
    ]
    return [
        DealSheet(tuple(two[kind] for two in slips[start : start + ON_A_PAGE]))
        for start in range(0, len(slips), ON_A_PAGE)
        for kind in (0, 1)
    ]


def slips_of_board(dealing: DealGeneration, board: int) -> tuple[DealSlip, DealSlip]:
    """Return the two dealing slips of a board."""
    dealt = hands_of_deal(dealing.deals[board])
    assert dealt is not None, "it was made here"
    order = card_order_from_secret(dealing.secret, board, dealing.words)
    goes: list[str] = [
        next(seat for seat in SEATS if card in dealt[seat]) for card in reversed(order)
    ]
    return DealSlip(board, True, _split_into_rows(order)), DealSlip(
        board, False, _split_into_rows(goes)
    )


def _split_into_rows(items: list[str]) -> tuple[tuple[str, ...], ...]:
    """Return the cards or seats of a dealing slip, divided into rows."""
    return tuple(tuple(items[start : start + IN_A_ROW]) for start in range(0, len(items), IN_A_ROW))

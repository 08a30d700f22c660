"""Deals as files: PBN for programs, DUP for dealing machines, LIN for Bridge Base."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from movements.engine.boards import dealer, vulnerability

from .hands import CARDS, RANKS, SEATS, SUITS, Seat, format_pbn, suit_holding

Deals = Mapping[int, Mapping[Seat, frozenset[str]]]
"""The four hands, by board."""
VULNERABLE = {"none": "None", "ns": "NS", "ew": "EW", "all": "All"}
_LIN_DEALERS = {"S": "1", "W": "2", "N": "3", "E": "4"}
_LIN_VULNERABLE = {"none": "o", "ns": "n", "ew": "e", "all": "b"}
#: signs of dealing machines for spades, hearts, diamonds and clubs
_PICTURES = dict(zip(SUITS, b"\x06\x03\x04\x05", strict=True))


def deals_as_pbn(deals: Deals) -> bytes:
    """Return a PBN 2.1 file of deals, with the cards only."""
    lines = ["% PBN 2.1", "% EXPORT"]
    for board, hands in sorted(deals.items()):
        lines += [
            '[Event ""]',
            f'[Board "{board}"]',
            f'[Dealer "{dealer(board)}"]',
            f'[Vulnerable "{VULNERABLE[vulnerability(board)]}"]',
            f'[Deal "{format_pbn(hands)}"]',
            "",
        ]
    return "\r\n".join([*lines, ""]).encode("ascii")


def deals_as_dup(deals: Deals) -> bytes:
    """Return a DUP file for a dealing machine: 156 bytes a board, each with the lowest and highest board number.

    A record has the cards of North, East and South by number, then all four hands as drawn. Then follow flags for
    random and backward order, the lowest board, the copies, and the highest board. Machines count on from the lowest
    board. Raises `ValueError` if the boards are not consecutive.
    """
    boards = sorted(deals)
    if not boards or boards != list(range(boards[0], boards[-1] + 1)):
        raise ValueError("boards in a file for a dealing machine follow each other")
    end = f"YN{boards[0]:<3}  {boards[-1]:<3}".encode("ascii")
    return b"".join(
        _dup_card_numbers(deals[board]) + _dup_suit_symbols(deals[board]) + end for board in boards
    )


def _dup_card_numbers(hands: Mapping[Seat, frozenset[str]]) -> bytes:
    """Return the part of a DUP record that lists the hands as card numbers."""
    return "".join(
        f"{number:02}" for seat in SEATS[:3] for number, card in enumerate(CARDS, 1) if card in hands[seat]
    ).encode("ascii")  # fmt: skip


def _dup_suit_symbols(hands: Mapping[Seat, frozenset[str]]) -> bytes:
    """Return the part of a DUP record that lists the hands as suit symbols and ranks."""
    return b"".join(
        bytes([_PICTURES[suit]]) + suit_holding(hands[seat], suit).encode("ascii")
        for seat in SEATS
        for suit in SUITS
    )


def deals_as_lin(deals: Deals) -> bytes:
    """Return a file of deals in Bridge Base's LIN notation: South, West, North and East, low cards first."""
    lines = []
    for board, hands in sorted(deals.items()):
        dealt = ",".join(
            "".join(
                suit + "".join(rank for rank in reversed(RANKS) if suit + rank in hands[seat])
                for suit in SUITS
            )
            for seat in ("S", "W", "N", "E")
        )
        lines.append(
            f"qx|o{board}|md|{_LIN_DEALERS[dealer(board)]}{dealt}|"
            f"rh||ah|Board {board}|sv|{_LIN_VULNERABLE[vulnerability(board)]}|pg||"
        )
    return "\r\n".join([*lines, ""]).encode("ascii")


#: by name, as in the command and on pages
FORMATS: Mapping[str, Callable[[Deals], bytes]] = {
    "pbn": deals_as_pbn,
    "dup": deals_as_dup,
    "lin": deals_as_lin,
}

"""A deal in PBN notation: the first seat, then four hands clockwise with spades, hearts, diamonds and clubs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

Seat = Literal["N", "E", "S", "W"]
SEATS: tuple[Seat, ...] = ("N", "E", "S", "W")
SUITS, RANKS = "SHDC", "AKQJT98765432"
#: the ace of spades first, the two of clubs last
CARDS = tuple(suit + rank for suit in SUITS for rank in RANKS)


def hands_of_deal(pbn: str) -> dict[Seat, frozenset[str]] | None:
    """Return the four hands of a deal in PBN notation (first seat, then clockwise); None if the text is no deal.

    >>> hands_of_deal("N:A... ... ... ...") is None
    True
    """
    first, _, rest = pbn.strip().partition(":")
    dealt = rest.split()
    if first not in SEATS or len(dealt) != 4:
        return None
    hands_by_seat: dict[Seat, frozenset[str]] = {}
    for offset, hand in enumerate(dealt):
        suits = hand.split(".")
        if len(suits) != 4:
            return None
        cards = [suit + rank for suit, ranks in zip(SUITS, suits, strict=True) for rank in ranks]
        if len(set(cards)) != len(cards):
            return None  # one of them twice
        hands_by_seat[SEATS[(SEATS.index(first) + offset) % 4]] = frozenset(cards)
    is_whole = set().union(*hands_by_seat.values()) == set(CARDS) and all(
        len(hand) == 13 for hand in hands_by_seat.values()
    )
    return hands_by_seat if is_whole else None


def suit_holding(hand: Iterable[str], suit: str) -> str:
    """Return the cards of a suit in a hand, highest first: "KT9"."""
    own = set(hand)
    return "".join(rank for rank in RANKS if suit + rank in own)


def sorted_hand(hand: Iterable[str]) -> list[str]:
    """Return a hand's cards, spades first and the highest of each suit first."""
    return sorted(hand, key=CARDS.index)


def format_pbn(by_seat: Mapping[Seat, Iterable[str]]) -> str:
    """Return a deal, given as hands by seat, in PBN notation from North on."""
    return "N:" + " ".join(
        ".".join(suit_holding(by_seat[seat], suit) for suit in SUITS) for seat in SEATS
    )

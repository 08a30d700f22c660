"""The cards of a board as pages and paper draw them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bridgebuddy.deals.rules.hands import SEATS, SUITS, hands, holding

from ..rules import laws

POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}


@dataclass(frozen=True)
class Hand:
    """The cards of a seat, suit by suit."""

    seat: str
    cards: frozenset[str]

    @property
    def suits(self) -> list[tuple[str, str]]:
        """Each suit with its ranks, the highest first: "AT4"."""
        return [(suit, holding(self.cards, suit)) for suit in SUITS]

    @property
    def points(self) -> int:
        """High-card points."""
        return sum(POINTS.get(card[1], 0) for card in self.cards)


@dataclass(frozen=True)
class Cards:
    """The four hands of a board."""

    board: int
    pbn: str

    @cached_property
    def hands(self) -> list[Hand]:
        found = hands(self.pbn)
        return [Hand(seat, found[seat]) for seat in SEATS] if found else []

    def has(self, seat: str, card: str) -> bool:
        """Whether a seat held a card."""
        return any(one.seat == seat and laws.card(card) in one.cards for one in self.hands)

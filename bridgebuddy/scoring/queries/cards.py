"""The cards of a board as pages and paper draw them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from bridgebuddy.deals.rules.hands import SEATS, SUITS, hands, holding
from bridgebuddy.deals.solving import Tricks, table

from ..rules import laws
from ..rules.par import Par, par

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


@lru_cache(maxsize=1000)
def _par(board: int, solved: str) -> Par:
    return par(board, table(solved))


@dataclass(frozen=True)
class Cards:
    """The four hands of a board."""

    board: int
    pbn: str
    #: twenty letters, where somebody has worked them out (`deals/solving.py`)
    solved: str = ""

    @cached_property
    def hands(self) -> list[Hand]:
        found = hands(self.pbn)
        return [Hand(seat, found[seat]) for seat in SEATS] if found else []

    @cached_property
    def tricks(self) -> Tricks | None:
        """What each seat takes in each strain when everybody sees all cards."""
        return table(self.solved) if self.solved else None

    @property
    def par(self) -> Par | None:
        """What both sides come to who see all cards and bid as well as can be."""
        return _par(1 + (self.board - 1) % 16, self.solved) if self.solved else None

    def has(self, seat: str, card: str) -> bool:
        """Whether a seat held a card."""
        return any(one.seat == seat and laws.card(card) in one.cards for one in self.hands)

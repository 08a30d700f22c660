"""The cards of a board in the form used by pages and print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from bridgebuddy.deals.double_dummy import Tricks, trick_table
from bridgebuddy.deals.rules.hands import SEATS, SUITS, hands_of_deal, sorted_hand, suit_holding

from ..rules import laws
from ..rules.par import ParScore, par_of_board

LEADERS: dict[str, str] = {seat: SEATS[(place + 1) % 4] for place, seat in enumerate(SEATS)}
#: order of strains in printed tables of tricks, and least number of tricks shown
SHOWN, FEWEST = ("NT", "S", "H", "D", "C"), 7
POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}


@dataclass(frozen=True)
class HandCards:
    """One hand of a board, suit by suit."""

    seat: str
    cards: frozenset[str]

    @property
    def suits(self) -> list[tuple[str, str]]:
        """Return each suit with its ranks, the highest first: "AT4"."""
        return [(suit, suit_holding(self.cards, suit)) for suit in SUITS]

    @property
    def points(self) -> int:
        """Return the high-card points."""
        return sum(POINTS.get(card[1], 0) for card in self.cards)


@lru_cache(maxsize=1000)
def _par_of_solved(board: int, solved: str) -> ParScore:
    """Return the par of a board from its solved deal."""
    return par_of_board(board, trick_table(solved))


@dataclass(frozen=True)
class BoardCards:
    """The four hands of a board, with double-dummy tricks and par if they have been solved."""

    board: int
    pbn: str
    #: twenty characters, if the deal is solved (`deals/double_dummy.py`)
    solved: str = ""
    #: declarer's tricks after each of the thirteen leads, by strain and declarer ("NT-N"), if requested
    leads: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def hands(self) -> list[HandCards]:
        """Return the four hands of the board."""
        by_seat = hands_of_deal(self.pbn)
        return [HandCards(seat, by_seat[seat]) for seat in SEATS] if by_seat else []

    @cached_property
    def tricks(self) -> Tricks | None:
        """Return the double-dummy tricks of each seat in each strain."""
        return trick_table(self.solved) if self.solved else None

    @property
    def makes(self) -> list[tuple[str, list[int | None]]]:
        """Return the makeable tricks by seat, notrump first; None where too few for any contract."""
        tricks = self.tricks or {}
        return [
            (seat, [n if (n := tricks[seat][strain]) >= FEWEST else None for strain in SHOWN])
            for seat in ("N", "S", "E", "W")
            if tricks
        ]

    @property
    def par(self) -> ParScore | None:
        """Return the par of the board: the result of best bidding and double-dummy play."""
        return _par_of_solved(1 + (self.board - 1) % 16, self.solved) if self.solved else None

    def after_lead(self, strain: str, declarer: str, card: str) -> int | None:
        """Return declarer's double-dummy tricks after this opening lead; None if not solved."""
        tricks = self.leads.get(f"{strain}-{declarer}")
        leader = next(hand for hand in self.hands if hand.seat == LEADERS[declarer])
        if not tricks or not card or laws.normal_card(card) not in leader.cards:
            return None
        return int(tricks[sorted_hand(leader.cards).index(laws.normal_card(card))], 16)

    def has(self, seat: str, card: str) -> bool:
        """Return whether a seat was dealt a card."""
        return any(
            hand.seat == seat and laws.normal_card(card) in hand.cards for hand in self.hands
        )

"""Results that fit the cards: a contract that a pair would bid, its declarer, the lead and the tricks.

The number of tricks is estimated from high cards and the trump fit, not solved: results of many tables differ as in a
club. Everything follows from the random generator that is passed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from bridgebuddy.deals.rules.hands import CARDS, RANKS, SEATS, SUITS, Seat, suit_holding

Hands = Mapping[Seat, frozenset[str]]
SIDES: tuple[tuple[Seat, Seat], ...] = (("N", "S"), ("E", "W"))
HIGH_CARDS = {"A": 4, "K": 3, "Q": 2, "J": 1}
BOOK, MOST = 6, 13
#: combined points from which pairs bid game in a major, three no-trumps, game in a minor and a small slam
MAJOR_GAME, NOTRUMP_GAME, MINOR_GAME, SLAM = 25, 25, 29, 33
#: how often the weaker side buys the contract, a pair stops short, and a pair bids one more
COMPETES, STOPS, PUSHES = 0.12, 0.14, 0.10
#: tricks by which the same contract differs from table to table
SPREAD = 0.75


@dataclass(frozen=True)
class Side:
    """Two partners' hands: their points, their best strain and the expected tricks in it."""

    seats: tuple[Seat, Seat]
    points: int
    strain: str
    fit: int
    tricks: float


def deal_cards(rng: Random) -> dict[Seat, frozenset[str]]:
    """Return a random deal of 52 cards to four hands."""
    pack = list(CARDS)
    rng.shuffle(pack)
    return {seat: frozenset(pack[13 * i : 13 * (i + 1)]) for i, seat in enumerate(SEATS)}


def invent_outcome(hands: Hands, rng: Random, edge: float = 0.0) -> dict[str, Any]:
    """Return an invented result of a board; `edge` is the tricks by which North-South are the better pair."""
    sides = sorted((_side_of_seats(hands, seats) for seats in SIDES), key=lambda side: -side.tricks)
    if max(side.points for side in sides) <= 21 and rng.random() < 0.03:
        return {"passed": True}
    declaring = sides[1] if rng.random() < COMPETES and sides[1].tricks > 7 else sides[0]
    level = _contract_level(declaring, rng)
    declarer = _choose_declarer(hands, declaring, rng)
    sign = 1 if declaring.seats == SIDES[0] else -1
    tricks = round(rng.gauss(declaring.tricks + sign * edge, SPREAD))
    return {
        "contract": f"{level}{declaring.strain}",
        "declarer": declarer,
        "tricks": min(MOST, max(3, tricks)),
        "lead": _choose_lead(hands, declarer, declaring.strain, rng),
    }


def _side_of_seats(hands: Hands, seats: tuple[Seat, Seat]) -> Side:
    """Return the strength and the best strain of the hands of two partners."""
    points = sum(HIGH_CARDS.get(card[1], 0) for seat in seats for card in hands[seat])
    lengths = {
        suit: sum(len(suit_holding(hands[seat], suit)) for seat in seats)
        for suit in reversed(SUITS)  # clubs first: of two suits of one length the higher one wins
    }
    suit = max(lengths, key=lambda name: (lengths[name] + (name in "SH"), SUITS[::-1].index(name)))
    fit = lengths[suit]
    in_notrump = 6.6 + (points - 20) * 0.42
    is_suit = fit >= 9 or (fit == 8 and suit in "SH")
    tricks = in_notrump + 1.1 + 0.6 * (fit - 8) if is_suit else in_notrump
    return Side(seats, points, suit if is_suit else "NT", fit, tricks)


def _contract_level(side: Side, rng: Random) -> int:
    """Return the level that a side bids: game or slam by its points, else by its expected tricks."""
    points = side.points + (2 * (side.fit - 8) if side.strain != "NT" else 0)
    game = {"NT": 3, "S": 4, "H": 4}.get(side.strain, 5)
    needed = {"NT": NOTRUMP_GAME, "S": MAJOR_GAME, "H": MAJOR_GAME}.get(side.strain, MINOR_GAME)
    if points >= SLAM and rng.random() > STOPS:
        return 6
    if points >= needed and rng.random() > STOPS * (points < needed + 2):
        return game
    part_score = min(game - 1, max(1, int(side.tricks) - BOOK))
    is_pushed = part_score < game - 1 and rng.random() < PUSHES
    return part_score + is_pushed


def _choose_declarer(hands: Hands, side: Side, rng: Random) -> Seat:
    """Return the declarer: mostly the partner with longer trumps, in no-trumps with more points."""

    def bidding_strength(seat: Seat) -> int:
        """Return how strongly a hand bids the strain: its points in notrump, else its length."""
        if side.strain == "NT":
            return sum(HIGH_CARDS.get(card[1], 0) for card in hands[seat])
        return len(suit_holding(hands[seat], side.strain))

    first, second = sorted(side.seats, key=bidding_strength, reverse=True)
    return first if rng.random() > 0.12 else second


def _choose_lead(hands: Hands, declarer: Seat, strain: str, rng: Random) -> str:
    """Return the opening lead: from the leader's longest suit, fourth best or the top of a sequence."""
    hand = hands[SEATS[(SEATS.index(declarer) + 1) % 4]]
    suits = sorted(
        (suit for suit in SUITS if suit != strain and suit_holding(hand, suit)),
        key=lambda suit: -len(suit_holding(hand, suit)),
    )
    suit = suits[min(len(suits) - 1, rng.random() > 0.75)]
    held = suit_holding(hand, suit)
    is_sequence = len(held) > 1 and RANKS.index(held[1]) == RANKS.index(held[0]) + 1
    if is_sequence and RANKS.index(held[0]) < RANKS.index("9"):
        return suit + held[0]
    return suit + (held[3] if len(held) > 3 else held[-1] if len(held) == 3 else held[0])

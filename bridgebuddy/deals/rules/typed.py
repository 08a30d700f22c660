"""Hands typed after play: three of them, and the fourth follows. Errors are reported card by card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .hands import CARDS, RANKS, SEATS, SUITS, Seat

Typed = Mapping[Seat, Mapping[str, str]]
"""The ranks as typed, by seat and suit."""
OF_A_HAND = 13


@dataclass(frozen=True)
class HandError:
    """An error in typed hands: an unknown rank, the same card twice, a wrong number of cards, or too few cards."""

    why: str
    seat: str = ""
    what: str = ""
    other: str = ""


def read_typed_hands(
    hands: Typed, ranks: Mapping[str, str]
) -> tuple[dict[Seat, frozenset[str]], list[HandError]]:
    """Return the four typed hands and their errors; `ranks` translates the capital letters of a language to ranks.

    >>> hands, wrong = read_typed_hands({"N": {"S": "A 10 3 3"}}, {})
    >>> [error.why for error in wrong]
    ['twice', 'count', 'few']
    """
    wrong: list[HandError] = []
    cards_by_seat: dict[Seat, list[str]] = {}
    for seat in SEATS:
        cards = [
            card
            for suit in SUITS
            for card in _read_cards(hands.get(seat, {}).get(suit, ""), seat, suit, ranks, wrong)
        ]
        if cards or any(hands.get(seat, {}).get(suit, "").strip() for suit in SUITS):
            cards_by_seat[seat] = cards
    held: dict[str, Seat] = {}
    for seat, cards in cards_by_seat.items():
        for card in cards:
            if card in held:
                wrong.append(HandError("twice", seat, card, held[card]))
            held.setdefault(card, seat)
        if len(cards) != OF_A_HAND:
            wrong.append(HandError("count", seat, str(len(cards))))
    missing = [seat for seat in SEATS if seat not in cards_by_seat]
    if len(missing) > 1:
        wrong.append(HandError("few"))
    elif missing:
        cards_by_seat[missing[0]] = [card for card in CARDS if card not in held]
    return {seat: frozenset(cards) for seat, cards in cards_by_seat.items()}, wrong


def _read_cards(
    text: str, seat: Seat, suit: str, ranks: Mapping[str, str], errors: list[HandError]
) -> list[str]:
    """Return the typed cards of one suit in a seat's hand; append an error to `errors` for each unknown letter."""
    letters = text.upper().replace("10", "T")
    cards = []
    for letter in letters:
        if letter.isspace() or letter in "-–—.,":
            continue
        rank = ranks.get(letter, letter)
        if rank in RANKS:
            cards.append(suit + rank)
        else:
            errors.append(HandError("unknown", seat, letter))
    return cards

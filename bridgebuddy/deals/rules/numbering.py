"""A bijection between deals and the numbers below `DEALS`: a random number is a random deal.

Cards are taken in order, the ace of spades first. The free places of each hand give the number of deals with the card
at North, East, South or West. The number falls into one of these ranges.
"""

from __future__ import annotations

from functools import cache

from .hands import CARDS, SEATS, Seat

Left = tuple[int, int, int, int]
"""Numbers of cards that North, East, South and West still get."""
FULL: Left = (13, 13, 13, 13)


@cache
def count_deals(needed_cards: Left) -> int:
    """Return in how many ways the remaining cards can be dealt, if the seats still need `needed_cards`.

    >>> count_deals((13, 13, 13, 13))
    53644737765488792839237440000
    >>> count_deals((1, 1, 0, 0))
    2
    """
    count, cards = 1, 0
    for hand in needed_cards:
        for card in range(1, hand + 1):
            cards += 1
            count = count * cards // card
    return count


DEALS = count_deals(FULL)


def _without_one_card(needed_cards: Left, seat: int) -> Left:
    """Return how many cards each seat still needs after `seat` receives one."""
    counts = list(needed_cards)
    counts[seat] -= 1
    return (counts[0], counts[1], counts[2], counts[3])


def deal_of_number(number: int) -> dict[Seat, frozenset[str]]:
    """Return the hands of the deal with this number. Raises `ValueError` if it is out of range.

    >>> sorted(deal_of_number(0)["N"]) == sorted(CARDS[:13])
    True
    """
    if not 0 <= number < DEALS:
        raise ValueError(f"no deal has the number {number}")
    left = FULL
    hands_by_seat: dict[Seat, set[str]] = {seat: set() for seat in SEATS}
    for card in CARDS:
        for index, seat in enumerate(SEATS):
            if not left[index]:
                continue
            without = _without_one_card(left, index)
            if number < count_deals(without):
                hands_by_seat[seat].add(card)
                left = without
                break
            number -= count_deals(without)
    return {seat: frozenset(hand) for seat, hand in hands_by_seat.items()}


def number_of_deal(by_seat: dict[Seat, frozenset[str]]) -> int:
    """Return the number of a deal, given its hands by seat; the inverse of `deal_of_number`."""
    number, left = 0, FULL
    for card in CARDS:
        for index, seat in enumerate(SEATS):
            if not left[index]:
                continue
            without = _without_one_card(left, index)
            if card in by_seat[seat]:
                left = without
                break
            number += count_deals(without)
    return number

"""Code that the results page prints for people that verify deals independently: plain Python only."""

import hashlib
import hmac
import json
from math import factorial

CARDS = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432"]
ALL_DEALS = factorial(52) // factorial(13) ** 4


def ways(needed_cards: list[int]) -> int:
    """Return in how many ways the remaining cards can be dealt, if the seats still need `needed_cards`."""
    ways = factorial(sum(needed_cards))
    for cards in needed_cards:
        ways //= factorial(cards)
    return ways


def dealt(
    secret: str, board: int, words: list[str] | tuple[str, ...] = (), name: str = ""
) -> list[list[str]]:
    """Return the cards of North, East, South and West on a board, derived from the published secret."""
    attempt = -1
    number = ALL_DEALS
    while number >= ALL_DEALS:
        attempt += 1
        message = json.dumps([name, board, attempt, *words]).encode()
        number = int(hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()[:24], 16)
    hands: list[list[str]] = [[], [], [], []]
    left = [13, 13, 13, 13]
    for card in CARDS:
        for seat in range(4):
            if left[seat] == 0:
                continue
            left[seat] -= 1
            here = ways(left)
            if number < here:
                hands[seat].append(card)
                break
            number -= here
            left[seat] += 1
    return hands

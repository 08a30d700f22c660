"""Verifiable random deals. They follow from a secret with a hash that is published before play.

A board's deal number comes from HMAC-SHA-256 with the secret as key. The message is the board and the words that
people added. The number is the first 96 bits of the first try below the number of deals. So every deal is equally
likely, and a person with the secret can repeat the calculation. For the limits of this proof see decision 0022.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterable, Sequence
from math import factorial

from .hands import CARDS, Seat
from .numbering import DEALS, deal_of_number

_RANGE = re.compile(r"(\d{1,3})\s*(?:[-–]\s*(\d{1,3}))?", re.ASCII)
#: 2 ** 95 < DEALS < 2 ** 96
BYTES = 12
#: 2 ** 225 < ORDERS < 2 ** 226
ORDERS, SPARE_BITS = factorial(52), 256 - 226


def new_secret() -> str:
    """Return a secret of 256 bits from the system's random source."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """Return the hash of a dealing secret. Published before play, it proves later that the deals were not chosen."""
    return hashlib.sha256(secret.encode()).hexdigest()


def deal_number(secret: str, board: int, words: Sequence[str] = (), set_name: str = "") -> int:
    """Return the number of a board's random deal, computed from the secret, board, set name and added words."""
    for attempt in range(1_000):
        message = json.dumps([set_name, board, attempt, *words], ensure_ascii=True)
        digest = hmac.digest(secret.encode(), message.encode(), "sha256")
        number = int.from_bytes(digest[:BYTES], "big")
        if number < DEALS:
            return number
    raise AssertionError("a third of all tries fail, and never a thousand running")


def hands_from_secret(
    secret: str, board: int, words: Sequence[str] = (), set_name: str = ""
) -> dict[Seat, frozenset[str]]:
    """Return the hands of a board, computed from the secret, the board, the set's name and the added words."""
    return deal_of_number(deal_number(secret, board, words, set_name))


def card_order_from_secret(
    secret: str, board: int, words: Sequence[str] = (), set_name: str = ""
) -> list[str]:
    """Return a random order of the 52 cards of a board that follows from the secret and does not reveal the deal."""
    for attempt in range(1_000):
        message = json.dumps(["order", set_name, board, attempt, *words], ensure_ascii=True)
        digest = hmac.digest(secret.encode(), message.encode(), "sha256")
        number = int.from_bytes(digest, "big") >> SPARE_BITS
        if number < ORDERS:
            return pack_order(number)
    raise AssertionError("fewer than half of all tries fail, and never a thousand running")


def pack_order(number: int) -> list[str]:
    """Return the order of the 52 cards with this number; each number below `ORDERS` gives another order."""
    left = list(CARDS)
    cards = []
    while left:
        number, place = divmod(number, len(left))
        cards.append(left.pop(place))
    return cards


def deals_from_secret(
    secret: str, boards: Iterable[int], words: Sequence[str] = (), set_name: str = ""
) -> dict[int, dict[Seat, frozenset[str]]]:
    """Return the hands of each board in `boards`, computed from the secret, the added words and the set's name."""
    return {board: hands_from_secret(secret, board, words, set_name) for board in boards}


def parse_board_ranges(text: str, highest: int, maximum: int) -> list[int] | None:
    """Return the board numbers in a text such as "1-8, 17-24"; None above `highest`, beyond `maximum`, or if invalid.

    >>> parse_board_ranges("1-3,7", 999, 300)
    [1, 2, 3, 7]
    >>> parse_board_ranges("3-1", 999, 300) is None
    True
    """
    numbers: list[int] = []
    for part in text.split(","):
        read = _RANGE.fullmatch(part.strip())
        first, last = (int(read[1]), int(read[2] or read[1])) if read else (0, 0)
        if not 1 <= first <= last <= highest:
            return None
        numbers += range(first, last + 1)
    return numbers if len(numbers) <= maximum and len(set(numbers)) == len(numbers) else None

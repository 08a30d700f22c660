"""Deals that nobody chose: they follow from a secret, whose hash is shown before anybody looks at them.

The number of a board's deal is what HMAC-SHA-256 makes of the board and of what people have added, with the secret
as its key: the first 96 bits of the first try below the number of deals. Thus each deal is as likely as any
other, and whoever has the secret finds the same. What it does not prove: decision 0022.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Sequence

from .hands import Seat
from .numbering import DEALS, deal

#: 2 ** 95 < DEALS < 2 ** 96
BYTES = 12


def new_secret() -> str:
    """Return a secret of 256 bits from the system's own source of chance."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """Return what is shown before: it tells nothing of the secret, and no other secret has it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def number_for(secret: str, board: int, words: Sequence[str] = (), set_name: str = "") -> int:
    """Return the number of a board's deal; every set of boards and every word added makes it another."""
    for attempt in range(1_000):
        message = json.dumps([set_name, board, attempt, *words], ensure_ascii=True)
        digest = hmac.digest(secret.encode(), message.encode(), "sha256")
        number = int.from_bytes(digest[:BYTES], "big")
        if number < DEALS:
            return number
    raise AssertionError("a third of all tries fail, and never a thousand running")


def deal_for(
    secret: str, board: int, words: Sequence[str] = (), set_name: str = ""
) -> dict[Seat, frozenset[str]]:
    """Return the hands of a board. The same secret, set and words always give the same."""
    return deal(number_for(secret, board, words, set_name))


def deals_for(
    secret: str, boards: Iterable[int], words: Sequence[str] = (), set_name: str = ""
) -> dict[int, dict[Seat, frozenset[str]]]:
    """Return the hands of many boards."""
    return {board: deal_for(secret, board, words, set_name) for board in boards}

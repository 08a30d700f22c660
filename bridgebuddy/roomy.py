"""Room on Python's stack of calls.

CPython keeps frames in pieces of 16 kB, and lets a piece go as soon as a call that began in it returns: where the next
call begins at the end of one, each call asks the system for memory and gives it back. Pages and their tests call deep,
and spend a fifth of their time with that. A frame that needs more gets a piece as large as that, and all calls from it
lie in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: words: the piece is the next power of two, and what is beyond is for those who are called. It is touched by nobody
SLOTS = 70_000


def with_room(call: Callable[[], T]) -> T:
    """Call something from a frame that has much room behind it."""
    return call()


with_room.__code__ = with_room.__code__.replace(co_stacksize=SLOTS)

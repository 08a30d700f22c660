"""Space on Python's call stack.

CPython stores frames in pieces of 16 kB, and frees a piece as soon as a call that began in it
returns. At the end of a piece, each call allocates and frees memory again. Pages and their tests
have deep calls, and spent a fifth of their time with that. A frame that needs more space gets a
larger piece, which also holds the calls below it. Decision 0029.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: words: the piece is the next power of two; the space beyond this frame is for calls, and stays
#: untouched here
SLOTS = 70_000


def call_with_large_stack(call: Callable[[], T]) -> T:
    """Call a function with a large C stack behind it, for deep recursion."""
    return call()


call_with_large_stack.__code__ = call_with_large_stack.__code__.replace(co_stacksize=SLOTS)

"""Borrowed sets: boards of another section that came to a table by mistake.

Their names give the owner and the boards: "B/20-22".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_NAME = re.compile(r"(?P<owner>[^/]+)/(?P<first>\d+)-(?P<last>\d+)(\.\d+)*", re.ASCII)


class BorrowedSet(NamedTuple):
    """A board set borrowed from another section: its owner and its boards."""

    owner: str
    boards: range


def borrowed_name(owner: str, boards: range) -> str:
    """Return the set name that stands for another section's boards.

    >>> borrowed_name("B", range(20, 23))
    'B/20-22'
    """
    return f"{owner}/{boards[0]}-{boards[-1]}"


def borrowed_set(name: str) -> BorrowedSet | None:
    """Return the owner and boards that a set name stands for; None for the movement's own sets.

    >>> borrowed_set("B/20-22.1"), borrowed_set("B")
    (BorrowedSet(owner='B', boards=range(20, 23)), None)
    """
    parsed = _NAME.fullmatch(name)
    if parsed is None:
        return None
    return BorrowedSet(parsed["owner"], range(int(parsed["first"]), int(parsed["last"]) + 1))


def boards_of_set(name: str, numbers: Mapping[str, range]) -> range:
    """Return the boards of a set by the movement's numbers; of a borrowed set by its name."""
    of_others = borrowed_set(name)
    return numbers.get(name) or (of_others.boards if of_others else range(0))

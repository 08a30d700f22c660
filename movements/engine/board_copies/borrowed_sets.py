"""Borrowed sets: boards of another section that came to a table by mistake.

Their names give the owner and the boards: "B/20-22".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_NAME = re.compile(r"(?P<owner>[^/]+)/(?P<first>\d+)-(?P<last>\d+)(\.\d+)*", re.ASCII)


class BorrowedSet(NamedTuple):
    """The owner and the boards of a borrowed set."""

    owner: str
    boards: range


def borrowed_name(owner: str, boards: range) -> str:
    """Return the name for another owner's boards.

    >>> borrowed_name("B", range(20, 23))
    'B/20-22'
    """
    return f"{owner}/{boards[0]}-{boards[-1]}"


def borrowed_set(name: str) -> BorrowedSet | None:
    """Return owner and boards of a borrowed set; None for one of the movement's own.

    >>> borrowed_set("B/20-22.1"), borrowed_set("B")
    (BorrowedSet(owner='B', boards=range(20, 23)), None)
    """
    parsed = _NAME.fullmatch(name)
    if parsed is None:
        return None
    return BorrowedSet(parsed["owner"], range(int(parsed["first"]), int(parsed["last"]) + 1))


def boards_of_set(name: str, numbers: Mapping[str, range]) -> range:
    """Return the boards of a set by the movement's numbers, or by the name of a borrowed set."""
    of_others = borrowed_set(name)
    return numbers.get(name) or (of_others.boards if of_others else range(0))

"""Boards as directors type them, and as parts of their board sets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from movements.engine.changes import BoardSpan

MOST_DIGITS = 3
_RANGE = re.compile(rf"(\d{{1,{MOST_DIGITS}}})(?:\s*[-–]\s*(\d{{1,{MOST_DIGITS}}}))?", re.ASCII)


def read_boards(text: str) -> list[int]:
    """Return the board numbers in a typed text; an empty list if it cannot be read.

    >>> read_boards("7-8, 11")
    [7, 8, 11]
    """
    numbers: list[int] = []
    for part in re.split(r"\s*[,;+]\s*", text.strip()):
        read = _RANGE.fullmatch(part)
        if not read:
            return []
        first, last = int(read[1]), int(read[2] or read[1])
        numbers += range(first, last + 1)
    return list(dict.fromkeys(numbers))


def played_and_replaced_boards(
    boards: Sequence[int], instead: Sequence[int], numbers: Mapping[str, range]
) -> tuple[tuple[BoardSpan, ...], tuple[BoardSpan, ...]]:
    """Return the boards played, and those they replaced, as two equally long lists of parts of board sets.

    >>> [span[0].name for span in played_and_replaced_boards([7, 8], [5, 6], {"C": range(5, 7), "D": range(7, 9)})]
    ['D', 'C']
    """
    runs: list[list[tuple[int, int]]] = []
    for pair in zip(boards, instead, strict=True):
        last = runs[-1][-1] if runs else (0, 0)
        if all(
            _are_consecutive(last_board, other, numbers)
            for last_board, other in zip(last, pair, strict=True)
        ):
            runs[-1].append(pair)
        else:
            runs.append([pair])
    had, left = (
        tuple(_board_span([pair[side] for pair in run], numbers) for run in runs) for side in (0, 1)
    )
    return had, left


def _are_consecutive(first: int, second: int, numbers: Mapping[str, range]) -> bool:
    """Return whether the second board follows the first in the same board set."""
    return second == first + 1 and any({first, second} <= {*boards} for boards in numbers.values())


def _board_span(boards: Sequence[int], numbers: Mapping[str, range]) -> BoardSpan:
    """Return consecutive boards as a `BoardSpan`: their set, and the fractions of it where they begin and end."""
    name, whole = next((name, whole) for name, whole in numbers.items() if boards[0] in whole)
    first, size = whole.index(boards[0]), len(whole)
    return BoardSpan(name, Fraction(first, size), Fraction(first + len(boards), size))


def foreign_boards(boards: Iterable[int], numbers: Mapping[str, range]) -> list[int]:
    """Return those of `boards` that belong to no board set of the section."""
    planned = {board for whole in numbers.values() for board in whole}
    return [board for board in boards if board not in planned]

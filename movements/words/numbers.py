"""Numbering of pairs in two lines: NS 3 and EW 3, or in hundreds, as some clubs do: 103 and 203.

The club decides. As with the language, it is set once for a request, so that it need not be passed on. The engine,
stored movements and addresses use NS 3 only.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..engine.model import Movement

HUNDREDS = {"NS": 100, "EW": 200}
MOST = 99  # a hundredth pair of a line would be one of the next line
_in_hundreds: ContextVar[bool] = ContextVar("in_hundreds", default=False)


def uses_hundreds() -> bool:
    """Return whether pairs are currently numbered in hundreds by direction (N-S 101 …, E-W 201 …)."""
    return _in_hundreds.get()


def number_in_hundreds(is_wanted: bool) -> None:
    """Set whether pairs are numbered in hundreds by direction (N-S 101 …, E-W 201 …) from now on."""
    _in_hundreds.set(is_wanted)


@contextmanager
def numbered_in_hundreds(is_wanted: bool) -> Iterator[None]:
    """Number pairs in hundreds by direction, or not, within the block."""
    before = _in_hundreds.set(is_wanted)
    try:
        yield
    finally:
        _in_hundreds.reset(before)


def hundreds_label(prefix: str, number: str) -> str:
    """Return a number in hundreds, "103" for "NS" and "3", if such numbers are used; otherwise an empty text."""
    if not uses_hundreds() or prefix not in HUNDREDS:
        return ""
    small = number.isascii() and number.isdecimal() and 0 < int(number) <= MOST
    return str(HUNDREDS[prefix] + int(number)) if small else ""


def contestant_of_hundreds(movement: Movement, label: str) -> int | None:
    """Return the contestant that a typed "103" means; None if there is none.

    >>> from movements.engine.families.mitchells.mitchell import mitchell
    >>> contestant_of_hundreds(mitchell(5), "203")
    8
    """
    text = label.strip()
    if not (text.isascii() and text.isdecimal() and len(text) == 3):
        return None
    for prefix, hundred in HUNDREDS.items():
        if hundred < int(text) <= hundred + MOST:
            return movement.contestant(f"{prefix}{int(text) - hundred}")
    return None

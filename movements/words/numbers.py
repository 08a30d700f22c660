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
    """Return whether pairs of two lines are currently numbered in hundreds."""
    return _in_hundreds.get()


def number_in_hundreds(wanted: bool) -> None:
    """Switch numbering of pairs of two lines in hundreds on or off."""
    _in_hundreds.set(wanted)


@contextmanager
def numbered_in_hundreds(wanted: bool) -> Iterator[None]:
    """Within the context, number pairs of two lines in hundreds, or not."""
    before = _in_hundreds.set(wanted)
    try:
        yield
    finally:
        _in_hundreds.reset(before)


def hundreds_label(prefix: str, number: str) -> str:
    """Return "103" for "NS" and "3" if numbers are in hundreds and this one can be, otherwise an empty text."""
    if not uses_hundreds() or prefix not in HUNDREDS:
        return ""
    small = number.isascii() and number.isdecimal() and 0 < int(number) <= MOST
    return str(HUNDREDS[prefix] + int(number)) if small else ""


def contestant_of_hundreds(movement: Movement, typed: str) -> int | None:
    """Return the contestant for "103" in a movement of two lines; None if there is none.

    >>> from movements.engine.families.mitchells.mitchell import mitchell
    >>> contestant_of_hundreds(mitchell(5), "203")
    8
    """
    text = typed.strip()
    if not (text.isascii() and text.isdecimal() and len(text) == 3):
        return None
    for prefix, hundred in HUNDREDS.items():
        if hundred < int(text) <= hundred + MOST:
            return movement.contestant(f"{prefix}{int(text) - hundred}")
    return None

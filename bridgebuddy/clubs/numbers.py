"""Numbers that a federation gives people and clubs: what one may be, and where they may be read.

They are for the director, and for the file that goes to the federation. Nobody else reads them unless the club
says so, and never of somebody whose name is not shown.
"""

from __future__ import annotations

import re

LENGTH = 20
#: it begins with a letter or a digit: no spreadsheet computes it
NUMBER = re.compile(r"[0-9A-Za-z][0-9A-Za-z ./-]*")


class NotANumber(ValueError):
    """No federation gives such a number."""


def number_written(text: str) -> str:
    """Return a number as it is kept. Raises `NotANumber`.

    >>> number_written("  00 12-345/a "), number_written("")
    ('00 12-345/a', '')
    >>> number_written("=1+1")
    Traceback (most recent call last):
    ...
    bridgebuddy.clubs.numbers.NotANumber: =1+1
    """
    plain = " ".join(text.replace("\0", " ").split())
    if plain and (len(plain) > LENGTH or not NUMBER.fullmatch(plain)):
        raise NotANumber(plain)
    return plain

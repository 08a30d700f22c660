"""Federation numbers of people and clubs: their format and where they may be shown.

They are for the director and for the file sent to the federation. Other readers see them only if the club allows it,
and never for a person with a hidden name.
"""

from __future__ import annotations

import re

LENGTH = 20
#: the first character is a letter or a digit, so spreadsheets do not compute it
NUMBER = re.compile(r"[0-9A-Za-z][0-9A-Za-z ./-]*")


class NotANumber(ValueError):
    """Error: the text cannot be a player's number at a federation."""


def stored_number(text: str) -> str:
    """Return a player's federation number in its stored form. Raises `NotANumber`.

    >>> stored_number("  00 12-345/a "), stored_number("")
    ('00 12-345/a', '')
    >>> stored_number("=1+1")
    Traceback (most recent call last):
    ...
    bridgebuddy.clubs.people.federation_numbers.NotANumber: =1+1
    """
    plain = " ".join(text.replace("\0", " ").split())
    if plain and (len(plain) > LENGTH or not NUMBER.fullmatch(plain)):
        raise NotANumber(plain)
    return plain

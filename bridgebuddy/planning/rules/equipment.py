"""Numbers of board sets as typed: "2 red, blue", "red, blue, green" or "3"."""

from __future__ import annotations

import re

MOST = 20
#: a number, a colour, or both
WRITTEN = re.compile(r"(?:(\d{1,2})\s*)?(.*)", re.DOTALL)


def parse_board_sets(text: str) -> tuple[tuple[str, int], ...]:
    """Return the board sets in a typed text as tuples of colour and number of sets.

    Raises `ValueError` for impossible values.

    >>> parse_board_sets("2 red, blue")
    (('red', 2), ('blue', 1))
    >>> parse_board_sets("3")
    (('', 3),)
    """
    sets = []
    for part in text.replace(";", ",").split(","):
        if not part.strip():
            continue
        written = WRITTEN.fullmatch(part.strip())
        assert written is not None, "everything is written so"
        number, colour = written.groups()
        count = int(number) if number else 1
        if not 1 <= count <= MOST:
            raise ValueError(part)
        sets.append((colour.strip(), count))
    if sum(count for _, count in sets) > MOST:
        raise ValueError(text)
    return tuple(sets)

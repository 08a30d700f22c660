"""Checks of names, and the decoding of files: the basis of parsing lists (`listing`)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from bridgebuddy.clubs.models import Person, searchable

MOST_TEXT = 50_000
#: most lines of a list: a section holds fewer, but headings and empty lines may be among them
MOST_LINES = 300


class LineProblem:
    """The errors that a typed entry (a pair's or team's names) can have."""

    TOO_FEW_NAMES = "too-few-names"
    TOO_MANY_NAMES = "too-many-names"
    EMPTY_NAME = "empty-name"
    TOO_LONG = "too-long"
    SAME_NAME = "same-name"
    NO_TEXT = "no-text"


def is_plain_text(text: str) -> bool:
    """Return whether a file's text is plain text; pictures and workbooks contain control characters.

    >>> is_plain_text("Hanna Brandt\\tKarl Fischer"), is_plain_text("PK\\x03\\x04")
    (True, False)
    """
    return not any(unicodedata.category(c) == "Cc" and not c.isspace() for c in text)


def decode_file(data: bytes) -> str:
    """Return the text of an uploaded file in UTF-8, UTF-16 with a byte order mark, or Windows-1252."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def name_problem(names: Sequence[str], people: int = 2, maximum: int = 0) -> str:
    """Return what is wrong with the names of an entry that needs at least `people` players; empty if nothing is."""
    if len(names) > (maximum or people):
        return LineProblem.TOO_MANY_NAMES
    if len(names) < people:
        return LineProblem.TOO_FEW_NAMES
    for name in names:
        if problem := problem_of_name(name):
            return problem
    return LineProblem.SAME_NAME if len(set(map(searchable, names))) < len(names) else ""


def problem_of_name(name: str) -> str:
    """Return the error in one person's typed name; empty if there is none."""
    if len(name) > Person.NAME_LENGTH:
        return LineProblem.TOO_LONG
    if not is_plain_text(name):
        return LineProblem.NO_TEXT
    return "" if searchable(name) else LineProblem.EMPTY_NAME

"""Reading pairs out of what people paste or export: two names a line, or CSV."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from bridgebuddy.clubs.models import Person, folded

MOST_TEXT = 50_000
#: what stands between two names, the surest first; a hyphen only with spaces, it belongs to names too
SEPARATORS = (r"\t", r";", r",", r"\s*&\s*", r"\s*/\s*", r"\s+[-–—]\s+", r"\s+\+\s+")
WORDS = (r"\s+and\s+", r"\s+und\s+")
NUMBERING = re.compile(r"^\s*\d{1,3}\s*[.):\t]\s*")
COLUMNS = re.compile(r"[;,\t]")
QUOTED = re.compile(r'(^|[;,\t])\s*"')
#: a first line made of these names columns, if one of them is a word for people
PEOPLE = re.compile(
    r"(names?|namen|players?|partner|spieler(in)?|pair|paar|surname|forename|(first|last)name|"
    r"(vor|nach)name)"
)
BESIDE = re.compile(r"(first|last|second|family|given|no|nr|number|nummer|of|in|und|and)")


class Problem:
    """What can be wrong with a line."""

    TOO_FEW_NAMES = "too-few-names"
    TOO_MANY_NAMES = "too-many-names"
    EMPTY_NAME = "empty-name"
    TOO_LONG = "too-long"
    SAME_NAME = "same-name"
    NO_TEXT = "no-text"


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no pair: its number as people count, what it says, what is wrong."""

    number: int
    text: str
    problem: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The pairs that were read, the line each was in, and the lines that are no pairs."""

    pairs: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    bad: tuple[BadLine, ...]


def read_pairs(text: str, people: int = 2) -> Reading:
    """Read pairs from pasted text: one pair a line, two names, separated as people do.

    Of an individual one name is a line, of teams four are (`people`).

    Empty lines, a first line that names the columns and a numbering in front are ignored. Lines with
    quoted cells are read as CSV; four columns are first name and surname of both.

    >>> read_pairs("1. Hanna Brandt & Karl Fischer").pairs
    (('Hanna Brandt', 'Karl Fischer'),)
    """
    pairs: list[tuple[str, ...]] = []
    lines: list[int] = []
    bad: list[BadLine] = []
    is_first = True
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        names = _names(line, people)
        if not any(names) or (is_first and _is_header(line)):
            is_first = is_first and not any(names)
            continue
        is_first = False
        if problem := problem_of(names, people):
            bad.append(BadLine(number, line.strip()[:80], problem))
        else:
            pairs.append(tuple(names))
            lines.append(number)
    return Reading(tuple(pairs), tuple(lines), tuple(bad))


def is_text(text: str) -> bool:
    """Whether somebody can have written this: a picture or a workbook holds signs nobody types.

    >>> is_text("Hanna Brandt\\tKarl Fischer"), is_text("PK\\x03\\x04")
    (True, False)
    """
    return not any(unicodedata.category(c) == "Cc" and not c.isspace() for c in text)


def decode(data: bytes) -> str:
    """Decode a file as people's programs write them: UTF-8, UTF-16 with its mark, or Windows-1252."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def problem_of(names: Sequence[str], people: int = 2) -> str:
    """Return what is wrong with the names of a pair (or of so many people), or nothing."""
    if len(names) > people:
        return Problem.TOO_MANY_NAMES
    if len(names) < people:
        return Problem.TOO_FEW_NAMES
    for name in names:
        if problem := problem_of_name(name):
            return problem
    return Problem.SAME_NAME if len(set(map(folded, names))) < people else ""


def problem_of_name(name: str) -> str:
    """Return what is wrong with one name, or nothing."""
    if len(name) > Person.NAME_LENGTH:
        return Problem.TOO_LONG
    if not is_text(name):
        return Problem.NO_TEXT
    return "" if folded(name) else Problem.EMPTY_NAME


def _is_header(line: str) -> bool:
    """Whether a first line names columns rather than people."""
    words = re.findall(r"[^\W\d_]+", line.casefold())
    others = [word for word in words if not PEOPLE.fullmatch(word)]
    return len(others) < len(words) and all(BESIDE.fullmatch(word) for word in others)


def _names(line: str, people: int) -> list[str]:
    """Return the names in a line; more or fewer than are wanted when it is no entry."""
    line = NUMBERING.sub("", line).strip()
    if QUOTED.search(line):
        delimiter = next((d for d in (";", "\t", ",") if d in line), ",")
        cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    else:
        cells = _split(line)
    cells = [" ".join(cell.split()) for cell in cells]
    while cells and not cells[-1] and len(cells) > people:
        cells.pop()
    if len(cells) in (people + 1, 2 * people + 1) and cells[0].isdecimal():  # a column of numbers
        cells = cells[1:]
    if len(cells) == 2 * people and all(cells) and (people > 1 or COLUMNS.search(line)):
        return [f"{first} {last}" for first, last in zip(cells[::2], cells[1::2], strict=True)]
    return cells


def _split(line: str) -> list[str]:
    for separator in (*SEPARATORS, *WORDS):
        cells = re.split(separator, line, flags=re.I)
        if len(cells) > 1:
            return cells
    return [line]

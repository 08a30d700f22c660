"""Reading pairs out of what people paste or export: two names a line, or CSV."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass

from bridgebuddy.clubs.models import Person

MOST_TEXT = 50_000
#: what stands between two names, the surest first; a hyphen only with spaces, it belongs to names too
SEPARATORS = (r"\t", r";", r",", r"\s+&\s+", r"\s+/\s+", r"\s*/\s*", r"\s+[-–—]\s+", r"\s+\+\s+")
WORDS = (r"\s+and\s+", r"\s+und\s+")
NUMBERING = re.compile(r"^\s*\d{1,3}\s*[.):\t]\s*")
HEADER = re.compile(r"\b(name|names|player|players|spieler|pair|paar|first|vorname)\b", re.I)


class Problem:
    """What can be wrong with a line."""

    ONE_NAME = "one-name"
    TOO_MANY_NAMES = "too-many-names"
    EMPTY_NAME = "empty-name"
    TOO_LONG = "too-long"
    SAME_NAME = "same-name"


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no pair: its number as people count, what it says, what is wrong."""

    number: int
    text: str
    problem: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The pairs that were read, and the lines that were not."""

    pairs: tuple[tuple[str, str], ...]
    bad: tuple[BadLine, ...]


def read_pairs(text: str) -> Reading:
    """Read pairs from pasted text: one pair a line, two names, separated as people do.

    Empty lines and a numbering in front are ignored. Lines with quotation marks are read as CSV; four
    columns are first name and surname of both.

    >>> read_pairs("1. Hanna Brandt & Karl Fischer").pairs
    (('Hanna Brandt', 'Karl Fischer'),)
    """
    pairs: list[tuple[str, str]] = []
    bad: list[BadLine] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        line = NUMBERING.sub("", line).strip()
        if not line or (number == 1 and _is_header(line)):
            continue
        names = _names(line)
        problem = problem_of(names)
        if problem:
            bad.append(BadLine(number, line[:80], problem))
        else:
            pairs.append((names[0], names[1]))
    return Reading(tuple(pairs), tuple(bad))


def decode(data: bytes) -> str:
    """Decode a file as people's programs write them: UTF-8, UTF-16 with its mark, or Windows-1252."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def problem_of(names: list[str]) -> str:
    """Return what is wrong with two names, or nothing."""
    if len(names) > 2:
        return Problem.TOO_MANY_NAMES
    if len(names) < 2:
        return Problem.ONE_NAME
    if not all(names):
        return Problem.EMPTY_NAME
    if any(len(name) > Person.NAME_LENGTH for name in names):
        return Problem.TOO_LONG
    if names[0].casefold() == names[1].casefold():
        return Problem.SAME_NAME
    return ""


def _is_header(line: str) -> bool:
    """Whether a first line names columns rather than people."""
    cells = re.split(r"[\t;,]", line)
    return len(cells) > 1 and all(HEADER.search(cell) for cell in cells if cell.strip())


def _names(line: str) -> list[str]:
    if '"' in line:
        delimiter = next((d for d in (";", "\t", ",") if d in line), ",")
        cells = next(csv.reader(io.StringIO(line), delimiter=delimiter), [])
    else:
        cells = _split(line)
    cells = [" ".join(cell.split()) for cell in cells]
    while cells and not cells[-1] and len(cells) > 2:
        cells.pop()
    if len(cells) == 4 and all(cells):
        return [f"{cells[0]} {cells[1]}", f"{cells[2]} {cells[3]}"]
    return cells


def _split(line: str) -> list[str]:
    for separator in (*SEPARATORS, *WORDS):
        cells = re.split(separator, line, flags=re.I)
        if len(cells) > 1:
            return cells
    return [line]

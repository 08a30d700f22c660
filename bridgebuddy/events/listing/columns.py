"""The columns of a list from a spreadsheet."""

from __future__ import annotations

import csv
import re

from movements.engine.contest import Contest

from .list_syntax import FORENAME, HEADINGS, NAME, QUOTED, SURNAME, TEAM, TEAM_HEADING


def split_columns(line: str) -> list[str]:
    """Split a text line into spreadsheet cells, at tabs, semicolons or commas outside quotes."""
    order = (";", "\t", ",") if QUOTED.search(line) else ("\t", ";", ",")
    delimiter = next((d for d in order if d in line), ",")
    if QUOTED.search(line):
        cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    else:
        cells = line.split(delimiter)
    return [" ".join(cell.split()) for cell in cells]


def column_roles(line: str, people: int) -> tuple[str, ...]:
    """Return what each column of a heading line contains; an empty tuple if the line is no heading."""
    delimiter = next((d for d in ("\t", ";", ",") if d in line), "\n")
    cells = [re.sub(r"[\W_]+", " ", cell.casefold()).strip() for cell in line.split(delimiter)]
    cells = [re.sub(r"(?<=[^\W\d])(?=\d)", " ", cell) for cell in cells]
    roles = [
        next((role for role, pattern in HEADINGS if pattern.fullmatch(cell)), "") for cell in cells
    ]
    if not all(roles) or not any(cells):
        return ()
    if people >= Contest.TEAMS.people and len(cells) > 1:
        roles = [
            TEAM if TEAM_HEADING.fullmatch(cell) else role
            for cell, role in zip(cells, roles, strict=True)
        ]
    if FORENAME in roles and SURNAME not in roles:  # "Name; Vorname"
        roles = [SURNAME if role == NAME else role for role in roles]
    return tuple(roles)

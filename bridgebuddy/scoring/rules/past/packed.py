"""The archive of another BridgeBuddy as a ZIP of CSV tables: the needed ones, converted to its JSON form.

A club's JSON with every board of every session soon becomes too large to read. The tables of its lists stay small.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Mapping

from .archive import FORMAT
from .model import NotRead

#: the columns to read, by table
COLUMNS = {
    "club": "public_names",
    "people": "id name national_number member_number strength other_club categories public_name",
    "events": "id name",
    "sessions": "id event_id date deleted_at rehearsal_until",
    "scorings": "session_id final_at",
    "sections": "id name contest",
    "entries": "id name",
    "places": "entry_id position person_id",
    "standings": "session_id section_id entry_id list number names place total percent boards unit masterpoints",
    "past_sessions": "id session_id contest unit program",
    "past_lines": "id past_id number field section place label team total percent masterpoints boards",
    "past_places": "line_id position person_id",
}
FILES = {f"{name}.csv" for name in COLUMNS}
#: the tables by which the format is recognized
SURE = {"people.csv", "sessions.csv", "standings.csv", "scorings.csv"}


def is_archive(names: Collection[str]) -> bool:
    """Return whether the files of a ZIP are the tables of a club archive of BridgeBuddy."""
    return set(map(table_file_name, names)) >= SURE


def table_file_name(name: str) -> str:
    """Return the name of a file in a ZIP without its folder."""
    return name.rpartition("/")[2]


def archive_document(files: Mapping[str, bytes]) -> bytes:
    """Return the database tables of a zipped club archive that an import reads, as one document. Raises `NotRead`."""
    try:
        tables = {
            name: _rows_of_csv(files.get(f"{name}.csv", b"").decode("utf-8-sig"), columns.split())
            for name, columns in COLUMNS.items()
        }
    except (UnicodeDecodeError, csv.Error) as wrong:
        raise NotRead("broken") from wrong
    return json.dumps({"format": FORMAT, "version": 1, "tables": tables}).encode()


def _rows_of_csv(text: str, columns: list[str]) -> list[dict[str, str]]:
    """Return the rows of a CSV text as dictionaries of these columns."""
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [{column: row.get(column) or "" for column in columns} for row in rows]

"""The results received by Bridgemate terminals: the table of a .bws file, as CSV.

A line has section, table, round, board, the numbers of both pairs, the declarer ("NS/EW"), contract ("4 S x",
"PASS"), result ("=", "+1", "-2"), lead ("S10") and a remark ("Not played", "40%-60%", "Wrong direction"). Erased
results stay in the file with a mark.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

RESULTS, SECTIONS = "ReceivedData", "Section"
NEEDED = {"Section", "Table", "Round", "Board", "PairNS", "PairEW", "NS/EW", "Contract", "Result"}
#: most lines of a file, and most characters of a field: all are part of the page with the form
MOST_LINES, LONGEST = 8_000, 16
BOOK, ALL_TRICKS = 6, 13
_NUMBER = re.compile(r"[0-9]{1,5}")
_CONTRACT = re.compile(r"([1-7]) ?(NT|[CDHSN]) ?(X{0,2})", re.IGNORECASE)
_RESULT = re.compile(r"=|[+-](?:1[0-3]|[0-9])")
_LEAD = re.compile(r"([SHDC])(10|[2-9TJQKA])", re.IGNORECASE)
_PLAYED = {"", "Wrong direction"}


class NoResults(ValueError):
    """Error: a terminal file has no table of results ("unknown"), or more results than possible ("many")."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


@dataclass(frozen=True)
class ReceivedLine:
    """A result in a terminal file; `problem` tells why it cannot be used.

    It is one of "contract", "declarer", "impossible" and "remark".
    """

    section: str
    table: int
    round: int
    board: int
    ns: int
    ew: int
    outcome: Mapping[str, Any] | None
    said: str  # contract, declarer, result and remark as they stand there
    problem: str = ""


@dataclass(frozen=True)
class ReceivedFile:
    """All results of a terminal file that were not erased, in order of arrival, and their dates ("2024-03-12")."""

    lines: tuple[ReceivedLine, ...]
    days: tuple[str, ...] = ()
    erased: int = 0


def read_received(results: str, sections: str = "") -> ReceivedFile:
    """Read a terminal file's table of results and its table of section letters. Raises `NoResults`."""
    rows = _read_rows(results, NEEDED)
    letters = {
        _integer_or_zero(row.get("ID", "")): row.get("Letter", "").strip()[:2]
        for row in _read_rows(sections)
    }
    rows.sort(key=lambda row: _integer_or_zero(row.get("ID", "")))
    valid = [row for row in rows if row.get("Erased", "0") == "0"]
    lines = tuple(_received_line(row, letters) for row in valid)
    days = sorted({day for row in valid if (day := row.get("DateLog", "")[:10])})
    return ReceivedFile(lines, tuple(days), len(rows) - len(valid))


def _read_rows(text: str, required_columns: Collection[str] = ()) -> list[dict[str, str]]:
    """Return the rows of a terminal file's table in CSV; raise `NoResults` if a needed column is missing."""
    rows: list[dict[str, str]] = []
    reader = csv.DictReader(io.StringIO(text), strict=True)
    try:
        if not set(reader.fieldnames or ()).issuperset(required_columns):
            raise NoResults("unknown")
        for row in reader:
            rows.append({key: value or "" for key, value in row.items() if isinstance(key, str)})
            if len(rows) > MOST_LINES:
                raise NoResults("many")
    except csv.Error:
        raise NoResults("unknown") from None
    return rows


def _received_line(row: Mapping[str, str], letters: Mapping[int, str]) -> ReceivedLine:
    """Return a result from a row of the terminal file; `letters` names the sections."""
    section = _integer_or_zero(row["Section"])
    outcome, problem = _read_outcome_cells(row)
    names = ("Contract", "NS/EW", "Result", "Remarks")
    return ReceivedLine(
        letters.get(section) or (chr(ord("A") + section - 1) if 1 <= section <= 26 else ""),
        _integer_or_zero(row["Table"]),
        _integer_or_zero(row["Round"]),
        _integer_or_zero(row["Board"]),
        _integer_or_zero(row["PairNS"]),
        _integer_or_zero(row["PairEW"]),
        outcome,
        " ".join(remark for name in names if (remark := _plain_text(row.get(name, "")))),
        problem,
    )


def _plain_text(text: str) -> str:
    """Return a short text without characters beyond ASCII."""
    return text.strip()[:LONGEST].encode("ascii", "replace").decode()


def _integer_or_zero(text: str) -> int:
    """Read an integer; 0 if it is invalid."""
    return int(text) if _NUMBER.fullmatch(text.strip()) else 0


def _read_outcome_cells(row: Mapping[str, str]) -> tuple[dict[str, Any] | None, str]:
    """Return the outcome in a terminal file's row, or the name of the part that cannot be read."""
    remark, contract = row.get("Remarks", "").strip(), row["Contract"].strip()
    if remark.lower() == "not played":
        return {"not_played": "skipped"}, ""
    if remark not in _PLAYED:
        return None, "remark"
    if contract.upper() in ("PASS", "PASSED", "ALL PASS"):
        return {"passed": True}, ""
    match, result = _CONTRACT.fullmatch(contract), row["Result"].strip()
    if not match or not _RESULT.fullmatch(result):
        return None, "contract"
    declarer = row["NS/EW"].strip().upper()
    if declarer not in ("N", "E", "S", "W") or not _is_declarers_pair(declarer, row):
        return None, "declarer"
    level, strain = int(match[1]), match[2][0].upper()
    tricks = BOOK + level + (0 if result == "=" else int(result))
    if not 0 <= tricks <= ALL_TRICKS:
        return None, "impossible"
    outcome: dict[str, Any] = {
        "contract": f"{level}{'NT' if strain == 'N' else strain}{match[3].lower()}",
        "declarer": declarer,
        "tricks": tricks,
    }
    if lead := _LEAD.fullmatch(row.get("LeadCard", "").strip()):
        outcome["lead"] = (lead[1] + lead[2].replace("10", "T")).upper()
    return outcome, ""


def _is_declarers_pair(declarer: str, row: Mapping[str, str]) -> bool:
    """Return whether the pair number that a row gives for declarer's side fits declarer's seat."""
    named = _integer_or_zero(row.get("Declarer", ""))
    pairs = _integer_or_zero(row["PairNS"]), _integer_or_zero(row["PairEW"])
    return not named or named not in pairs or pairs[declarer in "EW"] == named

"""The archive of another BridgeBuddy installation: a club's JSON export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .model import (
    ImportedLine,
    ImportedPlayer,
    ImportedRanking,
    NotRead,
    PastSession,
    board_count_in_cell,
    cell_text,
    date_in,
    joined_rankings,
    number_in_cell,
    place_in_cell,
    present_players,
)

FORMAT = "bridgebuddy-club"
FIELDS = {"NS", "EW"}
CONTESTS = {"pairs", "individual", "teams"}
UNITS = {"", "mp", "imp", "vp"}
#: key of that club's rule for public names of people that have not chosen one
USUAL = "usual_public_name"
#: fields imported with a person that comes onto the roster
NOTED = ("strength", "other_club", "categories", "public_name", USUAL)
Rows = Mapping[Any, Mapping[str, Any]]


def is_archive(text: str) -> bool:
    """Return whether a text begins like a club archive of BridgeBuddy."""
    return text.lstrip("\ufeff \r\n\t").startswith("{") and FORMAT in text[:200]


def read_archive(text: str) -> list[PastSession]:
    """Return the sessions with a ranking in a club archive of BridgeBuddy. Raises `NotRead`."""
    try:
        tables = json.loads(text)["tables"]
        return list(_sessions_of_tables(tables))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as wrong:
        raise wrong if isinstance(wrong, NotRead) else NotRead("broken") from wrong


def _sessions_of_tables(tables: Mapping[str, Any]) -> Iterable[PastSession]:
    """Yield the past sessions in the database tables of another program's archive."""
    sessions, events, people = (
        _rows_by_id(tables[name]) for name in ("sessions", "events", "people")
    )
    usual = next((str(club.get("public_names", "")) for club in tables.get("club", ())), "")
    people = {key: {**person, USUAL: usual} for key, person in people.items()}
    final = {scoring["session_id"] for scoring in tables["scorings"] if scoring["final_at"]}
    for archive_rows in (*_scored_sessions(tables, people), *_imported_sessions(tables, people)):
        session = sessions[archive_rows.key]
        if session.get("deleted_at") or session.get("rehearsal_until"):
            continue  # no real session of the club
        yield PastSession(
            cell_text(str(events[session["event_id"]]["name"])),
            date_in(str(session["date"])),
            archive_rows.rankings,
            archive_rows.contest,
            archive_rows.unit,
            "archive",
            program=archive_rows.program,
            is_final=archive_rows.key in final,
        )


@dataclass(frozen=True)
class _ArchiveRows:
    """The ranking lists of one session in a club archive."""

    key: Any  # of the session
    rankings: tuple[ImportedRanking, ...]
    contest: str
    unit: str = ""
    program: str = "BridgeBuddy"


def _scored_sessions(tables: Mapping[str, Any], people: Rows) -> Iterator[_ArchiveRows]:
    """Yield the sessions of a club archive that its own installation scored."""
    sections, entries = _rows_by_id(tables["sections"]), _rows_by_id(tables["entries"])
    places: dict[Any, dict[int, Any]] = {}
    for place in tables["places"]:
        places.setdefault(place["entry_id"], {}).setdefault(place["position"], place["person_id"])
    lines_of_session: dict[Any, dict[tuple[str, str], list[ImportedLine]]] = {}
    contests: dict[Any, str] = {}
    units: dict[Any, str] = {}
    for row in tables["standings"]:
        key, section = row["session_id"], sections[row["section_id"]]
        contests[key] = _require_known_value(CONTESTS, section["contest"])
        units[key] = _require_known_value(UNITS, row.get("unit", ""))
        players = [
            people[person_id] for _, person_id in sorted(places.get(row["entry_id"], {}).items())
        ]
        team = str(entries[row["entry_id"]].get("name", "")) or str(row["names"])
        field = _field_of_list(str(row["list"]), str(row["number"]))
        name = cell_text(str(section["name"]), 12)
        of_list = lines_of_session.setdefault(key, {}).setdefault((name, field), [])
        of_list.append(_imported_line(row, players, team if contests[key] == "teams" else ""))
    for key, lists in lines_of_session.items():
        yield _ArchiveRows(
            key, joined_rankings(_rankings_of_lists(lists)), contests[key], units[key]
        )


def _imported_sessions(tables: Mapping[str, Any], people: Rows) -> Iterator[_ArchiveRows]:
    """Yield the sessions of a club archive that were imported from another program, with its name."""
    players: dict[Any, list[tuple[int, Any]]] = {}
    for record in tables.get("past_places", ()):
        players.setdefault(record["line_id"], []).append((record["position"], record["person_id"]))
    lists: dict[Any, dict[tuple[str, str], list[ImportedLine]]] = {}
    for row in sorted(tables.get("past_lines", ()), key=lambda table: int(table["number"])):
        name, field = (
            cell_text(str(row["section"]), 12),
            _require_known_value({"", *FIELDS}, row["field"]),
        )
        contestant = [people[person_id] for _, person_id in sorted(players.get(row["id"], ()))]
        line = replace(
            _imported_line(row, contestant, str(row["team"])),
            label=cell_text(str(row["label"]), 12),
        )
        lists.setdefault(row["past_id"], {}).setdefault((name, field), []).append(line)
    for record in tables.get("past_sessions", ()):
        rankings = tuple(_rankings_of_lists(lists.get(record["id"], {})))
        unit, contest = (
            _require_known_value(UNITS, record["unit"]),
            _require_known_value(CONTESTS, record["contest"]),
        )
        if rankings:
            yield _ArchiveRows(
                record["session_id"], rankings, contest, unit, cell_text(str(record["program"]))
            )


def _rankings_of_lists(
    lists: Mapping[tuple[str, str], list[ImportedLine]],
) -> Iterator[ImportedRanking]:
    """Yield ranking lists from rows grouped by section and direction."""
    for (name, field), rows in lists.items():
        yield ImportedRanking(tuple(rows), field, name)


def _rows_by_id(rows: Iterable[Mapping[str, Any]]) -> Rows:
    """Return the rows of a table of the archive by primary key."""
    return {row["id"]: row for row in rows}


def _require_known_value(allowed: set[str], value: object) -> str:
    """Return `value` if it is one of `allowed`; otherwise raise `NotRead`."""
    if value not in allowed:
        raise NotRead("broken")
    return str(value)


def _field_of_list(of_list: str, number: str) -> str:
    """Return a ranking's direction ("NS", "EW") from its name or from its first pair number ("NS3")."""
    return next((field for field in sorted(FIELDS) if field in (of_list[-2:], number[:2])), "")


def _imported_line(
    row: Mapping[str, Any], people: Iterable[Mapping[str, Any]], team: str
) -> ImportedLine:
    """Return a contestant's row of a ranking from a row of the archive."""
    return ImportedLine(
        place_in_cell(str(row["place"])),
        cell_text(str(row.get("number", "")), 12),
        present_players(
            ImportedPlayer(
                str(person["name"]),
                cell_text(str(person.get("national_number", "")), 20),
                cell_text(str(person.get("member_number", "")), 20),
                tuple(
                    (name, cell_text(str(value)))
                    for name in NOTED
                    if (value := person.get(name)) not in (None, "")
                ),
            )
            for person in people
        ),
        team=cell_text(team),
        total=_number_text(row["total"]),
        percent=_number_text(row["percent"]),
        masterpoints=_number_text(row.get("masterpoints")),
        boards=board_count_in_cell(str(row["boards"])),
    )


def _number_text(value: object) -> str:
    """Return a number of the archive as text; empty without one."""
    return "" if value is None else number_in_cell(str(value))

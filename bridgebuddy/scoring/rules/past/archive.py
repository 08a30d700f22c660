"""The archive of another BridgeBuddy read: what a club has taken out of it as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .model import (
    Line,
    NotRead,
    PastSession,
    Player,
    Ranking,
    count_of,
    date_in,
    in_lists,
    number_of,
    place_of,
    players_of,
    text_of,
)

FORMAT = "bridgebuddy-club"
FIELDS = {"NS", "EW"}
CONTESTS = {"pairs", "individual", "teams"}
Rows = Mapping[Any, Mapping[str, Any]]


def is_archive(text: str) -> bool:
    """Whether a text begins as such a file does."""
    return text.lstrip("\ufeff \r\n\t").startswith("{") and FORMAT in text[:200]


def read(text: str) -> list[PastSession]:
    """Return the sessions of an archive that have a ranking. Raises `NotRead`."""
    try:
        tables = json.loads(text)["tables"]
        return list(_sessions(tables))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as wrong:
        raise wrong if isinstance(wrong, NotRead) else NotRead("broken") from wrong


def _sessions(tables: Mapping[str, Any]) -> Iterable[PastSession]:
    sessions, events, people = (_by_key(tables[name]) for name in ("sessions", "events", "people"))
    sections, entries = _by_key(tables["sections"]), _by_key(tables["entries"])
    places: dict[Any, dict[int, Any]] = {}
    for one in tables["places"]:
        places.setdefault(one["entry_id"], {}).setdefault(one["position"], one["person_id"])
    found: dict[Any, dict[tuple[str, str], list[Line]]] = {}
    contests: dict[Any, str] = {}
    for row in tables["standings"]:
        key, section = row["session_id"], sections[row["section_id"]]
        contests[key] = _contest(str(section["contest"]))
        who = [people[one] for _, one in sorted(places.get(row["entry_id"], {}).items())]
        team = str(entries[row["entry_id"]].get("name", "")) or str(row["names"])
        field = _field(str(row["list"]), str(row["number"]))
        name = text_of(str(section["name"]), 12)
        of_list = found.setdefault(key, {}).setdefault((name, field), [])
        of_list.append(_line(row, who, team if contests[key] == "teams" else ""))
    for key, lists in found.items():
        session = sessions[key]
        if session.get("deleted_at") or session.get("rehearsal_until"):
            continue  # it never was one of the club's
        rankings = (Ranking(tuple(rows), field, name) for (name, field), rows in lists.items())
        yield PastSession(
            text_of(str(events[session["event_id"]]["name"])),
            date_in(str(session["date"])),
            in_lists(rankings),
            contests[key],
            "",
            "archive",
            program="BridgeBuddy",
        )


def _by_key(rows: Iterable[Mapping[str, Any]]) -> Rows:
    return {one["id"]: one for one in rows}


def _contest(said: str) -> str:
    if said not in CONTESTS:
        raise NotRead("broken")
    return said


def _field(of_list: str, number: str) -> str:
    """The line of a list by its name or its pairs' numbers ("NS3")."""
    return next((one for one in sorted(FIELDS) if one in (of_list[-2:], number[:2])), "")


def _line(row: Mapping[str, Any], who: Iterable[Mapping[str, Any]], team: str) -> Line:
    percent, total = (_written(row[name]) for name in ("percent", "total"))
    return Line(
        place_of(str(row["place"])),
        text_of(str(row["number"]), 12),
        players_of(
            Player(
                str(one["name"]),
                text_of(str(one.get("national_number", "")), 20),
                text_of(str(one.get("member_number", "")), 20),
            )
            for one in who
        ),
        team=text_of(team),
        total=total,
        percent=percent,
        boards=count_of(str(row["boards"])),
    )


def _written(value: object) -> str:
    return "" if value is None else number_of(str(value))

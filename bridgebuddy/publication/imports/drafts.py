"""The contents of uploaded files, stored as JSON until the import."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from typing import Any

from bridgebuddy.scoring.rules.past.model import (
    ImportedLine,
    ImportedPlayer,
    ImportedRanking,
    PastSession,
)
from bridgebuddy.scoring.rules.past.opening import OpenedFile


def files_to_json(files: Iterable[OpenedFile]) -> list[dict[str, Any]]:
    """Return uploaded files of past results as JSON data for the database."""
    stored = [asdict(file) for file in files]
    for file in stored:
        for session in file["sessions"]:
            session["date"] = session["date"] and session["date"].isoformat()
    return stored


def files_from_json(stored_files: Iterable[dict[str, Any]]) -> list[OpenedFile]:
    """Return uploaded files of past results from their stored JSON data."""
    return [
        OpenedFile(
            stored_file["name"],
            stored_file["digest"],
            tuple(map(_session_of_dict, stored_file["sessions"])),
            stored_file["why"],
        )
        for stored_file in stored_files
    ]


def _session_of_dict(data: dict[str, Any]) -> PastSession:
    """Return an imported session from JSON data."""
    day = date.fromisoformat(data["date"]) if data["date"] else None
    tuples = {
        "rankings": tuple(map(_ranking_of_dict, data["rankings"])),
        "left_out": tuple(data.get("left_out", ())),
    }
    return PastSession(**{**data, "date": day, **tuples})


def _ranking_of_dict(data: dict[str, Any]) -> ImportedRanking:
    """Return an imported ranking from JSON data."""
    return ImportedRanking(tuple(map(_row_of_dict, data["lines"])), data["field"], data["section"])


def _row_of_dict(data: dict[str, Any]) -> ImportedLine:
    """Return a row of an imported ranking from JSON data."""
    return ImportedLine(**{**data, "players": tuple(map(_player_of_dict, data["players"]))})


def _player_of_dict(data: dict[str, Any]) -> ImportedPlayer:
    """Return a player in an imported ranking from JSON data."""
    noted = tuple((name, text) for name, text in data.get("noted", ()))
    return ImportedPlayer(**{**data, "noted": noted})

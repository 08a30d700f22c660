"""The contents of uploaded files, stored as JSON until the import."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from typing import Any

from bridgebuddy.scoring.rules.past.model import Line, PastSession, Player, Ranking
from bridgebuddy.scoring.rules.past.opening import Opened


def as_kept(files: Iterable[Opened]) -> list[dict[str, Any]]:
    """Return files in their stored form."""
    found = [asdict(file) for file in files]
    for file in found:
        for session in file["sessions"]:
            session["date"] = session["date"] and session["date"].isoformat()
    return found


def as_read(kept: Iterable[dict[str, Any]]) -> list[Opened]:
    """Return stored files in the form in which they were read."""
    return [
        Opened(
            day_kept["name"],
            day_kept["digest"],
            tuple(map(_session, day_kept["sessions"])),
            day_kept["why"],
        )
        for day_kept in kept
    ]


def _session(kept: dict[str, Any]) -> PastSession:
    day = date.fromisoformat(kept["date"]) if kept["date"] else None
    tuples = {
        "rankings": tuple(map(_ranking, kept["rankings"])),
        "left_out": tuple(kept.get("left_out", ())),
    }
    return PastSession(**{**kept, "date": day, **tuples})


def _ranking(kept: dict[str, Any]) -> Ranking:
    return Ranking(tuple(map(_line, kept["lines"])), kept["field"], kept["section"])


def _line(kept: dict[str, Any]) -> Line:
    return Line(**{**kept, "players": tuple(map(_player, kept["players"]))})


def _player(kept: dict[str, Any]) -> Player:
    noted = tuple((name, said) for name, said in kept.get("noted", ()))
    return Player(**{**kept, "noted": noted})

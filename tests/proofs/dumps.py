"""A contest that was played by chance, as one JSON object by which others can judge it."""

from __future__ import annotations

import json
from typing import Any

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.models import Draw
from bridgebuddy.scoring.rules.score import score_document
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.files.document import MovementDocument, movement_dict

from .documents import as_json


def event_document(name: str, section: Section) -> dict[str, Any]:
    """Return the rows of a played event, their history, its session, results and draws.

    Contestants have the same labels in draws and in the session.
    """
    section = Section.objects.get(pk=section.pk)
    tonight = SessionSnapshot(section)
    session = as_json(tonight.document)
    return {
        **movement_dict(MovementDocument(section.stored.movement)),
        "name": name,
        "history": _history(section),
        "session": session,
        "results": score_document(json.dumps(session)),
        "draws": [_drawn(draw, _labels(tonight)) for draw in section.draws.all()],
    }


def _history(section: Section) -> list[dict[str, Any]]:
    """Return every version of the movement after the first: draws, live changes, and undone ones."""
    versions = list(section.movements.select_related("movement"))
    rows = [
        movement_dict(MovementDocument(version.movement.movement))["rows"] for version in versions
    ]
    return [
        {
            "after_round": max(0, version.from_round - 1),
            "fixed": version.in_round,
            "change": version.change,
            "rows_before": before,
            "rows_after": after,
        }
        for version, before, after in zip(versions[1:], rows, rows[1:], strict=False)
    ]


def _labels(tonight: SessionSnapshot) -> dict[int, str]:
    people = tonight.people_of(tonight.section).values()
    return {person.entry: person.slug for person in people}


def _drawn(draw: Draw, labels: dict[int, str]) -> dict[str, Any]:
    def who(entry: int | None) -> str | None:
        return None if entry is None else labels.get(entry, str(entry))

    triangles = [[who(item) for item in three] for three in draw.triangles]
    return {
        "round": draw.round,
        "standings": [
            {"contestant": who(entry), "place": place, "total": total}
            for entry, place, total in draw.standings
        ],
        "wishes": {
            "counted": draw.counted,
            "ignore_before": draw.since,
            "given": [
                {"round": round, "home": who(home), "away": who(away), "points": points}
                for round, home, away, *points in draw.given
            ],
            "exchange": [[who(item), who(other)] for item, other in draw.exchanged],
            "decided": draw.decided,
        },
        "matches": [
            {"table": table, "home": who(home), "away": who(away)}
            for table, home, away, *_ in draw.matches
            if away is not None
        ],
        "bye": next((who(home) for _, home, away, *_ in draw.matches if away is None), None),
        "triangle": triangles[0] if triangles else None,
        "triangles": triangles,
    }

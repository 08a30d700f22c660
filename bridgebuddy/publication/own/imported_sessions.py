"""The line of a session scored by another program, on a player's own page."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bridgebuddy.events.models import PastLine

PAIR = 2


def imported_session_totals(session: int) -> dict[int, tuple[dict[str, Any], list[list[Any]]]]:
    """Return each person's data of an imported session, with the same keys as `own_sessions.session_totals`.

    Makes two queries.
    """
    lines = PastLine.objects.filter(past__session=session).prefetch_related("past_players")
    among = Counter((line.field, line.section) for line in lines)
    return {
        person: (_session_values(line, among[line.field, line.section], person, people), [])
        for line in lines
        for people in [[each.person_id for each in line.past_players.all()]]
        for person in people
    }


def _session_values(line: PastLine, among: int, person: int, people: list[int]) -> dict[str, Any]:
    """Return what the cache of personal pages stores about a person in an imported session."""
    return {
        "boards": line.boards or 0,
        "has_boards": False,
        "where": ["", ""],
        "seats": {},
        "lines": {},
        "against": [],
        "with": [player for player in people if player != person] if len(people) == PAIR else [],
        "place": str(line.place or ""),
        "of": among,
        "value": line.figure[0],
        "unit": line.figure[1],
    }

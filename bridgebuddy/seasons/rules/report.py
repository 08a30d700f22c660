"""The lists of a season in the command's output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bridgebuddy.scoring.rules.rounding import round_half_away

from .handicap import RecentResults
from .model import Championship, Season, SessionValue, StandingLine
from .standing import list_standing
from .teams import teams_of
from .totals import is_a_percentage


def season_report(season: Season) -> dict[str, Any]:
    """Return every championship of a season with its counting values, and the handicaps at the end, as JSON data."""
    fields: dict[str, Any] = {
        "lists": [
            {"name": championship.name, "rows": list(_list_rows(season, championship))}
            for championship in season.lists
        ]
    }
    asked = next(
        (championship.handicap for championship in season.lists if championship.handicap), None
    )
    if asked:
        form = RecentResults(asked)
        for session in season.sessions:
            form.add(session)
        fields["handicaps"] = {
            player: str(form.handicap_of(player)) for player in season.all_players()
        }
    return fields


def _list_rows(season: Season, rules: Championship) -> Iterator[dict[str, Any]]:
    """Yield the rows of a championship as JSON data, with the team's name if teams may change members."""
    names = teams_of(season, rules).names if rules.of == "team" and rules.same else {}
    for line in list_standing(season, rules):
        yield _line_dict(line) | ({"team": names[line.who]} if names.get(line.who) else {})


def _line_dict(line: StandingLine) -> dict[str, Any]:
    """Return a contestant's row of a championship as JSON data."""
    return {
        "who": list(line.who),
        "value": str(line.total),
        "place": line.place,
        "sessions": [_value_dict(value) for value in line.values],
    }


def _value_dict(value: SessionValue) -> dict[str, Any]:
    """Return a contestant's value in a session as JSON data."""
    fields = {"id": value.session.id, "value": str(value.amount), "counts": value.counts}
    return fields | ({"why": value.why} if value.why else {})


def lists_text(season: Season) -> str:
    """Return every championship of a season as text: place, people, total and number of sessions."""
    parts = []
    for rules in season.lists:
        middle = 50 if is_a_percentage(rules.counts, rules.rule) else 0
        lines = [rules.name or f"{rules.counts} of each {rules.of}"]
        for line in list_standing(season, rules):
            counted = sum(value.counts for value in line.values)
            names = " & ".join(line.who)
            lines.append(
                f"{line.place:>4}  {names:<24} {float(round_half_away(line.total, 2, middle)):9.2f}  "
                f"({counted} of {len(line.values)})"
            )
        parts.append("\n".join(lines))
    return "\n\n".join(parts)

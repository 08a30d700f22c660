"""The results document: a session's results as JSON, with lists in a fixed order.

Its names are fixed: `A` is the number of results compared, `E` the number expected.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .results import BoardResult, DrawnRound, MatchResult, PlayResult, Results, SideResult


def document_text(document: Mapping[str, Any]) -> str:
    """Return a results document as JSON text; equal results give equal bytes."""
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=False)


def results_document(results: Results) -> dict[str, Any]:
    """Return the results of a session as a JSON document."""
    return {
        "name": results.name,
        "state": results.state,
        "results": [results.entered, results.due],
        "plays": [_play_dict(play, of_teams=results.contest.has_halves) for play in results.plays],
        "boards": [_board_dict(board) for board in results.boards],
        "rankings": [_ranking_dict(ranking) for ranking in results.rankings],
        "matches": [_match_dict(match) for match in results.matches],
        "standings": [_ranking_dict(standing) for standing in results.standings],
        "pairs": [_dict_of_fields(pair) for pair in results.pairs],
        "warnings": [_dict_of_fields(warning) for warning in results.warnings],
    }


def drawn_round_document(drawn_round: DrawnRound) -> dict[str, Any]:
    """Return a drawn round as a JSON document: its matches and the standings they were drawn from."""
    return _dict_of_fields(drawn_round) | {
        "matches": [_dict_of_fields(match) for match in drawn_round.matches]
    }


def exact_fraction(value: Fraction | None) -> str | None:
    """Return an exact number as text, "375/8"; None without one.

    >>> exact_fraction(Fraction(375, 8)), exact_fraction(Fraction(4))
    ('375/8', '4')
    """
    return None if value is None else str(value)


def _dict_of_fields(value: object) -> dict[str, Any]:
    """Return the fields of a dataclass value by name, in order."""
    return {
        name: exact_fraction(field_value) if isinstance(field_value, Fraction) else field_value
        for name, field_value in vars(value).items()
    }


def _ranking_dict(value: Any) -> dict[str, Any]:
    """Return a ranking with its rows as JSON data."""
    return _dict_of_fields(value) | {"rows": [_dict_of_fields(row) for row in value.rows]}


def _play_dict(result: PlayResult, *, of_teams: bool) -> dict[str, Any]:
    """Return a play's result as JSON data, with scores of the teams' pairs or of single players if there are any."""
    fields: dict[str, Any] = {
        "play": result.play,
        "score": result.score,
        "ns": _side_dict(result.ns),
        "ew": _side_dict(result.ew),
    }
    if of_teams:
        fields["pair"] = result.pair and _dict_of_fields(result.pair)
    if result.own:
        fields["own"] = {contestant: _side_dict(side) for contestant, side in result.own.items()}
    return fields


def _side_dict(result: SideResult) -> dict[str, Any]:
    """Return the result of a side as JSON data."""
    fields = {
        "value": result.value,
        "exact": exact_fraction(result.exact),
        "unit": result.unit,
        "top": result.top,
        "percent": result.percent,
        "rule": result.rule,
        "A": result.results,
        "E": result.expected,
        "beaten": result.beaten,
        "tied": result.tied,
        "parts": [[exact_fraction(weight), part] for weight, part in result.parts],
    }
    return (
        fields
        if result.counted == result.exact
        else fields | {"counted": exact_fraction(result.counted)}
    )


def _board_dict(result: BoardResult) -> dict[str, Any]:
    """Return the results of a board as JSON data."""
    names = {"results": "A", "expected": "E"}
    split = result.frequency_ew
    return {names.get(name, name): value for name, value in vars(result).items()} | {
        "frequency": [_dict_of_fields(row) for row in result.frequency],
        "frequency_ew": None if split is None else [_dict_of_fields(row) for row in split],
        "artificial": list(result.artificial),
    }


def _match_dict(result: MatchResult) -> dict[str, Any]:
    """Return the result of a match as JSON data."""
    fields = _dict_of_fields(result)
    for name in ("imps", "points", "percent", "vps"):
        fields[name] = fields[name] and _dict_of_fields(fields[name])
    return fields | {"boards": [_dict_of_fields(board) for board in result.boards]}

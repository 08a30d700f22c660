"""The JSON of a published match: both tables of two teams board by board, or the boards of two pairs."""

from __future__ import annotations

from collections.abc import Sequence

from bridgebuddy.scoring.results.matches import MatchBoard, MatchRoom, TeamMatch
from bridgebuddy.scoring.results.scored import ScoredSession, SideScore
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.templatetags.results import places

from .figures import Document, board_unit, board_value, match_facts, outcome_facts, ranking_unit
from .numbers import decimal_text
from .results import session_facts

#: a board of two pairs: its play, North-South's score, and the value of each pair
PairsBoard = tuple[PlayLine, int | None, list[SideScore | None]]
DIRECTIONS = {"ns": "NS", "ew": "EW"}


def match_document(
    scored: ScoredSession, match: TeamMatch, of_pairs: Sequence[PairsBoard]
) -> Document:
    """Return the JSON of a match with its boards; `of_pairs` are the plays of a match between two pairs.

    A board of teams has two tables: first the one with the home team North-South. A board of pairs has one.
    """
    boards = [_pairs_board_facts(scored, match, *board) for board in of_pairs]
    if not of_pairs:
        boards = [_teams_board_facts(match, board) for board in match.boards]
    return (
        session_facts(scored.tonight.session)
        | match_facts(scored, match)
        | {
            "rounds": list(match.rounds),
            "unit": ranking_unit(scored),
            "board_unit": board_unit(scored),
            "imps": _imps_facts(match),
            "carried": _points_text(match, match.carried) if match.carried else None,
            "boards": boards,
            "rooms": [] if of_pairs else [_room_facts(room) for room in match.rooms],
        }
    )


def _imps_facts(match: TeamMatch) -> Document | None:
    """Return the JSON of both teams' IMPs over all boards; None if the match is not scored in IMPs."""
    if match.imps is None:
        return None
    return {
        "home": _points_text(match, match.imps.home),
        "away": _points_text(match, match.imps.away),
    }


def _teams_board_facts(match: TeamMatch, board: MatchBoard) -> Document:
    """Return the JSON of a board of a team match with the results of both tables."""
    return {
        "board": board.board,
        "counts": board.counts,
        "tables": [
            None if line is None else {"outcome": outcome_facts(line), "score": score}
            for line, score in zip(board.lines, board.scores, strict=True)
        ],
        "home_value": _points_text(match, board.home_value),
        "away_value": _points_text(match, board.away_value),
    }


def _pairs_board_facts(
    scored: ScoredSession,
    match: TeamMatch,
    line: PlayLine,
    score: int | None,
    sides: list[SideScore | None],
) -> Document:
    """Return the JSON of a board of a match between two pairs."""
    home, away = (board_value(scored, side) for side in (*sides, None)[:2])
    return {
        "board": line.board,
        "counts": True,
        "tables": [{"outcome": outcome_facts(line), "score": score}],
        "home_value": home,
        "away_value": away,
    }


def _room_facts(room: MatchRoom) -> Document:
    """Return the JSON of one room (open or closed) of a team match: its tables and seats."""
    return {
        "room": "open" if room.is_open else "closed",
        "tables": list(room.tables),
        "seats": [
            {
                "line": DIRECTIONS[seat.line],
                "number": seat.team.short,
                "names": seat.names,
                "rounds": list(seat.rounds),
                "boards": seat.boards or None,
            }
            for seat in room.chairs
        ],
    }


def _points_text(match: TeamMatch, number: float | None) -> str | None:
    """Return points as decimal text with the match's number of decimal places."""
    return decimal_text(places(number, match.places))

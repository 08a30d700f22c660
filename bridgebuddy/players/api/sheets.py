"""The JSON of a published score sheet: a contestant's boards round by round, as its public page shows them."""

from __future__ import annotations

from django.urls import reverse

from bridgebuddy.scoring.models import Penalty
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheet_stages import SheetEntry, SheetStage
from bridgebuddy.scoring.results.sheets import ScoreSheet
from bridgebuddy.scoring.templatetags.results import percent
from bridgebuddy.scoring.templatetags.results import total as total_of

from .figures import (
    Document,
    board_unit,
    board_value,
    boards_value,
    contestant_facts,
    outcome_facts,
    ranking_unit,
)
from .numbers import decimal_text
from .results import ranking_value, session_facts

DIRECTIONS = {"ns": "NS", "ew": "EW"}
#: decimals of the share of all boards with one partner
OF_PARTNERS = 2


def sheet_document(scored: ScoredSession, sheet: ScoreSheet) -> Document:
    """Return the JSON of a contestant's score sheet: place, rounds with all boards, penalties and bonuses."""
    standing = sheet.standing
    return session_facts(scored.tonight.session) | {
        "contestant": contestant_facts(sheet.section.name, sheet.contestant),
        "place": (standing.place or None) if standing else None,
        "among": sheet.ranked_count or None,
        "unit": ranking_unit(scored),
        "value": ranking_value(scored, standing) if standing else None,
        "played": sheet.played_board_count,
        "board_unit": board_unit(scored),
        "rounds": [_round_facts(scored, sheet, stage) for stage in sheet.begun_stages],
        "sat_out": [
            {"boards": boards, "value": decimal_text(percent(share, 0))}
            for boards, share in sheet.sat_out
        ],
        "byes": [
            {
                "round": bye.round,
                "value": decimal_text(total_of(bye.score.home, scored)) if bye.score else None,
            }
            for bye in sheet.bye_matches
        ],
        "partners": [
            {
                "partner": contestant_facts(sheet.section.name, own.partner),
                "boards": own.boards,
                "value": boards_value(scored, own.shown, OF_PARTNERS),
            }
            for own in sheet.partners
        ],
        "penalties": [_penalty_facts(penalty) for penalty in sheet.penalties],
    }


def _round_facts(scored: ScoredSession, sheet: ScoreSheet, stage: SheetStage) -> Document:
    """Return the JSON of a round of a score sheet."""
    section = sheet.section.name
    return {
        "round": stage.round,
        "table": stage.table,
        "partner": contestant_facts(section, stage.partner) if stage.partner else None,
        "against": [contestant_facts(section, contestant) for contestant in stage.opponents],
        "value": boards_value(scored, stage.shown_value),
        "vp": None if stage.vps is None else decimal_text(total_of(stage.vps, scored)),
        "boards": [_board_facts(scored, entry) for entry in stage.entries],
    }


def _board_facts(scored: ScoredSession, entry: SheetEntry) -> Document:
    """Return the JSON of a board of a score sheet."""
    section = entry.line.section
    token = scored.tonight.scoring.token
    has_page = not any(part.stored.is_draw for part in scored.tonight.sections)
    return {
        "board": entry.board,
        "json": reverse("api-board", args=[token, section.name, entry.board]) if has_page else None,
        "sits": DIRECTIONS[entry.sits],
        "outcome": outcome_facts(entry.line),
        "score": entry.score,
        "value": board_value(scored, entry.side),
    }


def _penalty_facts(penalty: Penalty) -> Document:
    """Return the JSON of a penalty or bonus, without the director's reason."""
    return {"kind": penalty.kind, "unit": penalty.unit, "amount": str(penalty.amount)}

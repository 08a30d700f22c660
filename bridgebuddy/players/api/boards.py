"""The JSON of a published board: cards, results and frequencies as its public page shows them."""

from __future__ import annotations

from typing import Any

from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import SheetRow, Traveller
from bridgebuddy.scoring.rules.reports.results import BoardResult
from bridgebuddy.scoring.snapshot.cards import BoardCards
from bridgebuddy.scoring.templatetags.results import points, value_of
from movements.engine.boards import dealer, vulnerability

from .figures import Document, board_unit, board_value, contestant_facts, outcome_facts
from .numbers import decimal_text
from .results import session_facts


def board_document(scored: ScoredSession, traveller: Traveller) -> Document:
    """Return the JSON of all results of a board, the best for North-South first."""
    cards = traveller.cards
    return session_facts(scored.tonight.session) | {
        "section": traveller.section.name,
        "board": traveller.board,
        "dealer": dealer(traveller.board),
        "vulnerable": vulnerability(traveller.board),
        "unit": board_unit(scored),
        "cards": _hands_facts(cards) if cards else None,
        "makes": _makeable_tricks(cards) if cards else None,
        "results": [_result_facts(scored, row) for row in traveller.rows],
        "frequencies": [
            _frequency_facts(scored, field, rows)
            for field in traveller.fields
            for rows in (field.frequency, field.frequency_ew or ())
            if rows
        ],
    }


def _hands_facts(cards: BoardCards) -> dict[str, str]:
    """Return the JSON of a deal: each hand as in PBN (spades.hearts.diamonds.clubs)."""
    return {hand.seat: ".".join(ranks for _suit, ranks in hand.suits) for hand in cards.hands}


def _makeable_tricks(cards: BoardCards) -> dict[str, dict[str, int | None]] | None:
    """Return the tricks that each declarer can make in each strain by double-dummy analysis; None if unknown."""
    if not cards.makes:
        return None
    strains = ("NT", "S", "H", "D", "C")
    return {seat: dict(zip(strains, tricks, strict=True)) for seat, tricks in cards.makes}


def _result_facts(scored: ScoredSession, row: SheetRow) -> Document:
    """Return the JSON of one result on a board."""
    return {
        "ns": [_contestant_facts(row, contestant) for contestant in row.line.ns],
        "ew": [_contestant_facts(row, contestant) for contestant in row.line.ew],
        "outcome": outcome_facts(row.line),
        "score": row.score,
        "ns_value": board_value(scored, row.ns),
        "ew_value": board_value(scored, row.ew),
    }


def _contestant_facts(row: SheetRow, contestant: Contestant) -> Document:
    """Return the JSON of a contestant on one side of a board."""
    return contestant_facts(row.line.section.name, contestant)


def _frequency_facts(scored: ScoredSession, field: BoardResult, rows: Any) -> Document:
    """Return the JSON of how often each score occurs on a board."""
    return {
        "rows": [
            {
                "score": row.score,
                "times": decimal_text(points(row.count)),
                "ns": decimal_text(value_of(row.ns, scored, field.top)),
                "ew": decimal_text(value_of(row.ew, scored, field.top)),
            }
            for row in rows
        ]
    }

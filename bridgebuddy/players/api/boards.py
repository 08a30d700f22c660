"""The JSON of a published board: cards, results and frequencies as its public page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridgebuddy.events.queries.games import Contestant
from bridgebuddy.scoring.queries.cards import BoardCards
from bridgebuddy.scoring.queries.scored import ScoredSession, SideScore
from bridgebuddy.scoring.queries.sheets import SheetRow, Traveller
from bridgebuddy.scoring.rules.results import BoardResult
from bridgebuddy.scoring.templatetags.results import percent, points, value, value_of
from movements.engine.boards import dealer, vulnerability

from .numbers import decimal_text
from .results import Document, contestant_facts, session_facts


def board_document(scored: ScoredSession, traveller: Traveller) -> Document:
    """Return all results of a board, the best for North-South first."""
    cards = traveller.cards
    return session_facts(scored.tonight.session) | {
        "section": traveller.section.name,
        "board": traveller.board,
        "dealer": dealer(traveller.board),
        "vulnerable": vulnerability(traveller.board),
        "unit": _unit(scored),
        "cards": _hands(cards) if cards else None,
        "makes": _makes(cards) if cards else None,
        "results": [_result(scored, row) for row in traveller.rows],
        "frequencies": [
            _frequency(scored, field, rows)
            for field in traveller.fields
            for rows in (field.frequency, field.frequency_ew or ())
            if rows
        ],
    }


def _unit(scored: ScoredSession) -> str:
    if scored.is_per_cent:
        return "percent"
    return "points" if scored.method == "aggregate" else "imps"


def _hands(cards: BoardCards) -> dict[str, str]:
    """Return each hand as in PBN: spades, hearts, diamonds and clubs, with points between them."""
    return {hand.seat: ".".join(ranks for _suit, ranks in hand.suits) for hand in cards.hands}


def _makes(cards: BoardCards) -> dict[str, dict[str, int | None]] | None:
    """Return the tricks of each declarer with all cards seen; None where they are too few for a contract."""
    if not cards.makes:
        return None
    strains = ("NT", "S", "H", "D", "C")
    return {seat: dict(zip(strains, tricks, strict=True)) for seat, tricks in cards.makes}


def _result(scored: ScoredSession, row: SheetRow) -> Document:
    return {
        "ns": [_side(row, contestant) for contestant in row.line.ns],
        "ew": [_side(row, contestant) for contestant in row.line.ew],
        "outcome": {"not_played": "left"} if row.line.is_lost else _outcome(row.line.outcome),
        "score": row.score,
        "ns_value": _value(scored, row.ns),
        "ew_value": _value(scored, row.ew),
    }


def _side(row: SheetRow, contestant: Contestant) -> Document:
    return contestant_facts(row.line.section.name, contestant)


def _value(scored: ScoredSession, side: SideScore | None) -> str | None:
    """Return a side's value with the decimals of the page."""
    if side is None:
        return None
    return decimal_text(
        percent(side.percent, 0) if scored.is_per_cent else value(side.points, scored)
    )


def _outcome(outcome: Mapping[str, Any] | None) -> Document | None:
    """Return what happened at the table, without what the page does not show (the lead)."""
    match outcome:
        case {"contract": contract, "declarer": declarer, "tricks": tricks}:
            return {"contract": contract, "declarer": declarer, "tricks": tricks}
        case {"passed": True}:
            return {"passed": True}
        case {"pending": True}:
            return {"pending": True}
        case {"score": score}:
            return {"score": score}
        case {"assigned": {"ns": ns, **rest}}:
            return {"assigned": {"ns": _parts(ns), "ew": _parts(rest.get("ew") or ns)}}
        case {"artificial": {"ns": ns, "ew": ew}}:
            return {"artificial": {"ns": _award(ns), "ew": _award(ew)}}
        case {"not_played": reason}:
            return {"not_played": reason}
    return None


def _parts(parts: Any) -> list[Document]:
    """Return the parts of a weighted score: the weight in per cent or as a fraction, and the score."""
    return [{"weight": str(weight), "score": score} for weight, score in parts]


def _award(award: Any) -> str | None:
    return None if award is None else str(award)


def _frequency(scored: ScoredSession, field: BoardResult, rows: Any) -> Document:
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

"""Sides, outcomes and values as all documents write them, so that one board has one form everywhere.

Every value has the figures of its public page: rounded once, with the page's decimals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.scoring.results.matches import TeamMatch
from bridgebuddy.scoring.results.scored import ScoredSession, SideScore
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.templatetags.results import percent, value
from bridgebuddy.scoring.templatetags.results import total as total_of

from .numbers import decimal_text

Document = dict[str, Any]


def contestant_facts(section: str, contestant: Contestant) -> Document:
    """Return the JSON of a contestant: section, number, name and players as pages show them."""
    if contestant.halves:
        players = [name for half in contestant.halves for name in half.last_names]
        return {
            "section": section,
            "number": contestant.short,
            "name": contestant.surnames,
            "players": players,
        }
    names = list(contestant.players) or list(contestant.full_names)
    return {
        "section": section,
        "number": contestant.short,
        "name": " & ".join(contestant.full_names),
        "players": names,
    }


# ── units ──


def board_unit(scored: ScoredSession) -> str:
    """Return the unit of results on boards: per cent, IMPs or points."""
    if scored.is_per_cent:
        return "percent"
    return "points" if scored.method == "aggregate" else "imps"


def ranking_unit(scored: ScoredSession) -> str:
    """Return the unit of results in rankings and matches: per cent, VPs, IMPs and so on."""
    if not scored.is_in_points:
        return "percent"
    if scored.is_in_victory_points:
        return "vp"
    return "points" if scored.method in ("aggregate", "bam", "matchpoints") else "imps"


# ── values ──


def board_value(scored: ScoredSession, side: SideScore | None) -> str | None:
    """Return a side's result on a board as decimal text."""
    if side is None:
        return None
    return decimal_text(
        percent(side.percent, 0) if scored.is_per_cent else value(side.points, scored)
    )


def boards_value(scored: ScoredSession, figure: Any, places: int = 0) -> str | None:
    """Return a result over several boards as decimal text: a percentage, or a sum of IMPs or points."""
    return decimal_text(percent(figure, places) if scored.is_per_cent else value(figure, scored))


def match_facts(scored: ScoredSession, match: TeamMatch) -> Document:
    """Return the JSON of a match: both sides with their scores."""
    score = match.score
    if score is not None and match.imps and not match.has_vps:
        score = match.adjusted_imps
    return {
        "section": match.section.name,
        "round": match.round,
        "home": contestant_facts(match.section.name, match.home),
        "away": contestant_facts(match.section.name, match.away) if match.away else None,
        "home_score": decimal_text(total_of(score.home, scored)) if score else None,
        "away_score": decimal_text(total_of(score.away, scored)) if score and match.away else None,
    }


# ── outcomes ──


def outcome_facts(line: PlayLine) -> Document | None:
    """Return the JSON of a play's contract, tricks and score, without the lead, which no page shows."""
    return {"not_played": "left"} if line.is_lost else _outcome_document(line.outcome)


def _outcome_document(outcome: Mapping[str, Any] | None) -> Document | None:
    """Return the JSON of an outcome: contract, declarer and tricks, or why there is none."""
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
            return {
                "assigned": {"ns": _weighted_parts(ns), "ew": _weighted_parts(rest.get("ew") or ns)}
            }
        case {"artificial": {"ns": ns, "ew": ew}}:
            return {"artificial": {"ns": _award_text(ns), "ew": _award_text(ew)}}
        case {"not_played": reason}:
            return {"not_played": reason}
    return None


def _weighted_parts(parts: Any) -> list[Document]:
    """Return the JSON of a weighted score: each result with its weight in per cent or as a fraction."""
    return [{"weight": str(weight), "score": score} for weight, score in parts]


def _award_text(award: Any) -> str | None:
    """Return an artificial adjusted score as text, such as "AVE+"."""
    return None if award is None else str(award)

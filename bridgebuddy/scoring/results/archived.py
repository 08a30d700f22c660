"""The results of a club's sessions as numbers: places and values of boards.

They can be kept and read without this program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Section

from ..models import Result
from ..rules.model import ContestantKey
from ..rules.rankings.scores import handicap_of
from ..snapshot.session_snapshot import SessionSnapshot
from .classes import awarded_masterpoints
from .scored import ScoredSession

Row = dict[str, Any]


def session_tables(club: Club) -> dict[str, list[Row]]:
    """Return the computed tables of a club's archive: rankings, further lists, boards' scores and matches."""
    tables: dict[str, list[Row]] = {
        "standings": [],
        "group_standings": [],
        "values": [],
        "match_scores": [],
    }
    for section in _first_sections(club):
        scored = ScoredSession(SessionSnapshot(section))
        if scored.has_results:
            tables["standings"] += _standing_rows(scored)
            tables["group_standings"] += _group_lines(scored)
            tables["values"] += _value_rows(scored)
            tables["match_scores"] += _match_rows(scored)
    return tables


def _first_sections(club: Club) -> Iterator[Section]:
    """Yield the first section of each session of the club that has results."""
    final_results = Result.objects.filter(play__section__session__event__club=club, stands=True)
    sessions = final_results.exclude(outcome=None).values("play__section__session")
    session_keys: set[int] = set()
    sections = Section.objects.filter(session__in=sessions)
    for section in sections.select_related("session__event__club", "movement").order_by(
        "session", "pk"
    ):
        if section.session_id not in session_keys:
            session_keys.add(section.session_id)
            yield section


def _standing_rows(scored: ScoredSession) -> Iterator[Row]:
    """Yield the rows of a session's main rankings for the archive."""
    sections = {section.name: section.pk for section in scored.tonight.sections}
    has_points = scored.tonight.scoring.masterpoints
    for ranking in scored.main_lists:
        points = awarded_masterpoints(scored, ranking) if has_points else {}
        for standing in ranking.standings:
            contestant, row = standing.contestant, standing.row
            yield {
                "session_id": scored.tonight.session.pk,
                "section_id": sections[standing.section],
                "list": ranking.key,
                "entry_id": contestant.entry,
                "number": contestant.label,
                "names": contestant.surnames
                if contestant.halves
                else " & ".join(contestant.players),
                "place": standing.place,
                "total": row.total,
                "top": row.top,
                "percent": row.percent,
                "average": row.average,
                "overall": row.overall,
                "penalty": row.penalty,
                "boards": row.boards,
                "due": row.due,
                "unit": _unit_of_totals(scored),
                "masterpoints": round(float(points[standing.contestant_key]), 4)
                if standing.contestant_key in points
                else None,
            }


def _group_lines(scored: ScoredSession) -> Iterator[Row]:
    """Yield the archive's rows of strata, category and handicap rankings; a stratum includes lower ones."""
    sections = {section.name: section.pk for section in scored.tonight.sections}
    keys = {(ranking.section, ranking.field) for ranking in scored.main_lists}
    names = scored.profile.strata.names if scored.profile.strata else ()
    contestants = {contestant.who: contestant for contestant in scored.document.session.contestants}
    for ranking_list in scored.lists:
        is_plain = (
            ranking_list.stratum is None
            and ranking_list.category is None
            and not ranking_list.handicap
        )
        if is_plain or (ranking_list.section, ranking_list.field) not in keys:
            continue
        if ranking_list.handicap and scored.is_in_points:
            continue
        for standing in ranking_list.standings:
            handicap = handicap_of(
                contestants[ContestantKey(*standing.contestant_key)], scored.profile
            )
            yield {
                "session_id": scored.tonight.session.pk,
                "section_id": sections[standing.section],
                "list": ranking_list.key,
                "stratum": names[ranking_list.stratum - 1]
                if ranking_list.stratum is not None
                else None,
                "category": ranking_list.category,
                "handicap": round(float(handicap or 0), 4) if ranking_list.handicap else None,
                "entry_id": standing.contestant.entry,
                "place": standing.place,
                "total": standing.row.total,
                "percent": standing.row.percent,
                "average": standing.row.average,
                "overall": standing.row.overall,
            }


def _unit_of_totals(scored: ScoredSession) -> str:
    """Return the unit of the ranking's totals: victory points, matchpoints or IMPs; empty for total points."""
    if scored.is_in_victory_points:
        return "vp"
    return {"matchpoints": "mp", "aggregate": ""}.get(scored.method, "imp")


def _value_rows(scored: ScoredSession) -> Iterator[Row]:
    """Yield each side's score on each board as rows for the archive."""
    for line in scored.tonight.lines:
        row = scored.results.plays[line.index]
        if line.has_begun and row.has_value:
            yield {
                "play_id": line.play,
                "score": row.score,
                "value_ns": row.ns.value,
                "percent_ns": row.ns.percent,
                "value_ew": row.ew.value,
                "percent_ew": row.ew.percent,
                "unit": row.ns.unit,
            }


def _match_rows(scored: ScoredSession) -> Iterator[Row]:
    """Yield the scores of matches as rows for the archive."""
    sections = {section.name: section.pk for section in scored.tonight.sections}
    session_matches = scored.document.session.matches
    for result in scored.results.matches:
        match = session_matches[result.match]
        home, away = (
            scored.tonight.contestant(match.section, label or "")
            for label in (match.home, match.away)
        )
        two = {
            f"{key}_{side}": getattr(both, side, None)
            for key, both in (("imps", result.imps), ("points", result.points), ("vps", result.vps))
            for side in ("home", "away")
        }
        yield {
            "session_id": scored.tonight.session.pk,
            "section_id": sections[match.section],
            "round": result.round,
            "home_id": home.entry if home else None,
            "away_id": away.entry if away else None,
            **two,
            "rule": result.rule,
        }

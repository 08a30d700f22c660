"""The JSON of a published session: its rankings, the table and matches of teams, and its boards.

It has the figures of the public pages, and nothing that they do not show. The caller is inside `use_public_names()`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.urls import reverse

from bridgebuddy.events.models import PastLine, PastSession, Section, Session
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.publication.queries import prefetch_names
from bridgebuddy.scoring.results.classes import additional_rankings
from bridgebuddy.scoring.results.figures import has_new_figures
from bridgebuddy.scoring.results.league import TeamMatches, TeamStanding
from bridgebuddy.scoring.results.matches import TeamMatch
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.counted import RankedContestant, RankingList
from bridgebuddy.scoring.snapshot.kinds import has_matches
from bridgebuddy.scoring.templatetags.results import (
    cell,
    extra_ranking_columns,
    overall,
    percent,
    places,
)
from bridgebuddy.scoring.templatetags.results import total as total_of
from bridgebuddy.scoring.templatetags.teams import column_places, has_vps, scale_name

from .figures import Document, contestant_facts, match_facts, ranking_unit
from .numbers import decimal_text

FIELDS = {"NS": "NS", "EW": "EW"}


def session_facts(session: Session) -> Document:
    """Return the JSON with the club, name and date of a session, and the addresses of its page and document."""
    token = session.scoring.token
    return {
        "club": session.event.club.name,
        "name": session.event.name,
        "date": session.date.isoformat(),
        "page": reverse("public-results", args=[token]),
        "json": reverse("api-results", args=[token]),
    }


def results_document(scored: ScoredSession, boards: Mapping[Section, Iterable[int]]) -> Document:
    """Return the JSON of a session's rankings, and the addresses of its boards."""
    tonight = scored.tonight
    lists = [_ranking_facts(scored, ranking) for ranking in scored.main_lists]
    lists += [
        _ranking_facts(scored, ranking, title) for title, ranking in additional_rankings(scored)
    ]
    beside = scored.by_second_method
    if beside is not None:
        lists += [_ranking_facts(beside, ranking) for ranking in beside.main_lists]
    are_teams = tonight.contest.has_halves
    meets = all(map(has_matches, tonight.sections))
    league = TeamMatches(scored) if are_teams or meets else None
    return session_facts(tonight.session) | {
        "contest": str(tonight.contest),
        "method": scored.method_name,
        "scale": scale_name(scored) or None,
        "state": _list_state(scored),
        "rankings": [] if are_teams else lists,
        "teams": _team_table_facts(scored, league) if league and are_teams else [],
        "matches": [_match_facts(scored, match) for match in league.all] if league else [],
        "boards": [
            {
                "section": section.name,
                "board": board,
                "json": reverse("api-board", args=[tonight.scoring.token, section.name, board]),
            }
            for section, numbers in boards.items()
            for board in numbers
        ],
        "sheets": _sheet_addresses(scored),
    }


def _list_state(scored: ScoredSession) -> str:
    """Return whether a session's ranking is provisional, final or revised."""
    if not scored.tonight.scoring.is_final:
        return "provisional"
    return "revised" if has_new_figures(scored) else "final"


# ── rankings ──


def _ranking_facts(scored: ScoredSession, ranking: RankingList, title: str = "") -> Document:
    """Return the JSON of a ranking with its columns and rows."""
    columns = extra_ranking_columns(ranking, scored)
    return {
        "title": title or None,
        "method": scored.method_name,
        "unit": ranking_unit(scored),
        "section": ranking.section,
        "field": FIELDS.get(ranking.field or ""),
        "columns": [column.title for column in columns],
        "rows": [
            _ranking_row_facts(scored, ranking, standing)
            | {"cells": [decimal_text(cell(column, standing)) for column in columns]}
            for standing in ranking.standings
        ],
    }


def ranking_value(scored: ScoredSession, ranked_contestant: RankedContestant) -> str | None:
    """Return a contestant's result in its ranking as decimal text: a percentage or a total."""
    row = ranked_contestant.row
    return decimal_text(
        total_of(row.total, scored) if scored.is_in_points else percent(row.percent)
    )


def _ranking_row_facts(
    scored: ScoredSession, ranking: RankingList, ranked_contestant: RankedContestant
) -> Document:
    """Return the JSON of a row of a ranking."""
    row = ranked_contestant.row
    return {
        "place": ranked_contestant.place or None,
        **contestant_facts(ranked_contestant.section, ranked_contestant.contestant),
        "value": ranking_value(scored, ranked_contestant),
        "a_board": decimal_text(places(row.average)) if ranking.has_average else None,
        "overall": decimal_text(overall(ranked_contestant, scored))
        if ranking.has_overall
        else None,
        **_remark_facts(scored, ranked_contestant.contestant_key, ranked_contestant.contestant),
    }


def _remark_facts(scored: ScoredSession, key: tuple[str, str], contestant: Contestant) -> Document:
    """Return the JSON of remarks on a ranking row: penalty or bonus, and after which round the contestant left."""
    fined = scored.fined.get(key)
    return {
        "adjusted": None if fined is None else "penalty" if fined else "bonus",
        "left_after_round": contestant.left_after if contestant.has_left else None,
    }


# ── teams and matches ──


def _team_table_facts(scored: ScoredSession, league: TeamMatches) -> list[Document]:
    """Return the JSON of the table of a team contest."""
    imp_places = column_places(league.table, "row.net")
    return [_team_row_facts(scored, standing, imp_places) for standing in league.table]


def _team_row_facts(scored: ScoredSession, standing: TeamStanding, imp_places: int) -> Document:
    """Return the JSON of a row of the table of a team contest."""
    row = standing.row
    return {
        "place": standing.place or None,
        **contestant_facts(standing.section.name, standing.team),
        "matches": row.matches,
        "won": row.wins,
        "level": row.draws,
        "lost": row.losses,
        "imps": decimal_text(places(row.net, imp_places)) if has_vps(scored) else None,
        "value": decimal_text(total_of(row.total, scored)),
        "decided_by": standing.tie_break_text or None,
        **_remark_facts(scored, standing.contestant_key, standing.team),
    }


def _match_facts(scored: ScoredSession, match: TeamMatch) -> Document:
    """Return the JSON of a match with the address of its boards."""
    return match_facts(scored, match) | {"json": _address_of_match(scored, match)}


def _address_of_match(scored: ScoredSession, match: TeamMatch) -> str | None:
    """Return the address of a match's document; None for a bye."""
    if match.away is None:
        return None
    token = scored.tonight.scoring.token
    return reverse("api-match", args=[token, match.section.name, *match.key.values()])


def _sheet_addresses(scored: ScoredSession) -> list[Document]:
    """Return the addresses of the score sheets' documents, in the order of the public page."""
    tonight = scored.tonight
    return [
        {
            "section": part.name,
            "number": contestant.short,
            "json": reverse("api-sheet", args=[tonight.scoring.token, part.name, contestant.slug]),
        }
        for part in tonight.sections
        for contestant in tonight.plans[part.pk].drawn.contestants.values()
    ]


# ── sessions that another program scored ──


def past_document(past: PastSession) -> Document:
    """Return the JSON of the rankings of a session that another program scored, with the figures of its file."""
    lines: dict[tuple[str, str], list[PastLine]] = {}
    for line in prefetch_names(PastLine.objects.filter(past=past)):
        lines.setdefault((line.section, line.field), []).append(line)
    return session_facts(past.session) | {
        "contest": past.contest,
        "method": None,
        "scale": None,
        "state": "imported",
        "rankings": [
            {
                "title": None,
                "method": None,
                "unit": group[0].figure[1] if group[0].figure[1] == "percent" else "points",
                "section": section or None,
                "field": FIELDS.get(field),
                "columns": [],
                "rows": [_past_row_facts(line) for line in group],
            }
            for (section, field), group in lines.items()
        ],
        "teams": [],
        "matches": [],
        "boards": [],
        "sheets": [],
    }


def _past_row_facts(line: PastLine) -> Document:
    """Return the JSON of a row of an imported ranking."""
    players = [player.person.name for player in line.past_players.all()]
    return {
        "place": None if line.place is None else str(line.place),
        "section": line.section or None,
        "number": None,
        "name": line.names,
        "players": [] if line.team else players,
        "value": line.figure[0] or None,
        "a_board": None,
        "overall": None,
        "adjusted": None,
        "left_after_round": None,
        "cells": [],
    }

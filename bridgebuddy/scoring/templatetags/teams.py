"""Template tags for matches."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from django import template
from django.urls import reverse

from bridgebuddy.events.models import Section
from movements.words.knockout import knockout_round_name

from ..explaining import short_number
from ..match_words import (
    DECIDED,
    EVENTS,
    RULES,
    RULES_OF_PAIRS,
    match_headline,
    match_value,
    totals_unit,
    unit_of_totals,
    victory_point_scale_name,
)
from ..results.league import TeamMatches, TeamStanding
from ..results.matches import MatchBoard, TeamMatch
from ..results.scored import ScoredSession
from ..snapshot.counted import DECIMALS, has_fraction
from ..snapshot.kinds import KNOCKOUT
from ..words import signed_score
from .results import method_name, places

register = template.Library()

register.filter("match_headline", match_headline)
register.filter("worth", match_value)


@register.simple_tag
def match_address(match: TeamMatch, token: str = "") -> str:
    """Return the address of a match's page: the director's, or with a token the published one."""
    if token:
        return reverse("public-match", args=[token, match.section.name, *match.key.values()])
    return reverse("match", args=[match.section.code, *match.key.values()])


@register.simple_tag
def board_address(section: Section, board: int, round: int) -> str:
    """Return the address of a board's page; drawn matches need the round too."""
    address = reverse("board-results", args=[section.code, board])
    return f"{address}?round={round}" if section.stored.is_draw else address


@register.filter
def event_of_match(event: str) -> str:
    """Return in words what a knockout match is for: third place, consolation; empty for the title."""
    return str(EVENTS.get(event, ""))


@register.filter
def round_name(section: Section, round: int) -> str:
    """Return the name of a knockout's round: "Semi-finals"; empty for other contests."""
    if section.movement is None or section.movement.family != KNOCKOUT:
        return ""
    return knockout_round_name(len(section.stored.without_seatings.contestants), round)


@register.filter
def tie_break_name(name: str) -> str:
    """Template filter: the translated name of the tie-break that separated two equal contestants."""
    return str(DECIDED.get(name, name))


@register.filter
def match_rule_text(match: TeamMatch) -> str:
    """Return why a match's result does not follow from its boards; empty if it does."""
    rules = RULES if match.section.contest.has_halves else RULES_OF_PAIRS
    return str(rules.get(match.rule, ""))


@register.filter
def totals_unit_heading(scored: ScoredSession) -> str:
    """Template filter: the heading of the ranking's totals column, such as "VP" or "IMPs"."""
    return totals_unit(scored.method, has_vps=_are_vps(scored))


def _are_vps(scored: ScoredSession) -> bool:
    """Return whether the ranking's totals are victory points."""
    if scored.tonight.contest.has_halves:
        return scored.profile.makes_vps
    return scored.is_in_victory_points


@register.filter
def method_and_scale_text(scored: ScoredSession) -> str:
    """Template filter: the scoring method, and the victory point scale if matches have one."""
    name = method_name(scored.method_name)
    return f"{name}, {scale_name(scored)}" if scored.is_in_victory_points else name


@register.filter
def total_unit(scored: ScoredSession) -> str:
    """Return the heading of the totals column: "VP" if matches give victory points."""
    return unit_of_totals(scored.method, has_vps=_are_vps(scored))


@register.filter
def scores_by_round(standing: TeamStanding, matches: TeamMatches) -> list[float | None]:
    """Template filter: a team's scores in the rounds that the league table shows, in order."""
    return matches.values_by_round(standing)


@register.filter
def has_vps(scored: ScoredSession) -> bool:
    """Return whether matches score victory points."""
    return scored.profile.vp is not None and scored.method == "team-imps"


@register.filter
def scale_name(scored: ScoredSession) -> str:
    """Return the translated name of the victory point scale."""
    vp = scored.profile.vp
    return victory_point_scale_name(vp) if vp else ""


@register.filter
def difference(board: MatchBoard) -> str:
    """Format the home team's lead on a board in points over both tables."""
    return "" if board.difference is None else signed_score(board.difference)


@register.filter
def signed_number(value: float | str | None) -> str:
    """Format a number with its sign; empty for None."""
    if value is None or isinstance(value, str):
        return ""
    return f"+{short_number(value)}" if value > 0 else short_number(value)


@register.filter
def signed_places(value: float | str | None, maximum: int) -> str:
    """Format a number with its sign and at most `maximum` decimals; empty for None."""
    if value is None or isinstance(value, str):
        return ""
    return f"+{places(value, maximum)}" if value > 0 else places(value, maximum)


@register.filter
def column_places(rows: Iterable[object], path: str) -> int:
    """Return how many decimals a column of rows needs: none if all numbers at the dotted `path` are whole."""
    found: Iterable[Any] = (
        reduce(lambda value, name: getattr(value, name, None), path.split("."), row) for row in rows
    )
    return DECIMALS if any(map(has_fraction, found)) else 0


@register.filter
def average(value: float | None) -> str:
    """Format IMPs per board with a sign and two decimals."""
    return signed_places(value, DECIMALS)


@register.filter
def team_score(match: TeamMatch, team: object) -> float | None:
    """Template filter: the score of one of the two teams in a match."""
    return match.score_of_team(team)  # type: ignore[arg-type]


@register.filter
def in_round(matches: TeamMatches, round: int) -> list[TeamMatch]:
    """Return the matches of all sections that are played in a round."""
    return [match for match in matches.all if round in match.rounds]

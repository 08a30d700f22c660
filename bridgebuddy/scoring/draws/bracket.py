"""The bracket of a knock-out: its rounds by name, with their matches and titles."""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.events.models import Section
from movements.words.knockout import knockout_round_name

from ..results.league import TeamMatches
from ..results.matches import TeamMatch
from ..snapshot.drawn_rounds import EVENTS, event_places, is_knockout


@dataclass(frozen=True)
class BracketRound:
    """A round of a knockout's bracket: its name, and its matches by the place that they decide."""

    round: int
    name: str
    groups: tuple[tuple[str, tuple[TeamMatch, ...]], ...]


def bracket_rounds(team_matches: TeamMatches, section: Section) -> list[BracketRound]:
    """Return the rounds of a section's knockout bracket; undrawn ones have no matches. Empty for other contests."""
    if not is_knockout(section):
        return []
    about = event_places(section)
    teams = len(section.stored.without_seatings.contestants)
    rounds = []
    for round in range(1, section.stored.rounds + 1):
        groups: dict[str, list[TeamMatch]] = {event: [] for event in EVENTS}
        for match in team_matches.in_round(section, round):
            couple = frozenset(team.entry for team in match.teams)
            event = about.get((round, couple), "")
            groups[event].append(match)
        listed = tuple((event, tuple(each)) for event, each in groups.items() if each)
        rounds.append(BracketRound(round, knockout_round_name(teams, round), listed))
    return rounds

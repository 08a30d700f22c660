"""All matches of a session: by round and team, the league table, and the matrix."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant

from ..rules.reports.results import MatchStanding
from ..snapshot.counted import anchor_of
from .matches import TeamMatch
from .scored import ScoredSession

A_MATCH = 2  # teams that only meet each other


#: most rounds of a table with a column for each
MOST_ROUNDS = 9


@dataclass(frozen=True)
class TeamStanding:
    """A team's row in the league table."""

    team: Contestant
    section: Section
    row: MatchStanding

    @property
    def contestant_key(self) -> tuple[str, str]:
        """Return the key of the team: section and label."""
        return self.section.name, self.team.slug

    @property
    def anchor(self) -> str:
        """Return the HTML anchor of the team's row on the ranking page."""
        return anchor_of(*self.contestant_key)

    @property
    def place(self) -> str:
        """Return the team's place as text; empty without one."""
        return self.row.place or ""

    @property
    def tie_break_text(self) -> str:
        """Return the tie-break that separated the team from the equal one above it; empty if none."""
        return self.row.decided or ""


@dataclass(frozen=True)
class CrossTableRow:
    """A row of the cross table: a team's matches against each other team, in the order of the columns."""

    standing: TeamStanding
    cells: tuple[list[TeamMatch] | None, ...]  # None: the team itself

    @property
    def team(self) -> Contestant:
        """Return the team of the row."""
        return self.standing.team


class TeamMatches:
    """All matches of a session, by round and team, with the league table."""

    def __init__(self, scored: ScoredSession) -> None:
        self.scored = scored
        session_matches = scored.document.session.matches if scored.has_results else ()
        self.all = [TeamMatch(scored, match.index) for match in session_matches]

    def matches_of_section(self, section: Section) -> list[TeamMatch]:
        """Return the matches of a section."""
        return [match for match in self.all if match.section.pk == section.pk]

    def rounds(self, section: Section) -> list[int]:
        """Return the rounds of a section in which matches end."""
        return sorted({match.round for match in self.matches_of_section(section)})

    def in_round(self, section: Section, round: int) -> list[TeamMatch]:
        """Return the matches of a section that are played in a round, wholly or in part."""
        return [match for match in self.matches_of_section(section) if round in match.rounds]

    def find(self, section: Section, round: int, home: str, away: str) -> TeamMatch | None:
        """Return a match by the parts of its address; the order of the teams does not matter."""
        return next(
            (
                match
                for match in self.matches_of_section(section)
                if match.round == round
                and match.away is not None
                and {match.home.slug, match.away.slug} == {home, away}
            ),
            None,
        )

    def matches_of_team(self, section: Section, label: str) -> list[TeamMatch]:
        """Return the matches of a team."""
        return [
            match
            for match in self.matches_of_section(section)
            if label in (match.home.slug, match.away.slug if match.away else "")
        ]

    @cached_property
    def table(self) -> list[TeamStanding]:
        """Return the current league table of all sections."""
        rows = self.scored.results.last_standings
        return [standing for row in rows if (standing := self._team_standing(row)) is not None]

    def _team_standing(self, row: MatchStanding) -> TeamStanding | None:
        """Return a row of the league table with its team; None if the team no longer exists."""
        tonight = self.scored.tonight
        team = tonight.contestant(row.section, row.contestant)
        section = next(
            (section for section in tonight.sections if section.name == row.section), None
        )
        return TeamStanding(team, section, row) if team and section else None

    @cached_property
    def columns(self) -> list[int]:
        """Return the rounds shown as columns of the league table; none without victory points or with many rounds."""
        sections = self.scored.tonight.sections
        if not self.scored.profile.makes_vps or len(sections) != 1:
            return []
        rounds = self.rounds(sections[0])
        return rounds if A_MATCH <= len(rounds) <= MOST_ROUNDS else []

    def values_by_round(self, standing: TeamStanding) -> list[float | None]:
        """Return a team's score in each displayed round; the sum of both matches in a three-way match."""
        points: defaultdict[int, list[float]] = defaultdict(list)
        for match in self.matches_of_team(standing.section, standing.team.slug):
            if (worth := match.score_of_team(standing.team)) is not None:
                points[match.round].append(worth)
        return [sum(points[round]) if points[round] else None for round in self.columns]

    def cross_table(self, section: Section) -> list[CrossTableRow]:
        """Return the cross table of a section's matches, in the order of the league table."""
        rows = [league_line for league_line in self.table if league_line.section.pk == section.pk]
        met: defaultdict[frozenset[str], list[TeamMatch]] = defaultdict(list)
        for match in self.matches_of_section(section):
            if match.away is not None:
                met[frozenset((match.home.slug, match.away.slug))].append(match)
        if len(rows) <= A_MATCH:
            return []
        return [
            CrossTableRow(
                row,
                tuple(
                    None
                    if row.team.slug == other.team.slug
                    else met.get(frozenset((row.team.slug, other.team.slug)), [])
                    for other in rows
                ),
            )
            for row in rows
        ]

"""A team's score sheet: its boards at both tables of every match, each match counted once.

A team's value of a board comes from both tables together. So it is shown where its N-S had the board. Where its E-W
had it, only the result is shown.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cached_property

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant

from ..snapshot.lines import PlayLine
from .scored import ScoredSession
from .sheets import OwnSheet, ScoreSheet, SheetEntry


def score_sheet_of(scored: ScoredSession, section: Section, contestant: Contestant) -> ScoreSheet:
    """Return a contestant's score sheet; a team's counts every match once."""
    kind = TeamSheet if section.contest.has_halves else ScoreSheet
    return kind(scored, section, contestant)


def own_sheet_of(scored: ScoredSession, section: Section, contestant: Contestant) -> OwnSheet:
    """Return a contestant's score sheet for holders of the code."""
    kind = OwnTeamSheet if section.contest.has_halves else OwnSheet
    return kind(scored, section, contestant)


class TeamSheet(ScoreSheet):
    """A team's boards, each counted at one of its two tables."""

    def _sheet_entry(self, line: PlayLine, sits: str) -> SheetEntry:
        """Return the entry of a board, without a value if it counts at the home table."""
        entry = super()._sheet_entry(line, sits)
        return replace(entry, side=None) if self._is_counted_at_home(line, sits) else entry

    def _is_counted_at_home(self, line: PlayLine, sits: str) -> bool:
        """Return whether the board stands on the sheet already, by the table of the home pair."""
        return sits == "ew" and self._match_board(line) in self._home_boards

    @cached_property
    def _home_boards(self) -> frozenset[Hashable]:
        """Return the match boards that the team plays North-South."""
        lines = (
            x
            for x in self._played_lines
            if self.contestant.slug in [contestant.slug for contestant in x.ns]
        )
        return frozenset(self._match_board(line) for line in lines if line.ew)

    def _match_board(self, line: PlayLine) -> Hashable:
        """Return a match's board, equal at both tables."""
        teams = frozenset(contestant.slug for contestant in line.ns + line.ew)
        return teams, self.scored.tonight.cards_of(line)


class OwnTeamSheet(TeamSheet, OwnSheet):
    """A team's score sheet for holders of the code while others still play."""

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
from .sheet_stages import SheetEntry
from .sheets import PlayersScoreSheet, ScoreSheet


def score_sheet_of(scored: ScoredSession, section: Section, contestant: Contestant) -> ScoreSheet:
    """Return a contestant's score sheet; on a team's, every board of a match counts once."""
    kind = TeamSheet if section.contest.has_halves else ScoreSheet
    return kind(scored, section, contestant)


def players_sheet_of(
    scored: ScoredSession, section: Section, contestant: Contestant
) -> PlayersScoreSheet:
    """Return a contestant's score sheet for players with the code, which hides unplayed boards."""
    kind = PlayersTeamSheet if section.contest.has_halves else PlayersScoreSheet
    return kind(scored, section, contestant)


class TeamSheet(ScoreSheet):
    """A team's score sheet, on which each board counts at one of its two tables."""

    def _sheet_entry(self, line: PlayLine, direction: str) -> SheetEntry:
        """Return the sheet's row for a play, without a score if the board counts at the other table."""
        entry = super()._sheet_entry(line, direction)
        return replace(entry, side=None) if self._is_counted_at_home(line, direction) else entry

    def _is_counted_at_home(self, line: PlayLine, direction: str) -> bool:
        """Return whether a board's score is on the sheet already, at the table of the N-S pair."""
        return direction == "ew" and self._match_board(line) in self._home_boards

    @cached_property
    def _home_boards(self) -> frozenset[Hashable]:
        """Return the boards of matches that the team's N-S pair plays."""
        lines = (
            x
            for x in self._played_lines
            if self.contestant.slug in [contestant.slug for contestant in x.ns]
        )
        return frozenset(self._match_board(line) for line in lines if line.ew)

    def _match_board(self, line: PlayLine) -> Hashable:
        """Return the key of a match's board, equal for the plays at both tables."""
        teams = frozenset(contestant.slug for contestant in line.ns + line.ew)
        return teams, self.scored.tonight.cards_of(line)


class PlayersTeamSheet(TeamSheet, PlayersScoreSheet):
    """A team's score sheet for players with the code, which hides boards that others have still to play."""

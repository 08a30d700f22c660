"""The ranking after a round, which includes only boards that no table has still to play.

So it reveals nothing about boards still to be played, whatever the movement.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from bridgebuddy.events.models import Section

from ..snapshot.counted import RankingList
from ..snapshot.session_snapshot import SessionSnapshot
from .arriving_results import is_outcome_known
from .scored import ScoredSession


class Barometer:
    """The rankings of a barometer session after each of its rounds."""

    def __init__(self, tonight: SessionSnapshot) -> None:
        self.tonight = tonight

    @cached_property
    def complete_rounds(self) -> dict[int, int]:
        """Return the last round up to which all results are in, by section."""
        rounds = {}
        for section in self.tonight.sections:
            open_ = [
                line.round
                for line in self.tonight.lines_of_section(section)
                if not line.has_begun
                # the rest of a match with a ruling is not played
                or (
                    not is_outcome_known(line.outcome)
                    and not self._whole_session.counts_for_nobody(line)
                )
            ]
            rounds[section.pk] = min(open_) - 1 if open_ else section.round
        return rounds

    @cached_property
    def _whole_session(self) -> ScoredSession:
        """Return the scored session including rounds that are not complete."""
        return ScoredSession(self.tonight)

    def ranked_round_of(self, section: Section) -> int:
        """Return the round after which a section is ranked now; 0 if none is complete."""
        return self.complete_rounds.get(section.pk, 0)

    def results_after_round(self, back: int = 0) -> ScoredSession:
        """Return the session's results after the last complete round, or `back` rounds earlier."""
        counts = {
            line.index
            for line in self.tonight.lines
            if line.round <= self.complete_rounds[line.section.pk] - back
        }
        closed = {
            line.index
            for lines in self.tonight.lines_by_cards.values()
            if all(line.index in counts for line in lines)
            for line in lines
        }
        first_lost = len(self.tonight.lines)
        over = {
            section.name: self.complete_rounds[section.pk] - back
            for section in self.tonight.sections
        }
        document = self.tonight.document
        plays = [
            play
            # for contestants that have left, also boards that can no longer be played
            if play.index in closed
            or (play.index >= first_lost and (play.round or 0) <= over[play.section])
            else replace(play, aside=True)
            for play in document.session.plays
        ]
        matches = [
            # byes and rulings of unfinished rounds have points without play
            replace(match, aside=True) if match.round > over[match.section] else match
            for match in document.session.matches
        ]
        return ScoredSession(self.tonight, document.with_plays(plays).with_matches(matches))

    @property
    def lists(self) -> list[RankingList]:
        """Return the current ranking lists; empty before a board is complete."""
        scored = self.results_after_round()
        return scored.main_lists if scored.entered_count else []

    @cached_property
    def places_before(self) -> dict[tuple[str, str], int]:
        """Return the contestants' places one round earlier, by section and label."""
        scored_before = self.results_after_round(1)
        if not scored_before.entered_count:
            return {}
        return {
            (standing.section, standing.contestant.slug): int(standing.place.rstrip("="))
            for each in scored_before.main_lists
            for standing in each.standings
            if standing.place
        }

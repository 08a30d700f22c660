"""The results of a session, by contestants, boards and plays."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant

from ..rules.reports import results
from ..snapshot.counted import CountedResults, RankedContestant, RankingList
from ..snapshot.document import SessionDocument, profile_data
from ..snapshot.drawn_matches import apply_default_scale
from ..snapshot.kinds import is_league
from ..snapshot.lines import PlayLine
from ..snapshot.session_snapshot import SessionSnapshot

_OF_PENALTY = re.compile(r"penalties\[(\d+)\]\.round")


@dataclass(frozen=True)
class SideScore:
    """A side's score on a board by the session's method."""

    row: results.SideResult

    @property
    def value(self) -> float | None:
        """Return the score in matchpoints, IMPs or points."""
        return self.row.value

    @property
    def points(self) -> Fraction | None:
        """Return the score as pages display it: both sides' points on a board add up to the top."""
        return self.row.shown_points

    @property
    def percent(self) -> Fraction | None:
        """Return the score as an exact share of the top in per cent."""
        return self.row.shown_percent

    @property
    def rule(self) -> str:
        """Return the name of the rule that gave the score, such as `compared` or `given`."""
        return self.row.rule


class ScoredSession(CountedResults):
    """The computed results of a session: rankings, boards and the scores of plays. It runs no queries."""

    def __init__(self, tonight: SessionSnapshot, document: SessionDocument | None = None) -> None:
        super().__init__(tonight, document or tonight.document)
        self.tonight = tonight

    @property
    def entered_count(self) -> int:
        """Return how many results of the session have been entered."""
        return self.results.entered

    def entered_count_of(self, section: Section) -> int:
        """Return how many of the session's entered results are from one section."""
        tonight, entered = self.tonight, self.results.entered_plays
        lines = (*tonight.lines, *tonight.unplayable_lines)
        return sum(line.index in entered and line.section.pk == section.pk for line in lines)

    @property
    def due_count(self) -> int:
        """Return how many results the session will have."""
        return self.results.due

    @property
    def missing_count(self) -> int:
        """Return how many results of the session are missing."""
        return self.due_count - self.entered_count

    @property
    def is_provisional(self) -> bool:
        """Return whether the list is not final, and results are missing or rounds are still to be played."""
        is_to_go_on = self.has_rounds_to_come or self.missing_count > 0
        return not self.tonight.scoring.is_final and is_to_go_on

    @property
    def has_rounds_to_come(self) -> bool:
        """Return whether a section of the session still has rounds to play."""
        return any(
            section.is_running and not section.is_last_round for section in self.tonight.sections
        )

    @property
    def has_enough_results(self) -> bool:
        """Return whether a ranking says who is in front: half of the first round's results are in.

        In matches of teams, in a session that is over and in a final list any result is enough.
        """
        is_over = not any(section.is_running for section in self.tonight.sections)
        is_enough = self.tonight.scoring.is_final or is_over or self.tonight.contest.has_halves
        if is_enough or not self.entered_count:
            return self.entered_count > 0
        first_round = sum(line.round == 1 for line in self.tonight.lines)
        return 2 * self.entered_count >= first_round

    @property
    def is_complete(self) -> bool:
        """Return whether all results of the session have been entered."""
        return self.results.state == "complete"

    @cached_property
    def by_second_method(self) -> ScoredSession | None:
        """Return the same session scored by its second scoring method; None if it has none."""
        return self.counted_by(self.tonight.scoring.beside)

    def counted_by(self, method: str) -> ScoredSession | None:
        """Return the session scored by another method; None if it is the same one, or if teams play."""
        if method in ("", self.method) or self.tonight.contest.has_halves:
            return None
        profile = {**profile_data(self.tonight), "method": method}
        if all(map(is_league, self.tonight.sections)):  # the scale follows from the method
            profile.pop("vp", None)
            profile = {**apply_default_scale(self.tonight.sections, profile)}
        document = self.document.scored_by(self.tonight, profile).with_penalties(())
        return ScoredSession(self.tonight, document)

    # ── rankings ──

    def list_with_contestant(
        self, section: str, label: str
    ) -> tuple[RankingList, RankedContestant] | None:
        """Return the main ranking that includes a contestant, and the contestant's row in it."""
        for ranking in self.main_lists:
            for standing in ranking.standings:
                if standing.section == section and standing.contestant.slug == label:
                    return ranking, standing
        return None

    @cached_property
    def departed_contestants(self) -> list[tuple[str, Contestant, bool]]:
        """Return the contestants that left before the end, and whether their results are cancelled.

        White Book 2.4.3.
        """
        leavers = []
        for (section, _), contestant in self.tonight.contestants.items():
            lost = [line for line in self.tonight.unplayable_lines if line.section.name == section]
            if any(
                contestant.slug in _slugs_of_line(line)
                for line in lost
                if contestant.left_after is not None
            ):
                is_cancelled = any(
                    map(self.is_cancelled, self._lines_of_contestant(section, contestant))
                )
                leavers.append((section, contestant, is_cancelled))
        return leavers

    def _lines_of_contestant(self, section: str, contestant: Contestant) -> list[PlayLine]:
        """Return the plays of a contestant."""
        return [
            line
            for line in self.tonight.lines
            if line.section.name == section and contestant.slug in _slugs_of_line(line)
        ]

    def is_cancelled(self, line: PlayLine) -> bool:
        """Return whether a play does not count, because a contestant at the table left too early."""
        if line.outcome is None or "not_played" in line.outcome:
            return False
        return self.counts_for_nobody(line)

    def early_leavers_at(self, line: PlayLine) -> list[Contestant]:
        """Return the contestants whose early departure makes a result count for nobody; empty if it counts."""
        if not self.is_cancelled(line):
            return []
        cancelled = {
            (section, contestant.slug)
            for section, contestant, is_cancelled in self.departed_contestants
            if is_cancelled
        }
        return [
            contestant
            for contestant in line.ns + line.ew
            if contestant.has_left and (line.section.name, contestant.slug) in cancelled
        ]

    def counts_for_nobody(self, line: PlayLine) -> bool:
        """Return whether a play gives neither side a score, now or later."""
        if not self.has_results:
            return False
        row = self.results.plays[line.index]
        return row.ns.rule == row.ew.rule == "not-played"

    # ── boards and plays ──

    def side(self, line: PlayLine, side: str, of: str = "") -> SideScore | None:
        """Return a side's score on a play; with `of`, that of the single player with this label."""
        if not self.has_results or line.is_hidden:
            return None
        row = self.results.plays[line.index]
        return SideScore(row.own.get(of) or (row.ns if side == "ns" else row.ew))

    def score(self, line: PlayLine) -> int | None:
        """Return the bridge score of a play from North-South's view (+420); None for an adjusted or hidden one."""
        if not self.has_results or line.is_hidden:
            return None
        return self.results.plays[line.index].score

    @cached_property
    def boards(self) -> dict[tuple[str | None, int], list[results.BoardResult]]:
        """Return the groups of compared results by section (None: all sections) and board number."""
        boards: defaultdict[tuple[str | None, int], list[results.BoardResult]] = defaultdict(list)
        for board in self.results.boards:
            boards[board.section, board.board].append(board)
        return dict(boards)

    def fields_of(self, section: str, board: int) -> list[results.BoardResult]:
        """Return the groups of compared results of a board, in a section or over all sections."""
        owner = self.tonight.owner_of(self.tonight.section_named(section), board)
        return self.boards.get((owner, board)) or self.boards.get((None, board)) or []

    def field_of(self, line: PlayLine) -> results.BoardResult | None:
        """Return the group of results that a play is compared with: those with the same cards."""
        cards = (None, self.tonight.owner_of(line.section, line.board))
        fields = self.fields_of(line.section.name, line.board)
        fitting = (field for field in fields if field.deals in cards and field.group == line.group)
        return next(fitting, None)

    @property
    def contestants_with_uncounted_penalty(self) -> list[Contestant]:
        """Return the contestants with a penalty that has no effect, because it names no match."""
        contestants = []
        for warning in self.results.warnings:
            if of := _OF_PENALTY.match(warning.path):
                penalty = self.document.session.penalties[int(of[1])]
                contestants.append(self.tonight.contestants[penalty.who])
        return list(dict.fromkeys(contestants))


def _slugs_of_line(line: PlayLine) -> set[str]:
    """Return the slugs of all contestants at the table of a play."""
    return {contestant.slug for contestant in line.ns + line.ew}

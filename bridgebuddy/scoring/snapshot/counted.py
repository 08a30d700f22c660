"""The results of a session, calculated by the rules from its document and cached by its content.

Calculated results are not stored as truth. Equal documents give equal results, so each process caches a few by
content, and they are never out of date.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.operations.caching import cached

from ..rules import laws
from ..rules.document import check_no_repeated_plays
from ..rules.errors import ScoringError
from ..rules.profile import Profile
from ..rules.reports import results
from ..rules.reports.results import Results
from ..rules.score import score_session
from .document import SessionDocument
from .knocked_out import ranked_by_rounds
from .play_snapshot import PlayedSession


def results_and_errors(document: SessionDocument) -> tuple[Results, dict[int, str]]:
    """Score a document. Return the results, and the errors of impossible outcomes by the index of the play.

    Impossible outcomes are ignored as if unknown. Raises `ScoringError` if the document cannot be scored.
    """
    return cached(("results", document), "", lambda: _compute_results(document))


def _compute_results(document: SessionDocument) -> tuple[Results, dict[int, str]]:
    """Score a document without its impossible outcomes. Return the results and the errors."""
    if document.problem:
        raise document.problem
    check_no_repeated_plays(document.session)
    aside = {play: error.what for play, error in laws.impossible_outcomes(document.session)}
    return score_session(document.without_plays(aside).session, document.profile), aside


#: decimal places of a column of points that are not all whole
DECIMALS = results.PLACES


def has_fraction(number: results.Number | None) -> bool:
    """Return whether a number is not whole."""
    return number is not None and number != int(number)


def anchor_of(section: str, slug: str) -> str:
    """Return the HTML anchor of a contestant's row on the ranking page."""
    return f"row-{section}-{slug}"


@dataclass(frozen=True)
class RankedContestant:
    """A contestant's row of a ranking, with the data that pages show."""

    contestant: Contestant
    section: str
    row: results.RankedLine

    @property
    def place(self) -> str:
        """Return the place as text; empty without one."""
        return self.row.place or ""

    @property
    def deciding_number(self) -> Literal["overall", "percent", "average", "total"]:
        """Return the name of the number that decides the place; an average is per board."""
        if self.row.overall is not None:
            return "overall"
        if self.row.percent is not None:
            return "percent"
        return "average" if self.row.exact != self.row.exact_total else "total"

    @property
    def contestant_key(self) -> tuple[str, str]:
        """Return the contestant's key: section and label."""
        return self.section, self.contestant.slug

    @property
    def anchor(self) -> str:
        """Return the HTML anchor of the contestant's row on the ranking page."""
        return anchor_of(*self.contestant_key)

    @property
    def label(self) -> str:
        """Return the contestant's label."""
        return self.contestant.label

    @property
    def names(self) -> str:
        """Return the names of the contestant's players."""
        return self.contestant.names


@dataclass(frozen=True)
class RankingList:
    """A ranking with its contestants: of one direction in a section or in all sections, or of all."""

    section: str | None
    field: str | None
    stratum: int | None
    category: str | None
    handicap: bool
    standings: tuple[RankedContestant, ...]

    @property
    def has_overall(self) -> bool:
        """Return whether earlier sessions of the event are counted together with this one."""
        return any(standing.deciding_number == "overall" for standing in self.standings)

    @property
    def has_average(self) -> bool:
        """Return whether the average per board decides, because contestants played different numbers of boards."""
        return any(standing.deciding_number == "average" for standing in self.standings)

    @property
    def has_deciding_column(self) -> bool:
        """Return whether a column other than the session's total decides: an overall total or an average."""
        return self.has_overall or self.has_average

    @property
    def key(self) -> str:
        """Return the ranking's key in addresses: "A-NS", "all-all"."""
        return f"{self.section or 'all'}-{self.field or 'all'}"


class CountedResults:
    """A session's computed results as rankings of its contestants. It runs no queries."""

    def __init__(self, played_session: PlayedSession, document: SessionDocument) -> None:
        self._played = played_session
        self.document = document
        #: problems of outcomes that are impossible at a table, by their index in the document
        self.impossible: Mapping[int, str] = {}
        self.results = Results("", played_session.contest)  # nothing, if it cannot be scored
        self.problem = ""
        try:
            results, self.impossible = results_and_errors(self.document)
            self.results = self._places_by_round(results)
        except ScoringError as error:
            self.problem = str(error)

    @property
    def has_results(self) -> bool:
        """Return whether results exist, because the session could be scored."""
        return not self.problem

    def _places_by_round(self, results: Results) -> Results:
        """Return the results; in a knockout with contestants ranked by the round that they reached."""
        stage = self.document.session.stage
        if stage is None or stage.kind != "knock-out":
            return results
        played, far = self._played, self._played.last_knockout_rounds
        rounds = {
            key: far.get(contestant.entry, 1) for key, contestant in played.contestants.items()
        }
        sections = [match.section for match in self.document.session.matches]
        left = {key for key, contestant in played.contestants.items() if contestant.has_left}
        last = max(section.rounds for section in played.sections)
        return ranked_by_rounds(results, sections, rounds, last, left)

    @property
    def profile(self) -> Profile:
        """Return the scoring profile of the session."""
        return self.document.profile

    @property
    def method(self) -> str:
        """Return the name of the scoring method."""
        return self.profile.method

    @property
    def method_name(self) -> str:
        """Return the name of the scoring method as clubs choose it; matchpoints may be Ascherman's."""
        return "ascherman" if self.is_per_cent and self.profile.ascherman else self.method

    @property
    def is_per_cent(self) -> bool:
        """Return whether scores on boards are percentages: the method is matchpoints."""
        return self.profile.is_per_cent

    @property
    def is_in_points(self) -> bool:
        """Return whether rankings are ordered by victory points or IMPs instead of percentages."""
        return not self.is_per_cent or self.is_in_victory_points

    @property
    def is_in_victory_points(self) -> bool:
        """Return whether rankings are ordered by victory points or other values of matches."""
        return self.profile.makes_vps and bool(self.document.session.matches)

    @property
    def is_overall_in_points(self) -> bool:
        """Return whether the overall result of several sessions is a score, not a percentage."""
        return self.is_in_points or self.profile.sessions == "carry-forward"

    @property
    def are_sections_apart(self) -> bool:
        """Return whether each section is ranked and compared for itself."""
        return self._played.has_several and self.profile.scope == "section"

    @cached_property
    def total_places(self) -> int:
        """Return how many decimals totals are shown with: none if all are whole."""
        totals = [row for ranking in self.results.rankings for row in ranking.rows]
        numbers = [number for row in totals for number in (row.total, row.overall)]
        numbers += [
            number
            for match in self.results.matches
            for both in (match.vps, match.points)
            if both is not None
            for number in (both.home, both.away)
        ]
        return DECIMALS if any(map(has_fraction, numbers)) else 0

    @cached_property
    def value_places(self) -> int:
        """Return how many decimals scores on boards are shown with: none if all are whole."""
        values = (side.value for play in self.results.plays for side in (play.ns, play.ew))
        return DECIMALS if any(map(has_fraction, values)) else 0

    @cached_property
    def fined(self) -> dict[tuple[str, str], bool]:
        """Return the contestants with a penalty (True) or only a bonus (False), by section and label."""
        signs: dict[tuple[str, str], bool] = {}
        for penalty in self.document.session.penalties:
            signs[penalty.who] = signs.get(penalty.who, False) or penalty.amount < 0
        return signs

    @cached_property
    def lists(self) -> list[RankingList]:
        """Return the rankings of the session with their contestants."""
        return [self._ranked_list(ranking) for ranking in self.results.rankings]

    def _ranked_list(self, ranking: results.Ranking) -> RankingList:
        """Return a computed ranking with the contestants of its rows."""
        standings = []
        for row in ranking.rows:
            contestant = self._played.contestant(row.section, row.contestant)
            if contestant is not None:
                standings.append(RankedContestant(contestant, row.section, row))
        return RankingList(
            ranking.section,
            ranking.field,
            ranking.stratum,
            ranking.category,
            ranking.handicap,
            tuple(standings),
        )

    @cached_property
    def main_lists(self) -> list[RankingList]:
        """Return the rankings that decide the winners: one of all contestants, or one per direction or section.

        They cover all sections together; with separate scoring there is one for each section.
        """
        plain = [
            ranking
            for ranking in self.lists
            if ranking.stratum is None and ranking.category is None and not ranking.handicap
        ]
        if self.are_sections_apart:
            main = [ranking for ranking in plain if ranking.section is not None]
        else:
            across = [ranking for ranking in plain if ranking.section is None]
            by_field = [ranking for ranking in across if ranking.field not in (None, "all")]
            has_lines = len({section.winners for section in self.document.session.sections}) == 1
            main = (
                by_field
                if by_field and has_lines
                else [ranking for ranking in across if not ranking.field]
            )
        return [ranking for ranking in main or plain[:1] if ranking.standings]

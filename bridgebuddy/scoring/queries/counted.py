"""The results of a session: what the rules make of its document, kept as long as the document is the same.

Nothing computed is stored as truth. The same document gives the same results, so each process keeps a few
under what the document says, and they are never out of date.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from bridgebuddy.events.queries.games import Contestant

from ..rules import laws, results
from ..rules.document import check_places
from ..rules.errors import ScoringError
from ..rules.profile import Profile
from ..rules.results import Results
from ..rules.score import score
from .computed import computed
from .document import Document
from .knocked_out import by_rounds
from .played import Played


def results_of(document: Document) -> tuple[Results, dict[int, str]]:
    """Return the results of a document, and what is wrong with outcomes that cannot have been, by their places.

    These are set aside, as if nothing was known of them. Raises `ScoringError` where it cannot be scored.
    """
    return computed("results", document, lambda: _computed(document))


def _computed(document: Document) -> tuple[Results, dict[int, str]]:
    if document.problem:
        raise document.problem
    check_places(document.session)
    aside = {play: error.what for play, error in laws.impossible(document.session)}
    return score(document.without(aside).session, document.profile), aside


#: decimal places of a column of points that are not all whole
DECIMALS = results.PLACES


def has_fraction(number: results.Number | None) -> bool:
    """Whether a number of the results is not whole."""
    return number is not None and number != int(number)


def anchor_of(section: str, slug: str) -> str:
    """Return what somebody's line of a ranking is called on its page."""
    return f"row-{section}-{slug}"


@dataclass(frozen=True)
class Standing:
    """A line of a ranking."""

    contestant: Contestant
    section: str
    row: results.Standing

    @property
    def place(self) -> str:
        return self.row.place or ""

    @property
    def decides(self) -> Literal["overall", "percent", "average", "total"]:
        """By which of their numbers they have their place; the average is a board's."""
        if self.row.overall is not None:
            return "overall"
        if self.row.percent is not None:
            return "percent"
        return "average" if self.row.exact != self.row.exact_total else "total"

    @property
    def who(self) -> tuple[str, str]:
        return self.section, self.contestant.slug

    @property
    def anchor(self) -> str:
        """What its line is called on the page of the ranking."""
        return anchor_of(*self.who)

    @property
    def label(self) -> str:
        return self.contestant.label

    @property
    def names(self) -> str:
        return self.contestant.names


@dataclass(frozen=True)
class RankingList:
    """One list: of a field of a section, of a field over all sections, or of everybody."""

    section: str | None
    field: str | None
    stratum: int | None
    category: str | None
    handicap: bool
    standings: tuple[Standing, ...]

    @property
    def has_overall(self) -> bool:
        """Whether earlier sessions of the event are counted together with this one."""
        return any(standing.decides == "overall" for standing in self.standings)

    @property
    def has_average(self) -> bool:
        """Whether places go by the average of a board, the numbers of boards being unequal."""
        return any(standing.decides == "average" for standing in self.standings)

    @property
    def has_more(self) -> bool:
        """Whether another column than tonight's decides."""
        return self.has_overall or self.has_average

    @property
    def key(self) -> str:
        """What an address calls it: "A-NS", "all-all"."""
        return f"{self.section or 'all'}-{self.field or 'all'}"


class Counted:
    """A session's results by its document, as lists of its contestants. It asks the database nothing."""

    def __init__(self, played: Played, document: Document) -> None:
        self._played = played
        self.document = document
        #: what is wrong with outcomes that no table can have had, by their places in the document
        self.impossible: Mapping[int, str] = {}
        self.results = Results("", played.contest)  # nothing, where it cannot be scored
        self.problem = ""
        try:
            found, self.impossible = results_of(self.document)
            self.results = self._by_rounds(found)
        except ScoringError as error:
            self.problem = str(error)

    @property
    def is_there(self) -> bool:
        """Whether it can be scored."""
        return not self.problem

    def _by_rounds(self, results: Results) -> Results:
        """In a knock-out places go by how far each came."""
        stage = self.document.session.stage
        if stage is None or stage.kind != "knock-out":
            return results
        played, far = self._played, self._played.reached
        rounds = {
            key: far.get(contestant.entry, 1) for key, contestant in played.contestants.items()
        }
        sections = [match.section for match in self.document.session.matches]
        left = {key for key, contestant in played.contestants.items() if contestant.has_left}
        last = max(section.rounds for section in played.sections)
        return by_rounds(results, sections, rounds, last, left)

    @property
    def profile(self) -> Profile:
        return self.document.profile

    @property
    def method(self) -> str:
        return self.profile.method

    @property
    def called(self) -> str:
        """The way of scoring by the name under which clubs choose it: matchpoints may be Ascherman's."""
        return "ascherman" if self.is_per_cent and self.profile.ascherman else self.method

    @property
    def is_per_cent(self) -> bool:
        return self.profile.is_per_cent

    @property
    def is_in_points(self) -> bool:
        """Whether lists go by victory points, or IMPs, and by no percentages."""
        return not self.is_per_cent or self.is_in_victory_points

    @property
    def is_in_victory_points(self) -> bool:
        """Whether lists go by what matches are worth."""
        return self.profile.makes_vps and bool(self.document.session.matches)

    @property
    def is_overall_in_points(self) -> bool:
        """Whether what sessions make together is a score, and no percentage."""
        return self.is_in_points or self.profile.sessions == "carry-forward"

    @property
    def is_apart(self) -> bool:
        """Whether each section is compared with itself alone, whatever cards the others had."""
        return self._played.has_several and self.profile.scope == "section"

    @cached_property
    def total_places(self) -> int:
        """Return the decimal places of totals: none where all of them are whole, so that a column has one form."""
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
        """Return the decimal places of what sides have of boards: none where all of it is whole."""
        values = (side.value for play in self.results.plays for side in (play.ns, play.ew))
        return DECIMALS if any(map(has_fraction, values)) else 0

    @cached_property
    def fined(self) -> dict[tuple[str, str], bool]:
        """Who has a penalty, or else a bonus (False), by section and label."""
        found: dict[tuple[str, str], bool] = {}
        for penalty in self.document.session.penalties:
            found[penalty.who] = found.get(penalty.who, False) or penalty.amount < 0
        return found

    @cached_property
    def lists(self) -> list[RankingList]:
        return [self._list(ranking) for ranking in self.results.rankings]

    def _list(self, found: results.Ranking) -> RankingList:
        standings = []
        for row in found.rows:
            who = self._played.contestant(row.section, row.contestant)
            if who is not None:
                standings.append(Standing(who, row.section, row))
        return RankingList(
            found.section,
            found.field,
            found.stratum,
            found.category,
            found.handicap,
            tuple(standings),
        )

    @cached_property
    def main_lists(self) -> list[RankingList]:
        """The lists that tell who has won: everybody in one, or one for each line.

        Where a session has several sections, over all of them; scored apart, section by section.
        """
        plain = [
            ranking
            for ranking in self.lists
            if ranking.stratum is None and ranking.category is None and not ranking.handicap
        ]
        if self.is_apart:
            found = [ranking for ranking in plain if ranking.section is not None]
        else:
            across = [ranking for ranking in plain if ranking.section is None]
            by_field = [ranking for ranking in across if ranking.field not in (None, "all")]
            has_lines = len({section.winners for section in self.document.session.sections}) == 1
            found = (
                by_field
                if by_field and has_lines
                else [ranking for ranking in across if not ranking.field]
            )
        return [ranking for ranking in found or plain[:1] if ranking.standings]

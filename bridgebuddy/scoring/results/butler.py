"""The pairs of teams, each compared with all that played the same boards: Butler or cross-IMPs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.operations.caching import cached

from ..rules.reports.pairs_in_teams import (
    PairBoard,
    boards_with_results,
    pairs_by_average,
    score_as_pairs,
)
from ..rules.reports.results import PairInTeam
from .scored import ScoredSession

Method = Literal["butler", "cross-imps"]
METHODS: tuple[Method, ...] = ("butler", "cross-imps")


@dataclass(frozen=True)
class PairRow:
    """A pair's row in the ranking of the pairs of a team event."""

    place: str
    pair: str
    team: Contestant
    section: str
    boards: int
    total: float
    average: float | None
    few: bool  # hardly any boards: ranked after the others, without a place


class TeamPairs:
    """The ranking of all pairs of a team event by one method, such as Butler."""

    def __init__(self, scored: ScoredSession, method: str = "") -> None:
        self.scored = scored
        stored_method = scored.tonight.scoring.profile.get("pairs_method")
        chosen = method if method in METHODS else stored_method
        self.method: Method = next((method for method in METHODS if method == chosen), "butler")

    @cached_property
    def _pairs_and_sides(self) -> tuple[tuple[PairInTeam, ...], tuple[PairBoard, ...]]:
        """Return the teams' pairs ranked by their boards, and the comparison of each board's results."""
        if not self.scored.has_results:
            return (), ()
        document = self.scored.document.without_plays(self.scored.impossible)

        def score_pairs() -> tuple[tuple[PairInTeam, ...], tuple[PairBoard, ...]]:
            """Score the session as a contest of pairs."""
            profile = replace(document.profile, pairs_method=self.method)
            pairs = score_as_pairs(document.session, profile)
            return pairs_by_average(pairs), boards_with_results(pairs)

        return cached(("results", document, self.method), "", score_pairs)

    @cached_property
    def rows(self) -> list[PairRow]:
        """Return the pairs' rows, best average first; pairs with very few boards come last without a place."""
        pairs, _boards = self._pairs_and_sides
        pair_rows, averages = [], [pair.average for pair in pairs if not pair.few]
        for pair in pairs:
            team = self.scored.tonight.contestant(pair.section, pair.team)
            if team is None or not pair.boards:
                continue
            place = "" if pair.few else str(averages.index(pair.average) + 1)
            if place and averages.count(pair.average) > 1:
                place += "="
            figures = (
                pair.pair,
                team,
                pair.section,
                pair.boards,
                pair.total,
                pair.average,
                pair.few,
            )
            pair_rows.append(PairRow(place, *figures))
        return pair_rows

    @property
    def fields(self) -> tuple[PairBoard, ...]:
        """Return the compared boards, one for each deal, with the datum and the scores excluded from it."""
        return self._pairs_and_sides[1]

    def field_at(self, index: str) -> PairBoard | None:
        """Return the board with this index in `fields`; the first one for other text, None if it does not exist."""
        place = (
            int(index) if index.isdecimal() and len(index) < len(str(len(self.fields))) + 1 else 0
        )
        return self.fields[place] if place < len(self.fields) else None

"""The result that the ratings of the day before predict for each pair, next to its actual result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from bridgebuddy.operations.caching import cached
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.counted import RankedContestant, RankingList
from movements.engine.contest import Contest

from ..rules.expected import BoardMeeting, strength_shares
from ..rules.rating import PAIR, ExpectedRange, RatingExcerpt
from .final_lists import people_of_entries
from .luck import compared_results
from .ratings import RatingsBefore

People = tuple[str, ...]


@dataclass(frozen=True)
class ExpectedRow:
    """A ranked pair with the result that ratings predicted; `outlook` is None if a player has no rating."""

    standing: RankedContestant
    reached: float
    outlook: ExpectedRange | None


@dataclass(frozen=True)
class ExpectedList:
    """A ranking of a session with the expected result of each pair."""

    ranking: RankingList
    rows: list[ExpectedRow]


def expected_results_of_rankings(
    scored: ScoredSession, ratings: RatingsBefore | None
) -> list[ExpectedList]:
    """Return the results that ratings predicted for each ranking of pairs in per cent.

    Returns nothing without ratings of the day before.
    """
    tonight = scored.tonight
    is_told = scored.is_per_cent and not scored.is_in_points and tonight.contest == Contest.PAIRS
    if ratings is None or not (is_told and scored.has_results):
        return []
    lists = scored.main_lists
    people = _people_by_contestant(lists)
    plays = [
        BoardMeeting(str(comparison.board), comparison.ns[0], comparison.ew[0])
        for comparison in compared_results(scored)
        if len(comparison.ns) == len(comparison.ew) == 1
    ]
    state = repr([ratings.state, sorted(people.items()), sorted(map(repr, plays))])

    def compute_ranges() -> Mapping[str, ExpectedRange]:
        """Return the range of results that ratings predict for each contestant."""
        return expected_ranges(ratings.ratings, plays, people)

    values = cached(("expected", tonight.session.pk), state, compute_ranges)
    return _expected_lists(lists, values) if values else []


def expected_ranges(
    ratings: RatingExcerpt, plays: list[BoardMeeting], people: Mapping[str, People]
) -> Mapping[str, ExpectedRange]:
    """Return the predicted result of each pair whose players both have a rating."""
    rated_people = set(ratings.people)
    ranges = {}
    for contestant, share in strength_shares(plays).items():
        if not people.get(contestant) or not rated_people.issuperset(people[contestant]):
            continue
        weights: defaultdict[str, float] = defaultdict(float)
        for other, weight in share.weights.items():
            both = people.get(other) or (f"nobody knows {other}",)
            for person in both:
                weights[person] += weight * PAIR / len(both)
        ranges[contestant] = ratings.expected_range(weights, share.boards)
    return ranges


def _people_by_contestant(lists: list[RankingList]) -> dict[str, People]:
    """Return the people that played most in each seat of a contestant, by section and label."""
    standings = [standing for ranking in lists for standing in ranking.standings]
    people = people_of_entries([standing.contestant.entry for standing in standings])
    return {
        _contestant_key(standing): tuple(map(str, people[standing.contestant.entry][1]))
        for standing in standings
        if standing.contestant.entry in people
    }


def _contestant_key(contestant: RankedContestant) -> str:
    """Return a contestant's section and slug as one text."""
    section, slug = contestant.contestant_key
    return f"{section} {slug}"


def _expected_lists(
    lists: list[RankingList], predictions: Mapping[str, ExpectedRange]
) -> list[ExpectedList]:
    """Return the rankings with the predicted results `predictions`."""
    expected_lists = [
        ExpectedList(
            ranking,
            [
                ExpectedRow(
                    standing,
                    float(standing.row.percent),
                    predictions.get(_contestant_key(standing)),
                )
                for standing in ranking.standings
                if standing.row.percent is not None
            ],
        )
        for ranking in lists
    ]
    return [
        expected_list
        for expected_list in expected_lists
        if any(row.outlook for row in expected_list.rows)
    ]

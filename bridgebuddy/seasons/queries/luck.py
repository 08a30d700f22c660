"""The effect of the draw on a session's results, and the boards with the widest scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import pstdev

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.operations.caching import cached
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules import model as scoring
from bridgebuddy.scoring.snapshot.counted import RankedContestant, RankingList
from bridgebuddy.scoring.snapshot.lines import Dealt, PlayLine
from movements.engine.fairness.balance import Balance, balance

from ..rules.luck import ComparedResult, Luck, LuckShare, SessionLuck, firm_places
from .final_lists import people_of_entries
from .ratings import RatingsBefore

#: kinds of results that are not compared
GIVEN = ("artificial", "not_played", "pending")
MOST_BOARDS = 3
#: least share of a contestant in the luck that is mentioned, and most such contestants
LEAST_SHARE, MOST_SHARES = 0.1, 2


@dataclass(frozen=True)
class LuckRow:
    """A ranked contestant with the estimated luck of the draw, in the ranking's unit."""

    standing: RankedContestant
    listed: float
    luck: Luck
    #: the other contestants with the greatest shares
    shares: tuple[tuple[Contestant, LuckShare], ...] = ()
    #: rounds in which they were present and did not play
    sat_out: tuple[int, ...] = ()

    @property
    def fair_result(self) -> float:
        """Return the contestant's result without the luck of the draw."""
        return self.listed - self.luck.total_luck


@dataclass(frozen=True)
class LuckList:
    """A ranking with each contestant's luck of the draw, and the places that would probably not change without it.

    `firm` is None if other sessions also decide the order. `is_by_rating` says that the club's ratings covered most
    contestants before the session.
    """

    ranking: RankingList
    rows: list[LuckRow]
    firm: list[int] | None
    is_by_rating: bool


def has_draw(scored: ScoredSession) -> bool:
    """Return whether luck of the draw exists: the movement decided the opponents, and results are compared."""
    tonight = scored.tonight
    if not scored.has_results or scored.is_in_victory_points or tonight.contest.has_halves:
        return False
    return not any(section.stored.is_drawn_as_played for section in tonight.sections)


def luck_lists(scored: ScoredSession, ratings: RatingsBefore | None) -> list[LuckList]:
    """Return each ranking with the luck of the draw of its contestants.

    `ratings` holds the club's ratings of the day before, if any. Returns nothing before the list is final, or with too
    few results.
    """
    tonight = scored.tonight
    if not tonight.scoring.is_final or not has_draw(scored):
        return []
    lists = [
        [_contestant_key(*standing.contestant_key) for standing in values.standings]
        for values in scored.main_lists
    ]
    plays = list(compared_results(scored))
    ratings = ratings if scored.is_per_cent else None  # ratings are of per cent
    state = repr((sorted(map(repr, plays)), lists, ratings.state if ratings else ""))

    def compute_luck() -> tuple[SessionLuck, bool] | None:
        """Return the luck of all contestants, and whether ratings were known; None if it cannot be computed."""
        strengths = _known_strengths(scored, ratings) if ratings else {}
        try:
            return SessionLuck(plays, lists, strengths), bool(strengths)
        except ValueError:
            return None

    values = cached(("luck", tonight.section.session_id), state, compute_luck)
    return [_luck_list(scored, ranking, *values) for ranking in scored.main_lists] if values else []


def _known_strengths(scored: ScoredSession, ratings: RatingsBefore) -> dict[str, float]:
    """Return the contestants' strengths by their ratings before the session; empty unless most are rated."""
    standings = [standing for ranking in scored.main_lists for standing in ranking.standings]
    people = people_of_entries([standing.contestant.entry for standing in standings])
    strengths = ratings.ratings.strengths
    strength_of = {}
    for standing in standings:
        rated = [
            strengths[str(key)]
            for key in people[standing.contestant.entry][1]
            if str(key) in strengths
        ]
        if rated:
            strength_of[_contestant_key(*standing.contestant_key)] = sum(rated)
    return strength_of if 2 * len(strength_of) > len(standings) else {}


def balance_of_section(section: Section) -> Balance | None:
    """Return how evenly a section's movement compares its contestants.

    Returns None if it has no boards or depends on results.
    """
    stored = section.movement
    if stored is None or not stored.boards or stored.is_drawn_as_played:
        return None
    return cached(("balance", stored.pk), str(stored), lambda: balance(stored.movement))


def compared_results(scored: ScoredSession) -> Iterator[ComparedResult]:
    """Yield the results that are compared with others; those with an equal `board` are compared."""
    for line in scored.tonight.lines:
        outcome = line.outcome
        if outcome is None or any(mark in outcome for mark in GIVEN) or not line.ns or not line.ew:
            continue
        field = scored.field_of(line)
        sides = [_value_of_side(scored, line, side) for side in scoring.LINES]
        if field is None or sides[0] is None or sides[1] is None:
            continue
        ns, ew = (
            tuple(_contestant_key(line.section.name, contestant.slug) for contestant in side)
            for side in (line.ns, line.ew)
        )
        board = f"{field.section} {field.deals} {line.board} {line.group}"
        yield ComparedResult(board, ns, ew, (sides[0] - sides[1]) / 2, line.turned)


def _value_of_side(scored: ScoredSession, line: PlayLine, side: scoring.Line) -> float | None:
    """Return a side's score on a play as a number; None without one."""
    side_result = scored.results.plays[line.index].side(side)
    value = side_result.percent if scored.is_per_cent else side_result.value
    return None if value is None else float(value)


def _contestant_key(section: str, slug: str) -> str:
    """Return a section and a slug as one text."""
    return f"{section} {slug}"


def _luck_list(
    scored: ScoredSession, ranking: RankingList, lucks: SessionLuck, is_by_rating: bool
) -> LuckList:
    """Return a ranking with the luck of each contestant."""
    contestants = {
        _contestant_key(*key): contestant for key, contestant in scored.tonight.contestants.items()
    }
    waited = sat_out(scored)
    rows = []
    for standing in ranking.standings:
        listed = standing.row.percent if scored.is_per_cent else standing.row.average
        people = _contestant_key(*standing.contestant_key)
        if listed is None or people not in lucks.people:
            continue
        shares = [
            (contestants[share.other], share)
            for share in lucks.shares(people, LEAST_SHARE)[:MOST_SHARES]
        ]
        rows.append(
            LuckRow(
                standing,
                float(listed),
                lucks.luck_of(people),
                tuple(shares),
                waited.get(standing.contestant_key, ()),
            )
        )
    placed = [
        (_contestant_key(*row.standing.contestant_key), row.listed)
        for row in rows
        if row.standing.place
    ]
    return LuckList(
        ranking, rows, None if ranking.has_overall else firm_places(lucks, placed), is_by_rating
    )


def sat_out(scored: ScoredSession) -> Mapping[tuple[str, str], tuple[int, ...]]:
    """Return the rounds in which each contestant sat out, by section and label."""
    rounds, played = defaultdict[str, set[int]](set), defaultdict[tuple[str, str], set[int]](set)
    for line in scored.tonight.lines:
        rounds[line.section.name].add(line.round)
        if line.ns and line.ew:
            for contestant in line.ns + line.ew:
                played[line.section.name, contestant.slug].add(line.round)
    return {
        key: tuple(sorted(waited))
        for key, contestant in scored.tonight.contestants.items()
        if (waited := {at for at in rounds[key[0]] if contestant.is_present_in(at)} - played[key])
    }


def widest_and_equal_boards(scored: ScoredSession) -> tuple[list[int], list[int]]:
    """Return the boards with the most different scores, widest first, and those with equal scores only.

    One number may mean different cards in another section or match. Only results on the same cards are one board.
    """
    scores: dict[Dealt, list[int]] = {}
    for line in scored.tonight.lines:
        score = scored.score(line)
        if score is not None:
            scores.setdefault(scored.tonight.cards_of(line), []).append(score)
    by_deal = {
        cards: scores_of_deal for cards, scores_of_deal in scores.items() if len(scores_of_deal) > 2
    }
    flat = [cards for cards, scores_of_deal in by_deal.items() if len(set(scores_of_deal)) == 1]
    wide = sorted(by_deal, key=lambda cards: (-pstdev(by_deal[cards]), cards[1]))
    wild = dict.fromkeys(
        board for _deals, board in (figure for figure in wide if figure not in flat)
    )
    return list(wild)[:MOST_BOARDS], sorted({board for _deals, board in flat})

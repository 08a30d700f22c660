"""Standings of matches, round by round, with the tie-breaks that decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ..model import ContestantKey, Session
from ..profile import Profile
from ..rankings.ranking import groups_of_equals
from ..rankings.scores import PLACES, Score
from ..rankings.tallies import Tally, contestant_tallies
from ..rounding import round_half_away
from .match_points import penalty_rounds, tied_match_score
from .match_results import MatchResult
from .matches import SessionMatches

ZERO = Fraction(0)
_HALF = Fraction(1, 2)
_ENDLESS = Fraction(10**12)


@dataclass(frozen=True, slots=True)
class MatchStanding:
    """A contestant's sums after a round of matches: score, matches played, wins and tie-breaks."""

    score: Score
    total: Fraction = ZERO
    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    boards: int = 0
    net: Fraction = ZERO

    @property
    def contestant_key(self) -> ContestantKey:
        """Return the key of the contestant."""
        return self.score.contestant_key

    #: of a board, if the scores themselves are added; otherwise of a match
    is_by_board: bool = False

    @property
    def average(self) -> Fraction | None:
        """Return the contestant's mean per match, or per board if the method counts boards."""
        many = self.boards if self.is_by_board else self.matches
        return self.total / many if many else None


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A row of the league table with its place; `decided` is the tie-break against the equal row above."""

    order: int
    place: str | None
    standing: MatchStanding
    tie_break: Fraction | None = None
    decided: str | None = None


@dataclass(frozen=True, slots=True)
class RoundStandings:
    """The league table after a round of matches."""

    round: int
    rows: tuple[StandingRow, ...]


def round_standings(session_matches: SessionMatches) -> list[RoundStandings]:
    """Return the league tables after each round in which a match ends."""
    rounds = sorted({result.match.last_round for result in session_matches.results})
    return [standings_after(session_matches, round) for round in rounds]


def standings_after(session_matches: SessionMatches, round: int) -> RoundStandings:
    """Return the league table after a round."""
    session, profile = session_matches.valued.session, session_matches.valued.profile
    results = [result for result in session_matches.results if result.match.last_round <= round]
    fines = {
        key: amount
        for key, amount in penalty_rounds(session, _last_round(session_matches)).items()
        if key[1] <= round
    }
    of = contestant_tallies(session_matches.valued)
    if round == _last_round(session_matches) and not profile.makes_vps:
        for key, tally in of.items():  # penalties outside matches
            fines[key, round] = fines.get((key, round), ZERO) + tally.penalty
    every = [
        _match_standing(of[contestant.who], results, fines, profile)
        for contestant in session.contestants
    ]
    every = _rank_by_average(every, profile)
    by_who = {standing.contestant_key: standing for standing in every}
    breaks = MatchTieBreaks(session, profile, results, by_who)
    rows: list[StandingRow] = []
    with_place = [
        standing.score for standing in every if standing.score.tally.may_have_place(profile)
    ]
    without = [
        standing.score for standing in every if not standing.score.tally.may_have_place(profile)
    ]
    for equals in groups_of_equals(with_place, breaks.in_turn):
        first = len(rows) + 1
        for index, score in enumerate(equals):
            place = f"{first}=" if len(equals) > 1 else f"{first}"
            if profile.ties == "broken":
                place = f"{first + index}"
            name, value = breaks.separating_tie_break(equals, index)
            rows.append(
                StandingRow(len(rows) + 1, place, by_who[score.contestant_key], value, name)
            )
    for equals in groups_of_equals(without, breaks.in_turn):
        rows += [
            StandingRow(len(rows) + 1 + index, None, by_who[score.contestant_key])
            for index, score in enumerate(equals)
        ]
    return RoundStandings(round, tuple(rows))


def _last_round(session_matches: SessionMatches) -> int:
    """Return the last round of all matches."""
    return max((result.match.last_round for result in session_matches.results), default=1)


def points_from_match(
    result: MatchResult, contestant: ContestantKey, profile: Profile
) -> Fraction | None:
    """Return what a match adds to a contestant's total: victory points, or else points or IMPs."""
    if result.vps is not None:
        return result.number_of_side(contestant, result.vps)
    if profile.makes_vps:
        return None
    return result.number_of_side(
        contestant, result.points if result.points is not None else result.imps
    )


def _match_standing(
    tally: Tally,
    results: Iterable[MatchResult],
    fines: Mapping[tuple[ContestantKey, int], Fraction],
    profile: Profile,
) -> MatchStanding:
    """Return a contestant's sums over its matches, including the penalties in `fines`."""
    contestant = tally.contestant_key
    total, net, counts = ZERO, ZERO, [0, 0, 0]  # won, drawn, lost
    matches = boards = 0
    has_any = False
    for result in results:
        if contestant not in result.match.sides or not result.is_over:
            continue
        points = points_from_match(result, contestant, profile)
        if points is not None:
            total, has_any = total + points, True
        if result.rule == "bye":
            continue
        matches += 1
        boards += sum(board.home is not None or board.away is not None for board in result.boards)
        net += result.number_of_side(contestant, result.net) or ZERO
        other = result.opponent_of(contestant)
        theirs = points_from_match(result, other, profile) if other is not None else None
        if points is not None and theirs is not None:
            counts[0 if points > theirs else 1 if points == theirs else 2] += 1
    fined = sum((amount for (whom, _), amount in fines.items() if whom == contestant), ZERO)
    total += fined
    if profile.makes_vps:
        tally = replace(tally, penalty=fined, percent_penalty=ZERO)  # parts of this total
    middle = tied_match_score(profile) * matches
    score = Score(
        tally,
        ranked=total if has_any or matches else None,
        printed=round_half_away(total, PLACES, middle) if has_any or matches else None,
        total=total,
    )
    wins, draws, losses = counts
    is_by_board = profile.method == "aggregate"
    return MatchStanding(score, total, matches, wins, draws, losses, boards, net, is_by_board)


def _rank_by_average(standings: list[MatchStanding], profile: Profile) -> list[MatchStanding]:
    """Return the standings ranked by average per board, if numbers of boards differ and there are no victory points."""
    if profile.vp is not None or profile.method == "bam":
        return standings
    if len({standing.boards for standing in standings if standing.boards}) < 2:
        return standings

    def averaged_standing(standing: MatchStanding) -> MatchStanding:
        """Return a standing that is ranked by its mean a board."""
        if not standing.boards:
            return standing
        average = standing.total / standing.boards
        score = replace(
            standing.score,
            ranked=average,
            printed=round_half_away(average, PLACES),
            average=average,
        )
        return replace(standing, score=score)

    return [averaged_standing(standing) for standing in standings]


class MatchTieBreaks:
    """Computes the tie-breaks between contestants with equal scores in matches. SCORING rule 5.2."""

    def __init__(
        self,
        session: Session,
        profile: Profile,
        results: Sequence[MatchResult],
        standing_of: Mapping[ContestantKey, MatchStanding],
    ) -> None:
        self.session = session
        self.profile = profile
        self.results = [result for result in results if result.is_over]
        self.standing_of = standing_of
        by_name: dict[str, Callable[[Sequence[Score]], Mapping[ContestantKey, Fraction]]] = {
            "between": self.scores_among_tied,
            "opponents": self.opponents,
            "wins": lambda equals: self._values_of_tied(equals, self._count_wins),
            "net": lambda equals: self._values_of_tied(
                equals, lambda contestant: standing_of[contestant].net
            ),
            "quotient": lambda equals: self._values_of_tied(equals, self._imp_quotient),
            "count-back": lambda equals: self._values_of_tied(equals, self._count_boards_won),
            "lot": self._lot_values,
        }
        self.named = [(name, by_name[name]) for name in profile.tie_breaks]
        self.in_turn = [tie_break for _, tie_break in self.named]

    def separating_tie_break(
        self, equals: Sequence[Score], index: int
    ) -> tuple[str | None, Fraction | None]:
        """Return the tie-break that separates a contestant from the equal one above, and its value."""
        if index == 0 or len(equals) < 2:
            return None, None
        above, here = equals[index - 1], equals[index]
        group = self._tied_before_tie_break(equals, above, here)
        for name, tie_break in self.named:
            keys = tie_break(group)
            if keys[above.contestant_key] != keys[here.contestant_key]:
                return name, keys[here.contestant_key]
        return (
            "seed" if above.tally.contestant.seed != here.tally.contestant.seed else "number",
            None,
        )

    def _tied_before_tie_break(
        self, equals: Sequence[Score], first: Score, second: Score
    ) -> list[Score]:
        """Return the contestants that were still tied with these two before a tie-break separates the two."""
        group = list(equals)
        while True:
            for tie_break in self.in_turn:
                keys = tie_break(group)
                if len(set(keys.values())) > 1:
                    break
            else:
                return group
            if keys[first.contestant_key] != keys[second.contestant_key]:
                return group
            group = [
                score for score in group if keys[score.contestant_key] == keys[first.contestant_key]
            ]

    def _values_of_tied(
        self, equals: Sequence[Score], function: Callable[[ContestantKey], Fraction]
    ) -> Mapping[ContestantKey, Fraction]:
        """Return the value of `function` for each tied contestant."""
        return {score.contestant_key: function(score.contestant_key) for score in equals}

    def _results_of(self, contestant: ContestantKey) -> list[MatchResult]:
        """Return the match results of a contestant."""
        return [result for result in self.results if contestant in result.match.sides]

    def scores_among_tied(self, equals: Sequence[Score]) -> Mapping[ContestantKey, Fraction]:
        """Return each tied contestant's score in the matches among them, if all of them have met."""
        group = {score.contestant_key for score in equals}
        inner = [
            result
            for result in self.results
            if len(result.match.sides) == 2 and set(result.match.sides) <= group
        ]
        met = {frozenset(result.match.sides) for result in inner}
        if len(met) < len(group) * (len(group) - 1) // 2:
            return dict.fromkeys(group, ZERO)
        sums = dict.fromkeys(group, ZERO)
        for result in inner:
            for contestant in result.match.sides:
                sums[contestant] += points_from_match(result, contestant, self.profile) or ZERO
        if len(set(sums.values())) == 1:
            sums = dict.fromkeys(group, ZERO)
            for result in inner:
                for contestant in result.match.sides:
                    sums[contestant] += result.number_of_side(contestant, result.net) or ZERO
        return sums

    def opponents(self, equals: Sequence[Score]) -> Mapping[ContestantKey, Fraction]:
        """Return the sum of each tied contestant's opponents' final scores; 0 if all have met all."""
        met = {
            frozenset(result.match.sides) for result in self.results if len(result.match.sides) == 2
        }
        everybody = [standing for standing in self.standing_of.values() if standing.matches]
        if len(met) >= len(everybody) * (len(everybody) - 1) // 2:
            return {score.contestant_key: ZERO for score in equals}
        counts = {self.standing_of[score.contestant_key].matches for score in equals}
        opponents = {}
        for score in equals:
            total = ZERO
            for result in self._results_of(score.contestant_key):
                other = result.opponent_of(score.contestant_key)
                if other is None:
                    total += points_from_match(result, score.contestant_key, self.profile) or ZERO
                else:
                    total += self.standing_of[other].total
            many = len(self._results_of(score.contestant_key))
            opponents[score.contestant_key] = total / many if len(counts) > 1 and many else total
        return opponents

    def _count_wins(self, contestant: ContestantKey) -> Fraction:
        """Return how many matches a contestant has won, a draw counting half."""
        standing = self.standing_of[contestant]
        return standing.wins + standing.draws * _HALF

    def _imp_quotient(self, contestant: ContestantKey) -> Fraction:
        """Return a contestant's quotient: the IMPs won on boards divided by those lost."""
        won = lost = ZERO
        for result in self._results_of(contestant):
            for board in result.boards:
                own = board.home if contestant == result.match.sides[0] else board.away
                if own is not None:
                    won, lost = won + max(own, ZERO), lost + max(-own, ZERO)
        return won / lost if lost else _ENDLESS if won else ZERO

    def _count_boards_won(self, contestant: ContestantKey) -> Fraction:
        """Return how many boards a contestant has won, each tied one counting half."""
        total = ZERO
        for result in self._results_of(contestant):
            for board in result.boards:
                mine, theirs = board.home, board.away
                if contestant != result.match.sides[0]:
                    mine, theirs = theirs, mine
                if mine is not None and theirs is not None:
                    total += 1 if mine > theirs else _HALF if mine == theirs else 0
        return total

    def _lot_values(self, equals: Sequence[Score]) -> Mapping[ContestantKey, Fraction]:
        """Return the drawn lots of the tied contestants as sort values, the first lot highest."""
        lots: dict[ContestantKey, int | None] = {
            score.contestant_key: score.tally.contestant.lot for score in equals
        }
        last = max((lot for lot in lots.values() if lot is not None), default=0) + 1
        return {
            contestant: Fraction(-(last if lot is None else lot))
            for contestant, lot in lots.items()
        }

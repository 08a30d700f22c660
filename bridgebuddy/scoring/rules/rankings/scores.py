"""Scores that rankings are ordered by: percentages or totals, over several sessions, with handicap. SCORING rules
1.9, 2.4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from ..model import Contestant, ContestantKey, InPercent, InPoints
from ..profile import Profile
from ..rounding import round_half_away
from ..valuing import ValuedSession
from .tallies import Tally

#: decimal places for equality, independent of the places on pages
PLACES = 2


@dataclass(frozen=True, slots=True)
class Score:
    """A contestant's total score for a ranking: the number that decides, and the numbers to print."""

    tally: Tally
    #: deciding value: exact, and as printed
    ranked: Fraction | None = None
    printed: Fraction | None = None
    percent: Fraction | None = None
    total: Fraction | None = None
    top: Fraction | None = None
    average: Fraction | None = None
    overall: Fraction | None = None
    #: penalties in per cent, in points; included in the total
    percent_penalty: Fraction = Fraction(0)

    @property
    def contestant_key(self) -> ContestantKey:
        """Return the key of the contestant."""
        return self.tally.contestant_key


class Scorer:
    """Calculates total scores from contestants' sums, by the profile's rule for unequal numbers of boards."""

    def __init__(self, valued_session: ValuedSession) -> None:
        self.profile = valued_session.profile
        self.session = valued_session.session
        self._boards_in_play: dict[str, int] = defaultdict(int)
        boards: dict[str, set[tuple[object, int]]] = defaultdict(set)
        for play in valued_session.plays:
            key = valued_session.scopes.field_of[play.play.index].key
            boards[play.play.section].add((key.scope.deals, key.board))
        self._boards_in_play = {name: len(of) for name, of in boards.items()}
        self._has_earlier = any(
            contestant.earlier for contestant in valued_session.session.contestants
        )

    def scores(self, tallies: Iterable[Tally], *, handicap: bool = False) -> list[Score]:
        """Return the total scores of the contestants in one ranking."""
        listed = list(tallies)
        boards = {tally.boards for tally in listed if tally.boards}
        fullest = max(boards, default=0)
        return [
            self._score_of(tally, len(boards) > 1, fullest, handicap=handicap) for tally in listed
        ]

    def _score_of(self, tally: Tally, differ: bool, fullest: int, *, handicap: bool) -> Score:
        """Return a contestant's total score; `differ`: numbers of boards are unequal, `fullest`: the greatest."""
        if not tally.boards and not tally.contestant.earlier:
            return Score(tally)
        given = (
            (handicap_of(tally.contestant, self.profile) or Fraction(0))
            if handicap
            else Fraction(0)
        )
        score = self._percent_score(tally, fullest, given)
        if score is None:
            score = self._total_score(tally, differ, fullest)
        if self._has_earlier:
            score = self._with_earlier(score, given)
        return score

    def _raising_factor(self, tally: Tally, fullest: int) -> Fraction | None:
        """Return the factor by which a contestant's total is raised for boards that it sat out; or None."""
        if self.profile.sit_outs not in ("in-play", "fullest") or not tally.boards:
            return None
        of = fullest
        if self.profile.sit_outs == "in-play":
            of = self._boards_in_play[tally.contestant_key.section]
        return Fraction(of, tally.boards)

    def _percent_score(self, tally: Tally, fullest: int, handicap: Fraction) -> Score | None:
        """Return a contestant's percentage with `handicap`; None for other methods."""
        if not self.profile.is_per_cent:
            return None
        per_point = 2 if self.profile.half else 1
        factor = self._raising_factor(tally, fullest)
        total, top = tally.total, tally.top
        if factor is not None:
            total, top = total * factor, top * factor
        total += tally.penalty
        if factor is not None:
            total = round_half_away(total / per_point, PLACES) * per_point  # as ACBLscore prints it
        percent = 100 * total / top if top else None
        if percent is not None and self.profile.percentage == "mean-of-boards":
            percent = 100 * (tally.shares / tally.boards + tally.penalty / top)
        if percent is not None:
            percent += tally.percent_penalty + handicap
        in_points = tally.percent_penalty * top / 100
        total += in_points
        return Score(
            tally,
            ranked=percent,
            printed=None if percent is None else round_half_away(percent, PLACES, 50),
            percent=percent,
            total=total,
            top=top,
            percent_penalty=in_points,
        )

    def _total_score(self, tally: Tally, differ: bool, fullest: int) -> Score:
        """Return a contestant's score by total, adjusted for boards that it sat out."""
        factor = self._raising_factor(tally, fullest)
        total = tally.total
        if factor is not None:
            total = round_half_away(total, PLACES) * factor
        total += tally.penalty
        boards = tally.boards
        is_mean = self.profile.method == "cross-imps" and self.profile.ximp_session == "mean-due"
        if is_mean:
            boards = tally.due - tally.sit_outs - tally.ruled or tally.boards
        average = total / (boards * (factor or 1)) if boards else None
        by_average = is_mean or (differ and factor is None)
        ranked = average if by_average else total
        return Score(
            tally,
            ranked=ranked,
            printed=None if ranked is None else round_half_away(ranked, PLACES),
            total=total,
            average=average,
        )

    # ── several sessions ──

    def _with_earlier(self, score: Score, handicap: Fraction = Fraction(0)) -> Score:
        """Return a score that includes earlier sessions; `handicap` is added to each of them."""
        overall_score = self._overall_result(score, handicap)
        if overall_score is None:
            return score
        overall, middle = overall_score
        printed = round_half_away(overall, PLACES, middle)
        return replace(score, overall=overall, ranked=overall, printed=printed)

    def _overall_result(
        self, score: Score, handicap: Fraction
    ) -> tuple[Fraction, Fraction | int] | None:
        """Return a contestant's result over all sessions, and the middle from which halves are rounded away."""
        earlier = score.tally.contestant.earlier
        sums = [
            earlier_result.points
            for earlier_result in earlier
            if isinstance(earlier_result, InPoints)
        ]
        # victory points of a Swiss by matchpoints are a total without a top
        has_victory_points = score.total is not None and score.top is None
        is_in_points = score.percent is None and (
            not self.profile.is_per_cent or has_victory_points
        )
        if is_in_points or sums:
            if score.total is None and not earlier:
                return None
            return sum(sums, score.total or Fraction(0)), 0
        if self.profile.sessions == "carry-forward":
            return self._carried_score(score, handicap)
        before = _earlier_percentages(score)
        percents = [earlier_result.percent + handicap for earlier_result in before]
        weights = [earlier_result.boards for earlier_result in before]
        if score.percent is not None:
            percents.append(score.percent)
            weights.append(Fraction(score.tally.boards))
        if self.profile.sessions == "plain":
            weights = [Fraction(1)] * len(percents)
        elif self.profile.sessions == "sum":
            weights = [earlier_result.top for earlier_result in before]
            weights += [] if score.percent is None else [self._displayed_matchpoints(score.top)]
        if not weights:
            return None
        weighed = zip(percents, weights, strict=True)
        return sum((percent * many for percent, many in weighed), Fraction(0)) / sum(weights), 50

    def _carried_score(
        self, score: Score, handicap: Fraction
    ) -> tuple[Fraction, Fraction | int] | None:
        """Return the score with carry-forward (White Book 3.8); None before the first result."""
        if score.percent is None:
            return None
        top, tally = self._displayed_matchpoints(score.top), score.tally
        total, middle = score.percent * top / 100, top / 2
        a_board = self._displayed_matchpoints(tally.top) / tally.boards
        for earlier_result in _earlier_percentages(score):
            carried = earlier_result.boards / 2 * a_board
            total += (earlier_result.percent + handicap) / 100 * carried
            middle += carried / 2
        return total, middle

    def _displayed_matchpoints(self, points: Fraction | None) -> Fraction:
        """Return matchpoints as pages show them: halved if a result beaten counts one."""
        return (points or Fraction(0)) / (2 if self.profile.half else 1)


def handicap_of(contestant: Contestant, profile: Profile) -> Fraction | None:
    """Return a contestant's handicap in per cent: the mean of its players', or calculated from earlier results."""
    if contestant.handicap:
        return sum(contestant.handicap, Fraction(0)) / len(contestant.handicap)
    if profile.handicap is None or not contestant.recent:
        return None
    factor, last = profile.handicap
    recent = contestant.recent[-last:]
    return factor * (50 - sum(recent, Fraction(0)) / len(recent))


def _earlier_percentages(score: Score) -> list[InPercent]:
    """Return a contestant's percentages in earlier sessions."""
    return [
        earlier_result
        for earlier_result in score.tally.contestant.earlier
        if isinstance(earlier_result, InPercent)
    ]

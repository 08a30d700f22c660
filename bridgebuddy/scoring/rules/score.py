"""Scoring as one pure function: plays with outcomes and a profile in, results out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from . import laws
from .document import read_document
from .match_scoring.matches import SessionMatches, match_session
from .match_scoring.standings import RoundStandings, round_standings
from .model import ContestantKey, Session
from .profile import IN_PER_CENT, Profile
from .rankings.ranking import Ranking, all_rankings, plain_tie_breaks
from .rankings.scores import Score, Scorer
from .rankings.tallies import Tally, check_units, contestant_tallies, uncounted_penalties
from .reports import report
from .reports.pairs_in_teams import pairs_by_average, score_as_pairs
from .reports.results import Results, UnlikelyResult
from .reports.results_document import results_document
from .valuing import ValuedSession, value_session


def score_document(text: str) -> dict[str, Any]:
    """Score a session document, and return the results document. Raises `ScoringError`."""
    return results_document(score_session(*read_document(text)))


def check_scorable(session: Session, profile: Profile) -> None:
    """Raise `ScoringError` if no results of a session could be scored by its profile."""
    plays = tuple(replace(play, outcome=None) for play in session.plays)
    score_session(replace(session, plays=plays), profile)


def score_session(session: Session, profile: Profile) -> Results:
    """Return all results of a session by its scoring profile. Raises `ScoringError`."""
    check_units(session, profile)
    matches = _score_matches(session, profile)
    valued = matches.valued if matches else value_session(session, profile)
    after_rounds = round_standings(matches) if matches else []
    lists = (
        _ranked_by_matches(valued, after_rounds) if _is_ranked_by_matches(valued, matches) else None
    )
    if lists is None:
        of = contestant_tallies(valued, with_matches=True)
        lists = all_rankings(Scorer(valued), of, plain_tie_breaks(valued, profile))
    pairs = score_as_pairs(session, profile) if session.contest.has_halves else None
    entered, awaited = report.entered_and_awaited(valued)
    is_open = awaited > 0 or (
        matches is not None and any(result.rule == "open" for result in matches.results)
    )
    return Results(
        name=session.name,
        contest=session.contest,
        state="provisional" if is_open else "complete",
        entered=len(entered),
        due=len(entered) + awaited,
        entered_plays=entered,
        plays=report.play_rows(valued, pairs.values if pairs else None),
        boards=report.board_rows(valued),
        rankings=report.ranking_rows(lists, profile),
        matches=report.match_rows(matches.results, profile) if matches else (),
        standings=report.standing_rows(after_rounds, profile),
        pairs=pairs_by_average(pairs) if pairs else (),
        warnings=_unlikely_results(session, profile),
        sit_outs=report.sit_outs(valued),
    )


def _score_matches(session: Session, profile: Profile) -> SessionMatches | None:
    """Return the results of all matches; None without matches."""
    if not session.contest.has_halves and not session.matches:
        return None
    return match_session(session, profile)


def _is_ranked_by_matches(
    valued_session: ValuedSession, session_matches: SessionMatches | None
) -> bool:
    """Return whether match results decide the ranking: always for teams, for pairs with victory points."""
    if session_matches is None:
        return False
    return valued_session.session.contest.has_halves or valued_session.profile.vp is not None


def _ranked_by_matches(
    valued_session: ValuedSession, after_rounds: Sequence[RoundStandings]
) -> list[Ranking]:
    """Return the rankings of an event of matches, in the order of the last league table."""
    if not after_rounds:
        return all_rankings(Scorer(valued_session), contestant_tallies(valued_session))
    last = after_rounds[-1].rows
    order = {row.standing.contestant_key: Fraction(-row.order) for row in last}

    def by_standing(equals: Sequence[Score]) -> Mapping[ContestantKey, Fraction]:
        """Return the order of the last league table as a tie-break."""
        return {equal.contestant_key: order[equal.contestant_key] for equal in equals}

    scores = {row.standing.contestant_key: row.standing.score for row in last}
    scorer = _KnownScores(valued_session, scores)
    return all_rankings(scorer, contestant_tallies(valued_session), [by_standing])


class _KnownScores(Scorer):
    """A scorer whose total scores come from the league table instead of being calculated."""

    def __init__(
        self, valued_session: ValuedSession, scores: Mapping[ContestantKey, Score]
    ) -> None:
        super().__init__(valued_session)
        self._scores = scores

    def scores(self, tallies: Iterable[Tally], *, handicap: bool = False) -> list[Score]:
        """Return the league table's scores of these contestants, with earlier results if there are any."""
        final = [self._scores[tally.contestant_key] for tally in tallies]
        return (
            [self._with_earlier(score_before) for score_before in final]
            if self._has_earlier
            else final
        )


def _unlikely_results(session: Session, profile: Profile) -> tuple[UnlikelyResult, ...]:
    """Return the results that are possible but unlikely, for a scorer to check."""
    problems = (
        *laws.unlikely_results(session),
        *laws.excessive_adjustments(session, in_per_cent=profile.method in IN_PER_CENT),
        *uncounted_penalties(session, profile),
    )
    return tuple(UnlikelyResult(path, text) for path, text in problems)

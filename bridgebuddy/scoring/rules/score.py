"""Scoring is one pure function: plays with outcomes and a profile in, results out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from . import laws, report
from .document import read_document
from .matches import Matches, match_session
from .model import Session, Who
from .pairs_in_teams import as_pairs, pair_rows
from .profile import IN_PER_CENT, Profile
from .ranking import (
    Ranking,
    Score,
    Scorer,
    TieBreak,
    check_units,
    plain_tie_breaks,
    rankings,
    tallies,
    uncounted_penalties,
)
from .standings import RoundStandings, standings
from .valuing import Valued, value_session


def score_document(text: str) -> dict[str, Any]:
    """Return the results document of a session document. Raises `ScoringError`."""
    return score(*read_document(text))


def check_document(document: Mapping[str, Any]) -> None:
    """Raise `ScoringError` where a session cannot be scored by its profile, whatever its results."""
    plays = [{**play, "outcome": None} for play in document.get("plays", ())]
    score_document(json.dumps({**document, "plays": plays}))


def score(session: Session, profile: Profile) -> dict[str, Any]:
    """Return the results of a session. Raises `ScoringError`."""
    check_units(session, profile)
    found = _matches(session, profile)
    valued = found.valued if found else value_session(session, profile)
    after_rounds = standings(found) if found else []
    lists = _ranked_by_matches(valued, after_rounds) if _go_by_matches(valued, found) else None
    if lists is None:
        of = tallies(valued, with_matches=True)
        lists = rankings(Scorer(valued), of, plain_tie_breaks(valued, profile))
    pairs = as_pairs(session, profile) if session.contest.has_halves else None
    has, due = report.progress(valued)
    is_open = has < due or (found is not None and any(one.rule == "open" for one in found.results))
    return {
        "name": session.name,
        "state": "provisional" if is_open else "complete",
        "results": [has, due],
        "plays": report.play_rows(valued, pairs.values if pairs else None),
        "boards": report.board_rows(valued),
        "rankings": report.ranking_rows(lists, profile),
        "matches": report.match_rows(found.results) if found else [],
        "standings": report.standing_rows(after_rounds, profile),
        "pairs": pair_rows(pairs) if pairs else [],
        "warnings": _warnings(session, profile),
    }


def _matches(session: Session, profile: Profile) -> Matches | None:
    if not session.contest.has_halves and not session.matches:
        return None
    return match_session(session, profile)


def _go_by_matches(valued: Valued, found: Matches | None) -> bool:
    """Whether matches decide: always with teams, with pairs where they score victory points."""
    if found is None:
        return False
    return valued.session.contest.has_halves or valued.profile.vp is not None


def _ranked_by_matches(valued: Valued, after_rounds: Sequence[RoundStandings]) -> list[Ranking]:
    """Return the lists of an event of matches: everybody in the order of the last standings."""
    if not after_rounds:
        return rankings(Scorer(valued), tallies(valued))
    last = after_rounds[-1].rows
    order = {row.standing.who: Fraction(-row.order) for row in last}
    by_standing: TieBreak = lambda equals: {one.who: order[one.who] for one in equals}  # noqa: E731
    scores = {row.standing.who: row.standing.score for row in last}
    scorer = _Given(valued, scores)
    return rankings(scorer, tallies(valued), [by_standing])


class _Given(Scorer):
    """Scores that the standings have worked out."""

    def __init__(self, valued: Valued, scores: Mapping[Who, Score]) -> None:
        super().__init__(valued)
        self._scores = scores

    def scores(self, tallies: Any, *, handicap: bool = False) -> list[Score]:
        found = [self._scores[tally.who] for tally in tallies]
        return [self._with_earlier(one) for one in found] if self._has_earlier else found


def _warnings(session: Session, profile: Profile) -> list[dict[str, str]]:
    found = (
        *laws.unlikely(session),
        *laws.too_generous(session, in_per_cent=profile.method in IN_PER_CENT),
        *uncounted_penalties(session, profile),
    )
    return [{"path": path, "text": text} for path, text in found]

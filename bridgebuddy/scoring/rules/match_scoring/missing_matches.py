"""The value of byes, and of matches with missing or departed opponents. White Book 2.4.2."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ..counted_plays import plays_of
from ..model import ContestantKey, Session, Verdict
from ..profile import Profile
from ..scales import victory_points
from .match_points import scale_of_match
from .match_results import ZERO, MatchResult, Two


def results_with_missing_matches(
    results: Sequence[MatchResult], session: Session, profile: Profile
) -> list[MatchResult]:
    """Return the results with scores for byes and missing opponents added. White Book 2.4.2."""
    averages = _average_by_contestant(results)
    left = {
        contestant.who: contestant.left.after_round
        for contestant in session.contestants
        if contestant.left is not None
    }

    def judged_result(result: MatchResult) -> MatchResult:
        """Return a result; for a bye or a missing team the one that the rules give."""
        match = result.match
        if result.rule == "bye":
            return _bye_result(result, averages, session, profile)
        if result.rule == "cancelled" or match.aside:
            return result
        missing = match.missing or _leaving_side(result, left, session)
        if missing is None:
            return result
        return _missing_match_result(result, missing, averages, session, profile)

    return [judged_result(judged_match) for judged_match in results]


def _leaving_side(
    result: MatchResult, departures: Mapping[ContestantKey, int], session: Session
) -> Verdict | None:
    """Return the side ("home", "away") that left before a match was completed; None if neither did."""
    match = result.match
    names: tuple[Verdict, Verdict] = ("home", "away")
    for name, contestant in zip(names, match.sides, strict=False):
        last = departures.get(contestant)
        if last is None or match.last_round <= last:
            continue
        is_cut = result.rule == "match" and any(
            play.outcome is None and (play.round or 0) > last for play in plays_of(match, session)
        )
        if result.rule == "open" or is_cut:
            return name
    return None


def _average_by_contestant(results: Sequence[MatchResult]) -> dict[ContestantKey, Fraction]:
    """Return each contestant's average score over its matches; a half match counts half.

    It is in victory points, or the share of board points.
    """
    points: dict[ContestantKey, Fraction] = defaultdict(Fraction)
    matches: dict[ContestantKey, Fraction] = defaultdict(Fraction)
    for judged_match in results:
        has = (
            judged_match.vps
            if judged_match.percent is None or judged_match.points is None
            else judged_match.percent
        )
        if (
            judged_match.rule in ("match", "given")
            and has is not None
            and judged_match.match.away is not None
        ):
            for contestant, average in zip(judged_match.match.sides, has, strict=True):
                points[contestant] += average
                matches[contestant] += Fraction(1, 2 if judged_match.match.half else 1)
    return {contestant: points[contestant] / matches[contestant] for contestant in points}


def _bye_result(
    result: MatchResult,
    averages: Mapping[ContestantKey, Fraction],
    session: Session,
    profile: Profile,
) -> MatchResult:
    """Return the result of a bye by the profile's rule: fixed points, or the contestant's average."""
    share = Fraction(60) if profile.bye == "own-average" else profile.bye
    if profile.method == "bam":
        return replace(
            result,
            points=(_share_of_boards(result, share, session, profile), ZERO),
            percent=(share, ZERO),
        )
    scale = scale_of_match(result.match, profile)
    if scale is None:
        return result
    vps = share * victory_points.greatest_sum(scale) / 100
    if profile.bye == "own-average":
        vps = max(vps, averages.get(result.match.sides[0], ZERO))
    return replace(result, vps=(vps / 2 if result.match.half else vps, ZERO))


def _share_of_boards(
    result: MatchResult, share: Fraction, session: Session, profile: Profile
) -> Fraction:
    """Return `share` per cent of the points that the boards of a match can give."""
    stage = session.stage
    many = len(result.match.boards) or (stage.boards if stage and stage.boards else 0)
    many = many or max((len(match.boards) for match in session.matches), default=0)
    return share * many * profile.bam[0] / 100


def _missing_match_result(
    result: MatchResult,
    missing_side: str,
    averages: Mapping[ContestantKey, Fraction],
    session: Session,
    profile: Profile,
) -> MatchResult:
    """Return the result of a match in which the opponent was missing."""
    is_home = missing_side == "home"
    here, gone = result.match.sides if not is_home else reversed(result.match.sides)
    scale = scale_of_match(result.match, profile)
    if scale is None and profile.method != "bam":
        return replace(result, rule="missing")
    most = Fraction(100) if scale is None else victory_points.greatest_sum(scale)
    options = [most * 60 / 100]
    if here in averages:
        options.append(averages[here])
    if gone in averages:
        options.append(most - averages[gone])
    best = max(options)

    def both_sides(value: Fraction) -> Two:
        """Return the value of the team that was there, and zero."""
        return (ZERO, value) if is_home else (value, ZERO)

    if scale is None:
        points = both_sides(_share_of_boards(result, best, session, profile))
        return replace(
            result, rule="missing", imps=None, points=points, percent=both_sides(best), net=None
        )
    return replace(result, rule="missing", vps=both_sides(best / (2 if result.match.half else 1)))

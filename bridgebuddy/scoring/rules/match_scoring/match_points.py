"""The value of a match: its scale, victory points from IMPs and percentages, and penalties."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from ..counted_plays import plays_of
from ..errors import ScoringError
from ..model import LINES, ContestantKey, Match, Penalty, Session
from ..profile import Profile
from ..rounding import round_half_away
from ..scales import victory_points
from ..scales.victory_points import OwnScale
from ..valuing import ValuedSession
from .match_results import ZERO, Two

#: units of penalties in matches that are worth points
POINTS = ("matchpoints", "top", "percent")


def penalty_sum(
    match: Match, contestant: ContestantKey, session: Session, units: tuple[str, ...]
) -> Fraction:
    """Return the sum of a contestant's penalties in these units in a match."""
    return sum(
        (penalty.amount for penalty in match_penalties(match, contestant, session, units)), ZERO
    )


def match_penalties(
    match: Match, contestant: ContestantKey, session: Session, units: tuple[str, ...]
) -> Iterator[Penalty]:
    """Yield the penalties in these units that a contestant has in a match."""
    for penalty in session.penalties:
        if (
            penalty.who == contestant
            and penalty.unit in units
            and penalty.round in match.all_rounds
        ):
            yield penalty


def percent_penalty(
    match: Match, contestant: ContestantKey, valued_session: ValuedSession, boards: int = 0
) -> Fraction:
    """Return a side's penalty in a match of `boards` boards, converted to percentage points."""
    plays = plays_of(match, valued_session.session)
    tops = [
        value.top
        for play in plays
        for line in LINES
        if contestant in play.side(line) and (value := valued_session.values[play.index, line]).top
    ]
    total = penalty_sum(match, contestant, valued_session.session, ("percent",))
    if many := boards or len(tops):
        total += 100 * penalty_sum(match, contestant, valued_session.session, ("top",)) / many
    if tops:
        whole = sum(tops, ZERO) * many / len(tops)
        scale = 2 if valued_session.profile.half else 1
        points = penalty_sum(match, contestant, valued_session.session, ("matchpoints",)) * scale
        total += 100 * points / whole
    return total


def scale_of_match(match: Match, profile: Profile) -> str | OwnScale | None:
    """Return the victory point scale of a match: its own, or the session's; None if it has none."""
    if profile.is_by_points:
        return None
    return profile.vp if match.vp is None else match.vp


def vps_of_imps(match: Match, net: Two, boards: int, profile: Profile) -> Two | None:
    """Return both sides' victory points for a match won by `net` IMPs; None without a scale."""
    scale = scale_of_match(match, profile)
    if scale is None:
        return None
    points = [
        victory_points.points_for_margin(scale, boards, int(round_half_away(margin, 0)))
        for margin in net
    ]
    if match.half:
        points = [
            round_half_away(value / 2, 2, score_if_match_tied(match, profile)) for value in points
        ]
    return _floored_points(points, profile)


def vps_of_percent(match: Match, percent: Two, boards: int, profile: Profile) -> Two | None:
    """Return both sides' victory points for a match by percentages; None without such a scale."""
    scale = scale_of_match(match, profile)
    if scale is None:
        return None
    if not isinstance(scale, str) or not victory_points.scales_by_name()[scale].is_of_percentages:
        where = "profile.vp" if match.vp is None else f"matches[{match.index}].vp"
        raise ScoringError(where, "is no scale of percentages: swiss-pairs is")
    points = [
        victory_points.points_for_percentage(boards, percentage, half=match.half, scale=scale)
        for percentage in percent
    ]
    return _floored_points(points, profile)


def tied_match_score(profile: Profile) -> Fraction:
    """Return the score of each side in a drawn match: half of the victory points; 0 if there are none."""
    return _middle_of_scale(None if profile.is_by_points else profile.vp)


def score_if_match_tied(match: Match, profile: Profile) -> Fraction:
    """Return the score of each side if a match is drawn; half of it in half a match."""
    return _middle_of_scale(scale_of_match(match, profile)) / (2 if match.half else 1)


def _middle_of_scale(scale: str | OwnScale | None) -> Fraction:
    """Return each side's victory points in a drawn match: half of the sum of both; 0 without a scale."""
    return ZERO if scale is None else victory_points.greatest_sum(scale) / 2


def _floored_points(points: Sequence[Fraction], profile: Profile) -> Two:
    """Return both sides' victory points, raised to the least that the profile allows."""
    if profile.vp_floor is None:
        return points[0], points[1]
    return max(points[0], profile.vp_floor), max(points[1], profile.vp_floor)


def penalty_rounds(session: Session, last: int) -> Mapping[tuple[ContestantKey, int], Fraction]:
    """Return victory point penalties by contestant and round; one without a round counts in `last`."""
    penalties: dict[tuple[ContestantKey, int], Fraction] = defaultdict(Fraction)
    for penalty in session.penalties:
        if penalty.unit == "vps":
            penalties[penalty.who, penalty.round or last] += penalty.amount
    return penalties

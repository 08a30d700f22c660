"""Matches of two contestants on some boards, in IMPs, points or per cent, and victory points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction

from ..comparing import ComparedField
from ..counted_plays import CountedPlay, is_cancelled, plays_of
from ..model import ContestantKey, Line, Match, Session
from ..points import imps_of_difference
from ..profile import Profile
from ..rankings.tallies import penalty_in_points
from ..rounding import round_half_away
from ..scales import victory_points
from ..valuing import ValuedSession, artificial_imps, artificial_percentage, value_session
from .match_points import (
    POINTS,
    match_penalties,
    penalty_sum,
    percent_penalty,
    scale_of_match,
    vps_of_imps,
    vps_of_percent,
)
from .match_results import ZERO, MatchBoard, MatchResult, Two
from .missing_matches import results_with_missing_matches
from .team_boards import boards_of_teams

_DIGITS = 50


@dataclass(frozen=True)
class SessionMatches:
    """All matches of a session with their results, and the scores of their plays."""

    valued: ValuedSession
    results: tuple[MatchResult, ...]


def match_session(session: Session, profile: Profile) -> SessionMatches:
    """Score the matches of a session: of teams, or of pairs whose boards are compared with all tables."""
    if session.contest.has_halves:
        session = _with_matches(session)
        valued, boards = boards_of_teams(session, profile)
    else:
        valued = value_session(session, profile)
        boards = {match.index: _pairs_boards(match, valued) for match in session.matches}
    played = [_judge_match(match, boards[match.index], valued) for match in session.matches]
    return SessionMatches(valued, tuple(results_with_missing_matches(played, session, profile)))


def _with_matches(session: Session) -> Session:
    """Return the session with its matches: those that it lists, or else one for each two teams and round."""
    if session.matches:
        return session
    sides: dict[tuple[str, int, frozenset[str]], tuple[str, str]] = {}
    for play in session.plays:
        two = (play.ns[0], play.ew[0])
        sides.setdefault((play.section, play.round or 1, frozenset(two)), two)
    matches = tuple(
        Match(index, section, round, *two)
        for index, ((section, round, _), two) in enumerate(sides.items())
    )
    return replace(session, matches=matches)


# ── pairs ──


def _pairs_boards(match: Match, valued_session: ValuedSession) -> tuple[MatchBoard, ...]:
    """Return the boards of a match between pairs, each scored by comparison with all tables."""
    match_boards = []
    by_index = {play.play.index: play for play in valued_session.plays}
    for play in plays_of(match, valued_session.session):
        one = by_index[play.index]
        home: Line = "ns" if play.ns[0] == match.home else "ew"
        guest: Line = "ew" if home == "ns" else "ns"
        match_boards.append(
            MatchBoard(
                play.board,
                valued_session.values[play.index, home].value,
                valued_session.values[play.index, guest].value,
                is_open=one.is_awaited,
            )
        )
    return tuple(sorted(match_boards, key=lambda board: board.board))


def _percent_of_side(
    match: Match, valued_session: ValuedSession, contestant: ContestantKey
) -> Fraction | None:
    """Return a side's percentage in a match of pairs, to 0.01, half rounded away from 50."""
    total = top = ZERO
    for play in plays_of(match, valued_session.session):
        line: Line = "ns" if contestant in play.side("ns") else "ew"
        value = valued_session.values[play.index, line]
        if value.value is not None and value.top:
            total, top = total + value.value, top + value.top
    return round_half_away(100 * total / top, 2, 50) if top else None


def _match_imps(match: Match, valued_session: ValuedSession, contestant: ContestantKey) -> Fraction:
    """Return a side's IMPs in a match of pairs: the sum of Butler IMPs, or cross-IMPs by White Book 3.1.3."""
    values = []
    for play in plays_of(match, valued_session.session):
        line: Line = "ns" if contestant in play.side("ns") else "ew"
        value = valued_session.values[play.index, line]
        if value.value is not None:
            values.append((play, line, value))
    if valued_session.profile.method == "butler":
        return sum((value.value for _, _, value in values if value.value is not None), ZERO)
    with localcontext() as context:
        context.prec = _DIGITS
        total = Decimal(0)
        for play, line, value in values:
            field = valued_session.scopes.field_of[play.index]
            number = value.value or ZERO
            compared = next((line for line in field.lines if line.play.index == play.index), None)
            if compared is None or field.result_count < 2:
                total += Decimal(number.numerator) / number.denominator
                continue
            summed = _cross_imps(compared, field, line)
            pairs = Decimal(field.result_count * (field.result_count - 1)) / 2
            total += Decimal(summed.numerator) / summed.denominator / pairs.sqrt()
        return Fraction(total)


def _cross_imps(play: CountedPlay, field: ComparedField, direction: Line) -> Fraction:
    """Return the sum of a play's IMPs against all other results of the board, for the side in `direction`."""
    sign = 1 if direction == "ns" else -1
    total = ZERO
    for weight, score in play.scores_of(direction):
        for other, many in field.frequencies(direction).items():
            total += weight * many * imps_of_difference(sign * score - other)
    return total


# ── the result of a match ──


def _judge_match(
    match: Match, boards: tuple[MatchBoard, ...], valued_session: ValuedSession
) -> MatchResult:
    """Return the result of a match by its boards, rulings and departures."""
    if is_cancelled(
        match, valued_session.session, may_stand=valued_session.profile.leavers == "stand"
    ):
        return MatchResult(match, "cancelled", boards)
    if match.aside:
        return MatchResult(match, "open", boards)
    if match.away is None:
        return MatchResult(match, "bye")  # its points depend on the others'
    if match.given is not None:
        return MatchResult(match, "given", boards, vps=match.given)
    if match.missing is not None:
        return MatchResult(match, "missing", boards)
    if match.wrong_seats is not None:
        return _equal_share_result(
            match,
            "wrong-seats",
            Fraction(40 if match.wrong_seats == "sides" else 60),
            valued_session,
        )
    if match.void is not None:
        return _artificial_result_of_void_match(match, valued_session)
    counted = [board for board in boards if board.home is not None or board.away is not None]
    if not counted:
        return MatchResult(match, "open", boards)
    home = sum((match.home or ZERO for match in counted), ZERO)
    guests = sum((match.away or ZERO for match in counted), ZERO)
    result = _match_result(match, "match", boards, (home, guests), len(counted), valued_session)
    if any(board.is_open for board in boards):  # provisional value
        return replace(result, rule="open", vps=None, net=None)
    return result


def _match_result(
    match: Match,
    rule: str,
    boards: tuple[MatchBoard, ...],
    net: Two,
    board_count: int,
    valued_session: ValuedSession,
) -> MatchResult:
    """Return a match's result by `rule` from both sides' totals `net` over `board_count` boards."""
    session, profile = valued_session.session, valued_session.profile
    imp_penalties = [penalty_sum(match, side, session, ("imps",)) for side in match.sides]
    if profile.is_by_points:
        fined = [
            sum(
                (
                    penalty_in_points(value, board_count, profile)
                    for value in match_penalties(match, side, session, POINTS)
                ),
                ZERO,
            )
            for side in match.sides
        ]
        points = (net[0] + fined[0], net[1] + fined[1])
        most = board_count * profile.bam[0] if profile.method == "bam" else ZERO
        percent = (100 * points[0] / most, 100 * points[1] / most) if most else None
        return MatchResult(match, rule, boards, points=points, percent=percent, net=points)
    if profile.is_per_cent:
        shares = [_percent_of_side(match, valued_session, side) for side in match.sides]
        if shares[0] is None or shares[1] is None:
            return MatchResult(match, "open", boards)
        fined = [
            share + percent_penalty(match, contestant, valued_session)
            for share, contestant in zip(shares, match.sides, strict=True)
            if share is not None
        ]
        both = (round_half_away(fined[0], 2, 50), round_half_away(fined[1], 2, 50))
        return MatchResult(
            match,
            rule,
            boards,
            percent=both,
            vps=vps_of_percent(match, both, board_count, profile),
            net=net,
        )
    if not session.contest.has_halves:
        if profile.method in ("butler", "cross-imps") and rule == "match":
            net = tuple(_match_imps(match, valued_session, side) for side in match.sides)  # type: ignore[assignment]
        imps = (
            round_half_away(net[0] + imp_penalties[0], 0),
            round_half_away(net[1] + imp_penalties[1], 0),
        )
    else:
        imps = (
            net[0] + match.carry + imp_penalties[0],
            net[1] - match.carry + imp_penalties[1],
        )
    fines = imp_penalties[0] - imp_penalties[1]
    return MatchResult(
        match,
        rule,
        boards,
        imps=imps,
        vps=vps_of_imps(match, imps, board_count, profile),
        net=imps,
        lead=(imps[0] - imps[1] + fines) / 2,
    )


# ── special matches ──


def _count_boards(match: Match, valued_session: ValuedSession) -> int:
    """Return the number of boards of a match."""
    stage = valued_session.session.stage
    if match.boards:
        return len(match.boards)
    if stage is not None and stage.boards:
        return stage.boards
    return max((len(match.boards) for match in valued_session.session.matches), default=0)


def _artificial_result_of_void_match(match: Match, valued_session: ValuedSession) -> MatchResult:
    """Return a void match's result: averages on half of the boards, rounded up, and AVE on the rest.

    Source: White Book 3.3.9."""
    assert match.void is not None
    profile, many = valued_session.profile, _count_boards(match, valued_session)
    half = (many + 1) // 2
    if profile.is_per_cent or profile.method == "bam":
        shares = [artificial_percentage(award, profile, None) for award in match.void]
        percentages = [(half * share + (many - half) * 50) / many for share in shares]
        if profile.method == "bam":
            most = many * profile.bam[0]
            points = (percentages[0] * most / 100, percentages[1] * most / 100)
            return MatchResult(
                match, "void", points=points, percent=(percentages[0], percentages[1]), net=points
            )
        percentages = [
            round_half_away(share, 2, 50) + percent_penalty(match, contestant, valued_session, many)
            for share, contestant in zip(percentages, match.sides, strict=True)
        ]
        both = (round_half_away(percentages[0], 2, 50), round_half_away(percentages[1], 2, 50))
        return MatchResult(
            match, "void", percent=both, vps=vps_of_percent(match, both, many, profile)
        )
    if profile.method == "aggregate":
        return MatchResult(match, "void", points=(ZERO, ZERO), net=(ZERO, ZERO))
    net = [half * artificial_imps(award, profile, None) for award in match.void]
    return _match_result(match, "void", (), (net[0], net[1]), many, valued_session)


def _equal_share_result(
    match: Match, rule: str, share: Fraction, valued_session: ValuedSession
) -> MatchResult:
    """Return a match's result in which both sides get the same share of its maximum."""
    profile = valued_session.profile
    if profile.method == "bam":
        points = share * _count_boards(match, valued_session) * profile.bam[0] / 100
        return MatchResult(match, rule, points=(points, points), percent=(share, share))
    scale = scale_of_match(match, profile)
    if scale is None:
        return MatchResult(match, rule)
    vps = share * victory_points.greatest_sum(scale) / 100
    if match.half:
        vps /= 2
    return MatchResult(match, rule, vps=(vps, vps))

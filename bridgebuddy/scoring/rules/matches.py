"""Matches: two against each other on some boards, in IMPs, points or per cent, and victory points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction

from .comparing import Fated, Scopes, fated, is_cancelled, plays_of
from .errors import ScoringError
from .model import LINES, Artificial, Award, Line, Match, Penalty, Session, Verdict, Who
from .points import imps
from .profile import Profile
from .ranking import in_points
from .rounding import away, halves_up_in_size
from .scales import victory_points
from .scales.victory_points import OwnScale
from .valuing import Earned, Value, Valued, imps_given, percentage, value_session

Two = tuple[Fraction, Fraction]
_DIGITS = 50
ZERO = Fraction(0)
#: in what is taken from matches that are worth points
POINTS = ("matchpoints", "top", "percent")


@dataclass(frozen=True, slots=True)
class MatchBoard:
    """A board of a match: what each side has, None while it is open or does not count."""

    board: int
    home: Fraction | None
    away: Fraction | None
    is_open: bool = False
    #: both before they were rounded, where the profile rounds every board
    exact: Two | None = None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What came of a match; numbers are home's and away's."""

    match: Match
    rule: str
    boards: tuple[MatchBoard, ...] = ()
    imps: Two | None = None
    points: Two | None = None
    percent: Two | None = None
    vps: Two | None = None
    #: counted to break ties: what each side has over the boards
    net: Two | None = None
    #: of a match by IMPs: by how much home leads, which decides a knock-out. Boards that sum up to nothing
    #: else count as the mean of both sides (Law 86B3), penalties whole
    lead: Fraction | None = None

    @property
    def is_over(self) -> bool:
        return self.rule not in ("open", "cancelled")

    def of(self, who: Who, two: Two | None) -> Fraction | None:
        """Return one side's number."""
        if two is None:
            return None
        return two[0] if who == self.match.sides[0] else two[1]

    def opponent_of(self, who: Who) -> Who | None:
        return next((side for side in self.match.sides if side != who), None)


@dataclass(frozen=True)
class Matches:
    """All matches of a session with their results, and the plays as they count in them."""

    valued: Valued
    results: tuple[MatchResult, ...]


def match_session(session: Session, profile: Profile) -> Matches:
    """Score a session of matches: teams, or pairs whose boards are compared over a field."""
    if session.contest.has_halves:
        session = _with_matches(session)
        valued, boards = _teams(session, profile)
    else:
        valued = value_session(session, profile)
        boards = {match.index: _pairs_boards(match, valued) for match in session.matches}
    played = [_played(match, boards[match.index], valued) for match in session.matches]
    return Matches(valued, tuple(_with_missing(played, session, profile)))


def _with_matches(session: Session) -> Session:
    """Return the session with a match for all that two teams play in a round, where none is told."""
    if session.matches:
        return session
    found: dict[tuple[str, int, frozenset[str]], list[int]] = defaultdict(list)
    first: dict[tuple[str, int, frozenset[str]], tuple[str, str]] = {}
    for play in session.plays:
        key = (play.section, play.round or 1, frozenset((play.ns[0], play.ew[0])))
        found[key].append(play.board)
        first.setdefault(key, (play.ns[0], play.ew[0]))
    matches = tuple(
        Match(index, key[0], key[1], *first[key], boards=tuple(dict.fromkeys(boards)))
        for index, (key, boards) in enumerate(found.items())
    )
    return replace(session, matches=matches)


# ── teams ──


def _teams(session: Session, profile: Profile) -> tuple[Valued, dict[int, tuple[MatchBoard, ...]]]:
    plays = tuple(fated(session, may_stand=profile.leavers == "stand"))
    scopes = Scopes(session, profile, plays)
    by_index = {one.play.index: one for one in plays}
    values: dict[tuple[int, Line], Value] = {}
    boards = {}
    is_knock_out = session.stage is not None and session.stage.kind == "knock-out"
    for match in session.matches:
        found = []
        at: dict[int, list[Fated]] = {board: [] for board in match.boards}
        for play in plays_of(match, session):
            at.setdefault(play.board, []).append(by_index[play.index])
        for board, tables in at.items():
            result, rule = _teams_board(match, board, tables, profile, is_knock_out=is_knock_out)
            found.append(result)
            values |= _values_of(match, tables, result, rule)
        boards[match.index] = tuple(sorted(found, key=lambda one: one.board))
    for one in plays:
        for line in LINES:
            values.setdefault((one.play.index, line), Value(None, _rule_without(one)))
    earned: dict[Who, list[Earned]] = defaultdict(list)
    seen: set[tuple[Who, int, int]] = set()
    match_of = {
        play.index: match.index for match in session.matches for play in plays_of(match, session)
    }
    for one in plays:
        for line in LINES:
            for who in one.play.line(line):
                place = (who, match_of.get(one.play.index, -1), one.play.board)
                if (
                    place not in seen
                ):  # a board of a match is one, though it is played at two tables
                    seen.add(place)
                    earned[who].append(Earned(one, line, values[one.play.index, line]))
    valued = Valued(
        session,
        profile,
        plays,
        scopes,
        dict.fromkeys(scopes.fields),
        values,
        {who: tuple(mine) for who, mine in earned.items()},
    )
    return valued, boards


def _rule_without(one: Fated) -> str:
    return one.fate if one.is_awaited else "not-played"


def _values_of(
    match: Match, tables: Sequence[Fated], result: MatchBoard, rule: Mapping[str, str]
) -> Iterator[tuple[tuple[int, Line], Value]]:
    for one in tables:
        for line in LINES:
            is_home = one.play.line(line)[0].label == match.home
            value = result.home if is_home else result.away
            if value is None:
                yield (
                    (one.play.index, line),
                    Value(
                        None,
                        _rule_without(one)
                        if one.fate != "scored" and one.fate != "artificial"
                        else ("open" if result.is_open else "not-played"),
                    ),
                )
            else:
                side = "home" if is_home else "away"
                exact = None if result.exact is None else result.exact[not is_home]
                yield (one.play.index, line), Value(value, rule[side], exact=exact)


def _teams_board(
    match: Match, board: int, tables: Sequence[Fated], profile: Profile, *, is_knock_out: bool
) -> tuple[MatchBoard, dict[str, str]]:
    """Return what both teams have on a board, each from its own side, and by which rule."""
    rules = {"home": "compared", "away": "compared"}
    given = [one for one in tables if one.fate == "artificial"]
    if given:
        found = [_given_to(match, one, profile, rules) for one in given]
        if len(set(found)) > 1:
            raise ScoringError(
                f"plays[{given[-1].play.index}].outcome",
                f"another artificial score of board {board} than at the other table",
            )
        home, guests_ = found[0]
        if is_knock_out and home is not None and guests_ is not None:
            home, guests_ = _balanced(home, guests_, profile)
        return MatchBoard(board, home, guests_), rules
    at_home = [one for one in tables if one.play.ns[0] == match.home]
    guests = [one for one in tables if one.play.ns[0] != match.home]
    has_other_cards = len({one.play.group for one in tables}) > 1
    if has_other_cards or any(one.fate == "not-played" for one in tables):
        return MatchBoard(board, None, None), rules
    if len(at_home) != 1 or len(guests) != 1 or any(one.is_awaited for one in tables):
        if len(at_home) > 1 or len(guests) > 1:
            raise ScoringError(
                f"plays[{tables[-1].play.index}]",
                f"board {board} of a match is played the same way at both tables",
            )
        return MatchBoard(board, None, None, is_open=True), rules
    open_room, closed_room = at_home[0], guests[0]
    home = _net(open_room, closed_room, profile)
    away_ = _net(closed_room, open_room, profile)
    if is_knock_out:
        home, away_ = _balanced(home, away_, profile)
    exact = None
    if profile.board_places is not None:
        exact = home, away_
        home = halves_up_in_size(home, profile.board_places)
        away_ = halves_up_in_size(away_, profile.board_places)
    for key, where in (("home", LINES), ("away", LINES)):
        if any(len(one.parts_of(line)) > 1 for one in tables for line in where):
            rules[key] = "assigned"
    return MatchBoard(board, home, away_, exact=exact), rules


def _balanced(home: Fraction, guests: Fraction, profile: Profile) -> Two:
    """Return a board's two values of a knock-out, each half the difference: Law 12C4.

    Points of a board-a-match are no difference: what one side has not, the other has.
    """
    if profile.method == "bam":
        return home, guests
    return (home - guests) / 2, (guests - home) / 2


def _net(mine: Fated, other: Fated, profile: Profile) -> Fraction:
    """Return a team's result of a board: N-S at one table, E-W at the other."""
    total = ZERO
    for weight, score in mine.parts_of("ns"):
        for share, across in other.parts_of("ew"):
            total += weight * share * _worth(score - across, profile)
    return total


def _worth(difference: int, profile: Profile) -> Fraction:
    if profile.method == "team-imps":
        return Fraction(imps(difference))
    if profile.method == "aggregate":
        return Fraction(difference)
    won, tied, lost = profile.bam
    return won if difference > 0 else lost if difference < 0 else tied


def _given_to(
    match: Match, one: Fated, profile: Profile, rules: dict[str, str]
) -> tuple[Fraction | None, Fraction | None]:
    found = []
    for name in (match.home, match.away):
        line: Line = "ns" if one.play.ns[0] == name else "ew"
        award = one.award(line)
        rules["home" if name == match.home else "away"] = (
            award if isinstance(award, str) else "not-played" if award is None else "fixed"
        )
        found.append(_team_award(award, profile))
    return found[0], found[1]


def _team_award(award: Award, profile: Profile) -> Fraction | None:
    """Return an artificial score of a team match: flat, Law 86A."""
    if award is None:
        return None
    if profile.method == "team-imps":
        return imps_given(award, profile, None)
    if profile.method == "bam":
        return percentage(award, profile, None) * profile.bam[0] / 100
    return award if isinstance(award, Fraction) else ZERO


# ── pairs ──


def _pairs_boards(match: Match, valued: Valued) -> tuple[MatchBoard, ...]:
    found = []
    by_index = {one.play.index: one for one in valued.plays}
    for play in plays_of(match, valued.session):
        one = by_index[play.index]
        home: Line = "ns" if play.ns[0] == match.home else "ew"
        guest: Line = "ew" if home == "ns" else "ns"
        found.append(
            MatchBoard(
                play.board,
                valued.values[play.index, home].value,
                valued.values[play.index, guest].value,
                is_open=one.is_awaited,
            )
        )
    return tuple(sorted(found, key=lambda one: one.board))


def _percent(match: Match, valued: Valued, who: Who) -> Fraction | None:
    """Return a side's share of the match, to 0.01, half away from 50."""
    total = top = ZERO
    for play in plays_of(match, valued.session):
        line: Line = "ns" if who in play.line("ns") else "ew"
        value = valued.values[play.index, line]
        if value.value is not None and value.top:
            total, top = total + value.value, top + value.top
    return away(100 * total / top, 2, 50) if top else None


def _match_imps(match: Match, valued: Valued, who: Who) -> Fraction:
    """Return the IMPs of a match of pairs: Butler's are added, cross-IMPs per White Book 3.1.3."""
    mine = []
    for play in plays_of(match, valued.session):
        line: Line = "ns" if who in play.line("ns") else "ew"
        value = valued.values[play.index, line]
        if value.value is not None:
            mine.append((play, line, value))
    if valued.profile.method == "butler":
        return sum((value.value for _, _, value in mine if value.value is not None), ZERO)
    with localcontext() as context:
        context.prec = _DIGITS
        total = Decimal(0)
        for play, line, value in mine:
            field = valued.scopes.field_of[play.index]
            number = value.value or ZERO
            if isinstance(play.outcome, Artificial) or field.results < 2:
                total += Decimal(number.numerator) / number.denominator
                continue
            summed = _cross_imps(valued, play.index, line)
            pairs = Decimal(field.results * (field.results - 1)) / 2
            total += Decimal(summed.numerator) / summed.denominator / pairs.sqrt()
        return Fraction(total)


def _cross_imps(valued: Valued, index: int, line: Line) -> Fraction:
    field = valued.scopes.field_of[index]
    one = next(one for one in field.lines if one.play.index == index)
    sign = 1 if line == "ns" else -1
    total = ZERO
    for weight, score in one.parts_of(line):
        for other, many in field.frequencies(line).items():
            total += weight * many * imps(sign * score - other)
    return total


# ── the result of a match ──


def _played(match: Match, boards: tuple[MatchBoard, ...], valued: Valued) -> MatchResult:
    if is_cancelled(match, valued.session, may_stand=valued.profile.leavers == "stand"):
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
        return _share(
            match, "wrong-seats", Fraction(40 if match.wrong_seats == "sides" else 60), valued
        )
    if match.void is not None:
        return _void(match, valued)
    counted = [one for one in boards if one.home is not None or one.away is not None]
    if not counted:
        return MatchResult(match, "open", boards)
    home = sum((one.home or ZERO for one in counted), ZERO)
    guests = sum((one.away or ZERO for one in counted), ZERO)
    found = _result(match, "match", boards, (home, guests), len(counted), valued)
    if any(one.is_open for one in boards):  # what it is so far
        return replace(found, rule="open", vps=None, net=None)
    return found


def _result(
    match: Match, rule: str, boards: tuple[MatchBoard, ...], net: Two, many: int, valued: Valued
) -> MatchResult:
    """Return what two sides' totals over so many boards are worth."""
    session, profile = valued.session, valued.profile
    imp_penalties = [_penalties(match, who, session, ("imps",)) for who in match.sides]
    if profile.is_by_points:
        fined = [
            sum(
                (in_points(one, many, profile) for one in _taken(match, who, session, POINTS)), ZERO
            )
            for who in match.sides
        ]
        points = (net[0] + fined[0], net[1] + fined[1])
        most = many * profile.bam[0] if profile.method == "bam" else ZERO
        percent = (100 * points[0] / most, 100 * points[1] / most) if most else None
        return MatchResult(match, rule, boards, points=points, percent=percent, net=points)
    if profile.is_per_cent:
        shares = [_percent(match, valued, who) for who in match.sides]
        if shares[0] is None or shares[1] is None:
            return MatchResult(match, "open", boards, net=net)
        fined = [
            share + _percent_penalty(match, who, valued)
            for share, who in zip(shares, match.sides, strict=True)
            if share is not None
        ]
        both = (away(fined[0], 2, 50), away(fined[1], 2, 50))
        return MatchResult(
            match,
            rule,
            boards,
            percent=both,
            vps=_vps_of_percent(match, both, many, profile),
            net=net,
        )
    if not session.contest.has_halves:
        if profile.method in ("butler", "cross-imps") and rule == "match":
            net = tuple(_match_imps(match, valued, who) for who in match.sides)  # type: ignore[assignment]
        found = (
            away(net[0] + imp_penalties[0], 0),
            away(net[1] + imp_penalties[1], 0),
        )
    else:
        found = (
            net[0] + match.carry + imp_penalties[0],
            net[1] - match.carry + imp_penalties[1],
        )
    fines = imp_penalties[0] - imp_penalties[1]
    return MatchResult(
        match,
        rule,
        boards,
        imps=found,
        vps=_vps_of_imps(match, found, many, profile),
        net=found,
        lead=(found[0] - found[1] + fines) / 2,
    )


def _penalties(match: Match, who: Who, session: Session, units: tuple[str, ...]) -> Fraction:
    return sum((penalty.amount for penalty in _taken(match, who, session, units)), ZERO)


def _taken(match: Match, who: Who, session: Session, units: tuple[str, ...]) -> Iterator[Penalty]:
    for penalty in session.penalties:
        if penalty.who == who and penalty.unit in units and penalty.round in match.its_rounds:
            yield penalty


def _percent_penalty(match: Match, who: Who, valued: Valued, boards: int = 0) -> Fraction:
    """Return what a side was fined in a match of so many boards (0: of those played), in points of its percentage."""
    plays = plays_of(match, valued.session)
    tops = [
        value.top
        for play in plays
        for line in LINES
        if who in play.line(line) and (value := valued.values[play.index, line]).top
    ]
    total = _penalties(match, who, valued.session, ("percent",))
    if many := boards or len(tops):
        total += 100 * _penalties(match, who, valued.session, ("top",)) / many
    if tops:
        whole = sum(tops, ZERO) * many / len(tops)
        scale = 2 if valued.profile.half else 1
        points = _penalties(match, who, valued.session, ("matchpoints",)) * scale
        total += 100 * points / whole
    return total


def _scale(match: Match, profile: Profile) -> str | OwnScale | None:
    """Return the scale of a match: its own, or that of all."""
    return profile.vp if match.vp is None or profile.is_by_points else match.vp


def _vps_of_imps(match: Match, net: Two, boards: int, profile: Profile) -> Two | None:
    scale = _scale(match, profile)
    if scale is None:
        return None
    found = [victory_points.of_margin(scale, boards, int(away(one, 0))) for one in net]
    if match.half:
        middle = victory_points.greatest(scale) / 4
        found = [away(one / 2, 2, middle) for one in found]
    return _floored(found, profile)


def _vps_of_percent(match: Match, percent: Two, boards: int, profile: Profile) -> Two | None:
    scale = _scale(match, profile)
    if scale is None:
        return None
    if not isinstance(scale, str) or not victory_points.scales()[scale].is_of_percentages:
        where = "profile.vp" if match.vp is None else f"matches[{match.index}].vp"
        raise ScoringError(where, "is no scale of percentages: swiss-pairs is")
    found = [
        victory_points.of_percentage(boards, one, half=match.half, scale=scale) for one in percent
    ]
    return _floored(found, profile)


def drawn(profile: Profile) -> Fraction:
    """Return what a drawn match gives each side: from there halves are rounded away."""
    return victory_points.greatest(profile.vp) / 2 if profile.vp is not None else ZERO


def _floored(found: Sequence[Fraction], profile: Profile) -> Two:
    if profile.vp_floor is None:
        return found[0], found[1]
    return max(found[0], profile.vp_floor), max(found[1], profile.vp_floor)


# ── what is no ordinary match ──


def _boards_of(match: Match, valued: Valued) -> int:
    stage = valued.session.stage
    if match.boards:
        return len(match.boards)
    if stage is not None and stage.boards:
        return stage.boards
    return max((len(one.boards) for one in valued.session.matches), default=0)


def _void(match: Match, valued: Valued) -> MatchResult:
    """Convert averages on half the boards, rounded up, and AVE on the rest. White Book 3.3.9."""
    assert match.void is not None
    profile, many = valued.profile, _boards_of(match, valued)
    half = (many + 1) // 2
    if profile.is_per_cent or profile.method == "bam":
        shares = [percentage(award, profile, None) for award in match.void]
        found = [(half * share + (many - half) * 50) / many for share in shares]
        if profile.method == "bam":
            most = many * profile.bam[0]
            points = (found[0] * most / 100, found[1] * most / 100)
            return MatchResult(
                match, "void", points=points, percent=(found[0], found[1]), net=points
            )
        found = [
            away(share, 2, 50) + _percent_penalty(match, who, valued, many)
            for share, who in zip(found, match.sides, strict=True)
        ]
        both = (away(found[0], 2, 50), away(found[1], 2, 50))
        return MatchResult(
            match, "void", percent=both, vps=_vps_of_percent(match, both, many, profile)
        )
    if profile.method == "aggregate":
        return MatchResult(match, "void", points=(ZERO, ZERO), net=(ZERO, ZERO))
    net = [half * imps_given(award, profile, None) for award in match.void]
    return _result(match, "void", (), (net[0], net[1]), many, valued)


def _share(match: Match, rule: str, share: Fraction, valued: Valued) -> MatchResult:
    """Give both sides a share of what a match can score."""
    profile = valued.profile
    if profile.method == "bam":
        points = share * _boards_of(match, valued) * profile.bam[0] / 100
        return MatchResult(match, rule, points=(points, points), percent=(share, share))
    scale = _scale(match, profile)
    if scale is None:
        return MatchResult(match, rule)
    vps = share * victory_points.greatest(scale) / 100
    if match.half:
        vps /= 2
    return MatchResult(match, rule, vps=(vps, vps))


def _with_missing(
    found: Sequence[MatchResult], session: Session, profile: Profile
) -> list[MatchResult]:
    """Give byes and matches whose opponents were missing what they are worth. White Book 2.4.2."""
    averages = _averages(found)
    left = {one.who: one.left.after_round for one in session.contestants if one.left is not None}

    def judged(one: MatchResult) -> MatchResult:
        match = one.match
        if one.rule == "bye":
            return _bye(one, averages, session, profile)
        if one.rule == "cancelled" or match.aside:
            return one
        missing = match.missing or _who_left(one, left, session)
        if missing is None:
            return one
        return _for_missing(one, missing, averages, profile)

    return [judged(one) for one in found]


def _who_left(one: MatchResult, left: Mapping[Who, int], session: Session) -> Verdict | None:
    """Return whose leaving has kept a match from being played to its end, where somebody's has."""
    match, names = one.match, ("home", "away")
    for name, who in zip(names, match.sides, strict=False):
        last = left.get(who)
        if last is None or match.last_round <= last:
            continue
        is_cut = one.rule == "match" and any(
            play.outcome is None and (play.round or 0) > last for play in plays_of(match, session)
        )
        if one.rule == "open" or is_cut:
            return "home" if name == "home" else "away"
    return None


def _averages(found: Sequence[MatchResult]) -> dict[Who, Fraction]:
    """Return everybody's victory points a match, over those played or set by the director; a half is half of one."""
    points: dict[Who, Fraction] = defaultdict(Fraction)
    matches: dict[Who, Fraction] = defaultdict(Fraction)
    for one in found:
        if one.rule in ("match", "given") and one.vps is not None and one.match.away is not None:
            for who, vps in zip(one.match.sides, one.vps, strict=True):
                points[who] += vps
                matches[who] += Fraction(1, 2 if one.match.half else 1)
    return {who: points[who] / matches[who] for who in points}


def _bye(
    one: MatchResult, averages: Mapping[Who, Fraction], session: Session, profile: Profile
) -> MatchResult:
    share = Fraction(60) if profile.bye == "own-average" else profile.bye
    if profile.method == "bam":
        stage = session.stage
        many = len(one.match.boards) or (stage.boards if stage and stage.boards else 0)
        many = many or max((len(match.boards) for match in session.matches), default=0)
        points = share * many * profile.bam[0] / 100
        return replace(one, points=(points, ZERO), percent=(share, ZERO))
    scale = _scale(one.match, profile)
    if scale is None:
        return one
    vps = share * victory_points.greatest(scale) / 100
    if profile.bye == "own-average":
        vps = max(vps, averages.get(one.match.sides[0], ZERO))
    return replace(one, vps=(vps / 2 if one.match.half else vps, ZERO))


def _for_missing(
    one: MatchResult, missing: str, averages: Mapping[Who, Fraction], profile: Profile
) -> MatchResult:
    is_home = missing == "home"
    here, gone = one.match.sides if not is_home else reversed(one.match.sides)
    scale = _scale(one.match, profile)
    if scale is None:
        return replace(one, rule="missing")
    most = victory_points.greatest(scale)
    options = [most * 60 / 100]
    if here in averages:
        options.append(averages[here])
    if gone in averages:
        options.append(most - averages[gone])
    best = max(options) / (2 if one.match.half else 1)
    return replace(one, rule="missing", vps=(ZERO, best) if is_home else (best, ZERO))


def penalty_rounds(session: Session, last: int) -> Mapping[tuple[Who, int], Fraction]:
    """Return the victory points taken by contestant and round; without a round, in the last."""
    found: dict[tuple[Who, int], Fraction] = defaultdict(Fraction)
    for penalty in session.penalties:
        if penalty.unit == "vps":
            found[penalty.who, penalty.round or last] += penalty.amount
    return found

"""Boards of two teams: each side's value comes from both tables. SCORING rule 3.1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from ..comparing import SessionScopes
from ..counted_plays import CountedPlay, counted_plays, plays_of
from ..errors import ScoringError
from ..model import LINES, Award, ContestantKey, Line, Match, Session
from ..points import imps_of_difference
from ..profile import Profile
from ..rounding import round_half_away
from ..valuing import EarnedValue, PlayValue, ValuedSession, artificial_imps, artificial_percentage
from .match_results import ZERO, MatchBoard, Two


def boards_of_teams(
    session: Session, profile: Profile
) -> tuple[ValuedSession, dict[int, tuple[MatchBoard, ...]]]:
    """Return the scores of all plays of a team event, and the boards of each match."""
    plays = tuple(counted_plays(session, may_stand=profile.leavers == "stand"))
    scopes = SessionScopes(session, profile, plays)
    by_index = {counted_play.play.index: counted_play for counted_play in plays}
    values: dict[tuple[int, Line], PlayValue] = {}
    boards = {}
    is_knock_out = session.stage is not None and session.stage.kind == "knock-out"
    for match in session.matches:
        results = []
        at: dict[int, list[CountedPlay]] = {board: [] for board in match.boards}
        for play in plays_of(match, session):
            at.setdefault(play.board, []).append(by_index[play.index])
        for board, tables in at.items():
            result, rule = _teams_board(match, board, tables, profile, is_knock_out=is_knock_out)
            results.append(result)
            values |= _side_values(match, tables, result, rule)
        boards[match.index] = tuple(sorted(results, key=lambda result: result.board))
    for counted_play in plays:
        for line in LINES:
            values.setdefault(
                (counted_play.play.index, line), PlayValue(None, _rule_without_result(counted_play))
            )
    earned: dict[ContestantKey, list[EarnedValue]] = defaultdict(list)
    seen: set[tuple[ContestantKey, int, int]] = set()
    match_of = {
        play.index: match.index for match in session.matches for play in plays_of(match, session)
    }
    for counted_play in plays:
        for line in LINES:
            for contestant in counted_play.play.side(line):
                place = (
                    contestant,
                    match_of.get(counted_play.play.index, -1),
                    counted_play.play.board,
                )
                if (
                    place not in seen
                ):  # a board of a match counts once, though it is played at two tables
                    seen.add(place)
                    earned[contestant].append(
                        EarnedValue(counted_play, line, values[counted_play.play.index, line])
                    )
    valued = ValuedSession(
        session,
        profile,
        plays,
        scopes,
        dict.fromkeys(scopes.fields),
        values,
        {contestant: tuple(mine) for contestant, mine in earned.items()},
    )
    return valued, boards


def _rule_without_result(play: CountedPlay) -> str:
    """Return the name of the rule for a play without a result, such as "open" or "not-played"."""
    return play.fate if play.is_awaited else "not-played"


def _side_values(
    match: Match, tables: Sequence[CountedPlay], result: MatchBoard, rule: Mapping[str, str]
) -> Iterator[tuple[tuple[int, Line], PlayValue]]:
    """Yield the score of both sides at both tables of a match's board."""
    for table in tables:
        for line in LINES:
            is_home = table.play.side(line)[0].label == match.home
            value = result.home if is_home else result.away
            if value is None:
                yield (
                    (table.play.index, line),
                    PlayValue(
                        None,
                        _rule_without_result(table)
                        if table.fate != "scored" and table.fate != "artificial"
                        else ("open" if result.is_open else "not-played"),
                    ),
                )
            else:
                side = "home" if is_home else "away"
                exact = None if result.exact is None else result.exact[not is_home]
                yield (table.play.index, line), PlayValue(value, rule[side], exact=exact)


def _teams_board(
    match: Match, board: int, tables: Sequence[CountedPlay], profile: Profile, *, is_knock_out: bool
) -> tuple[MatchBoard, dict[str, str]]:
    """Return both teams' scores on a board of their match, and the rule for each."""
    rules = {"home": "compared", "away": "compared"}
    given = [table for table in tables if table.fate == "artificial"]
    if given:
        values = [_awarded_values(match, table, profile, rules) for table in given]
        if len(set(values)) > 1:
            raise ScoringError(
                f"plays[{given[-1].play.index}].outcome",
                f"another artificial score of board {board} than at the other table",
            )
        home, guests_ = values[0]
        if is_knock_out and home is not None and guests_ is not None:
            home, guests_ = _balanced_values(home, guests_, profile)
        return MatchBoard(board, home, guests_), rules
    at_home = [table for table in tables if table.play.ns[0] == match.home]
    guests = [table for table in tables if table.play.ns[0] != match.home]
    has_other_cards = len({table.play.group for table in tables}) > 1
    if has_other_cards or any(table.fate == "not-played" for table in tables):
        return MatchBoard(board, None, None), rules
    if len(at_home) != 1 or len(guests) != 1 or any(table.is_awaited for table in tables):
        if len(at_home) > 1 or len(guests) > 1:
            raise ScoringError(
                f"plays[{tables[-1].play.index}]",
                f"board {board} of a match is played the same way at both tables",
            )
        return MatchBoard(board, None, None, is_open=True), rules
    open_room, closed_room = at_home[0], guests[0]
    home = _net_result(open_room, closed_room, profile)
    away_ = _net_result(closed_room, open_room, profile)
    if is_knock_out:
        home, away_ = _balanced_values(home, away_, profile)
    exact = None
    if profile.board_places is not None:
        exact = home, away_
        home = round_half_away(home, profile.board_places)
        away_ = round_half_away(away_, profile.board_places)
    for key, where in (("home", LINES), ("away", LINES)):
        if any(len(table.scores_of(line)) > 1 for table in tables for line in where):
            rules[key] = "assigned"
    return MatchBoard(board, home, away_, exact=exact), rules


def _balanced_values(home: Fraction, guests: Fraction, profile: Profile) -> Two:
    """Return both teams' scores on a board of a knockout, averaged if they are not opposite. Law 12C4.

    Points of a board-a-match are no difference: one side's loss is the other's gain.
    """
    if profile.method == "bam":
        return home, guests
    return (home - guests) / 2, (guests - home) / 2


def _net_result(own_play: CountedPlay, other_play: CountedPlay, profile: Profile) -> Fraction:
    """Return a team's score on a board from its N-S result at one table and its E-W result at the other."""
    total = ZERO
    for weight, score in own_play.scores_of("ns"):
        for share, across in other_play.scores_of("ew"):
            total += weight * share * _value_of_difference(score - across, profile)
    return total


def _value_of_difference(difference: int, profile: Profile) -> Fraction:
    """Convert the difference between two tables' scores to IMPs, points or board-a-match points."""
    if profile.method == "team-imps":
        return Fraction(imps_of_difference(difference))
    if profile.method == "aggregate":
        return Fraction(difference)
    won, tied, lost = profile.bam
    return won if difference > 0 else lost if difference < 0 else tied


def _awarded_values(
    match: Match, play: CountedPlay, profile: Profile, rules: dict[str, str]
) -> tuple[Fraction | None, Fraction | None]:
    """Return both teams' artificial scores on a board, and store their rules in `rules`."""
    values = []
    for name in (match.home, match.away):
        line: Line = "ns" if play.play.ns[0] == name else "ew"
        award = play.award(line)
        rules["home" if name == match.home else "away"] = (
            award if isinstance(award, str) else "not-played" if award is None else "fixed"
        )
        values.append(_team_award(award, profile))
    return values[0], values[1]


def _team_award(award: Award, profile: Profile) -> Fraction | None:
    """Return the score of an artificial award in a team match: a fixed number of IMPs or points (Law 86A)."""
    if award is None:
        return None
    if profile.method == "team-imps":
        return artificial_imps(award, profile, None)
    if profile.method == "bam":
        return artificial_percentage(award, profile, None) * profile.bam[0] / 100
    return award if isinstance(award, Fraction) else ZERO

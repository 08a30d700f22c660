"""Reports of results: numbers rounded once, with exact ones beside them, and lists in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import overload

from ..comparing import ComparedField
from ..match_scoring.match_points import score_if_match_tied, tied_match_score
from ..match_scoring.match_results import MatchResult
from ..match_scoring.standings import RoundStandings, StandingRow
from ..methods.comparison import FieldComparison
from ..model import LINES, Line
from ..points import single_score
from ..profile import Profile
from ..rankings.ranking import Ranking, RankingRow
from ..rounding import round_half_away, rounded_units
from ..valuing import PlayValue, ValuedSession
from . import results
from .results import MatchSides, Number, SideResult

#: the values of the pairs of two teams, by play
PairValues = Mapping[int, tuple[Fraction | None, Fraction | None]]
#: decimal places of a board's value, and of all others
VALUE_PLACES, PLACES = 4, results.PLACES


@overload
def json_number(
    value: Fraction | int, places: int = PLACES, middle: Fraction | int = 0
) -> int | float:
    """Return a known number rounded for JSON."""


@overload
def json_number(value: None, places: int = PLACES, middle: Fraction | int = 0) -> None:
    """Return None for a value that does not exist."""


def json_number(
    value: Fraction | int | None, places: int = PLACES, middle: Fraction | int = 0
) -> int | float | None:
    """Return a number rounded for JSON; an exact half is rounded away from `middle`."""
    if value is None:
        return None
    if value.denominator == 1:
        return value.numerator
    unit: int = 10**places
    rounded = rounded_units(value, places, middle)
    return rounded / unit if rounded % unit else rounded // unit


def exact_number(value: Fraction | int | None) -> Fraction | None:
    """Return the exact number, unrounded, as a fraction; None without one."""
    return value if value is None or isinstance(value, Fraction) else Fraction(value)


def play_rows(
    valued_session: ValuedSession, pairs: PairValues | None = None
) -> tuple[results.PlayResult, ...]:
    """Return the result of each play: the bridge score, and each side's score by the method.

    For teams it includes the pairs' values, and for artificial scores the values of single players.
    """
    own_sides = _own_sides(valued_session)
    plays = []
    for play in valued_session.plays:
        index = play.play.index
        ns, ew = (
            side_row(valued_session.values[index, line], valued_session.profile) for line in LINES
        )
        score = None if play.play.aside else single_score(play.play.board, play.play.outcome)
        two = pairs.get(index) if pairs else None
        pair = two and results.PairsOfPlay(json_number(two[0]), json_number(two[1]))
        plays.append(results.PlayResult(index, score, ns, ew, pair, own_sides.get(index, {})))
    return tuple(plays)


def _own_sides(valued_session: ValuedSession) -> dict[int, dict[str, SideResult]]:
    """Return artificial scores of single players, which depend on each player's average, by play and label."""
    own_sides: dict[int, dict[str, SideResult]] = {}
    if valued_session.session.contest.plays_alone:
        for contestant, values in valued_session.earned.items():
            for valued_play in values:
                if valued_play.play.fate == "artificial":
                    of_play = own_sides.setdefault(valued_play.play.play.index, {})
                    of_play[contestant.label] = side_row(valued_play.value, valued_session.profile)
    return own_sides


def board_unit(profile: Profile) -> results.Unit:
    """Return the unit of scores on boards, such as "mp" or "imps"."""
    return "mp" if profile.is_per_cent else "imps" if profile.is_imps else "points"


@overload
def _displayed_points(value: Fraction, profile: Profile) -> Fraction:
    """Return known points as pages show them."""


@overload
def _displayed_points(value: Fraction | None, profile: Profile) -> Fraction | None:
    """Return points as pages show them; None without points."""


def _displayed_points(value: Fraction | None, profile: Profile) -> Fraction | None:
    """Return points as pages show them; matchpoints are halved if a result beaten counts one."""
    return value / 2 if value is not None and profile.half and profile.is_per_cent else value


def side_row(value: PlayValue, profile: Profile) -> SideResult:
    """Return a side's score on a play, rounded for pages and files."""
    worth, top = _displayed_points(value.value, profile), _displayed_points(value.top, profile)
    before = worth if value.exact is None else _displayed_points(value.exact, profile)
    middle = 0 if top is None else top / 2
    return SideResult(
        value=json_number(worth, VALUE_PLACES, middle),
        exact=exact_number(before),
        unit=board_unit(profile),
        top=json_number(top, VALUE_PLACES),
        percent=json_number(100 * worth / top, PLACES, 50) if worth is not None and top else None,
        rule=value.rule,
        results=value.results,
        expected=value.expected,
        beaten=value.beaten,
        tied=value.tied,
        parts=tuple(
            (weight, json_number(_displayed_points(part, profile), VALUE_PLACES, middle))
            for weight, part in value.parts
        ),
        counted=exact_number(worth),
    )


def sit_outs(valued_session: ValuedSession) -> tuple[results.SatOut, ...]:
    """Return the sat-out boards for which contestants get a score."""
    return tuple(
        results.SatOut(
            contestant.section,
            contestant.label,
            sat_out.board,
            side_row(sat_out.value, valued_session.profile),
        )
        for contestant, found in valued_session.sit_outs.items()
        for sat_out in found
    )


def board_rows(valued_session: ValuedSession) -> tuple[results.BoardResult, ...]:
    """Return every group of compared results with the frequency and value of each bridge score."""
    keys = sorted(
        valued_session.scopes.fields,
        key=lambda key: (
            key.scope.section or "",
            key.scope.deals or "",
            key.board,
            key.group or "",
        ),
    )
    return tuple(
        _board_result(
            valued_session.scopes.fields[key],
            valued_session.comparisons[key],
            valued_session.profile,
        )
        for key in keys
    )


def _board_result(
    field: ComparedField, comparison: FieldComparison | None, profile: Profile
) -> results.BoardResult:
    """Return a group of compared results with the frequency and value of each bridge score."""
    scope = field.key.scope
    return results.BoardResult(
        section=scope.section,
        deals=scope.deals,
        board=field.key.board,
        group=field.key.group,
        state="complete" if field.is_closed else "open",
        results=field.result_count,
        expected=field.expected,
        datum=json_number(comparison.datum) if comparison else None,
        datum_ew=json_number(comparison.datum_ew) if comparison else None,
        top=json_number(_displayed_points(comparison.top, profile), VALUE_PLACES)
        if comparison
        else None,
        frequency=_frequency_rows(field, "ns", comparison, profile),
        frequency_ew=_frequency_rows(field, "ew", comparison, profile) if field.is_split else None,
        artificial=tuple(play.play.index for play in field.plays if play.fate == "artificial"),
    )


def _frequency_rows(
    field: ComparedField, line: Line, comparison: FieldComparison | None, profile: Profile
) -> tuple[results.FrequencyRow, ...]:
    """Return how often each score of a board occurs, with its matchpoints or IMPs for both sides."""
    sign = 1 if line == "ns" else -1
    counted = field.frequencies(line)
    top = _displayed_points(comparison.top, profile) if comparison else None
    middle = 0 if top is None else top / 2

    def value_of_score(direction: Line, score: int) -> Number | None:
        """Return the value of a score for a side; None if it has none."""
        if comparison is None or (field.is_split and direction != line):
            return None
        found = comparison.worth(direction, score if direction == "ns" else -score)
        if profile.board_places is not None:
            found = round_half_away(found, profile.board_places)
        return json_number(_displayed_points(found, profile), VALUE_PLACES, middle)

    return tuple(
        results.FrequencyRow(
            score,
            json_number(counted[sign * score], VALUE_PLACES),
            value_of_score("ns", score),
            value_of_score("ew", score),
        )
        for score in sorted((sign * value for value in counted), reverse=True)
    )


def ranking_rows(rankings: Iterable[Ranking], profile: Profile) -> tuple[results.Ranking, ...]:
    """Return every ranking with its rows, rounded for pages and files."""
    return tuple(
        results.Ranking(
            ranking.section,
            ranking.field,
            ranking.stratum,
            ranking.category,
            ranking.handicap,
            tuple(_ranked_line(row, profile) for row in ranking.rows),
        )
        for ranking in rankings
    )


def _ranked_line(row: RankingRow, profile: Profile) -> results.RankedLine:
    """Return a contestant's row of a ranking, rounded for pages and files."""
    score = row.score
    penalty: Fraction | None = score.tally.penalty + score.percent_penalty
    total, top = score.total, score.top
    if top is not None:  # victory points have no top, and are no matchpoints
        total, top, penalty = (_displayed_points(value, profile) for value in (total, top, penalty))
    middle = top / 2 if top and profile.is_per_cent else 0
    return results.RankedLine(
        order=row.order,
        place=row.place,
        contestant=score.contestant_key.label,
        section=score.contestant_key.section,
        field=score.tally.contestant.field,
        percent=json_number(score.percent, PLACES, 50),
        total=json_number(total, PLACES, middle),
        top=json_number(top, VALUE_PLACES),
        average=json_number(score.average),
        overall=json_number(None if score.overall is None else score.printed),
        exact=exact_number(score.ranked),
        exact_total=exact_number(total),
        boards=score.tally.boards,
        due=score.tally.due,
        penalty=json_number(penalty, VALUE_PLACES),
    )


def entered_and_awaited(valued_session: ValuedSession) -> tuple[frozenset[int], int]:
    """Return the indexes of the plays whose result is in and expected, and the number of results still missing."""
    plays = valued_session.plays
    entered = (
        play
        for play in plays
        if not play.is_awaited
        and (play.fate != "not-played" or (any(play.due) and play.is_expected))
    )
    return frozenset(play.play.index for play in entered), sum(play.is_awaited for play in plays)


# ── matches ──


def match_rows(
    match_results: Iterable[MatchResult], profile: Profile
) -> tuple[results.MatchResult, ...]:
    """Return the result of each match with its boards, rounded for pages and files."""
    return tuple(
        results.MatchResult(
            match=match.match.index,
            round=match.match.round,
            home=match.match.home,
            away=match.match.away,
            imps=_rounded_sides(match.imps),
            lead=json_number(match.lead, VALUE_PLACES),
            points=_bye_points(match) or _rounded_sides(match.points),
            percent=_rounded_sides(match.percent, 50),
            vps=_rounded_sides(match.vps, score_if_match_tied(match.match, profile)),
            boards=tuple(
                results.MatchBoard(
                    board.board,
                    json_number(board.home, VALUE_PLACES),
                    json_number(board.away, VALUE_PLACES),
                )
                for board in match.boards
            ),
            rule=match.rule,
        )
        for match in match_results
    )


def _bye_points(result: MatchResult) -> MatchSides | None:
    """Return the points of a bye in the report's form for a match; the second side is None."""
    if result.points is None or result.match.away is not None:
        return None
    return MatchSides(json_number(result.points[0]), None)


def _rounded_sides(
    two: tuple[Fraction, Fraction] | None, midpoint: Fraction | int = 0
) -> MatchSides | None:
    """Return the numbers of both sides rounded for JSON; None without values."""
    if two is None:
        return None
    return MatchSides(json_number(two[0], PLACES, midpoint), json_number(two[1], PLACES, midpoint))


def standing_rows(
    rounds: Iterable[RoundStandings], profile: Profile
) -> tuple[results.RoundStandings, ...]:
    """Return the league table after each round, rounded for pages and files."""
    return tuple(
        results.RoundStandings(
            match_round.round, tuple(_match_standing(row, profile) for row in match_round.rows)
        )
        for match_round in rounds
    )


def _match_standing(row: StandingRow, profile: Profile) -> results.MatchStanding:
    """Return a row of the league table, rounded for pages and files."""
    has = row.standing
    return results.MatchStanding(
        order=row.order,
        place=row.place,
        contestant=has.contestant_key.label,
        section=has.contestant_key.section,
        total=json_number(has.total, PLACES, tied_match_score(profile) * has.matches),
        average=json_number(has.average, PLACES, tied_match_score(profile)),
        boards=has.boards,
        matches=has.matches,
        wins=has.wins,
        draws=has.draws,
        losses=has.losses,
        net=json_number(has.net),
        tie_break=json_number(row.tie_break),
        decided=row.decided,
    )

"""The value of every play for each side: compared with its field, or given by a director."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TypedDict

from .comparing import ComparedField, FieldKey, SessionScopes
from .counted_plays import CountedPlay, counted_plays, plays_of
from .methods.catalogue import METHODS
from .methods.comparison import FieldComparison
from .model import LINES, AssignedScore, Award, ContestantKey, Line, Match, Session
from .profile import Profile
from .rounding import exact_sum, round_half_away


@dataclass(frozen=True, slots=True)
class PlayValue:
    """A side's score on a play in matchpoints, IMPs or points; None without one."""

    value: Fraction | None
    rule: str
    top: Fraction | None = None
    results: int | None = None
    expected: int | None = None
    beaten: int | None = None
    tied: int | None = None
    parts: tuple[tuple[Fraction, Fraction], ...] = ()
    #: the value before rounding, if the profile rounds every board
    exact: Fraction | None = None


class _ScoreCounts(TypedDict):
    """The numbers of entered and of expected results of a board."""

    results: int
    expected: int


@dataclass(frozen=True, slots=True)
class EarnedValue:
    """A contestant's score on a play."""

    play: CountedPlay
    line: Line
    value: PlayValue

    def is_due(self, contestant: ContestantKey) -> bool:
        """Return whether a score is expected for the contestant; not for a single player who left without award."""
        return (
            self.play.is_due(self.line) and self.play.own_awards.get(contestant, "AVE") is not None
        )


@dataclass(frozen=True, slots=True)
class SatOut:
    """A contestant's score on a sat-out board; `is_planned`: by the movement, not for missing opponents."""

    board: int
    value: PlayValue
    is_planned: bool


@dataclass(frozen=True)
class ValuedSession:
    """A session with the scores of all plays, before totals and rankings."""

    session: Session
    profile: Profile
    plays: tuple[CountedPlay, ...]
    scopes: SessionScopes
    comparisons: Mapping[FieldKey, FieldComparison | None]
    #: by play and side
    values: Mapping[tuple[int, Line], PlayValue]
    #: by contestant, in the order of the plays
    earned: Mapping[ContestantKey, tuple[EarnedValue, ...]] = field(default_factory=dict)
    #: by contestant: boards sat out, if the profile gives points for them
    sit_outs: Mapping[ContestantKey, tuple[SatOut, ...]] = field(default_factory=dict)


def value_session(session: Session, profile: Profile) -> ValuedSession:
    """Score all plays of a session by a method that compares the results of each board."""
    plays = tuple(counted_plays(session, may_stand=profile.leavers == "stand"))
    scopes = SessionScopes(session, profile, plays)
    compare = METHODS[profile.method]
    comparisons = {
        key: compare(field, profile) if _is_compared(field, profile) else None
        for key, field in scopes.fields.items()
    }
    values: dict[tuple[int, Line], PlayValue] = {}
    for play in plays:
        of = scopes.field_of[play.play.index]
        for line in LINES:
            if play.fate != "artificial":
                value = _compared_value(play, line, of, comparisons[of.key], profile)
                values[play.play.index, line] = _rounded_value(value, profile)
    averages = OwnAverages(session, profile, plays, values)
    earned: dict[ContestantKey, list[EarnedValue]] = defaultdict(list)
    for play in plays:
        of = scopes.field_of[play.play.index]
        for line in LINES:
            key = (play.play.index, line)
            if play.fate == "artificial":
                owners = play.play.side(line)
                alone = owners[0] if len(owners) == 1 else None
                values[key] = artificial_value(
                    play.award(line), of, profile, averages.average_of(alone, play)
                )
                values[key] = _rounded_value(values[key], profile)
            for contestant in play.play.side(line):
                value = values[key]
                if play.fate == "artificial" and len(play.play.side(line)) > 1:
                    award = play.own_awards.get(contestant, play.award(line))
                    value = artificial_value(
                        award, of, profile, averages.average_of(contestant, play)
                    )
                    value = _rounded_value(value, profile)
                earned[contestant].append(EarnedValue(play, line, value))
    return ValuedSession(
        session,
        profile,
        plays,
        scopes,
        comparisons,
        values,
        {contestant: tuple(boards) for contestant, boards in earned.items()},
        _sat_out(session, profile, scopes, plays),
    )


def _sat_out(
    session: Session, profile: Profile, scopes: SessionScopes, plays: Sequence[CountedPlay]
) -> dict[ContestantKey, tuple[SatOut, ...]]:
    """Return the scores for sat-out boards, if the profile gives a percentage of the top for them.

    It applies to matchpoints only, and not to matches, where a bye has victory points.
    """
    percent = profile.sit_outs
    if not isinstance(percent, Fraction) or not profile.is_per_cent or session.matches:
        return {}
    fields = {(key.scope, key.board): field for key, field in scopes.fields.items()}
    sit_outs: dict[ContestantKey, list[SatOut]] = defaultdict(list)

    def add_sit_out(
        contestant: ContestantKey, field: ComparedField | None, *, is_planned: bool
    ) -> None:
        """Add a board that a contestant sat out, with its value."""
        value = None if field is None else artificial_value(percent, field, profile, None)
        if field is not None and value is not None and value.value is not None:
            sit_outs[contestant].append(
                SatOut(field.key.board, _rounded_value(value, profile), is_planned)
            )

    for sit_out in session.sit_outs:
        scope = scopes.scope_of_section(sit_out.who.section)
        for board in sit_out.boards:
            is_planned = sit_out.reason == "planned"
            add_sit_out(sit_out.who, fields.get((scope, board)), is_planned=is_planned)
    for play in plays:
        for contestant in play.play.side(play.left_alone) if play.left_alone else ():
            add_sit_out(contestant, scopes.field_of[play.play.index], is_planned=False)
    return {contestant: tuple(values) for contestant, values in sit_outs.items()}


def _is_compared(field: ComparedField, profile: Profile) -> bool:
    """Return whether a board's results can be compared: there are enough, or more are expected."""
    if not field.result_count:
        return False
    if profile.method == "aggregate":
        return True
    if field.result_count > 1:
        return True
    if profile.is_per_cent and profile.ascherman:  # a tie with itself counts a half
        return field.expected > 1
    return field.expected > 1 and not field.is_closed and profile.unequal != "own-tops"


def _compared_value(
    play: CountedPlay,
    direction: Line,
    field: ComparedField,
    comparison: FieldComparison | None,
    profile: Profile,
) -> PlayValue:
    """Return a side's score on a play, by comparison with the board's other results."""
    counts = _ScoreCounts(results=field.result_count, expected=field.expected)
    if play.fate != "scored":
        return PlayValue(None, play.fate, **counts)
    if comparison is None:
        return _single_result_value(field, profile)
    sign = 1 if direction == "ns" else -1
    parts = [(weight, sign * score) for weight, score in play.scores_of(direction)]
    rule = "assigned" if isinstance(play.play.outcome, AssignedScore) else comparison.rule
    if len(parts) == 1:
        score = parts[0][1]
        beaten, tied = _count_beaten_and_tied(field, direction, score)
        worth = comparison.worth(direction, score)
        return PlayValue(worth, rule, comparison.top, beaten=beaten, tied=tied, **counts)
    worths = tuple((weight, comparison.worth(direction, score)) for weight, score in parts)
    value = sum((weight * worth for weight, worth in worths), Fraction(0))
    return PlayValue(value, rule, comparison.top, parts=worths, **counts)


def _count_beaten_and_tied(
    field: ComparedField, direction: Line, score: int
) -> tuple[int | None, int | None]:
    """Return how many other results of the board a score beats and ties; None for weighted results."""
    beaten, tied = field.beaten_counts(direction)[score], field.frequencies(direction)[score] - 1
    if beaten.denominator > 1 or tied.denominator > 1:
        return None, None
    return int(beaten), int(tied)


def _single_result_value(field: ComparedField, profile: Profile) -> PlayValue:
    """Return the score for a board's only result, which has nothing to be compared with."""
    counts = _ScoreCounts(results=field.result_count, expected=field.expected)
    if field.expected < 2:
        return PlayValue(None, "single", **counts)
    if profile.is_per_cent and profile.unequal == "own-tops":
        return PlayValue(None, "not-played", **counts)
    if not profile.is_per_cent:
        return PlayValue(Fraction(0), "single", **counts)
    top = Fraction(2 * (field.expected - 1))
    return PlayValue(top * (60 if field.expected > 2 else 50) / 100, "single", top, **counts)


def artificial_value(
    award: Award, field: ComparedField, profile: Profile, own: Fraction | None
) -> PlayValue:
    """Return the score of an artificial award on a board; `own` is the contestant's own average.

    Law 12C2; White Book 4.1.1.1.
    """
    counts = _ScoreCounts(results=field.result_count, expected=field.expected)
    if award is None:
        return PlayValue(None, "not-played", **counts)
    rule = award if isinstance(award, str) else "fixed"
    if profile.is_per_cent:
        top = Fraction(2 * (field.expected - 1))
        if profile.ascherman:
            top = Fraction(2 * field.expected) if field.expected > 1 else top
        elif profile.unequal == "own-tops":
            top = Fraction(2 * (field.result_count - 1))
        if top <= 0:
            return PlayValue(None, "not-played", **counts)
        return PlayValue(
            top * artificial_percentage(award, profile, own) / 100, rule, top, **counts
        )
    if profile.method == "aggregate":
        number = award if isinstance(award, Fraction) else Fraction(0)
        return PlayValue(number, rule, **counts)
    scale = imps_scale(profile, field.expected)
    return PlayValue(artificial_imps(award, profile, own, scale), rule, **counts)


def imps_scale(profile: Profile, expected: int) -> int:
    """Return the factor for the IMPs of an artificial award: the number of comparisons if the profile says so."""
    is_scaled = profile.ximp == "total" and profile.ave_imps == "scaled"
    return max(1, expected - 1) if profile.method == "cross-imps" and is_scaled else 1


def artificial_percentage(award: Award, profile: Profile, own: Fraction | None) -> Fraction:
    """Return the per cent of an artificial award; `own` is the contestant's own average."""
    if isinstance(award, Fraction):
        return award
    plus, minus = profile.ave.plus, profile.ave.minus
    if own is not None and profile.ave.own:
        plus, minus = max(plus, own), min(minus, own)
    return {"AVE+": plus, "AVE": Fraction(50), "AVE-": minus}[award or "AVE"]


def artificial_imps(
    award: Award, profile: Profile, own: Fraction | None, scale: int = 1
) -> Fraction:
    """Return the IMPs of an artificial award; `own` is the contestant's own average."""
    if isinstance(award, Fraction):
        return award
    plus, minus = profile.ave.imps * scale, -profile.ave.imps * scale
    if own is not None and profile.ave.own:
        plus, minus = max(plus, own), min(minus, own)
    return {"AVE+": plus, "AVE": Fraction(0), "AVE-": minus}[award or "AVE"]


def _rounded_value(value: PlayValue, profile: Profile) -> PlayValue:
    """Return a score rounded to the profile's decimals."""
    if value.value is None or profile.board_places is None:
        return value
    rounded = round_half_away(value.value, profile.board_places)
    return replace(value, value=rounded, exact=value.value)


class OwnAverages:
    """Contestants' averages on their other boards, in the match or the session, for artificial awards."""

    def __init__(
        self,
        session: Session,
        profile: Profile,
        plays: Sequence[CountedPlay],
        values: Mapping[tuple[int, Line], PlayValue],
    ) -> None:
        self.is_per_cent = profile.is_per_cent
        self._plays = plays
        self._values = values
        is_of_match = bool(session.matches) and not (
            session.stage is not None and session.stage.kind == "round-robin"
        )
        self._match_of: dict[int, Match] = {}
        if is_of_match:
            self._match_of = {
                play.index: match for match in session.matches for play in plays_of(match, session)
            }

    @cached_property
    def _averaged_values(self) -> Mapping[tuple[ContestantKey, int | None], list[PlayValue]]:
        """Return the scores from which averages are computed; calculated only if an average is needed."""
        own: dict[tuple[ContestantKey, int | None], list[PlayValue]] = defaultdict(list)
        for play in self._plays:
            for line in LINES if play.fate == "scored" else ():
                value = self._values[play.play.index, line]
                if value.value is not None and value.rule != "single":
                    for contestant in play.play.side(line):
                        own[contestant, self._match_index(play)].append(value)
        return own

    def _match_index(self, play: CountedPlay) -> int | None:
        """Return the index of the match to which a play belongs; None without matches."""
        match = self._match_of.get(play.play.index)
        return None if match is None else match.index

    def average_of(self, contestant: ContestantKey | None, play: CountedPlay) -> Fraction | None:
        """Return a contestant's average on its other boards, in per cent or in IMPs per board."""
        if contestant is None:
            return None
        values = self._averaged_values.get((contestant, self._match_index(play)), ())
        of = exact_sum(value.top or 0 for value in values) if self.is_per_cent else len(values)
        if not of:
            return None
        return (
            (100 if self.is_per_cent else 1) * exact_sum(value.value or 0 for value in values) / of
        )

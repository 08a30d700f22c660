"""The comparison of results: each play's treatment, and the field to which it belongs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

from .model import (
    LINES,
    ArtificialScore,
    Award,
    ContestantKey,
    Line,
    Match,
    NotPlayed,
    Parts,
    PendingResult,
    Play,
    Session,
)
from .points import weighted_parts
from .profile import Profile

Fate = Literal["scored", "artificial", "open", "pending", "not-played"]


class ComparisonScope(NamedTuple):
    """The range of comparison: a section or all (None), and the name of the deals."""

    section: str | None
    deals: str | None


class FieldKey(NamedTuple):
    """One field: a board of a scope, and the group if the board was fouled."""

    scope: ComparisonScope
    board: int
    group: str | None


@dataclass(frozen=True, slots=True)
class CountedPlay:
    """A play with its treatment when the session is scored."""

    play: Play
    fate: Fate
    parts: tuple[Parts, Parts] | None = None
    awards: tuple[Award, Award] = (None, None)
    #: counts among the expected plays of this board
    is_expected: bool = True
    #: sides with a missing result
    due: tuple[bool, bool] = (True, True)
    is_sit_out: bool = False
    #: the side whose opponents never came
    left_alone: Line | None = None
    #: awards of contestants that have left; they differ from the award of the side
    own_awards: Mapping[ContestantKey, Award] = field(default_factory=dict)

    def scores_of(self, line: Line) -> Parts:
        """Return the weighted scores of N-S or E-W."""
        assert self.parts is not None
        return self.parts[LINES.index(line)]

    def award(self, line: Line) -> Award:
        return self.awards[LINES.index(line)]

    def is_due(self, line: Line) -> bool:
        return self.due[LINES.index(line)]

    @property
    def is_awaited(self) -> bool:
        return self.fate in ("open", "pending")


NOT_DUE = (False, False)


def counted_plays(session: Session, *, may_stand: bool = False) -> list[CountedPlay]:
    """Return the treatment of every play: after leavers, missing sides and rulings."""
    plays = _judge_missing(_apply_rulings(session, [_counted_play(play) for play in session.plays]))
    if session.matches:  # whole matches are judged there
        plays = _remove_matches_of_leavers(session, plays, may_stand=may_stand)
    else:
        plays = _judge_leavers(session, plays, may_stand=may_stand)
    return [_clear_result(play) if play.play.aside else play for play in _remove_doubles(plays)]


def _clear_result(play: CountedPlay) -> CountedPlay:
    """Return a play that is set aside without its result; leavers and missing sides stay."""
    if play.fate not in ("scored", "artificial"):
        return play
    return replace(play, fate="open", parts=None, awards=(None, None), own_awards={})


def _counted_play(play: Play) -> CountedPlay:
    match play.outcome:
        case None:
            return CountedPlay(play, "open")
        case PendingResult():
            return CountedPlay(play, "pending")
        case ArtificialScore(ns=ns, ew=ew):
            return CountedPlay(
                play, "artificial", awards=(ns, ew), due=(ns is not None, ew is not None)
            )
        case NotPlayed(reason="time" | "skipped"):
            return CountedPlay(play, "not-played")
        case NotPlayed(reason="cancelled"):
            return CountedPlay(play, "not-played", is_expected=False, due=NOT_DUE)
        case NotPlayed(reason=reason):
            return CountedPlay(
                play, "not-played", is_expected=False, is_sit_out=reason == "sit-out"
            )
    return CountedPlay(play, "scored", parts=weighted_parts(play.board, play.outcome))


def _apply_rulings(session: Session, found: list[CountedPlay]) -> list[CountedPlay]:
    """Return plays with open ones of matches under a ruling marked as not played.

    Not playing them costs no place. If a side was missing, there was no table to expect a result from.
    """
    for match in session.matches:
        if match.is_ruled:
            for play in plays_of(match, session):
                if play.outcome is None:
                    is_expected = match.missing is None
                    found[play.index] = CountedPlay(
                        play, "not-played", is_expected=is_expected, due=NOT_DUE
                    )
    return found


def _judge_missing(found: Sequence[CountedPlay]) -> list[CountedPlay]:
    """Return plays with missing sides judged: a late side has AVE- and its opponents AVE+.

    Plays of an absent side are due for neither side.
    """
    have_scored = {
        contestant
        for play in found
        if play.fate == "scored"
        for line in LINES
        for contestant in play.play.line(line)
    }

    def judged_missing(play: CountedPlay) -> CountedPlay:
        outcome = play.play.outcome
        if not isinstance(outcome, NotPlayed) or outcome.reason != "missing":
            return play
        came = {line: set(play.play.line(line)) <= have_scored for line in LINES}
        side = outcome.side or next((line for line in LINES if not came[line]), None)
        if side is None:
            return replace(play, is_sit_out=True)
        if not came[side]:  # as if they had left before the first round: the play is cancelled
            return replace(play, due=NOT_DUE, left_alone="ew" if side == "ns" else "ns")
        awards: tuple[Award, Award] = ("AVE-", "AVE+") if side == "ns" else ("AVE+", "AVE-")
        return replace(play, fate="artificial", awards=awards)

    return [judged_missing(play) for play in found]


def _judge_leavers(
    session: Session, found: Sequence[CountedPlay], *, may_stand: bool
) -> list[CountedPlay]:
    """Return plays with those of leavers judged: White Book 2.4.2-6.

    Whether a contestant's results stand does not depend on other leavers.
    """
    every = list(found)
    own: dict[int, dict[ContestantKey, Award]] = defaultdict(dict)
    for contestant in session.contestants:
        if contestant.left is None:
            continue
        leaver, last = contestant.who, contestant.left.after_round
        indexes = [
            index
            for index, play in enumerate(found)
            if any(leaver in play.play.line(line) for line in LINES)
            and not (play.fate == "not-played" and not play.is_expected)
        ]
        played = [
            index
            for index in indexes
            if found[index].fate in ("scored", "artificial")
            and (found[index].play.round or 0) <= last
            and not _has_missed(found[index], leaver)
        ]
        if 2 * len(played) < len(indexes) and not may_stand:
            for index in indexes:
                every[index] = CountedPlay(
                    found[index].play, "not-played", is_expected=False, due=NOT_DUE
                )
            continue
        # a result of an earlier round is still missing, even if contestants have left since
        later = [
            index
            for index in indexes
            if found[index].is_awaited and (found[index].play.round or 0) > last
        ]
        listed = len(played) if contestant.left.listed else 0
        for number, index in enumerate(later):
            own[index][leaver] = "AVE-" if number < listed else None
    for index, awards in own.items():
        if every[index].is_awaited:
            every[index] = _award_after_leaving(every[index].play, awards)
    return every


def _has_missed(play: CountedPlay, contestant: ContestantKey) -> bool:
    """Return whether a contestant was too late for a play: average minus, and not played."""
    outcome = play.play.outcome
    is_missing = isinstance(outcome, NotPlayed) and outcome.reason == "missing"
    return is_missing and any(
        play.award(line) == "AVE-" for line in LINES if contestant in play.play.line(line)
    )


def _remove_matches_of_leavers(
    session: Session, found: list[CountedPlay], *, may_stand: bool
) -> list[CountedPlay]:
    """Return plays without void matches and those that a leaver was to play: White Book 2.4.2-6."""
    left = {
        team.who: team.left.after_round for team in session.contestants if team.left is not None
    }
    for match in session.matches if left else ():
        if is_cancelled(match, session, may_stand=may_stand):
            for play in plays_of(match, session):
                found[play.index] = CountedPlay(play, "not-played", is_expected=False, due=NOT_DUE)
        elif any(key in left and match.last_round > left[key] for key in match.sides):
            for play in plays_of(match, session):
                if found[play.index].is_awaited and (play.round or 0) > min(
                    left[key] for key in match.sides if key in left
                ):
                    found[play.index] = CountedPlay(
                        play, "not-played", is_expected=False, due=NOT_DUE
                    )
    return found


def is_cancelled(match: Match, session: Session, *, may_stand: bool) -> bool:
    """Return whether a side of a match has left before playing half of it.

    The match then counts for neither side, unless the played part `may_stand`.
    """
    return not may_stand and any(
        contestant.left is not None
        and contestant.who in match.sides
        and not _has_played_half(contestant.who, contestant.left.after_round, session)
        for contestant in session.contestants
    )


def _has_played_half(key: ContestantKey, after_round: int, session: Session) -> bool:
    matches = [match for match in session.matches if key in match.sides and match.away is not None]
    played = [match for match in matches if match.last_round <= after_round]
    return 2 * len(played) >= len(matches)


def _award_after_leaving(play: Play, own: Mapping[ContestantKey, Award]) -> CountedPlay:
    """Return AVE+ for a play made impossible by a leaver; `own` gives the leavers' awards."""
    awards: list[Award] = ["AVE+", "AVE+"]
    if len(play.ns) == 1:
        awards = [own.get(play.line(line)[0], "AVE+") for line in LINES]
    return CountedPlay(
        play,
        "artificial",
        awards=(awards[0], awards[1]),
        is_expected=False,
        due=(awards[0] is not None, awards[1] is not None),
        own_awards=own if len(play.ns) > 1 else {},
    )


def _remove_doubles(found: Sequence[CountedPlay]) -> list[CountedPlay]:
    """Return plays in which a side's score counts in the line really played only."""
    places: Counter[tuple[ContestantKey, int]] = Counter(
        (key, play.play.board) for play in found for line in LINES for key in play.play.line(line)
    )

    def judged_double(play: CountedPlay) -> CountedPlay:
        if not isinstance(play.play.outcome, ArtificialScore) or play.fate != "artificial":
            return play
        has_other = any(
            play.award(line) is None and places[key, play.play.board] > 1
            for line in LINES
            for key in play.play.line(line)
        )
        return replace(play, is_expected=False) if has_other else play

    return [judged_double(play) for play in found]


# ── fields ──


@dataclass(frozen=True)
class ComparedField:
    """All results that are compared with each other: A of them, E expected."""

    key: FieldKey
    plays: tuple[CountedPlay, ...]
    expected: int
    #: all expected results of the board are in
    is_closed: bool

    @cached_property
    def lines(self) -> tuple[CountedPlay, ...]:
        return tuple(play for play in self.plays if play.fate == "scored")

    @property
    def result_count(self) -> int:
        return len(self.lines)

    @cached_property
    def _frequencies(self) -> dict[Line, Counter[int]]:
        return {line: self._count_scores(line) for line in LINES}

    def frequencies(self, line: Line) -> Counter[int]:
        """Return the frequency of each score from a side's view; weights may be fractions."""
        return self._frequencies[line]

    def _count_scores(self, line: Line) -> Counter[int]:
        sign = 1 if line == "ns" else -1
        counts: Counter[int] = Counter()
        for play in self.lines:
            weighted = play.scores_of(line)
            for weight, score in weighted:
                counts[sign * score] += 1 if len(weighted) == 1 else weight  # type: ignore[assignment]
        return counts

    @cached_property
    def _counts_below(self) -> dict[Line, dict[int, int]]:
        return {line: _sums_below(counted) for line, counted in self._frequencies.items()}

    def below(self, line: Line) -> Mapping[int, int]:
        """Return how many results each score beats from a side's view; weights may be fractions."""
        return self._counts_below[line]

    @cached_property
    def is_split(self) -> bool:
        return any(play.scores_of("ns") != play.scores_of("ew") for play in self.lines)


def _sums_below(counted: Counter[int]) -> dict[int, int]:
    scores = sorted(counted)
    return dict(zip(scores, accumulate((counted[n] for n in scores), initial=0), strict=False))


class SessionScopes:
    """The fields of a session, by place."""

    def __init__(self, session: Session, profile: Profile, found: Sequence[CountedPlay]) -> None:
        self.session = session
        self.profile = profile
        self._match_deals = _deals_of_matches(session)
        self._whose = {section.deals: section.name for section in session.sections}
        boards: dict[tuple[ComparisonScope, int], list[CountedPlay]] = defaultdict(list)
        for play in found:
            boards[self.scope_of(play.play), play.play.board].append(play)
        self.expected = self._expectations(boards)
        self.fields: dict[FieldKey, ComparedField] = {}
        self.field_of: dict[int, ComparedField] = {}
        for (scope, board), plays in boards.items():
            is_closed = not any(play.is_awaited for play in plays)
            groups: dict[str | None, list[CountedPlay]] = defaultdict(list)
            for play in plays:
                groups[play.play.group].append(play)
            for group, members in groups.items():
                key = FieldKey(scope, board, group)
                field = ComparedField(key, tuple(members), self.expected[scope], is_closed)
                self.fields[key] = field
                self.field_of.update((play.play.index, field) for play in members)

    def scope_of(self, play: Play) -> ComparisonScope:
        """Return the scope of a play; cards of another section are compared with that section's results."""
        deals = self.deals_of(play)
        if self.profile.scope != "section":
            return ComparisonScope(None, deals)
        return ComparisonScope(
            self._whose.get(deals, play.section) if play.deals else play.section, deals
        )

    def scope_of_section(self, section: str) -> ComparisonScope:
        """Return the scope of a section's boards."""
        name = section if self.profile.scope == "section" else None
        return ComparisonScope(name, self.session.section(section).deals)

    def deals_of(self, play: Play) -> str | None:
        """Return the name of a play's deals: its own, those of its match, or those of its section."""
        own = play.deals or self._match_deals.get(play.index)
        return own if own is not None else self.session.section(play.section).deals

    def _expectations(
        self, boards: Mapping[tuple[ComparisonScope, int], list[CountedPlay]]
    ) -> dict[ComparisonScope, int]:
        """Return how many results of a board each scope expects: as many as its fullest board."""
        counts: dict[ComparisonScope, Counter[int]] = defaultdict(Counter)
        by_section: dict[tuple[ComparisonScope, str], Counter[int]] = defaultdict(Counter)
        for (scope, board), plays in boards.items():
            for play in plays:
                counts[scope][board] += play.is_expected
                by_section[scope, play.play.section][board] += play.is_expected
        if self.profile.expected == "tables":
            for sit_out in self.session.sit_outs:
                section = self.session.section(sit_out.who.section)
                name = section.name if self.profile.scope == "section" else None
                for board in sit_out.boards:
                    counts[ComparisonScope(name, section.deals)][board] += 1
        stated: Counter[ComparisonScope] = Counter()
        for (scope, name), boards_of in by_section.items():
            own = max(boards_of.values(), default=0)
            stated[scope] += max(own, self.session.section(name).expected or 0)
        has_stated = any(section.expected for section in self.session.sections)
        return {
            scope: max(max(of.values(), default=0), stated[scope] if has_stated else 0)
            for scope, of in counts.items()
        }


def is_cancelled_play(play: Play) -> bool:
    """Return whether a director has cancelled a play, so that no side owes a result."""
    return isinstance(play.outcome, NotPlayed) and play.outcome.reason == "cancelled"


def plays_of(match: Match, session: Session) -> list[Play]:
    """Return the plays of a match: those between the two, on its boards, in its rounds."""
    if match.away is None:
        return []
    sides = {match.home, match.away}
    return [
        play
        for play in session.plays
        if play.section == match.section
        and {*play.ns, *play.ew} == sides
        and (not match.boards or play.board in match.boards)
        and (play.round is None or play.round in match.all_rounds)
    ]


def _deals_of_matches(session: Session) -> dict[int, str]:
    return {
        play.index: match.deals
        for match in session.matches
        if match.deals is not None
        for play in plays_of(match, session)
    }

"""The treatment of each play when a session is scored: after departures, missing sides and rulings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

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

Fate = Literal["scored", "artificial", "open", "pending", "not-played"]


@dataclass(frozen=True, slots=True)
class CountedPlay:
    """A play with the decision how it counts: with its score, an average, as still open, or not at all."""

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

    def scores_of(self, direction: Line) -> Parts:
        """Return the weighted scores of the side that sits in a direction."""
        assert self.parts is not None
        return self.parts[LINES.index(direction)]

    def award(self, direction: Line) -> Award:
        """Return the artificial award of the side that sits in a direction; None without one."""
        return self.awards[LINES.index(direction)]

    def is_due(self, direction: Line) -> bool:
        """Return whether a score is expected for the side that sits in a direction."""
        return self.due[LINES.index(direction)]

    @property
    def is_awaited(self) -> bool:
        """Return whether the result of the play is still to come."""
        return self.fate in ("open", "pending")


NOT_DUE = (False, False)


def counted_plays(session: Session, *, may_stand: bool = False) -> list[CountedPlay]:
    """Return every play of a session with the decision how it counts, after departures and rulings."""
    plays = _judge_missing(_apply_rulings(session, [_counted_play(play) for play in session.plays]))
    if session.matches:  # whole matches are judged there
        plays = _mark_matches_of_leavers(session, plays, may_stand=may_stand)
    else:
        plays = _judge_leavers(session, plays, may_stand=may_stand)
    return [
        _clear_result(play) if play.play.aside else play for play in _expect_each_score_once(plays)
    ]


def _clear_result(play: CountedPlay) -> CountedPlay:
    """Return a play with its result removed, as if not entered yet; a play lost by a departure stays as it is."""
    if play.fate not in ("scored", "artificial"):
        return play
    return replace(play, fate="open", parts=None, awards=(None, None), own_awards={})


def _counted_play(play: Play) -> CountedPlay:
    """Return a play as it counts by its outcome alone."""
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


def _apply_rulings(session: Session, plays: list[CountedPlay]) -> list[CountedPlay]:
    """Return the plays; open ones of matches that a ruling decides count as not played.

    Not playing them costs no place. If a side was missing, there was no table to expect a result from.
    """
    for match, play in ruled_plays(session):
        if play.outcome is None:
            is_expected = match.missing is None
            plays[play.index] = CountedPlay(
                play, "not-played", is_expected=is_expected, due=NOT_DUE
            )
    return plays


def ruled_plays(session: Session) -> Iterator[tuple[Match, Play]]:
    """Yield the matches that a director's ruling decides, each with each of its plays."""
    for match in session.matches:
        if match.is_ruled:
            for play in plays_of(match, session):
                yield match, play


def _judge_missing(plays: Sequence[CountedPlay]) -> list[CountedPlay]:
    """Return the plays, with AVE- for a side that did not come and AVE+ for its opponents.

    Plays of an absent side are due for neither side.
    """
    have_scored = {
        contestant
        for play in plays
        if play.fate == "scored"
        for line in LINES
        for contestant in play.play.side(line)
    }

    def judged_missing(play: CountedPlay) -> CountedPlay:
        outcome = play.play.outcome
        if not isinstance(outcome, NotPlayed) or outcome.reason != "missing":
            return play
        came = {line: set(play.play.side(line)) <= have_scored for line in LINES}
        side = outcome.side or next((line for line in LINES if not came[line]), None)
        if side is None:
            return replace(play, is_sit_out=True)
        if not came[side]:  # as if they had left before the first round: the play is cancelled
            return replace(play, due=NOT_DUE, left_alone="ew" if side == "ns" else "ns")
        awards: tuple[Award, Award] = ("AVE-", "AVE+") if side == "ns" else ("AVE+", "AVE-")
        return replace(play, fate="artificial", awards=awards)

    return [judged_missing(play) for play in plays]


def _judge_leavers(
    session: Session, plays: Sequence[CountedPlay], *, may_stand: bool
) -> list[CountedPlay]:
    """Return the plays as they count when contestants have left during the session. White Book 2.4.2-6.

    Whether a contestant's results stand does not depend on other leavers.
    """
    every = list(plays)
    own: dict[int, dict[ContestantKey, Award]] = defaultdict(dict)
    for contestant in session.contestants:
        if contestant.left is None:
            continue
        leaver, last = contestant.who, contestant.left.after_round
        indexes = [
            index
            for index, play in enumerate(plays)
            if any(leaver in play.play.side(line) for line in LINES)
            and not (play.fate == "not-played" and not play.is_expected)
        ]
        played = [
            index
            for index in indexes
            if plays[index].fate in ("scored", "artificial")
            and (plays[index].play.round or 0) <= last
            and not _has_missed(plays[index], leaver)
        ]
        if 2 * len(played) < len(indexes) and not may_stand:
            for index in indexes:
                every[index] = CountedPlay(
                    plays[index].play, "not-played", is_expected=False, due=NOT_DUE
                )
            continue
        # a result of an earlier round is still missing, even if contestants have left since
        later = [
            index
            for index in indexes
            if plays[index].is_awaited and (plays[index].play.round or 0) > last
        ]
        listed = len(played) if contestant.left.listed else 0
        for number, index in enumerate(later):
            own[index][leaver] = "AVE-" if number < listed else None
    for index, awards in own.items():
        if every[index].is_awaited:
            every[index] = _award_after_leaving(every[index].play, awards)
    return every


def _has_missed(play: CountedPlay, contestant: ContestantKey) -> bool:
    """Return whether a contestant was too late for a play, which counts as average minus."""
    outcome = play.play.outcome
    is_missing = isinstance(outcome, NotPlayed) and outcome.reason == "missing"
    return is_missing and any(
        play.award(line) == "AVE-" for line in LINES if contestant in play.play.side(line)
    )


def _mark_matches_of_leavers(
    session: Session, plays: list[CountedPlay], *, may_stand: bool
) -> list[CountedPlay]:
    """Return the plays with those of void matches, and of matches that a leaver missed, marked as not played."""
    left = {
        team.who: team.left.after_round for team in session.contestants if team.left is not None
    }
    for match in session.matches if left else ():
        if is_cancelled(match, session, may_stand=may_stand):
            for play in plays_of(match, session):
                plays[play.index] = CountedPlay(play, "not-played", is_expected=False, due=NOT_DUE)
        elif any(key in left and match.last_round > left[key] for key in match.sides):
            for play in plays_of(match, session):
                if plays[play.index].is_awaited and (play.round or 0) > min(
                    left[key] for key in match.sides if key in left
                ):
                    plays[play.index] = CountedPlay(
                        play, "not-played", is_expected=False, due=NOT_DUE
                    )
    return plays


def is_cancelled(match: Match, session: Session, *, may_stand: bool) -> bool:
    """Return whether a match does not count, because a side left before playing half of its matches.

    The match then counts for neither side, unless the played part `may_stand`.
    """
    return not may_stand and any(
        contestant.left is not None
        and contestant.who in match.sides
        and not _has_played_half(contestant.who, contestant.left.after_round, session)
        for contestant in session.contestants
    )


def _has_played_half(key: ContestantKey, after_round: int, session: Session) -> bool:
    """Return whether a contestant had played half of its matches after a round."""
    matches = [match for match in session.matches if key in match.sides and match.away is not None]
    played = [match for match in matches if match.last_round <= after_round]
    return 2 * len(played) >= len(matches)


def _award_after_leaving(play: Play, own: Mapping[ContestantKey, Award]) -> CountedPlay:
    """Return a play that a contestant's departure made impossible, as average plus for both sides."""
    awards: list[Award] = ["AVE+", "AVE+"]
    if len(play.ns) == 1:
        awards = [own.get(play.side(line)[0], "AVE+") for line in LINES]
    return CountedPlay(
        play,
        "artificial",
        awards=(awards[0], awards[1]),
        is_expected=False,
        due=(awards[0] is not None, awards[1] is not None),
        own_awards=own if len(play.ns) > 1 else {},
    )


def _expect_each_score_once(plays: Sequence[CountedPlay]) -> list[CountedPlay]:
    """Return the plays; a ruling for one side only is not expected if the other side has another score."""
    places: Counter[tuple[ContestantKey, int]] = Counter(
        (key, play.play.board) for play in plays for line in LINES for key in play.play.side(line)
    )

    def judged_double(play: CountedPlay) -> CountedPlay:
        if not isinstance(play.play.outcome, ArtificialScore) or play.fate != "artificial":
            return play
        has_other = any(
            play.award(line) is None and places[key, play.play.board] > 1
            for line in LINES
            for key in play.play.side(line)
        )
        return replace(play, is_expected=False) if has_other else play

    return [judged_double(play) for play in plays]


def is_cancelled_play(play: Play) -> bool:
    """Return whether a director has cancelled a play, so that neither side gets a score."""
    return isinstance(play.outcome, NotPlayed) and play.outcome.reason == "cancelled"


def plays_of(match: Match, session: Session) -> list[Play]:
    """Return the plays of a match: between its two sides, on its boards, in its rounds."""
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

"""Each contestant's boards, totals and penalties, before any ranking. SCORING rule 1.7."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from ..counted_plays import is_cancelled, is_cancelled_play, plays_of
from ..errors import ScoringError
from ..model import Contestant, ContestantKey, Penalty, Session
from ..profile import Profile
from ..rounding import exact_sum
from ..valuing import ValuedSession


@dataclass(frozen=True, slots=True)
class Tally:
    """A contestant's sums over the session: boards, scores and penalties."""

    contestant: Contestant
    total: Fraction = Fraction(0)
    top: Fraction = Fraction(0)
    #: the boards' shares of their tops, added
    shares: Fraction = Fraction(0)
    boards: int = 0
    due: int = 0
    sit_outs: int = 0
    awaited: int = 0
    #: boards due in matches whose ruling stands for them
    ruled: int = 0
    penalty: Fraction = Fraction(0)
    #: points of the final percentage
    percent_penalty: Fraction = Fraction(0)

    @property
    def contestant_key(self) -> ContestantKey:
        """Return the key of the contestant."""
        return self.contestant.who

    def may_have_place(self, profile: Profile) -> bool:
        """Return whether the contestant may have a place: it played enough boards and is to be ranked."""
        if not self.contestant.standing:
            return False
        if self.contestant.left is not None and not self.contestant.left.listed:
            return False
        taken_part = self.boards + self.sit_outs + self.awaited + self.ruled
        return self.due == 0 or 100 * taken_part >= profile.min_played * self.due


def contestant_tallies(
    valued_session: ValuedSession, *, with_matches: bool = False
) -> dict[ContestantKey, Tally]:
    """Return the sums of each contestant's scores and penalties.

    Penalties of a match are part of its result. They are included here only `with_matches`.
    """
    session, profile = valued_session.session, valued_session.profile
    sat_out: dict[ContestantKey, int] = defaultdict(int)
    for sit_out in session.sit_outs:
        if sit_out.reason == "planned":
            sat_out[sit_out.who] += len(sit_out.boards)
    ruled = {
        play.index
        for match in session.matches
        if match.is_ruled and not is_cancelled(match, session, may_stand=profile.leavers == "stand")
        for play in plays_of(match, session)
    }
    tallies = {}
    for contestant in session.contestants:
        values = valued_session.earned.get(contestant.who, ())
        having = [
            valued_play.value for valued_play in values if valued_play.value.value is not None
        ]
        without = sum(
            valued_play.play.play.index in ruled
            and valued_play.value.value is None
            and not is_cancelled_play(valued_play.play.play)
            for valued_play in values
        )
        for sat_out_board in valued_session.sit_outs.get(contestant.who, ()):
            having.append(sat_out_board.value)
            sat_out[contestant.who] -= sat_out_board.is_planned
        tallies[contestant.who] = Tally(
            contestant,
            total=exact_sum(value.value or 0 for value in having),
            top=exact_sum(value.top or 0 for value in having),
            shares=exact_sum((value.value or 0) / value.top for value in having if value.top),
            boards=len(having),
            due=sat_out[contestant.who]
            + len(valued_session.sit_outs.get(contestant.who, ()))
            + without
            + sum(
                valued_play.is_due(contestant.who)
                and (
                    valued_play.value.value is not None or valued_play.play.play.index not in ruled
                )
                for valued_play in values
            ),
            ruled=without,
            sit_outs=sat_out[contestant.who]
            + sum(valued_play.play.is_sit_out for valued_play in values),
            # the other table's result of a board of two teams may be missing alone
            awaited=sum(
                valued_play.play.is_awaited or valued_play.value.rule == "open"
                for valued_play in values
            ),
        )
    for penalty in session.penalties:
        if penalty.unit != "vps" and (with_matches or not _is_of_match(penalty, session)):
            tallies[penalty.who] = _tally_with_penalty(tallies[penalty.who], penalty, profile)
    return tallies


def _is_of_match(penalty: Penalty, session: Session) -> bool:
    """Return whether a penalty belongs to a match that the contestant plays."""
    return penalty.round is not None and any(
        penalty.who in match.sides and penalty.round in match.all_rounds
        for match in session.matches
    )


def check_units(session: Session, profile: Profile) -> None:
    """Raise `ScoringError` for penalties in a unit that the scoring method does not have."""
    units = {
        "matchpoints": {"top", "percent", "matchpoints"},
        "bam": {"top", "percent", "matchpoints"},
    }
    allowed = units.get(profile.method, {"imps"} if profile.is_imps else {"matchpoints"})
    if profile.vp is not None and session.matches:
        allowed = allowed | {"vps"}
    for penalty in session.penalties:
        if penalty.unit not in allowed:
            raise ScoringError(
                f"{penalty.path}.unit", f"{penalty.unit!r} is no unit of {profile.method}"
            )


def uncounted_penalties(session: Session, profile: Profile) -> Iterator[tuple[str, str]]:
    """Yield the penalties that count nowhere, since they name no match although matches give victory points."""
    if not profile.makes_vps or not session.matches:
        return
    for penalty in session.penalties:
        if penalty.unit != "vps" and not _is_of_match(penalty, session):
            lacks = "names no round" if penalty.round is None else "names a round without a match"
            problem = f"{lacks}: {penalty.unit} are taken from a match before its victory points"
            yield f"{penalty.path}.round", f"{problem}, so that it counts nowhere"


def _tally_with_penalty(tally: Tally, penalty: Penalty, profile: Profile) -> Tally:
    """Return a contestant's sums with a penalty added."""
    amount = penalty.amount
    match penalty.unit:
        case _ if profile.is_by_points:
            amount = penalty_in_points(penalty, tally.boards, profile)
        case "top":
            amount *= tally.top / tally.boards if tally.boards else 0
        case "percent":
            return replace(tally, percent_penalty=tally.percent_penalty + amount)
        case "matchpoints" if profile.half and profile.is_per_cent:
            amount *= 2
    return replace(tally, penalty=tally.penalty + amount)


def penalty_in_points(penalty: Penalty, boards: int, profile: Profile) -> Fraction:
    """Convert a penalty to points in a match of `boards` boards; a top is worth one board won."""
    match penalty.unit:
        case "top":
            return penalty.amount * profile.bam[0]
        case "percent":
            return penalty.amount * profile.bam[0] * boards / 100
    return penalty.amount

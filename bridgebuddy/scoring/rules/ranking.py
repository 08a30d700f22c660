"""Rankings: who is first, who is equal, who has no place. SCORING rules 1.7, 1.9, 2.4 and 5."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from .comparing import is_cancelled, is_cancelled_play, plays_of
from .errors import ScoringError
from .model import LINES, Contestant, Penalty, Session, Who
from .profile import Profile
from .rounding import added, away
from .valuing import Valued

#: to how many places equality is decided, whatever pages print
PLACES = 2
_FEWEST_IN_STRATUM = 3


@dataclass(frozen=True, slots=True)
class Tally:
    """What a contestant has: before anybody is compared with anybody."""

    contestant: Contestant
    total: Fraction = Fraction(0)
    top: Fraction = Fraction(0)
    boards: int = 0
    due: int = 0
    sit_outs: int = 0
    awaited: int = 0
    #: due in matches that were ruled upon, whose ruling stands for them
    ruled: int = 0
    penalty: Fraction = Fraction(0)
    #: points of the final percentage
    percent_penalty: Fraction = Fraction(0)

    @property
    def who(self) -> Who:
        return self.contestant.who

    def may_have_place(self, profile: Profile) -> bool:
        """Whether they have played enough, and stand in the ranking at all."""
        if not self.contestant.standing:
            return False
        if self.contestant.left is not None and not self.contestant.left.listed:
            return False
        taken_part = self.boards + self.sit_outs + self.awaited + self.ruled
        return self.due == 0 or 100 * taken_part >= profile.min_played * self.due


@dataclass(frozen=True, slots=True)
class Score:
    """What somebody is ranked by, and what is printed beside it."""

    tally: Tally
    #: what decides, exactly, and as it is printed
    ranked: Fraction | None = None
    printed: Fraction | None = None
    percent: Fraction | None = None
    total: Fraction | None = None
    top: Fraction | None = None
    average: Fraction | None = None
    overall: Fraction | None = None
    #: what was taken in per cent, in points; it is in the total
    percent_penalty: Fraction = Fraction(0)

    @property
    def who(self) -> Who:
        return self.tally.who


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a ranking; `place` is None for who has none."""

    order: int
    place: str | None
    score: Score


@dataclass(frozen=True, slots=True)
class Ranking:
    """One list."""

    section: str | None
    field: str | None
    rows: tuple[Row, ...]
    stratum: int | None = None
    category: str | None = None
    handicap: bool = False


#: sorts equals: a greater key comes first
TieBreak = Callable[[Sequence[Score]], Mapping[Who, Fraction]]


# ── tallies ──


def tallies(valued: Valued, *, with_matches: bool = False) -> dict[Who, Tally]:
    """Add up what every contestant has earned, and what was taken from them.

    What was taken in a match is in its result, and only `with_matches` here.
    """
    session, profile = valued.session, valued.profile
    sat_out: dict[Who, int] = defaultdict(int)
    for sit_out in session.sit_outs:
        if sit_out.reason == "planned":
            sat_out[sit_out.who] += len(sit_out.boards)
    ruled = {
        play.index
        for match in session.matches
        if match.is_ruled and not is_cancelled(match, session, may_stand=profile.leavers == "stand")
        for play in plays_of(match, session)
    }
    found = {}
    for contestant in session.contestants:
        mine = valued.earned.get(contestant.who, ())
        having = [one.value for one in mine if one.value.value is not None]
        without = sum(
            one.play.play.index in ruled
            and one.value.value is None
            and not is_cancelled_play(one.play.play)
            for one in mine
        )
        found[contestant.who] = Tally(
            contestant,
            total=added(value.value or 0 for value in having),
            top=added(value.top or 0 for value in having),
            boards=len(having),
            due=sat_out[contestant.who]
            + without
            + sum(
                one.is_due(contestant.who)
                and (one.value.value is not None or one.play.play.index not in ruled)
                for one in mine
            ),
            ruled=without,
            sit_outs=sat_out[contestant.who] + sum(one.play.is_sit_out for one in mine),
            # of a board of two teams the other table's result may be awaited alone
            awaited=sum(one.play.is_awaited or one.value.rule == "open" for one in mine),
        )
    for penalty in session.penalties:
        if penalty.unit != "vps" and (with_matches or not _is_of_match(penalty, session)):
            found[penalty.who] = _fined(found[penalty.who], penalty, profile)
    return found


def _is_of_match(penalty: Penalty, session: Session) -> bool:
    return penalty.round is not None and any(
        penalty.who in match.sides and penalty.round in match.its_rounds
        for match in session.matches
    )


def check_units(session: Session, profile: Profile) -> None:
    """Refuse penalties in a unit that the method does not have."""
    units = {
        "matchpoints": {"top", "percent", "matchpoints"},
        "bam": {"top", "percent", "matchpoints"},
    }
    known = units.get(profile.method, {"imps"} if profile.is_imps else {"matchpoints"})
    if profile.vp is not None and session.matches:
        known = known | {"vps"}
    for penalty in session.penalties:
        if penalty.unit not in known:
            raise ScoringError(
                f"{penalty.path}.unit", f"{penalty.unit!r} is no unit of {profile.method}"
            )


def uncounted_penalties(session: Session, profile: Profile) -> Iterator[tuple[str, str]]:
    """Yield what is taken from no match though matches become victory points: there it counts nowhere."""
    if profile.vp is None or profile.is_by_points or not session.matches:
        return
    for penalty in session.penalties:
        if penalty.unit != "vps" and not _is_of_match(penalty, session):
            lacks = "names no round" if penalty.round is None else "names a round without a match"
            told = f"{lacks}: {penalty.unit} are taken from a match before its victory points"
            yield f"{penalty.path}.round", f"{told}, so that it counts nowhere"


def _fined(tally: Tally, penalty: Penalty, profile: Profile) -> Tally:
    amount = penalty.amount
    match penalty.unit:
        case _ if profile.is_by_points:
            amount = in_points(penalty, tally.boards, profile)
        case "top":
            amount *= tally.top / tally.boards if tally.boards else 0
        case "percent":
            return replace(tally, percent_penalty=tally.percent_penalty + amount)
        case "matchpoints" if profile.half and profile.is_per_cent:
            amount *= 2
    return replace(tally, penalty=tally.penalty + amount)


def in_points(penalty: Penalty, boards: int, profile: Profile) -> Fraction:
    """Return what a penalty is in points, where so many boards are worth these; a top is a board won."""
    match penalty.unit:
        case "top":
            return penalty.amount * profile.bam[0]
        case "percent":
            return penalty.amount * profile.bam[0] * boards / 100
    return penalty.amount


# ── scores ──


class Scorer:
    """Makes scores of tallies, by the profile's rule for different numbers of boards."""

    def __init__(self, valued: Valued) -> None:
        self.profile = valued.profile
        self.session = valued.session
        self._boards_in_play: dict[str, int] = defaultdict(int)
        boards: dict[str, set[tuple[object, int]]] = defaultdict(set)
        for one in valued.plays:
            key = valued.scopes.field_of[one.play.index].key
            boards[one.play.section].add((key.scope.deals, key.board))
        self._boards_in_play = {name: len(of) for name, of in boards.items()}
        self._has_earlier = any(one.earlier for one in valued.session.contestants)

    def scores(self, tallies: Iterable[Tally], *, handicap: bool = False) -> list[Score]:
        """Return the scores of those who are compared in one list."""
        listed = list(tallies)
        boards = {tally.boards for tally in listed if tally.boards}
        fullest = max(boards, default=0)
        return [self._score(tally, len(boards) > 1, fullest, handicap=handicap) for tally in listed]

    def _score(self, tally: Tally, differ: bool, fullest: int, *, handicap: bool) -> Score:
        if not tally.boards and not tally.contestant.earlier:
            return Score(tally)
        given = (self.handicap_of(tally.contestant) or Fraction(0)) if handicap else Fraction(0)
        score = self._by_percent(tally, fullest, given)
        if score is None:
            score = self._by_total(tally, differ, fullest)
        if self._has_earlier:
            score = self._with_earlier(score, given)
        return score

    def _factor(self, tally: Tally, fullest: int) -> Fraction | None:
        """Return by how much a total is raised for the boards that were sat out."""
        if self.profile.sit_outs == "own-boards" or not tally.boards:
            return None
        of = fullest
        if self.profile.sit_outs == "in-play":
            of = self._boards_in_play[tally.who.section]
        return Fraction(of, tally.boards)

    def _by_percent(self, tally: Tally, fullest: int, given: Fraction) -> Score | None:
        if not self.profile.is_per_cent:
            return None
        shown = 2 if self.profile.half else 1
        factor = self._factor(tally, fullest)
        total, top = tally.total, tally.top
        if factor is not None:
            total, top = total * factor, top * factor
        total += tally.penalty
        if factor is not None:
            total = away(total / shown, PLACES) * shown  # as ACBLscore prints it
        percent = 100 * total / top if top else None
        if percent is not None:
            percent += tally.percent_penalty + given
        in_points = tally.percent_penalty * top / 100
        total += in_points
        return Score(
            tally,
            ranked=percent,
            printed=None if percent is None else away(percent, PLACES, 50),
            percent=percent,
            total=total,
            top=top,
            percent_penalty=in_points,
        )

    def _by_total(self, tally: Tally, differ: bool, fullest: int) -> Score:
        factor = self._factor(tally, fullest)
        total = tally.total
        if factor is not None:
            total = away(total, PLACES) * factor
        total += tally.penalty
        boards = tally.boards
        is_mean = self.profile.method == "cross-imps" and self.profile.ximp_session == "mean-due"
        if is_mean:
            boards = tally.due - tally.sit_outs - tally.ruled or tally.boards
        average = total / (boards * (factor or 1)) if boards else None
        by_average = is_mean or (differ and factor is None)
        ranked = average if by_average else total
        return Score(
            tally,
            ranked=ranked,
            printed=None if ranked is None else away(ranked, PLACES),
            total=total,
            top=tally.top or None,
            average=average,
        )

    # ── several sessions ──

    def _with_earlier(self, score: Score, given: Fraction = Fraction(0)) -> Score:
        """Count earlier sessions too; `given` is the handicap, the same in each of them."""
        found = self._overall(score, given)
        if found is None:
            return score
        overall, middle = found
        printed = away(overall, PLACES, middle)
        return replace(score, overall=overall, ranked=overall, printed=printed)

    def _overall(self, score: Score, given: Fraction) -> tuple[Fraction, Fraction | int] | None:
        """Return the result of all sessions, and the average of its quantity: 5.4."""
        earlier = score.tally.contestant.earlier
        sums = [one.get("vps", one.get("imps")) for one in earlier]
        # victory points of a Swiss by matchpoints are a total without a top
        has_victory_points = score.total is not None and score.top is None
        is_in_points = score.percent is None and (
            not self.profile.is_per_cent or has_victory_points
        )
        if is_in_points or any(one is not None for one in sums):
            if score.total is None and not sums:
                return None
            return (score.total or Fraction(0)) + sum(one or Fraction(0) for one in sums), 0
        if self.profile.sessions == "carry-forward":
            return self._carried(score, given)
        percents = [_percent_of(one) + given for one in earlier]
        weights = [one["boards"] for one in earlier]
        if score.percent is not None:
            percents.append(score.percent)
            weights.append(Fraction(score.tally.boards))
        if self.profile.sessions == "plain":
            weights = [Fraction(1)] * len(percents)
        elif self.profile.sessions == "sum":
            weights = [_max_of(one) for one in earlier]
            weights += [] if score.percent is None else [self._shown(score.top)]
        if not weights:
            return None
        weighed = zip(percents, weights, strict=True)
        return sum((percent * many for percent, many in weighed), Fraction(0)) / sum(weights), 50

    def _carried(self, score: Score, given: Fraction) -> tuple[Fraction, Fraction | int] | None:
        """Return the score with what is carried forward, White Book 3.8; none before the first result."""
        if score.percent is None:
            return None
        top, tally = self._shown(score.top), score.tally
        total, middle = score.percent * top / 100, top / 2
        a_board = self._shown(tally.top) / tally.boards
        for one in tally.contestant.earlier:
            carried = one["boards"] / 2 * a_board
            total += (_percent_of(one) + given) / 100 * carried
            middle += carried / 2
        return total, middle

    def _shown(self, points: Fraction | None) -> Fraction:
        """Return matchpoints as they are shown, and as earlier sessions tell theirs."""
        return (points or Fraction(0)) / (2 if self.profile.half else 1)

    # ── handicap ──

    def handicap_of(self, contestant: Contestant) -> Fraction | None:
        """Return the points of percentage a contestant is given: the mean of its players'."""
        if contestant.handicap:
            return sum(contestant.handicap, Fraction(0)) / len(contestant.handicap)
        if self.profile.handicap is None or not contestant.recent:
            return None
        factor, last = self.profile.handicap
        recent = contestant.recent[-last:]
        return factor * (50 - sum(recent, Fraction(0)) / len(recent))


def _percent_of(earlier: Mapping[str, Fraction]) -> Fraction:
    if "percent" in earlier:
        return earlier["percent"]
    return 100 * earlier["score"] / earlier["max"]


def _max_of(earlier: Mapping[str, Fraction]) -> Fraction:
    return earlier["max"] if "max" in earlier else 100 * earlier["boards"]


# ── places ──


def number_of(who: Who) -> tuple[object, ...]:
    """Return by what labels are sorted: their numbers as numbers."""
    parts = re.split(r"(\d+)", who.label)
    return (*((int(one), "") if one.isdecimal() else (-1, one) for one in parts), who.section)


def placed(
    scores: Sequence[Score], profile: Profile, tie_breaks: Sequence[TieBreak] = ()
) -> tuple[Row, ...]:
    """Return the scores in order, with places; equals share one ("3="), the next is left out."""
    eligible = [one for one in scores if _has_place(one, profile)]
    others = [one for one in scores if not _has_place(one, profile)]
    rows: list[Row] = []
    for equals in in_order(eligible, tie_breaks):
        first = len(rows) + 1
        for index, one in enumerate(equals):
            place = f"{first}=" if len(equals) > 1 else f"{first}"
            if profile.ties == "broken":
                place = f"{first + index}"
            rows.append(Row(len(rows) + 1, place, one))
    for equals in in_order(others, tie_breaks):
        rows += [Row(len(rows) + 1 + index, None, one) for index, one in enumerate(equals)]
    return tuple(rows)


def _has_place(score: Score, profile: Profile) -> bool:
    return score.printed is not None and score.tally.may_have_place(profile)


def in_order(scores: Sequence[Score], tie_breaks: Sequence[TieBreak]) -> Iterator[list[Score]]:
    """Yield the groups of equals, best first, each in the order that tie-breaks give it."""

    def key(score: Score) -> Fraction:
        return Fraction(-(10**9)) if score.printed is None else score.printed

    for _, equals in groupby(sorted(scores, key=key, reverse=True), key=key):
        yield broken(list(equals), tie_breaks)


def broken(equals: Sequence[Score], tie_breaks: Sequence[TieBreak]) -> list[Score]:
    """Return equals in the order of the tie-breaks, then by seed, then by number.

    A criterion that separates some starts again for those it leaves equal.
    """
    if len(equals) > 1:
        for tie_break in tie_breaks:
            keys = tie_break(equals)
            if len(set(keys.values())) > 1:
                ordered = sorted(equals, key=lambda one: keys[one.who], reverse=True)
                return [
                    one
                    for _, group in groupby(ordered, key=lambda one: keys[one.who])
                    for one in broken(list(group), tie_breaks)
                ]
    return sorted(equals, key=_by_seed)


def _by_seed(score: Score) -> tuple[object, ...]:
    seed = score.tally.contestant.seed
    return (seed is None, seed or 0, number_of(score.who))


# ── all lists of a session ──


def rankings(
    scorer: Scorer, of: Mapping[Who, Tally], tie_breaks: Sequence[TieBreak] = ()
) -> list[Ranking]:
    """Return every list: sections' fields, fields over all sections, everything; strata and more."""
    session, profile = scorer.session, scorer.profile
    strata = strata_of(session, profile)
    found: list[Ranking] = []
    for section, field in _lists(session):
        listed = [
            tally
            for tally in of.values()
            if section in (None, tally.who.section) and field in (None, tally.contestant.field)
        ]
        found += _with_groups(scorer, listed, section, field, strata, tie_breaks)
    return found


def _lists(session: Session) -> Iterator[tuple[str | None, str | None]]:
    for section in session.sections:
        for field in section.fields:
            yield section.name, field
    for field in dict.fromkeys(field for section in session.sections for field in section.fields):
        yield None, field
    yield None, None


def _with_groups(
    scorer: Scorer,
    listed: Sequence[Tally],
    section: str | None,
    field: str | None,
    strata: Mapping[Who, int],
    tie_breaks: Sequence[TieBreak],
) -> Iterator[Ranking]:
    scores = scorer.scores(listed)
    profile = scorer.profile

    def of(chosen: Sequence[Score], **facts: object) -> Ranking:
        return Ranking(section, field, placed(chosen, profile, tie_breaks), **facts)  # type: ignore[arg-type]

    yield of(scores)
    for stratum in range(1, max(strata.values(), default=0) + 1):
        yield of([one for one in scores if strata[one.who] >= stratum], stratum=stratum)
    for category in sorted({name for one in listed for name in one.contestant.categories}):
        chosen = [one for one in scores if category in one.tally.contestant.categories]
        yield of(chosen, category=category)
    if any(scorer.handicap_of(one) is not None for one in scorer.session.contestants):
        yield of(scorer.scores(listed, handicap=True), handicap=True)


def strata_of(session: Session, profile: Profile) -> dict[Who, int]:
    """Return everybody's stratum, 1 at the top; strata of fewer than 3 are joined with the next.

    Who is in a stratum competes in all above it too.
    """
    if profile.strata is None:
        return {}
    limits = profile.strata.limits or (None,) * len(profile.strata.names)
    found, given_by_hand = {}, False
    for one in session.contestants:
        if one.stratum is not None:
            given_by_hand = True
            if one.stratum > len(profile.strata.names):
                raise ScoringError(
                    "contestants", f"stratum {one.stratum} of {one.who.label} does not exist"
                )
            found[one.who] = one.stratum
        else:
            found[one.who] = _stratum(one, limits, profile.strata.of)
    if given_by_hand:
        return found
    for stratum in range(len(limits), 1, -1):
        if sum(one >= stratum for one in found.values()) < _FEWEST_IN_STRATUM:
            found = {who: min(one, stratum - 1) for who, one in found.items()}
    return found


def _stratum(contestant: Contestant, limits: Sequence[Fraction | None], of: str) -> int:
    points = max(contestant.points, default=Fraction(0))
    if of == "mean" and contestant.points:
        points = sum(contestant.points, Fraction(0)) / len(contestant.points)
    fitting = [index for index, limit in enumerate(limits, 1) if limit is None or points <= limit]
    return max(fitting, default=1)


# ── tie-breaks without matches ──


def plain_tie_breaks(valued: Valued, profile: Profile) -> list[TieBreak]:
    """Return the tie-breaks that a session without matches has, in the profile's order."""
    known: dict[str, TieBreak] = {
        "net": lambda equals: {one.who: one.ranked or Fraction(0) for one in equals},
        "count-back": lambda equals: {one.who: _boards_won(valued, one.who) for one in equals},
        "lot": _by_lot,
    }
    if valued.session.contest.plays_alone:
        known["opponents"] = _Company(valued)
    return [known[name] for name in profile.tie_breaks if name in known]


def _boards_won(valued: Valued, who: Who) -> Fraction:
    """Return how many boards somebody has won, a half for each that is even."""
    values = [one.value for one in valued.earned.get(who, ())]
    over = [2 * one.value - (one.top or 0) for one in values if one.value is not None]
    return Fraction(sum((one > 0) + (one >= 0) for one in over), 2)


def _by_lot(equals: Sequence[Score]) -> dict[Who, Fraction]:
    lots = {one.who: one.tally.contestant.lot for one in equals}
    last = max((lot for lot in lots.values() if lot is not None), default=0) + 1
    return {who: Fraction(-(last if lot is None else lot)) for who, lot in lots.items()}


class _Company:
    """In an individual: the scores of the opponents, divided by those of the partners."""

    def __init__(self, valued: Valued) -> None:
        scorer = Scorer(valued)
        finals = {
            score.who: score.ranked or Fraction(0)
            for score in scorer.scores(tallies(valued).values())
        }
        self._of: dict[Who, Fraction] = {}
        opponents: dict[Who, Fraction] = defaultdict(Fraction)
        partners: dict[Who, Fraction] = defaultdict(Fraction)
        for one in valued.plays:
            for line in LINES:
                across = [side for side in LINES if side != line]
                for who in one.play.line(line):
                    partners[who] += sum(
                        (finals[mate] for mate in one.play.line(line) if mate != who), Fraction(0)
                    )
                    opponents[who] += sum(
                        (finals[foe] for side in across for foe in one.play.line(side)), Fraction(0)
                    )
        self._of = {
            who: opponents[who] / partners[who] if partners[who] else Fraction(0) for who in finals
        }

    def __call__(self, equals: Sequence[Score]) -> Mapping[Who, Fraction]:
        return {one.who: self._of[one.who] for one in equals}

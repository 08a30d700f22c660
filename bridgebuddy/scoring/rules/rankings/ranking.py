"""Rankings: order, ties, and lines without a place. SCORING rules 1.7, 1.9, 2.4 and 5."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from ..errors import ScoringError
from ..model import LINES, Contestant, ContestantKey, Session
from ..profile import Profile
from ..valuing import ValuedSession
from .scores import Score, Scorer, handicap_of
from .tallies import Tally, contestant_tallies

_FEWEST_IN_STRATUM = 3


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A contestant's row in a ranking; `place` is None for a contestant without a place."""

    order: int
    place: str | None
    score: Score


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking of contestants: of one direction, of a section, of all, or of a stratum, category or handicap."""

    section: str | None
    field: str | None
    rows: tuple[RankingRow, ...]
    stratum: int | None = None
    category: str | None = None
    handicap: bool = False


#: sorts equals: a greater key comes first
TieBreak = Callable[[Sequence[Score]], Mapping[ContestantKey, Fraction]]


# ── places ──


def label_sort_key(contestant: ContestantKey) -> tuple[object, ...]:
    """Return the key by which labels are sorted, with digits compared as numbers."""
    parts = re.split(r"(\d+)", contestant.label)
    return (
        *((int(part), "") if part.isdecimal() else (-1, part) for part in parts),
        contestant.section,
    )


def placed_scores(
    scores: Sequence[Score], profile: Profile, tie_breaks: Sequence[TieBreak] = ()
) -> tuple[RankingRow, ...]:
    """Return the scores in order with their places; equals share a place ("3="), and the next is skipped."""
    eligible = [score for score in scores if _has_place(score, profile)]
    others = [score for score in scores if not _has_place(score, profile)]
    rows: list[RankingRow] = []
    for equals in groups_of_equals(eligible, tie_breaks):
        first = len(rows) + 1
        for index, score in enumerate(equals):
            place = f"{first}=" if len(equals) > 1 else f"{first}"
            if profile.ties == "broken":
                place = f"{first + index}"
            rows.append(RankingRow(len(rows) + 1, place, score))
    for equals in groups_of_equals(others, tie_breaks):
        rows += [
            RankingRow(len(rows) + 1 + index, None, score) for index, score in enumerate(equals)
        ]
    return tuple(rows)


def _has_place(score: Score, profile: Profile) -> bool:
    """Return whether a contestant gets a place in the ranking."""
    return score.printed is not None and score.tally.may_have_place(profile)


def groups_of_equals(
    scores: Sequence[Score], tie_breaks: Sequence[TieBreak]
) -> Iterator[list[Score]]:
    """Yield the groups of contestants with equal scores, best first, each ordered by the tie-breaks."""

    def printed_value(score: Score) -> Fraction:
        """Return the printed value; the lowest of all without one."""
        return Fraction(-(10**9)) if score.printed is None else score.printed

    for _, equals in groupby(sorted(scores, key=printed_value, reverse=True), key=printed_value):
        yield order_equals(list(equals), tie_breaks)


def order_equals(equals: Sequence[Score], tie_breaks: Sequence[TieBreak]) -> list[Score]:
    """Return contestants with equal scores in the order of the tie-breaks, then by seed, then by number.

    A criterion that separates some is applied again to the remaining equals.
    """
    if len(equals) > 1:
        for tie_break in tie_breaks:
            keys = tie_break(equals)
            if len(set(keys.values())) > 1:
                ordered = sorted(equals, key=lambda equal: keys[equal.contestant_key], reverse=True)
                return [
                    score
                    for _, group in groupby(ordered, key=lambda equal: keys[equal.contestant_key])
                    for score in order_equals(list(group), tie_breaks)
                ]
    return sorted(equals, key=_seed_order)


def _seed_order(score: Score) -> tuple[object, ...]:
    """Return the key that sorts equal contestants by seed, then by number."""
    seed = score.tally.contestant.seed
    return (seed is None, seed or 0, label_sort_key(score.contestant_key))


# ── all lists of a session ──


def all_rankings(
    scorer: Scorer, tallies: Mapping[ContestantKey, Tally], tie_breaks: Sequence[TieBreak] = ()
) -> list[Ranking]:
    """Return every ranking of a session: by section and direction, over all sections, of strata and others."""
    session, profile = scorer.session, scorer.profile
    strata = strata_of(session, profile)
    rankings: list[Ranking] = []
    for section, field in _list_keys(session):
        listed = [
            tally
            for tally in tallies.values()
            if section in (None, tally.contestant_key.section)
            and field in (None, tally.contestant.field)
        ]
        rankings += _ranking_and_subrankings(scorer, listed, section, field, strata, tie_breaks)
    return rankings


def _list_keys(session: Session) -> Iterator[tuple[str | None, str | None]]:
    """Yield the section and the direction of each ranking of a session; None means all."""
    for section in session.sections:
        for field in section.fields:
            yield section.name, field
    for field in dict.fromkeys(field for section in session.sections for field in section.fields):
        yield None, field
    yield None, None


def _ranking_and_subrankings(
    scorer: Scorer,
    listed: Sequence[Tally],
    section: str | None,
    field: str | None,
    strata: Mapping[ContestantKey, int],
    tie_breaks: Sequence[TieBreak],
) -> Iterator[Ranking]:
    """Yield the ranking of these contestants, and the rankings of their strata and categories."""
    scores = scorer.scores(listed)
    profile = scorer.profile

    def ranking_of(scores: Sequence[Score], **facts: object) -> Ranking:
        """Return the ranking of the chosen contestants."""
        return Ranking(section, field, placed_scores(scores, profile, tie_breaks), **facts)  # type: ignore[arg-type]

    yield ranking_of(scores)
    for stratum in range(1, max(strata.values(), default=0) + 1):
        yield ranking_of(
            [score for score in scores if strata[score.contestant_key] >= stratum], stratum=stratum
        )
    for category in sorted({name for tally in listed for name in tally.contestant.categories}):
        chosen = [score for score in scores if category in score.tally.contestant.categories]
        yield ranking_of(chosen, category=category)
    if any(
        handicap_of(contestant, profile) is not None for contestant in scorer.session.contestants
    ):
        yield ranking_of(scorer.scores(listed, handicap=True), handicap=True)


def strata_of(session: Session, profile: Profile) -> dict[ContestantKey, int]:
    """Return each contestant's stratum, 1 being the top; a stratum of fewer than 3 joins the next.

    A contestant also competes in all strata above its own.
    """
    if profile.strata is None:
        return {}
    limits = profile.strata.limits or (None,) * len(profile.strata.names)
    strata, given_by_hand = {}, False
    for contestant in session.contestants:
        if contestant.stratum is not None:
            given_by_hand = True
            if contestant.stratum > len(profile.strata.names):
                raise ScoringError(
                    "contestants",
                    f"stratum {contestant.stratum} of {contestant.who.label} does not exist",
                )
            strata[contestant.who] = contestant.stratum
        else:
            strata[contestant.who] = _stratum_of(contestant, limits, profile.strata.of)
    if given_by_hand:
        return strata
    for stratum in range(len(limits), 1, -1):
        if sum(level >= stratum for level in strata.values()) < _FEWEST_IN_STRATUM:
            strata = {key: min(level, stratum - 1) for key, level in strata.items()}
    return strata


def _stratum_of(contestant: Contestant, limits: Sequence[Fraction | None], basis: str) -> int:
    """Return a contestant's stratum by its players' masterpoints."""
    points = max(contestant.points, default=Fraction(0))
    if basis == "mean" and contestant.points:
        points = sum(contestant.points, Fraction(0)) / len(contestant.points)
    fitting = [index for index, limit in enumerate(limits, 1) if limit is None or points <= limit]
    return max(fitting, default=1)


# ── tie-breaks without matches ──


def plain_tie_breaks(valued_session: ValuedSession, profile: Profile) -> list[TieBreak]:
    """Return the tie-breaks of a session without matches, in the profile's order."""
    by_name: dict[str, TieBreak] = {
        "net": lambda equals: {
            score.contestant_key: score.ranked or Fraction(0) for score in equals
        },
        "count-back": lambda equals: {
            score.contestant_key: _boards_won(valued_session, score.contestant_key)
            for score in equals
        },
        "lot": _lot_order,
    }
    if valued_session.session.contest.plays_alone:
        by_name["opponents"] = _OpponentsTieBreak(valued_session)
    return [by_name[name] for name in profile.tie_breaks if name in by_name]


def _boards_won(valued_session: ValuedSession, contestant: ContestantKey) -> Fraction:
    """Return on how many boards a contestant was above average, counting average ones half."""
    values = [earned.value for earned in valued_session.earned.get(contestant, ())]
    over = [2 * value.value - (value.top or 0) for value in values if value.value is not None]
    return Fraction(sum((margin > 0) + (margin >= 0) for margin in over), 2)


def _lot_order(equals: Sequence[Score]) -> dict[ContestantKey, Fraction]:
    """Return the drawn lots of tied contestants as sort values, the first lot highest."""
    lots = {score.contestant_key: score.tally.contestant.lot for score in equals}
    last = max((lot for lot in lots.values() if lot is not None), default=0) + 1
    return {
        contestant: Fraction(-(last if lot is None else lot)) for contestant, lot in lots.items()
    }


class _OpponentsTieBreak:
    """A tie-break for individuals: the opponents' scores divided by the partners' scores."""

    def __init__(self, valued_session: ValuedSession) -> None:
        scorer = Scorer(valued_session)
        finals = {
            score.contestant_key: score.ranked or Fraction(0)
            for score in scorer.scores(contestant_tallies(valued_session).values())
        }
        self._of: dict[ContestantKey, Fraction] = {}
        opponents: dict[ContestantKey, Fraction] = defaultdict(Fraction)
        partners: dict[ContestantKey, Fraction] = defaultdict(Fraction)
        for play in valued_session.plays:
            for line in LINES:
                across = [side for side in LINES if side != line]
                for contestant in play.play.side(line):
                    partners[contestant] += sum(
                        (finals[mate] for mate in play.play.side(line) if mate != contestant),
                        Fraction(0),
                    )
                    opponents[contestant] += sum(
                        (finals[foe] for side in across for foe in play.play.side(side)),
                        Fraction(0),
                    )
        self._of = {
            contestant: opponents[contestant] / partners[contestant]
            if partners[contestant]
            else Fraction(0)
            for contestant in finals
        }

    def __call__(self, equals: Sequence[Score]) -> Mapping[ContestantKey, Fraction]:
        return {score.contestant_key: self._of[score.contestant_key] for score in equals}

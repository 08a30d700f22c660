"""The values of team pairs, each compared with all that played its boards. SCORING rule 3.6."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from movements.engine.contest import Contest

from ..comparing import SessionScopes
from ..methods import butler
from ..model import Contestant, ContestantKey, Session
from ..profile import Profile
from ..rankings.tallies import Tally, contestant_tallies
from ..valuing import ValuedSession, value_session
from . import report
from .results import Number, PairInTeam

#: pairs with fewer boards than this share of the most are ranked after the others
LEAST_SHARE = Fraction(1, 3)


@dataclass(frozen=True)
class PairSession:
    """A team session scored as a contest of pairs; `team_of` maps pairs to their teams."""

    valued: ValuedSession | None
    team_of: Mapping[ContestantKey, str]
    #: plays with known pairs, by their index in the session
    plays: tuple[int, ...] = ()

    @property
    def values(self) -> report.PairValues:
        """Return the scores of the N-S and the E-W pair for each play, by index."""
        if self.valued is None:
            return {}
        of = self.valued.values
        return {
            index: (of[place, "ns"].value, of[place, "ew"].value)
            for place, index in enumerate(self.plays)
        }


def score_as_pairs(session: Session, profile: Profile) -> PairSession:
    """Score all pairs of a team event over all tables with the same cards, by the profile's method for pairs."""
    named = [
        play for play in session.plays if play.ns_pair is not None and play.ew_pair is not None
    ]
    if not named:
        return PairSession(None, {})
    team_of: dict[ContestantKey, str] = {}
    for play in named:
        team_of[ContestantKey(play.section, play.ns_pair or "")] = play.ns[0]
        team_of[ContestantKey(play.section, play.ew_pair or "")] = play.ew[0]
    cards = SessionScopes(session, profile, ())
    pairs = replace(
        session,
        contest=Contest.PAIRS,
        matches=(),
        penalties=(),
        contestants=tuple(Contestant(contestant, "all") for contestant in team_of),
        plays=tuple(
            replace(
                play,
                index=index,
                ns=(play.ns_pair or "",),
                ew=(play.ew_pair or "",),
                deals=cards.deals_of(play),
            )
            for index, play in enumerate(named)
        ),
    )
    method = replace(profile, method=profile.pairs_method)
    return PairSession(value_session(pairs, method), team_of, tuple(play.index for play in named))


def pairs_by_average(pair_session: PairSession) -> tuple[PairInTeam, ...]:
    """Return the pairs, best average first; `PairInTeam.few` marks those with very few boards."""
    if pair_session.valued is None:
        return ()
    each = list(contestant_tallies(pair_session.valued).values())
    most = max(pair_result.boards for pair_result in each)

    def rank_key(tally: Tally) -> tuple[bool, Fraction]:
        """Return the sort key: pairs with enough boards first, then by mean."""
        return (
            tally.boards >= LEAST_SHARE * most,
            tally.total / tally.boards if tally.boards else Fraction(-999),
        )

    return tuple(
        PairInTeam(
            pair=pair_result.contestant_key.label,
            team=pair_session.team_of[pair_result.contestant_key],
            section=pair_result.contestant_key.section,
            boards=pair_result.boards,
            total=report.json_number(pair_result.total),
            average=report.json_number(pair_result.total / pair_result.boards)
            if pair_result.boards
            else None,
            few=pair_result.boards < LEAST_SHARE * most,
        )
        for pair_result in sorted(each, key=rank_key, reverse=True)
    )


@dataclass(frozen=True)
class ScoreFrequency:
    """The frequency of a score on a board, and how many of these results the datum leaves out."""

    score: int
    count: Number
    out: Number


@dataclass(frozen=True)
class PairBoard:
    """A board of one deal in the pairs' ranking: its datum, and the scores that the datum leaves out."""

    deals: str | None
    board: int
    round: int | None
    results: int
    datum: Number | None
    frequency: tuple[ScoreFrequency, ...]


def boards_with_results(pair_session: PairSession) -> tuple[PairBoard, ...]:
    """Return every board of each deal that has a result."""
    if pair_session.valued is None:
        return ()
    valued, boards = pair_session.valued, []
    for key in sorted(
        valued.scopes.fields, key=lambda field: (field.scope.deals or "", field.board)
    ):
        field, comparison = valued.scopes.fields[key], valued.comparisons[key]
        if not field.result_count:
            continue
        counted = field.frequencies("ns")
        out = butler.trimmed_scores(field, valued.profile)
        boards.append(
            PairBoard(
                deals=key.scope.deals,
                board=key.board,
                round=field.plays[0].play.round,
                results=field.result_count,
                datum=report.json_number(comparison.datum) if comparison else None,
                frequency=tuple(
                    ScoreFrequency(
                        score,
                        report.json_number(Fraction(counted[score])),
                        report.json_number(out.get(score, Fraction(0))),
                    )
                    for score in sorted(counted, reverse=True)
                ),
            )
        )
    return tuple(boards)

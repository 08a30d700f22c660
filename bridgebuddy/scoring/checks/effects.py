"""A preview of a ruling: boards, percentages and places before and after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bridgebuddy.events.queries.plan.games import Contestant

from ..models import FouledBoard, MatchRuling
from ..results.matches import TeamMatch
from ..results.scored import ScoredSession, SideScore
from ..rules import model
from ..snapshot.counted import RankedContestant
from ..snapshot.document import SessionDocument
from ..snapshot.lines import PlayLine
from ..snapshot.ruled import match_with_ruling
from ..snapshot.session_snapshot import SessionSnapshot

SIDES = ("ns", "ew")


@dataclass(frozen=True)
class BoardChange:
    """A side's score on a board before and after a change of results."""

    who: tuple[Contestant, ...]
    line: PlayLine
    now: SideScore
    then: SideScore


@dataclass(frozen=True)
class PlaceChange:
    """A contestant's place in the ranking before and after a change of results."""

    who: Contestant
    now: RankedContestant
    then: RankedContestant

    @property
    def moves(self) -> bool:
        """Return whether the place changes."""
        return self.now.place != self.then.place


@dataclass(frozen=True)
class ResultEffect:
    """The effect of a change of results: on the contestants concerned, and on others whose places change."""

    boards: tuple[BoardChange, ...]
    concerned: tuple[PlaceChange, ...]
    others: tuple[PlaceChange, ...]
    #: number of other results of these boards whose values change
    beside: int
    problem: str = ""


@dataclass(frozen=True)
class MatchEffect:
    """The effect of a ruling: on the match, on its teams, and on others whose places change."""

    now: TeamMatch
    then: TeamMatch | None
    concerned: tuple[PlaceChange, ...] = ()
    others: tuple[PlaceChange, ...] = ()
    #: number of other matches whose values change
    beside: int = 0
    problem: str = ""

    @property
    def sides(self) -> list[tuple[Contestant, float | None, float | None]]:
        """Return both teams' scores in the match before and after the ruling."""
        if self.then is None:
            return []
        return [
            (team, self.now.score_of_team(team), self.then.score_of_team(team))
            for team in self.now.teams
        ]


def match_effect(match: TeamMatch, ruling: MatchRuling) -> MatchEffect:
    """Return the effect that a ruling on a match would have; it replaces any earlier ruling."""
    before = match.scored
    matches = list(before.document.session.matches)
    matches[match.index] = match_with_ruling(matches[match.index], ruling, match.home.entry)
    after = ScoredSession(before.tonight, before.document.with_matches(matches))
    if after.problem:
        return MatchEffect(match, None, problem=after.problem)
    keys = {team.entry for team in match.teams}
    places = list(_place_changes(before, after))
    pairs = zip(before.results.matches, after.results.matches, strict=True)
    return MatchEffect(
        match,
        TeamMatch(after, match.index),
        tuple(place for place in places if place.who.entry in keys),
        tuple(place for place in places if place.who.entry not in keys and place.moves),
        sum(
            pair_before != other
            for place, (pair_before, other) in enumerate(pairs)
            if place != match.index
        ),
    )


def result_effect(
    old_scored: ScoredSession, document: SessionDocument, lines: Sequence[PlayLine]
) -> ResultEffect:
    """Return the effect that another scoring document would have on the contestants of these plays, and on others."""
    return effect_of_other_document(
        old_scored,
        document,
        lines,
        [contestant for line in lines for contestant in _contestants_of_line(line)],
    )


def effect_of_other_document(
    old_scored: ScoredSession,
    document: SessionDocument,
    lines: Sequence[PlayLine],
    concerned: Iterable[Contestant],
) -> ResultEffect:
    """Return the effect that another scoring document would have on the `concerned` contestants, and on others."""
    after = ScoredSession(old_scored.tonight, document)
    if after.problem or old_scored.problem:
        return ResultEffect((), (), (), 0, after.problem or old_scored.problem)
    indexes = {line.index for line in lines}
    boards, beside = [], 0
    for line in old_scored.tonight.lines:
        for side in SIDES:
            now, then = old_scored.side(line, side), after.side(line, side)
            assert now is not None
            assert then is not None
            if line.index in indexes:
                boards.append(BoardChange(line.side(side), line, now, then))
            else:
                beside += now.value != then.value
    keys = {contestant.entry for contestant in concerned}
    places = list(_place_changes(old_scored, after))
    return ResultEffect(
        tuple(boards),
        tuple(place for place in places if place.who.entry in keys),
        tuple(place for place in places if place.who.entry not in keys and place.moves),
        beside,
    )


def _contestants_of_line(line: PlayLine) -> tuple[Contestant, ...]:
    """Return all contestants at the table where a play took place."""
    return (*line.ns, *line.ew)


def _place_changes(old_scored: ScoredSession, new_scored: ScoredSession) -> Iterable[PlaceChange]:
    """Yield each contestant's place in each ranking before and after a change of results."""
    then = {
        (ranking.section, ranking.field, standing.contestant.entry): standing
        for ranking in new_scored.main_lists
        for standing in ranking.standings
    }
    for ranking in old_scored.main_lists:
        for standing in ranking.standings:
            other = then.get((ranking.section, ranking.field, standing.contestant.entry))
            if other is not None:
                yield PlaceChange(standing.contestant, standing, other)


def document_with_fouled_board(tonight: SessionSnapshot, fouled: FouledBoard) -> SessionDocument:
    """Return the session's scoring document as if a board had been declared fouled."""
    plays = list(tonight.document.session.plays)
    for line in tonight.lines_of_board(fouled.section, fouled.board):
        if line.has_begun and fouled.holds(line.round, line.table):
            plays[line.index] = replace(plays[line.index], group="new")
    return tonight.document.with_plays(plays)


def document_with_penalty(tonight: SessionSnapshot, penalty: model.Penalty) -> SessionDocument:
    """Return the session's scoring document with an additional penalty."""
    return tonight.document.with_penalties((*tonight.document.session.penalties, penalty))

"""The next round of a knock-out: who goes on from the matches that were played, and whom they meet.

The one draw of it, as `drawing.py` has that of a Swiss. Contestants are the numbers of the movement.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from movements.engine import knockouts, open_rounds
from movements.engine.draws import Draw
from movements.engine.knockouts import Match
from movements.engine.model import Movement
from movements.engine.placing import exchanged, placed

from .drawing import next_open

Number = float | Fraction
FINALISTS = 2


class Undecided(Exception):
    """A match of the round before is not decided: a result is missing, or it is level."""


@dataclass(frozen=True, slots=True)
class How:
    """How a knock-out is drawn, and what its director says of this round.

    `seeded`: the best meets the last in every round; otherwise the chart says who meets. `compact`: who
    has lost plays on, for the third place or in a consolation. `through` are those who go on; where
    nobody is named, those who are ahead.
    """

    seeded: bool = False
    compact: bool = False
    through: frozenset[int] = frozenset()
    exchanges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Tie:
    """A match of the round before, by how much each leads, and who goes on by that.

    A score is None where results are missing. Nobody goes on by them where it is level.
    """

    teams: tuple[int, ...]
    go_on: int
    scores: tuple[Number | None, ...]
    by_score: tuple[int, ...]
    chosen: tuple[int, ...]

    @property
    def is_level(self) -> bool:
        return None not in self.scores and not self.by_score

    @property
    def level(self) -> list[tuple[int, int]]:
        """Which two play on where it is level: those of whom not all go on."""
        if not self.is_level:
            return []
        last = sorted((one for one in self.scores if one is not None), reverse=True)[self.go_on - 1]
        equals = [t for t, score in zip(self.teams, self.scores, strict=True) if score == last]
        return list(combinations(equals, 2))

    @property
    def is_decided(self) -> bool:
        return len(self.chosen) == self.go_on


def margins(
    matches: Iterable[tuple[int, int, Number | None, Sequence[Number] | None]],
) -> dict[tuple[int, int], Number]:
    """Return by how much each leads against another, of two sides, the first one's IMPs ahead and their points.

    >>> margins([(1, 2, 28, None), (3, 4, None, (9, 5))])
    {(1, 2): 28, (2, 1): -28, (3, 4): 4, (4, 3): -4}
    """
    found: dict[tuple[int, int], Number] = {}
    for home, away, ahead, points in matches:
        if ahead is not None:
            lead: Number = ahead
        elif points is not None:
            lead = points[0] - points[1]
        else:
            continue
        found |= {(home, away): lead, (away, home): -lead}
    return found


class KnockOutRound:
    """A knock-out's next open round.

    `in_main` are those who had not lost when the round before was drawn, `leads` by how much who leads
    in it (see `margins`). What says who meets raises `Undecided` as long as that is open.
    """

    def __init__(
        self,
        movement: Movement,
        leads: Mapping[tuple[int, int], Number],
        how: How,
        *,
        in_main: Collection[int],
    ) -> None:
        self.movement, self.leads, self.how = movement, leads, how
        self.in_main = frozenset(in_main)
        self.round = next_open(movement)

    @property
    def last(self) -> int:
        """The round that decides who goes on; where none is open, the last of all."""
        return (self.round or self.movement.rounds + 1) - 1

    @cached_property
    def brackets(self) -> tuple[tuple[int, ...], ...]:
        return knockouts.brackets(self.movement.contestants)

    @cached_property
    def played(self) -> list[tuple[int, ...]]:
        """The matches of the round before, in the order of the chart; within a triangle by number."""
        matches = [s.contestants for s in self.movement.in_round(self.last) if s.is_played]
        threes = [t.teams for t in self.movement.triangles if self.last in t.rounds]
        return [*matches, *(tuple(sorted(three)) for three in threes)]

    # ── who goes on ──

    @cached_property
    def ties(self) -> list[Tie]:
        """The matches of the round before in which nobody had lost, bracket by bracket."""
        return [tie for found in self._ties for tie in found]

    @cached_property
    def _ties(self) -> list[list[Tie]]:
        main = [match for match in self.played if self.in_main.issuperset(match)]
        return [
            [self.tie(match) for match in knockouts.knocked_on(bracket, main)]
            for bracket in self.brackets
        ]

    @property
    def beside(self) -> list[Tie]:
        """The other matches of the round before: those of who had lost already."""
        known = {frozenset(tie.teams) for tie in self.ties}
        return [self._of_lost(match) for match in self.played if frozenset(match) not in known]

    def _of_lost(self, match: tuple[int, ...]) -> Tie:
        return self.tie(Match(match, go_on=len(match) - 1))

    def tie(self, match: Match) -> Tie:
        scores = tuple(self._score(team, match.teams) for team in match.teams)
        by_score = _ahead(match, scores)
        chosen = tuple(team for team in match.teams if team in self.how.through)
        return Tie(
            match.teams, match.go_on, scores, by_score, chosen if self.how.through else by_score
        )

    def _score(self, team: int, teams: tuple[int, ...]) -> Number | None:
        """By how much a team leads, in a triangle in both its matches; None while a result is missing."""
        mine = [self.leads.get((team, other)) for other in teams if other != team]
        return None if None in mine else sum(one for one in mine if one is not None)

    @property
    def is_missing(self) -> bool:
        """Whether a result of the round before is missing."""
        return any(None in tie.scores for tie in self.ties)

    @property
    def is_decided(self) -> bool:
        return all(tie.is_decided for tie in self.ties)

    @cached_property
    def through(self) -> tuple[int, ...]:
        """Who goes on, in the order of the chart: who has won, or had nobody to meet. Who has left does not."""
        idle = [
            one
            for seating in self.movement.in_round(self.last)
            if not seating.is_played
            for one in seating.contestants
            if one in self.in_main
        ]
        won = [team for tie in self.ties for team in tie.teams if team in tie.chosen]
        here = open_rounds.to_be_drawn(self.movement) if self.round else self.movement.contestants
        return tuple(team for team in (*won, *idle) if team in here)

    # ── whom they meet ──

    @cached_property
    def matches(self) -> list[Match]:
        """The matches of the next round."""
        if not self.is_decided:
            raise Undecided()
        met = open_rounds.meetings(self.movement)
        found: list[Match] = []
        for bracket, ties in zip(self.brackets, self._ties, strict=True):
            through = [team for team in self.through if team in bracket]
            if len(through) > 1:
                how = knockouts.seeded_round if self.how.seeded else knockouts.knockout_round
                found += how(through, met=met)
                if self.how.compact and ties:
                    found += self._for_losers(bracket, ties, through, met)
        return found

    def _for_losers(
        self,
        bracket: Sequence[int],
        ties: list[Tie],
        through: list[int],
        met: frozenset[frozenset[int]],
    ) -> list[Match]:
        """The matches of those of a bracket who have lost: before the final two play for the third place."""
        here = set(open_rounds.to_be_drawn(self.movement))
        had_ties = [team for tie in ties for team in tie.teams]
        lost = [n for tie in ties for n in tie.teams if n not in tie.chosen and n in here]
        found: list[Match] = []
        if len(through) == FINALISTS and len(lost) > 1:
            found += knockouts.beside(lost, met=met, event="third place")
            lost = []
        others = [n for n in bracket if n in here and n not in had_ties and n not in through]
        ahead = {
            team
            for match in self.played
            if set(match) <= set(others)
            for team in self._of_lost(match).by_score
        }
        order = [n for n in others if n in ahead] + lost + [n for n in others if n not in ahead]
        return [*found, *knockouts.beside(order, met=met)]

    @cached_property
    def exchanges(self) -> list[tuple[int, int]]:
        """Whom the director exchanges: those who are drawn."""
        playing = knockouts.knockout_draw(self.matches).contestants
        return [two for two in self.how.exchanges if playing.issuperset(two)]

    @cached_property
    def drawn(self) -> Draw:
        """The next round, as it would be with what the director has exchanged."""
        drawn = knockouts.knockout_draw(self.matches)
        for one, other in self.exchanges:
            drawn = exchanged(drawn, one, other)
        if self.how.compact:
            drawn = replace(drawn, bye=self._alone(drawn))
        return placed(self.movement, drawn)

    def _alone(self, drawn: Draw) -> int | None:
        """Who has lost, and has nobody to play on with: they sit out."""
        here = open_rounds.to_be_drawn(self.movement)
        return next((one for one in here if one not in drawn.contestants), None)

    @property
    def events(self) -> list[str]:
        """What matches are about, in the order of the draw: the title, the third place, the consolation."""
        return [match.event for match in sorted(self.matches, key=lambda one: len(one.teams))]

    @property
    def met_again(self) -> list[frozenset[int]]:
        met = open_rounds.meetings(self.movement)
        return [two for two in self.drawn.couples if two in met]

    @cached_property
    def after(self) -> Movement:
        """The movement with the round drawn."""
        return open_rounds.with_draw(self.movement, self.drawn, again=self.how.compact)


def _ahead(match: Match, scores: tuple[Number | None, ...]) -> tuple[int, ...]:
    """Return who goes on by the scores; nobody where that cannot be told."""
    known = [one for one in scores if one is not None]
    if len(known) < len(scores):
        return ()
    order = sorted(zip(known, match.teams, strict=True), key=lambda one: -one[0])
    if order[match.go_on - 1][0] == order[match.go_on][0]:
        return ()
    through = {team for _, team in order[: match.go_on]}
    return tuple(team for team in match.teams if team in through)

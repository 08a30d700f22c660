"""The next round of a knock-out: the teams that go on from the last matches, and their opponents.

This is the only implementation, as `drawing.py` is for a Swiss. Contestants are numbers of the movement.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from movements.engine.drawing import knockouts, open_rounds
from movements.engine.drawing.draws import Draw
from movements.engine.drawing.knockouts import KnockoutMatch
from movements.engine.drawing.placing import assign_tables, exchanged_draw
from movements.engine.model import Movement

from .drawing import next_open

Number = float | Fraction
FINALISTS = 2


class UndecidedMatch(Exception):
    """Error: the next knockout round cannot be drawn, as a match has no result or is level."""


@dataclass(frozen=True, slots=True)
class KnockoutRules:
    """The rules by which a knockout's round is drawn, and the director's decisions for it.

    With `seeded`, the best meets the last in every round; otherwise the chart decides. With `compact`, beaten teams
    play on for the third place or in a consolation. `through` are the teams that go on, by default the leaders.
    """

    seeded: bool = False
    compact: bool = False
    through: frozenset[int] = frozenset()
    exchanges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DecidedTie:
    """A match of the last round, with each team's lead, and the teams that qualify from it.

    A score is None if results are missing. If the match is level, scores alone decide nothing.
    """

    teams: tuple[int, ...]
    go_on: int
    scores: tuple[Number | None, ...]
    by_score: tuple[int, ...]
    chosen: tuple[int, ...]

    @property
    def is_level(self) -> bool:
        """Return whether all scores are known, but equal where they must decide who qualifies."""
        return None not in self.scores and not self.by_score

    @property
    def pairs_to_play_on(self) -> list[tuple[int, int]]:
        """Return the pairs of teams that play extra boards because the match is level."""
        if not self.is_level:
            return []
        last = sorted((score for score in self.scores if score is not None), reverse=True)[
            self.go_on - 1
        ]
        equals = [t for t, score in zip(self.teams, self.scores, strict=True) if score == last]
        return list(combinations(equals, 2))

    @property
    def is_decided(self) -> bool:
        """Return whether the right number of teams qualify from the match."""
        return len(self.chosen) == self.go_on

    def teams_gone_on(self, playing: Collection[int]) -> Sequence[int]:
        """Return the teams that qualified: those `playing` in the next round, or the winners."""
        met = [team for team in self.teams if team in playing]
        return met if len(met) == self.go_on else self.by_score


def match_margins(
    matches: Iterable[tuple[int, int, Number | None, Sequence[Number] | None]],
) -> dict[tuple[int, int], Number]:
    """Return each side's lead over its opponent by match, in IMPs, or in points without IMPs.

    >>> match_margins([(1, 2, 28, None), (3, 4, None, (9, 5))])
    {(1, 2): 28, (2, 1): -28, (3, 4): 4, (4, 3): -4}
    """
    margins: dict[tuple[int, int], Number] = {}
    for home, away, ahead, points in matches:
        if ahead is not None:
            lead: Number = ahead
        elif points is not None:
            lead = points[0] - points[1]
        else:
            continue
        margins |= {(home, away): lead, (away, home): -lead}
    return margins


class KnockOutRound:
    """The draw of a knockout's next round: which teams qualify and whom they meet.

    `in_main` are the teams that played for the title in the round before, in the order of its draw. They are the
    value of `title` then, or `first_title` for the first round. `leads` gives each team's lead in it (see `margins`).
    Properties about the pairings raise `UndecidedMatch` while that is open.
    """

    def __init__(
        self,
        movement: Movement,
        leads: Mapping[tuple[int, int], Number],
        rules: KnockoutRules,
        *,
        in_main: Sequence[int],
    ) -> None:
        self.movement, self.leads, self.how = movement, leads, rules
        self.in_main = tuple(in_main)
        self.round = next_open(movement)

    @property
    def last(self) -> int:
        """Return the last drawn round, whose matches decide which teams qualify."""
        return (self.round or self.movement.rounds + 1) - 1

    @cached_property
    def bracket_parts(self) -> tuple[tuple[int, ...], ...]:
        """Return the teams of each part of the bracket: halves, quarters and so on."""
        return knockouts.knockout_brackets(self.movement.contestants)

    @cached_property
    def played(self) -> list[tuple[int, ...]]:
        """Return the matches of the last round, in the order of the bracket."""
        matches = [s.contestants for s in self.movement.in_round(self.last) if s.is_played]
        return [*matches, *self._triangles]

    @property
    def _triangles(self) -> list[tuple[int, ...]]:
        """Return the teams of each three-way match that ends with the last round."""
        triangles = self.movement.triangles
        return [tuple(sorted(t.teams)) for t in triangles if self.last in t.rounds]

    # ── winners ──

    @cached_property
    def ties(self) -> list[DecidedTie]:
        """Return the last round's matches of unbeaten teams, with their decisions, part by part of the bracket."""
        return [tie for ties in self._ties_by_bracket for tie in ties]

    @cached_property
    def _ties_by_bracket(self) -> list[list[DecidedTie]]:
        """Return the last round's matches of unbeaten teams in each part of the bracket."""
        return [
            [
                self.tie_of_match(match)
                for match in self._title_matches(bracket)
                if self._is_undecided(match)
            ]
            for bracket in self.bracket_parts
        ]

    def _title_matches(self, bracket: Sequence[int]) -> list[KnockoutMatch]:
        """Return a bracket part's matches for the title, without teams that had left before."""
        teams = [team for team in self.in_main if team in bracket]
        away = self.movement.absent(self.last)
        matches = knockouts.drawn_round_matches(teams, self.played, self._triangles)
        return [
            replace(match, teams=tuple(team for team in match.teams if team not in away))
            for match in matches
        ]

    @staticmethod
    def _is_undecided(match: KnockoutMatch) -> bool:
        """Return whether a match has more teams than qualify from it."""
        return len(match.teams) > match.go_on

    @property
    def consolation_ties(self) -> list[DecidedTie]:
        """Return the last round's matches of teams already out of the main event, with their decisions."""
        title = set(self.in_main)
        ties = (
            self._decide_beaten_match(match) for match in self.played if not title.issuperset(match)
        )
        return [tie for tie in ties if len(tie.teams) > 1]

    def _decide_beaten_match(self, match: tuple[int, ...]) -> DecidedTie:
        """Return a match of beaten teams with its decision, without a team that had left before."""
        away = self.movement.absent(self.last)
        there = tuple(team for team in match if team not in away)
        return self.tie_of_match(KnockoutMatch(there, go_on=len(there) - 1))

    def tie_of_match(self, match: KnockoutMatch) -> DecidedTie:
        """Return a match or three-way match with each team's lead and the teams that qualify."""
        scores = tuple(self._lead_of_team(team, match.teams) for team in match.teams)
        by_score = _teams_ahead(match, scores)
        chosen = tuple(team for team in match.teams if team in self.how.through)
        return DecidedTie(
            match.teams, match.go_on, scores, by_score, chosen if self.how.through else by_score
        )

    def _lead_of_team(self, team: int, teams: tuple[int, ...]) -> Number | None:
        """Return a team's lead in a match (in a three-way match over both); None while a result is missing."""
        leads = [self.leads.get((team, other)) for other in teams if other != team]
        return (
            None
            if None in leads
            else sum(contestant for contestant in leads if contestant is not None)
        )

    @property
    def is_missing(self) -> bool:
        """Return whether the result of a match in the last round is missing."""
        return any(None in tie.scores for tie in self.ties)

    @property
    def is_decided(self) -> bool:
        """Return whether all matches of the last round are decided."""
        return all(tie.is_decided for tie in self.ties)

    @cached_property
    def qualified_teams(self) -> tuple[int, ...]:
        """Return the teams that qualify for the next round, in the order of the bracket.

        A team goes on if it has won its match, or if its opponent had left. A team that has left does not.
        """
        by_team = {team: tie for tie in self.ties for team in tie.teams}
        away = self.movement.absent(self.last)
        here = (
            open_rounds.contestants_to_draw(self.movement)
            if self.round
            else self.movement.contestants
        )
        return tuple(
            team
            for team in self._title_match_teams
            if team in here
            and (team in by_team[team].chosen if team in by_team else team not in away)
        )

    @property
    def _title_match_teams(self) -> list[int]:
        """Return the teams of each match for the title in the last round, in order."""
        places = {team: place for place, team in enumerate(self.in_main)}
        groups = [tie.teams for tie in self.ties]
        for team in self.in_main:
            if not any(team in group for group in groups):
                later = (i for i, group in enumerate(groups) if places[group[0]] > places[team])
                groups.insert(next(later, len(groups)), (team,))
        return [team for group in groups for team in group]

    @property
    def title(self) -> tuple[int, ...]:
        """Return the teams that play for the title in the next round, in the order of the draw."""
        groups = [*self.drawn.matches, *self.drawn.triangles]
        events = zip(groups, self.events, strict=True)
        playing = [team for group, event in events if event == "main" for team in group]
        busy = self.drawn.contestants
        return (*playing, *(team for team in self.qualified_teams if team not in busy))

    # ── opponents ──

    @cached_property
    def matches(self) -> list[KnockoutMatch]:
        """Return the matches of the next round."""
        if not self.is_decided:
            raise UndecidedMatch()
        met = open_rounds.drawn_meetings(self.movement)
        matches: list[KnockoutMatch] = []
        for bracket, ties in zip(self.bracket_parts, self._ties_by_bracket, strict=True):
            through = [team for team in self.qualified_teams if team in bracket]
            if len(through) > 1:
                how = knockouts.seeded_round if self.how.seeded else knockouts.knockout_round
                matches += how(through, meetings=met)
                if self.how.compact:
                    matches += self._for_losers(bracket, ties, through, met)
        return matches

    def _for_losers(
        self,
        bracket: Sequence[int],
        ties: list[DecidedTie],
        winners: list[int],
        meetings: frozenset[frozenset[int]],
    ) -> list[KnockoutMatch]:
        """Return the next matches of a bracket part's beaten teams; before the final two play for third place."""
        here = set(open_rounds.contestants_to_draw(self.movement))
        had_ties = [team for tie in ties for team in tie.teams]
        lost = [n for tie in ties for n in tie.teams if n not in tie.chosen and n in here]
        for_losers: list[KnockoutMatch] = []
        if len(winners) == FINALISTS and len(lost) > 1:
            for_losers += knockouts.consolation_matches(
                lost, meetings=meetings, event="third place"
            )
            lost = []
        others = [n for n in bracket if n in here and n not in had_ties and n not in winners]
        ahead = {
            team
            for tie in map(self._decide_beaten_match, self.played)
            if set(tie.teams) <= set(others)
            for team in tie.by_score
        }
        order = [n for n in others if n in ahead] + lost + [n for n in others if n not in ahead]
        return [*for_losers, *knockouts.consolation_matches(order, meetings=meetings)]

    @cached_property
    def exchanges(self) -> list[tuple[int, int]]:
        """Return the director's exchanges of two teams that are both in the draw."""
        playing = knockouts.knockout_draw(self.matches).contestants
        return [two for two in self.how.exchanges if playing.issuperset(two)]

    @cached_property
    def drawn(self) -> Draw:
        """Return the next round's draw after the director's exchanges."""
        drawn = knockouts.knockout_draw(self.matches)
        for contestant, other in self.exchanges:
            drawn = exchanged_draw(drawn, contestant, other)
        if self.how.compact:
            drawn = replace(drawn, bye=self._team_without_opponent(drawn))
        return assign_tables(self.movement, drawn)

    def _team_without_opponent(self, draw: Draw) -> int | None:
        """Return the beaten team that has no opponent and sits out; None without one."""
        here = open_rounds.contestants_to_draw(self.movement)
        return next((contestant for contestant in here if contestant not in draw.contestants), None)

    @property
    def events(self) -> list[str]:
        """Return the purpose of each drawn match: "main" (for the title), third place or consolation."""
        return [match.event for match in sorted(self.matches, key=lambda match: len(match.teams))]

    @property
    def repeated_matches(self) -> list[frozenset[int]]:
        """Return the matches of the draw whose teams have already played each other."""
        met = open_rounds.drawn_meetings(self.movement)
        return [two for two in self.drawn.couples if two in met]

    @cached_property
    def after(self) -> Movement:
        """Return the movement with the drawn round added."""
        return open_rounds.apply_draw(self.movement, self.drawn, is_repeated=self.how.compact)


def first_title(movement: Movement, *, seeded: bool) -> tuple[int, ...]:
    """Return all teams of a knockout in the order of its first draw."""
    drawn = knockouts.first_knockout_draw(movement.contestants, seeded=seeded)
    return tuple(team for group in (*drawn.matches, *drawn.triangles) for team in group)


def _teams_ahead(match: KnockoutMatch, scores: tuple[Number | None, ...]) -> tuple[int, ...]:
    """Return the teams that a match's scores qualify for the next round; empty if they do not decide."""
    known_scores = [score for score in scores if score is not None]
    if len(known_scores) < len(scores):
        return ()
    order = sorted(zip(known_scores, match.teams, strict=True), key=lambda score: -score[0])
    if order[match.go_on - 1][0] == order[match.go_on][0]:
        return ()
    through = {team for _, team in order[: match.go_on]}
    return tuple(team for team in match.teams if team in through)

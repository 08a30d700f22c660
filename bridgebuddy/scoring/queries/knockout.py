"""The next round of a knock-out: who goes on from the matches that were played, and whom they meet."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.games import Contestant
from bridgebuddy.events.queries.plays import movement_as_played
from movements.engine import draws
from movements.engine.model import Movement
from movements.engine.placing import exchanged, placed

from .drawing import KEY_LENGTH, CannotDraw, Wishes
from .scored import Scored

#: a match that is level is gone on with: at least so many boards, and an eighth of those played
FEWEST_EXTRA, EXTRA_SHARE = 2, 8
FINALISTS = 2


@dataclass(frozen=True)
class Tie:
    """A match of the round before, what each has in it, and who goes on by that.

    `scores` are IMPs; None where results are missing. Nobody goes on by them where it is level.
    """

    teams: tuple[Contestant, ...]
    go_on: int
    scores: tuple[float | None, ...]
    by_score: tuple[int, ...]
    chosen: tuple[int, ...]

    @property
    def is_level(self) -> bool:
        return None not in self.scores and not self.by_score

    @property
    def level(self) -> list[tuple[Contestant, Contestant]]:
        """Which two play on where it is level: those of whom not all go on."""
        if not self.is_level:
            return []
        last = sorted((one for one in self.scores if one is not None), reverse=True)[self.go_on - 1]
        equals = [
            team for team, score in zip(self.teams, self.scores, strict=True) if score == last
        ]
        return list(combinations(equals, 2))

    @property
    def is_decided(self) -> bool:
        return len(self.chosen) == self.go_on

    @property
    def sides(self) -> list[tuple[Contestant, float | None, bool]]:
        """Each team with its score, and whether it goes on."""
        return [
            (team, score, team.number in self.chosen)
            for team, score in zip(self.teams, self.scores, strict=True)
        ]


@dataclass(frozen=True)
class NextMatch:
    """A match that is proposed; one team alone sits out."""

    teams: tuple[Contestant, ...]
    event: str = "main"
    is_again: bool = False


class KnockOut:
    """A knock-out's next open round. Make it in one moment, or under the section's lock."""

    def __init__(self, scored: Scored, section: Section, wishes: Wishes | None = None) -> None:
        self.scored, self.tonight, self.section = scored, scored.tonight, section
        self.wishes = wishes or Wishes()
        self.movement: Movement = movement_as_played(section)

    @property
    def round(self) -> int:
        return self.movement.open_rounds[0] if self.movement.open_rounds else 0

    @property
    def is_seeded(self) -> bool:
        """Whether the best meets the last in every round; otherwise the chart says who meets."""
        return bool(self.section.movement_options.get("seeded"))

    @property
    def is_compact(self) -> bool:
        """Whether who has lost plays on: for the third place, or in a consolation."""
        return bool(self.section.movement_options.get("compact"))

    @property
    def last(self) -> int:
        """The round that decides who goes on; where none is open, the last of all."""
        return (self.round or self.movement.rounds + 1) - 1

    @cached_property
    def people(self) -> Mapping[int, Contestant]:
        return self.tonight.plans[self.section.pk].drawn.contestants

    @cached_property
    def _brackets(self) -> tuple[tuple[int, ...], ...]:
        return draws.brackets(self.movement.contestants)

    @cached_property
    def _played(self) -> list[tuple[int, ...]]:
        """The matches of the round before in which nobody had lost before, in the order of the chart."""
        return [match for match in self._all_played if self._in_main.issuperset(match)]

    @cached_property
    def _all_played(self) -> list[tuple[int, ...]]:
        matches = [s.contestants for s in self.movement.in_round(self.last) if s.is_played]
        return [*matches, *(t.teams for t in self.movement.triangles if self.last in t.rounds)]

    @cached_property
    def _in_main(self) -> frozenset[int]:
        """Who had not lost when the round before was drawn: all, unless some who had play on."""
        made = self.section.draws.filter(round=self.last).last() if self.is_compact else None
        if made is None:
            return frozenset(self.movement.contestants)
        through = {entry for one in made.decided for entry in one["through"]}
        return frozenset(n for n, one in self.people.items() if one.entry in through)

    # ── who goes on ──

    @cached_property
    def ties(self) -> list[Tie]:
        """The matches of the round before, bracket by bracket."""
        return [tie for found in self._ties for tie in found]

    @cached_property
    def _ties(self) -> list[list[Tie]]:
        return [
            [self._tie(match) for match in draws.knocked_on(bracket, self._played)]
            for bracket in self._brackets
        ]

    def _tie(self, match: draws.Match) -> Tie:
        scores = tuple(self._score(team, match.teams) for team in match.teams)
        by_score = self._ahead(match, scores)
        chosen = tuple(
            team for team in match.teams if self.people[team].slug in self.wishes.through
        )
        return Tie(
            tuple(self.people[team] for team in match.teams),
            match.go_on,
            scores,
            by_score,
            chosen if self.wishes.through else by_score,
        )

    def _score(self, team: int, teams: tuple[int, ...]) -> float | None:
        """What a team has in its match, or in both of a triangle; None as long as a result is missing."""
        mine = [self._imps.get((team, other)) for other in teams if other != team and team != other]
        return None if None in mine else sum(one for one in mine if one is not None)

    @cached_property
    def _imps(self) -> Mapping[tuple[int, int], float]:
        """What each has against another in the round before: the difference in IMPs, or in points."""
        return dict(self._margins())

    def _margins(self) -> Iterator[tuple[tuple[int, int], float]]:
        numbers = {one.slug: number for number, one in self.people.items()}
        for found in self._found():
            counted = found["imps"] or found["points"]
            if counted is None or found["rule"] == "open":
                continue
            home, away = numbers[found["home"]], numbers[found["away"]]
            yield (home, away), counted["home"] - counted["away"]
            yield (away, home), counted["away"] - counted["home"]

    def _found(self) -> Iterator[dict[str, Any]]:
        """What came of the matches of the round before."""
        matches = self.scored.document.get("matches", ())
        for found in self.scored.results.get("matches", ()):
            match = matches[found["match"]]
            if match["section"] == self.section.name and found["round"] == self.last:
                yield found

    @staticmethod
    def _ahead(match: draws.Match, scores: tuple[float | None, ...]) -> tuple[int, ...]:
        """Return who goes on by the scores; nobody where that cannot be told."""
        known = [one for one in scores if one is not None]
        if len(known) < len(scores):
            return ()
        order = sorted(zip(known, match.teams, strict=True), key=lambda one: -one[0])
        if order[match.go_on - 1][0] == order[match.go_on][0]:
            return ()
        through = {team for _, team in order[: match.go_on]}
        return tuple(team for team in match.teams if team in through)

    @property
    def extra_boards(self) -> int:
        """How many more boards are played where a match is level."""
        boards = self.section.boards_per_round or 0
        return max(FEWEST_EXTRA, -(-boards // EXTRA_SHARE))

    @property
    def level(self) -> set[frozenset[int]]:
        """Which two (by their entries) may play more boards now: their boards leave it level, and no ruling."""
        if not self.section.is_running or self.section.round != self.last:
            return set()
        known = {frozenset(team.number for team in tie.teams) for tie in self.ties}
        beside = [
            self._tie(draws.Match(match, go_on=len(match) - 1))
            for match in self._all_played
            if frozenset(match) not in known
        ]
        return {
            frozenset(team.entry for team in two)
            for tie in (*self.ties, *beside)
            for two in tie.level
            if frozenset(team.slug for team in two) in self._by_boards
        }

    @property
    def _by_boards(self) -> set[frozenset[str]]:
        """Which two (by their labels) had a match in the round before that its boards decide."""
        return {
            frozenset((found["home"], found["away"]))
            for found in self._found()
            if found["rule"] == "match"
        }

    @property
    def is_missing(self) -> bool:
        """Whether a result of the round before is missing."""
        return any(None in tie.scores for tie in self.ties)

    @property
    def is_decided(self) -> bool:
        return all(tie.is_decided for tie in self.ties)

    # ── whom they meet ──

    @cached_property
    def matches(self) -> list[draws.Match]:
        """The matches of the next round. Raises `CannotDraw` as long as one is not decided."""
        if not self.is_decided:
            raise CannotDraw(is_missing=True)
        met = draws.meetings(self.movement)
        found: list[draws.Match] = []
        for ties in self._ties:
            through = [
                team.number for tie in ties for team in tie.teams if team.number in tie.chosen
            ]
            if len(through) > 1:
                how = draws.seeded_round if self.is_seeded else draws.knockout_round
                found += how(through, met=met)
                found += self._beside(ties, through, met) if self.is_compact else ()
        return found

    def _beside(
        self, ties: list[Tie], through: list[int], met: frozenset[frozenset[int]]
    ) -> list[draws.Match]:
        """The matches of those who have lost: before the final two play for the third place."""
        lost = [team.number for tie in ties for team in tie.teams if team.number not in tie.chosen]
        found: list[draws.Match] = []
        if len(through) == FINALISTS and len(lost) > 1:
            found += draws.beside(lost, met=met, event="third place")
            lost = []
        teams = {team.number for tie in ties for team in tie.teams}
        bracket = next(one for one in self._brackets if teams <= set(one))
        here = set(draws.to_be_drawn(self.movement))
        others = [n for n in bracket if n in here and n not in teams]
        ahead = {
            team
            for match in self._all_played
            if set(match) <= set(others)
            for team in self._tie(draws.Match(match, go_on=len(match) - 1)).by_score
        }
        order = [n for n in others if n in ahead] + lost + [n for n in others if n not in ahead]
        return [*found, *draws.beside(order, met=met)]

    @cached_property
    def drawn(self) -> draws.Draw:
        """The next round, as it would be with what the director has exchanged. Raises `CannotDraw`."""
        drawn = draws.knockout_draw(self.matches)
        for one, other in self.exchanges:
            drawn = exchanged(drawn, one, other)
        if self.is_compact:
            drawn = replace(drawn, bye=self._alone(drawn))
        return placed(self.movement, drawn)

    @cached_property
    def exchanges(self) -> list[tuple[int, int]]:
        """Whom the director exchanges, by their numbers: those who are drawn."""
        numbers = {one.slug: number for number, one in self.people.items()}
        in_it = draws.knockout_draw(self.matches).contestants
        found = [
            (numbers.get(one, 0), numbers.get(other, 0)) for one, other in self.wishes.exchanges
        ]
        return [two for two in found if in_it.issuperset(two)]

    def _alone(self, drawn: draws.Draw) -> int | None:
        """Who has lost, and has nobody to play on with: they sit out."""
        here = draws.to_be_drawn(self.movement)
        return next((one for one in here if one not in drawn.contestants), None)

    @property
    def met_again(self) -> list[frozenset[int]]:
        met = draws.meetings(self.movement)
        return [two for two in self.drawn.couples if two in met]

    @cached_property
    def after(self) -> Movement:
        """The movement with the round drawn. Raises `CannotDraw`."""
        return draws.with_draw(self.movement, self.drawn, again=self.is_compact)

    @cached_property
    def key(self) -> str:
        """What names the draw: the same draw always has the same key. Raises `CannotDraw`."""
        drawn = self.drawn
        text = json.dumps([self.round, drawn.matches, drawn.triangles, drawn.bye])
        return hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]

    @property
    def meetings(self) -> list[NextMatch]:
        """Who meets next, triangles last, and who has nobody to meet. Raises `CannotDraw`."""
        drawn = self.drawn
        groups: list[tuple[int, ...]] = [*drawn.matches, *drawn.triangles]
        found = [
            NextMatch(
                tuple(self.people[team] for team in group),
                event,
                frozenset(group) in self.met_again,
            )
            for group, event in zip(groups, self._events, strict=True)
        ]
        return found + ([NextMatch((self.people[drawn.bye],))] if drawn.bye is not None else [])

    @property
    def _events(self) -> list[str]:
        """What matches are about, in the order of the draw: the title, the third place, the consolation."""
        return [match.event for match in sorted(self.matches, key=lambda one: len(one.teams))]

    def _carry(self, match: tuple[int, int]) -> float:
        """What the first-named of two brings into their match; what the second brings is taken from it."""
        one, other = (self.people[team].slug for team in match)
        return sum(
            imps if first == one else -imps
            for first, second, imps in self.wishes.carry
            if {first, second} == {one, other}
        )

    def to_keep(self) -> dict[str, Any]:
        """Return what is stored of the draw: whom it means by the keys of their entries."""

        def entries(teams: tuple[int, ...]) -> list[int]:
            return [self.people[team].entry for team in teams]

        drawn = self.drawn
        return {
            "round": self.round,
            "counted": self.last,
            "matches": [
                *(
                    [0, *entries(match), self._carry(match), event]
                    for match, event in zip(drawn.matches, self._events, strict=False)
                ),
                *([[0, self.people[drawn.bye].entry, None]] if drawn.bye is not None else []),
            ],
            "exchanged": [entries(two) for two in self.exchanges],
            "triangles": [entries(three) for three in drawn.triangles],
            "decided": [
                {
                    "teams": [team.entry for team in tie.teams],
                    "scores": list(tie.scores),
                    "through": entries(tie.chosen),
                }
                for tie in self.ties
            ],
        }

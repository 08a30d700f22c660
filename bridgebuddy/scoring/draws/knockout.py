"""The next round of a section's knock-out: the teams that go on, and their opponents by the rules.

It only reads: see `rules/draws/knocking_out.py`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.events.queries.plays import movement_as_played
from movements.engine.drawing import draws
from movements.engine.laws import find_errors
from movements.engine.model import Movement

from ..results.scored import ScoredSession
from ..rules.draws import knocking_out as rules
from ..rules.reports.results import MatchResult, MatchSides
from ..snapshot.drawn_rounds import title_teams
from .drawing import KEY_LENGTH, CannotDraw, DrawWishes

#: extra boards of a level match: at least so many, and an eighth of the boards played
FEWEST_EXTRA, EXTRA_SHARE = 2, 8


@dataclass(frozen=True)
class KnockoutTie:
    """A match of the last knockout round with its teams, their leads, and who qualifies from it."""

    teams: tuple[Contestant, ...]
    told: rules.DecidedTie

    @property
    def qualifier_count(self) -> int:
        """Return how many teams of this match qualify for the next round."""
        return self.told.go_on

    @property
    def chosen_numbers(self) -> tuple[int, ...]:
        """Return the numbers of the teams that qualify from this match."""
        return self.told.chosen

    @property
    def numbers_by_score(self) -> tuple[int, ...]:
        """Return the numbers of the teams that qualify by the score of this match; empty if it does not decide."""
        return self.told.by_score

    @property
    def is_level(self) -> bool:
        """Return whether both sides of the match have the same score."""
        return self.told.is_level

    @property
    def is_decided(self) -> bool:
        """Return whether it is decided which teams qualify from this match."""
        return self.told.is_decided

    @property
    def pairs_to_play_on(self) -> list[tuple[Contestant, Contestant]]:
        """Return the pairs of teams that play extra boards because the match is level."""
        by_number = {team.number: team for team in self.teams}
        return [(by_number[pair], by_number[other]) for pair, other in self.told.pairs_to_play_on]

    @property
    def sides(self) -> list[tuple[Contestant, rules.Number | None, bool]]:
        """Return each team of the match with its lead, and whether it qualifies."""
        return [
            (team, score, team.number in self.chosen_numbers)
            for team, score in zip(self.teams, self.told.scores, strict=True)
        ]


@dataclass(frozen=True)
class NextMatch:
    """A match of the proposed next knockout round; a single team sits out."""

    teams: tuple[Contestant, ...]
    event: str = "main"
    is_again: bool = False


#: the values of both sides of a match
Sides = tuple[float, float] | None


def _side_values(two: MatchSides | None) -> Sides:
    """Return the values of both sides of a match; None without a result."""
    return None if two is None else (two.home, two.away or 0)


class KnockOut:
    """The draw of a section's next knockout round. Make it in a snapshot, or under the section's lock."""

    def __init__(
        self, scored: ScoredSession, section: Section, wishes: DrawWishes | None = None
    ) -> None:
        self.scored, self.tonight, self.section = scored, scored.tonight, section
        self.wishes = wishes or DrawWishes()
        self.movement: Movement = movement_as_played(section)

    @property
    def round(self) -> int:
        """Return the round to be drawn next; 0 if all rounds are drawn."""
        return self.movement.open_rounds[0] if self.movement.open_rounds else 0

    @property
    def last(self) -> int:
        """Return the last drawn round, whose matches decide which teams qualify for the next."""
        return self._next_round_rule.last

    @cached_property
    def people(self) -> Mapping[int, Contestant]:
        """Return the teams by their number in the movement."""
        return self.tonight.plans[self.section.pk].drawn.contestants

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        """Return the number of each team in the movement by its slug."""
        return {contestant.slug: number for number, contestant in self.people.items()}

    @cached_property
    def draw_rules(self) -> rules.KnockoutRules:
        """Return the rules of the draw, from the movement's options and the director's choices."""
        options, numbers = self.section.movement_options, self._numbers
        return rules.KnockoutRules(
            seeded=bool(options.get("seeded")),
            compact=bool(options.get("compact")),
            through=frozenset(numbers.get(slug, 0) for slug in self.wishes.through),
            exchanges=tuple(
                (numbers.get(first_slug, 0), numbers.get(other, 0))
                for first_slug, other in self.wishes.exchanges
            ),
        )

    @cached_property
    def _next_round_rule(self) -> rules.KnockOutRound:
        """Return the rules' calculation of the next knockout round from the last one's results."""
        last = (self.round or self.movement.rounds + 1) - 1
        leads = rules.match_margins(self._completed_matches(last))
        return rules.KnockOutRound(
            self.movement, leads, self.draw_rules, in_main=self._title_teams(last)
        )

    def _title_teams(self, last: int) -> tuple[int, ...]:
        """Return the numbers of the teams that played for the title in a drawn round: in round 1 all."""
        title = title_teams(self.section).get(last)
        if title is None:
            return rules.first_title(self.movement, seeded=self.draw_rules.seeded)
        by_entry = {team.entry: number for number, team in self.people.items()}
        return tuple(by_entry[entry] for entry in title if entry in by_entry)

    # ── winners ──

    @cached_property
    def ties(self) -> list[KnockoutTie]:
        """Return the matches of the last round that decide who plays for the title, bracket by bracket."""
        return [self._tie_with_teams(tie) for tie in self._next_round_rule.ties]

    def _tie_with_teams(self, tie: rules.DecidedTie) -> KnockoutTie:
        """Return a match's decision with the teams instead of their numbers."""
        return KnockoutTie(tuple(self.people[team] for team in tie.teams), tie)

    def _completed_matches(self, round: int) -> Iterator[tuple[int, int, float | None, Sides]]:
        """Yield the completed matches of a round: both sides, the first side's lead, and both sides' points."""
        for result in self._match_results(round):
            if result.rule != "open" and result.away is not None:
                home, away = self._numbers[result.home], self._numbers[result.away]
                yield home, away, result.lead, _side_values(result.points)

    def _match_results(self, round: int) -> Iterator[MatchResult]:
        """Yield the results of the matches of a round."""
        matches = self.scored.document.session.matches
        for result in self.scored.results.matches:
            section = matches[result.match].section
            if section == self.section.name and result.round == round:
                yield result

    @property
    def extra_board_count(self) -> int:
        """Return how many extra boards a level match plays."""
        boards = self.section.boards_per_round or 0
        return max(FEWEST_EXTRA, -(-boards // EXTRA_SHARE))

    @property
    def rounds_of_threes(self) -> int:
        """Return the greatest number of coming rounds that may need three-way matches."""
        go_on = sum(tie.told.go_on for tie in self.ties)
        to_come = self.movement.rounds - self.last
        return to_come if self.draw_rules.compact or go_on > 2 else 0

    @property
    def pairs_for_extra_boards(self) -> set[frozenset[int]]:
        """Return the pairs of entries that may play extra boards: level by their boards, without a ruling."""
        if not self.section.is_running or self.section.round != self.last:
            return set()
        beside = [self._tie_with_teams(match) for match in self._next_round_rule.consolation_ties]
        return {
            frozenset(team.entry for team in two)
            for tie in (*self.ties, *beside)
            for two in tie.pairs_to_play_on
            if frozenset(team.slug for team in two) in self._matches_decided_by_boards
        }

    @property
    def _matches_decided_by_boards(self) -> set[frozenset[str]]:
        """Return the matches of the last round (by both labels) that boards decided, without a ruling."""
        return {
            frozenset((result.home, result.away))
            for result in self._match_results(self.last)
            if result.rule == "match" and result.away is not None
        }

    @property
    def is_missing(self) -> bool:
        """Return whether the result of a match in the last round is missing."""
        return self._next_round_rule.is_missing

    @property
    def is_decided(self) -> bool:
        """Return whether all matches of the last round are decided, so that the next one can be drawn."""
        return self._next_round_rule.is_decided

    # ── opponents ──

    @property
    def exchanged_draw(self) -> draws.Draw:
        """Return the next round's draw after the director's exchanges. Raises `CannotDraw`."""
        return self._decided_round.drawn

    @property
    def _decided_round(self) -> rules.KnockOutRound:
        """Return the next round's draw. Raises `CannotDraw` while a match is undecided."""
        if not self._next_round_rule.is_decided:
            raise CannotDraw(is_missing=True)
        if not self._next_round_rule.matches:
            raise CannotDraw()
        return self._next_round_rule

    @property
    def is_over(self) -> bool:
        """Return whether the knockout is over: no two teams are left to play each other."""
        return self._next_round_rule.is_decided and not self._next_round_rule.matches

    @property
    def winners(self) -> list[Contestant]:
        """Return the teams that are still playing for the title."""
        return [self.people[team] for team in self._next_round_rule.qualified_teams]

    @cached_property
    def is_possible(self) -> bool:
        """Return whether the next round can be drawn with the director's exchanges and choices."""
        try:
            return bool(self.movement_after_draw)
        except CannotDraw:
            return False

    @property
    def repeated_matches(self) -> list[frozenset[int]]:
        """Return the matches of the proposed draw whose teams have already played each other."""
        return self._decided_round.repeated_matches

    @property
    def movement_after_draw(self) -> Movement:
        """Return the movement with the drawn round added. Raises `CannotDraw`, also if it breaks a law."""
        after = self._decided_round.after
        if find_errors(after):
            raise CannotDraw(is_exchanged=bool(self._next_round_rule.exchanges))
        return after

    @cached_property
    def key(self) -> str:
        """Return a digest that identifies this draw, to be sent with the form. Raises `CannotDraw`."""
        drawn = self.exchanged_draw
        text = json.dumps([self.round, drawn.matches, drawn.triangles, drawn.bye])
        return hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]

    @property
    def meetings(self) -> list[NextMatch]:
        """Return the next matches, three-way ones last, then the team that sits out. Raises `CannotDraw`."""
        drawn = self.exchanged_draw
        groups: list[tuple[int, ...]] = [*drawn.matches, *drawn.triangles]
        drawn_matches = [
            NextMatch(
                tuple(self.people[team] for team in group),
                event,
                frozenset(group) in self.repeated_matches,
            )
            for group, event in zip(groups, self._next_round_rule.events, strict=True)
        ]
        return drawn_matches + (
            [NextMatch((self.people[drawn.bye],))] if drawn.bye is not None else []
        )

    def _carried_imps(self, match: tuple[int, int]) -> float:
        """Return the carry-over in IMPs with which the first team leads the second at the start of a match."""
        one, other = (self.people[team].slug for team in match)
        return sum(
            imps if first == one else -imps
            for first, second, imps in self.wishes.carry
            if {first, second} == {one, other}
        )

    def stored_form(self) -> dict[str, Any]:
        """Return the draw as the `Draw` model stores it, with teams by their entries' keys."""

        def entry_keys(teams: tuple[int, ...]) -> list[int]:
            """Return the primary keys of the teams' entries."""
            return [self.people[team].entry for team in teams]

        drawn = self.exchanged_draw
        return {
            "round": self.round,
            "counted": self.last,
            "matches": [
                *(
                    [0, *entry_keys(match), self._carried_imps(match), event]
                    for match, event in zip(
                        drawn.matches, self._next_round_rule.events, strict=False
                    )
                ),
                *([[0, self.people[drawn.bye].entry, None]] if drawn.bye is not None else []),
            ],
            "exchanged": [entry_keys(two) for two in self._next_round_rule.exchanges],
            "triangles": [entry_keys(three) for three in drawn.triangles],
            "through": entry_keys(self._next_round_rule.title),
            "decided": [
                {
                    "teams": [team.entry for team in tie.teams],
                    "scores": list(tie.told.scores),
                    "through": entry_keys(tie.chosen_numbers),
                }
                for tie in self.ties
            ],
        }

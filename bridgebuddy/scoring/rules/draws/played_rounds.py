"""The rounds of a session document that have been played, as a movement.

The draw of the next round (`stage`) needs them in this form.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from movements.engine.declarations import Exemption, Triangle
from movements.engine.drawing import open_rounds
from movements.engine.model import Field, Movement, Seating, set_names

from ..match_scoring.match_results import MatchResult
from ..match_scoring.matches import SessionMatches, match_session
from ..model import ContestantKey, Match, Session, Stage
from ..profile import Profile
from ..rankings.ranking import label_sort_key


class PlayedRounds:
    """The movement of a session document's rounds so far, rebuilt from its matches and plays."""

    def __init__(self, session: Session, profile: Profile, stage: Stage) -> None:
        self.session = session
        self.stage = stage
        self.found: SessionMatches | None = (
            match_session(session, profile) if session.matches else None
        )
        self.results: Sequence[MatchResult] = self.found.results if self.found else ()
        by_seed = sorted(
            session.contestants,
            key=lambda item: (item.seed is None, item.seed or 0, label_sort_key(item.who)),
        )
        #: the order here gives the numbers in the movement, from 1
        self.everybody = [contestant.who for contestant in by_seed]

    @cached_property
    def numbers(self) -> Mapping[ContestantKey, int]:
        """Return the number of each contestant in the movement."""
        return {contestant: number for number, contestant in enumerate(self.everybody, 1)}

    def _label(self, number: int) -> str:
        """Return the label of the contestant with a number."""
        return self.everybody[number - 1].label

    @cached_property
    def round(self) -> int:
        """Return the round to draw: the first in which a contestant has no match and no bye."""
        round = max((min(result.match.all_rounds) for result in self.results), default=0) + 1
        if self.stage.through:
            round = max(round, len(self.stage.through) + 1)
        while self.everybody and all(
            self._is_away(key, round) or self.numbers[key] in self._in_triangles(round)
            for key in self.everybody
        ):
            round += 1
        return round

    def _is_away(self, key: ContestantKey, round: int) -> bool:
        """Return whether a contestant has left before a round."""
        left = next(entrant.left for entrant in self.session.contestants if entrant.who == key)
        return left is not None and left.after_round < round

    def _in_triangles(self, round: int) -> set[int]:
        """Return the numbers of the teams that play three-way matches in a round."""
        return {team for three in self._triangles if round in three.rounds for team in three.teams}

    @cached_property
    def _triangles(self) -> tuple[Triangle, ...]:
        """Return the three-way matches: three teams that meet in the same rounds, or two if one has left."""
        opponents: defaultdict[tuple[tuple[int, ...], int], list[int]] = defaultdict(list)
        for match in self._played_matches:
            one, other = (self.numbers[side] for side in match.sides)
            opponents[match.all_rounds, one].append(other)
            opponents[match.all_rounds, other].append(one)
        by_team: dict[tuple[tuple[int, ...], frozenset[int]], Triangle] = {}
        for (rounds, team), others in opponents.items():
            three = (team, *others)
            if len(set(three)) == 3 and all(
                set(opponents[rounds, other]) == set(three) - {other} for other in others
            ):
                by_team.setdefault((rounds, frozenset(three)), Triangle(rounds, three))  # type: ignore[arg-type]
        in_three = {(three.rounds, team) for three in by_team.values() for team in three.teams}
        for match in self._played_matches if self.session.contest.has_halves else ():
            two = tuple(sorted(self.numbers[side] for side in match.sides))
            rounds = match.all_rounds
            is_of_three = len(rounds) > 1 or (match.half and self._has_lost_its_third(match))
            if is_of_three and (rounds, two[0]) not in in_three:
                by_team[rounds, frozenset(two)] = Triangle(rounds, two)  # type: ignore[arg-type]
        return tuple(by_team.values())

    def _has_lost_its_third(self, match: Match) -> bool:
        """Return whether a match is left over from a three-way match whose third team has left."""
        others = {
            side
            for other in self._played_matches
            if match.last_round in other.all_rounds and not set(other.sides) & set(match.sides)
            for side in other.sides
        }
        idle = [key for key in self.everybody if key not in {*others, *match.sides}]
        return any(self.stage.odd != "bye" or self._is_away(key, match.last_round) for key in idle)

    @property
    def _played_matches(self) -> list[Match]:
        """Return the document's matches that are no byes."""
        return [result.match for result in self.results if len(result.match.sides) > 1]

    @cached_property
    def movement(self) -> Movement:
        """Return the movement of all matches so far, with the next round still to be drawn."""
        is_teams = self.session.contest.has_halves
        rounds = self.stage.rounds or self.round + 1
        sets = () if is_teams else set_names(rounds)
        seatings = [
            seating
            for round in range(1, self.round)
            for seating in self._seatings(round, sets[round - 1 : round])
        ]
        still_open = open_rounds.open_declaration(rounds)
        return Movement(
            family="knockout" if self.stage.kind == "knock-out" else "swiss",
            contest=self.session.contest,
            tables=max((seating.table for seating in seatings), default=1),
            rounds=rounds,
            fields=(Field("all", tuple(map(str, range(1, len(self.everybody) + 1)))),),
            sets=sets,
            seatings=tuple(seatings),
            triangles=self._triangles,
            exemptions=(
                replace(still_open, rounds=still_open.rounds[self.round - 1 :]),
                *self._away_exemptions(seatings, rounds),
            ),
        )

    def _seatings(self, round: int, sets: tuple[str, ...]) -> Iterator[Seating]:
        """Yield the seatings of a round's matches with their tables, and of its byes."""
        threes = [set(triangle.teams) for triangle in self._triangles if round in triangle.rounds]
        there: list[tuple[int, int, int | None]] = []
        for match in self.results:
            sides = [self.numbers[side] for side in match.match.sides]
            if round in match.match.all_rounds and not any(set(sides) <= three for three in threes):
                if len(sides) == 1:
                    there.append((0, sides[0], None))
                else:
                    there.append(self._at_table(match.match, round))
        occupied = {table for table, _, _ in there}
        free = iter([table for table in range(1, 2 * len(there) + 1) if table not in occupied])
        for table, home, away in there:
            yield Seating(round, table or next(free), home, away, sets)

    def _at_table(self, match: Match, round: int) -> tuple[int, int, int]:
        """Return the table and the numbers of N-S and E-W in a match; of teams the home team is first."""
        one, other = (self.numbers[side] for side in match.sides)
        if self.session.contest.has_halves:
            return 0, one, other
        sat = self._seats_by_match.get(
            (match.section, round, frozenset((match.home, match.away or "")))
        )
        if sat is None:
            return 0, one, other
        table, north = sat
        return (table, one, other) if north == match.home else (table, other, one)

    @cached_property
    def _seats_by_match(self) -> dict[tuple[str, int | None, frozenset[str]], tuple[int, str]]:
        """Return the table and North-South contestant of each match, by section, round and both contestants."""
        return {
            (play.section, play.round, frozenset((play.ns[0], play.ew[0]))): (
                play.table or 0,
                play.ns[0],
            )
            for play in self.session.plays
        }

    def _away_exemptions(self, seatings: Sequence[Seating], rounds: int) -> Iterator[Exemption]:
        """Yield for each round the contestants that may be absent in the movement, as they had left.

        In a knock-out a team without an opponent was knocked out, or its opponent has left.
        """
        is_knockout = self.stage.kind == "knock-out"
        for round in range(1, rounds + 1):
            busy = {n for s in seatings if s.round == round for n in s.contestants}
            busy |= self._in_triangles(round)
            away = tuple(
                number
                for contestant, number in self.numbers.items()
                if self._is_away(contestant, round)
                or (number not in busy and round < self.round and not is_knockout)
            )
            if away:
                yield Exemption("present", 0, "was not there", away, (round,))

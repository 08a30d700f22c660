"""The next round of a document that defines how its rounds are drawn (`stage`).

Played rounds become the movement that the draw needs (`drawing`, `knocking_out`). Round robins are drawn here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from movements.engine.declarations import Exemption, Triangle
from movements.engine.drawing import draws, knockouts, open_rounds
from movements.engine.drawing.draws import Draw
from movements.engine.drawing.placing import exchanged_draw
from movements.engine.errors import NoDraw
from movements.engine.model import Field, Movement, Seating, set_names

from ..errors import NoStage, ScoringError
from ..match_scoring.match_results import MatchResult
from ..match_scoring.matches import SessionMatches, match_session
from ..match_scoring.standings import standings_after
from ..model import ContestantKey, Match, Session, Stage
from ..profile import Profile
from ..rankings.ranking import label_sort_key
from ..reports.results import DrawnMatch, DrawnRound
from . import drawing, knocking_out
from .circle import circle_turned

SEED = 1
AGAIN = "everybody would meet somebody again"


def draw_round(session: Session, profile: Profile) -> DrawnRound:
    """Return the next round's matches, with the standings they were drawn from.

    Raises `NoStage` without rules for it, `ScoringError` if a result is missing or no lawful draw exists.
    """
    if session.stage is None:
        raise NoStage("stage", "is missing: it says how rounds are drawn")
    return _StageDraw(session, profile, session.stage).drawn_round()


class _StageDraw:
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
        self.reasons: list[str] = []
        if stage.rounds is not None and self.round > stage.rounds:
            raise ScoringError("stage.rounds", f"all {stage.rounds} rounds are drawn")

    @cached_property
    def numbers(self) -> Mapping[ContestantKey, int]:
        return {contestant: number for number, contestant in enumerate(self.everybody, 1)}

    def _label(self, number: int) -> str:
        return self.everybody[number - 1].label

    # ── past plays ──

    @cached_property
    def round(self) -> int:
        """Return the next round to draw: the first in which a contestant has nothing to do."""
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
        left = next(entrant.left for entrant in self.session.contestants if entrant.who == key)
        return left is not None and left.after_round < round

    def _in_triangles(self, round: int) -> set[int]:
        return {team for three in self._triangles if round in three.rounds for team in three.teams}

    @cached_property
    def _triangles(self) -> tuple[Triangle, ...]:
        """Return the groups of three teams that meet in the same rounds; two, if the third has left."""
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
        """Return whether a team may have been the third: away then, or without a match where nobody has a bye."""
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
        return [result.match for result in self.results if len(result.match.sides) > 1]

    @cached_property
    def movement(self) -> Movement:
        """Return the contest as played, with its next round open."""
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
        """Yield the seatings of a round with their tables, and the byes."""
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
        """Return table, North-South and East-West of two pairs; for teams the home team first."""
        one, other = (self.numbers[side] for side in match.sides)
        if self.session.contest.has_halves:
            return 0, one, other
        sat = self._sat.get((match.section, round, frozenset((match.home, match.away or ""))))
        if sat is None:
            return 0, one, other
        table, north = sat
        return (table, one, other) if north == match.home else (table, other, one)

    @cached_property
    def _sat(self) -> dict[tuple[str, int | None, frozenset[str]], tuple[int, str]]:
        """Return table and North-South, by section, round and both sides."""
        return {
            (play.section, play.round, frozenset((play.ns[0], play.ew[0]))): (
                play.table or 0,
                play.ns[0],
            )
            for play in self.session.plays
        }

    def _away_exemptions(self, seatings: Sequence[Seating], rounds: int) -> Iterator[Exemption]:
        """Yield the exemptions of contestants without even a bye in a round, and of those that left.

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

    # ── standings ──

    @cached_property
    def counted_round(self) -> int:
        """Return the last round whose results count for the draw."""
        due = drawing.last_round_due(self.movement, self.stage.behind)
        missing = [
            result.match
            for result in self.results
            if result.match.last_round <= due
            and (result.rule == "open" or (result.match.provisional and self.stage.late == "wait"))
        ]
        if not missing:
            return due
        if self.stage.late == "last-complete":
            complete = drawing.last_complete_round(due, [match.last_round for match in missing])
            self.reasons.append(f"drawn from the standings after round {complete}")
            return complete
        first = missing[0]
        raise ScoringError(
            f"matches[{first.index}]",
            f"round {first.round}, {first.home} v {first.away}: no result yet",
        )

    @cached_property
    def ranking(self) -> list[int]:
        """Return the contestants to be drawn by the standings; without standings, and in a knock-out, by seeds."""
        here = open_rounds.contestants_to_draw(self.movement)
        if self.found is None or self.stage.kind == "knock-out" or self.counted_round < 1:
            return here
        rows = standings_after(self.found, self.counted_round).rows
        order = {self.numbers[row.standing.who]: row.order for row in rows}
        return sorted(here, key=lambda number: order[number])

    # ── the draw ──

    def _check_enough(self, those: Sequence[int]) -> None:
        if len(those) < 2:
            raise ScoringError("contestants", f"{len(those)} cannot be drawn against each other")

    def _swiss(self) -> Draw:
        stage = self.stage
        self._check_enough(self.ranking)
        how = drawing.DrawRules(
            odd=stage.odd,
            first=stage.first,
            seed=SEED if stage.seed is None else stage.seed,
            danish=stage.danish,
            since=stage.ignore_before or 1,
            stationary=tuple(self._numbers_of_labels(stage.stationary)),
            exchanges=self._exchanges(),
        )
        swiss = drawing.SwissRound(self.movement, self.ranking, how, counted=self.counted_round)
        try:
            drawn = swiss.drawn
        except NoDraw:
            raise ScoringError("stage", AGAIN) from None
        for match in swiss.meetings:
            if match.apart:
                first, second = (self._label(self.ranking[order - 1]) for order in match.apart[:2])
                self.reasons.append(f"{first} and {second} met in round {match.apart[2]}")
            if match.met_in and match.away is not None:
                home, away = self._label(match.home), self._label(match.away)
                self.reasons.append(
                    f"{home} and {away} meet again: they met in round {match.met_in}"
                )
        return drawn

    def _knock_out(self) -> Draw:
        stage = self.stage
        if self.round == 1:
            teams = self.ranking[: stage.qualifiers] if stage.qualifiers else self.ranking
            self._check_enough(teams)
            return self._exchanged(knockouts.first_knockout_draw(teams, seeded=not stage.chart))
        if len(self.ranking) < 2:
            raise ScoringError("stage", "the knock-out is over")
        rule = self._knocked(self.round - 1, self._title_teams())
        self._check_decided(rule)
        if not rule.matches:
            raise ScoringError("stage", "the knock-out is over")
        return rule.drawn

    def _title_teams(self) -> tuple[int, ...]:
        """Return the teams that played for the title in the last round, in the order of its draw.

        If the document does not give them, they follow from all rounds before. A team without an opponent goes on.
        """
        if self.stage.through:
            return tuple(self._numbers_of_labels(self.stage.through[-1]))
        everybody = knocking_out.first_title(self.movement, seeded=not self.stage.chart)
        # numbers are seeds here
        many = self.stage.qualifiers or len(everybody)
        title = tuple(number for number in everybody if number <= many)
        for last in range(1, self.round - 1):
            rule = self._knocked(last, title)
            playing = {
                number
                for match in self._played_matches
                if match.last_round == last + 1
                for number in map(self.numbers.__getitem__, match.sides)
            }
            if self.stage.compact:
                self._check_decided(rule)
            else:
                on = frozenset(team for tie in rule.ties for team in tie.teams_gone_on(playing))
                rule = self._knocked(last, title, on)
            title = rule.through
        return title

    def _check_decided(self, rule: knocking_out.KnockOutRound) -> None:
        for tie in rule.ties:
            if not tie.is_decided:
                names = ", ".join(map(self._label, tie.teams))
                raise ScoringError("stage", f"round {rule.last}, {names}: nobody has won yet")

    def _knocked(
        self, last: int, title: Sequence[int], through: frozenset[int] = frozenset()
    ) -> knocking_out.KnockOutRound:
        """Return the state of the knock-out after a round."""
        movement = self.movement
        then = replace(
            movement,
            seatings=tuple(s for s in movement.seatings if s.round <= last),
            triangles=tuple(three for three in movement.triangles if three.rounds[0] <= last),
            exemptions=(
                replace(
                    open_rounds.open_declaration(movement.rounds),
                    rounds=tuple(range(last + 1, movement.rounds + 1)),
                ),
                *(exemption for exemption in movement.exemptions if exemption.law == "present"),
            ),
        )
        stage = self.stage
        how = knocking_out.KnockoutRules(
            seeded=not stage.chart,
            compact=stage.compact,
            through=through,
            exchanges=self._exchanges() if last == self.round - 1 else (),
        )
        leads = knocking_out.match_margins(
            (*(self.numbers[side] for side in match.match.sides), match.lead, self._points(match))  # type: ignore[misc]
            for match in self.results
            if len(match.match.sides) > 1
            and match.match.last_round == last
            and match.rule != "open"
        )
        return knocking_out.KnockOutRound(then, leads, how, in_main=title)

    def _points(self, judged: MatchResult) -> tuple[Fraction, Fraction] | None:
        """Return the match's value for both sides; without one, a present side wins against an absent one."""
        has, match = judged.points or judged.vps, judged.match
        if has is not None or judged.rule not in ("missing", "cancelled"):
            return has
        home, away = (
            match.missing == name if match.missing else self._is_away(side, self.round)
            for name, side in zip(("home", "away"), match.sides, strict=True)
        )
        return None if home == away else (Fraction(away), Fraction(home))

    def _round_robin(self) -> Draw:
        """Return the round of a round robin: the circle, in the order of seeds and numbers.

        If earlier exchanges would make two meet again, the first turn without a repeat is used, else neighbours meet.
        """
        circle: list[int | None] = [*self.numbers.values()]
        if len(circle) % 2:
            circle.append(None)
        many = len(circle) - 1
        if self.round > many:
            raise ScoringError("stage", "everybody has met everybody")
        met = open_rounds.drawn_meetings(self.movement)
        for turn in range(self.round - 1, self.round - 1 + many):
            matches, alone = circle_turned(circle, turn % many, self.ranking)
            if not met.intersection(map(frozenset, matches)):
                # a draw has one bye; contestants whose opponents have left sit out too
                bye = alone.pop() if alone else None
                self.reasons += [f"{self._label(number)} sits out too" for number in alone]
                return self._exchanged(Draw(tuple(matches), bye=bye))
        try:
            draw = draws.swiss_draw(
                [number for number in self.numbers.values() if number in self.ranking],
                met=met,
                spared=open_rounds.spared_contestants(self.movement),
            )
        except NoDraw:
            raise ScoringError("stage", AGAIN) from None
        return self._exchanged(draw)

    def _exchanged(self, draw: Draw) -> Draw:
        for first, other in self._exchanges(draw.contestants):
            draw = exchanged_draw(draw, first, other)
        return draw

    def _numbers_of_labels(self, labels: Sequence[str]) -> Iterator[int]:
        by_label = {contestant.label: number for contestant, number in self.numbers.items()}
        return (by_label[label] for label in labels if label in by_label)

    def _exchanges(self, drawn: Collection[int] = ()) -> tuple[tuple[int, int], ...]:
        """Return the exchanges, of all contestants to be drawn or of those in `drawn`."""
        exchanges = []
        for first, other in self.stage.exchange:
            two = tuple(self._numbers_of_labels((first, other)))
            if len(two) < 2 or not set(two) <= set(drawn or self.ranking):
                raise ScoringError("stage.exchange", f"{first} and {other} are not both drawn")
            exchanges.append((two[0], two[1]))
        return tuple(exchanges)

    def drawn_round(self) -> DrawnRound:
        kinds = {
            "swiss": self._swiss,
            "knock-out": self._knock_out,
            "round-robin": self._round_robin,
        }
        drawn = kinds[self.stage.kind]()
        self.reasons += [f"{first} and {other} exchanged" for first, other in self.stage.exchange]
        order = {number: place for place, number in enumerate(self.ranking, 1)}
        tables = drawn.tables or range(1, len(drawn.matches) + 1)
        triangles = tuple(tuple(map(self._label, three)) for three in drawn.triangles)
        return DrawnRound(
            self.round,
            tuple(
                DrawnMatch(
                    table,
                    self._label(home),
                    self._label(away),
                    "{}. v {}.".format(*sorted((order[home], order[away]))),
                )
                for table, (home, away) in sorted(zip(tables, drawn.matches, strict=False))
            ),
            None if drawn.bye is None else self._label(drawn.bye),
            triangles[0] if triangles else None,
            triangles,
            tuple(map(self._label, self.ranking)),
            tuple(self.reasons),
        )

"""The next round of a document that defines how its rounds are drawn (`stage`).

Played rounds become the movement (`played_rounds`) that the draw needs (`drawing`, `knocking_out`). Round robins are
drawn here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from movements.engine.drawing import draws, knockouts, open_rounds
from movements.engine.drawing.draws import Draw
from movements.engine.drawing.placing import exchanged_draw
from movements.engine.errors import NoDraw

from ..errors import NoStage, ScoringError
from ..match_scoring.match_results import MatchResult
from ..match_scoring.standings import standings_after
from ..model import Session, Stage
from ..profile import Profile
from ..reports.results import DrawnMatch, DrawnRound
from . import drawing, knocking_out
from .circle import round_robin_matches
from .played_rounds import PlayedRounds

SEED = 1
AGAIN = "everybody would meet somebody again"


def draw_round(session: Session, profile: Profile) -> DrawnRound:
    """Draw the next round of a session document. Return its matches, and the standings used.

    Raises `NoStage` without rules for it, `ScoringError` if a result is missing or no lawful draw exists.
    """
    if session.stage is None:
        raise NoStage("stage", "is missing: it says how rounds are drawn")
    return _StageDraw(session, profile, session.stage).drawn_round()


class _StageDraw(PlayedRounds):
    """Draws the next round of a session document, after the rounds that have been played."""

    def __init__(self, session: Session, profile: Profile, stage: Stage) -> None:
        super().__init__(session, profile, stage)
        self.reasons: list[str] = []
        if stage.rounds is not None and self.round > stage.rounds:
            raise ScoringError("stage.rounds", f"all {stage.rounds} rounds are drawn")

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
        """Return the contestants to draw, in the order of the standings or of the seeds."""
        here = open_rounds.contestants_to_draw(self.movement)
        if self.found is None or self.stage.kind == "knock-out" or self.counted_round < 1:
            return here
        rows = standings_after(self.found, self.counted_round).rows
        order = {self.numbers[row.standing.contestant_key]: row.order for row in rows}
        return sorted(here, key=lambda number: order[number])

    # ── the draw ──

    def _check_enough(self, contestants: Sequence[int]) -> None:
        """Raise `ScoringError` if fewer than two contestants are left to draw."""
        if len(contestants) < 2:
            raise ScoringError(
                "contestants", f"{len(contestants)} cannot be drawn against each other"
            )

    def _swiss(self) -> Draw:
        """Draw the next round of a Swiss from the standings, and return the draw."""
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
        swiss = drawing.SwissRound(
            self.movement, self.ranking, how, counted_rounds=self.counted_round
        )
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
        """Draw the next round of a knockout from the teams that qualified, and return the draw."""
        stage = self.stage
        if self.round == 1:
            teams = self.ranking[: stage.qualifiers] if stage.qualifiers else self.ranking
            self._check_enough(teams)
            return self._with_exchanges(
                knockouts.first_knockout_draw(teams, seeded=not stage.chart)
            )
        if len(self.ranking) < 2:
            raise ScoringError("stage", "the knock-out is over")
        rule = self._knockout_round_state(self.round - 1, self._title_teams())
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
            rule = self._knockout_round_state(last, title)
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
                rule = self._knockout_round_state(last, title, on)
            title = rule.qualified_teams
        return title

    def _check_decided(self, rule: knocking_out.KnockOutRound) -> None:
        """Raise `ScoringError` if a match of the last knockout round is not decided."""
        for tie in rule.ties:
            if not tie.is_decided:
                names = ", ".join(map(self._label, tie.teams))
                raise ScoringError("stage", f"round {rule.last}, {names}: nobody has won yet")

    def _knockout_round_state(
        self, last: int, title: Sequence[int], title_teams: frozenset[int] = frozenset()
    ) -> knocking_out.KnockOutRound:
        """Return the knockout as it stood after round `last`."""
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
            through=title_teams,
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
        """Return both sides' points in a match; without a score, a present side wins against an absent one."""
        has, match = judged.points or judged.vps, judged.match
        if has is not None or judged.rule not in ("missing", "cancelled"):
            return has
        home, away = (
            match.missing == name if match.missing else self._is_away(side, self.round)
            for name, side in zip(("home", "away"), match.sides, strict=True)
        )
        return None if home == away else (Fraction(away), Fraction(home))

    def _round_robin(self) -> Draw:
        """Draw a round of a round robin from the seeds and numbers, and return the draw.

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
            matches, alone = round_robin_matches(circle, turn % many, self.ranking)
            if not met.intersection(map(frozenset, matches)):
                # a draw has one bye; contestants whose opponents have left sit out too
                bye = alone.pop() if alone else None
                self.reasons += [f"{self._label(number)} sits out too" for number in alone]
                return self._with_exchanges(Draw(tuple(matches), bye=bye))
        try:
            draw = draws.swiss_draw(
                [number for number in self.numbers.values() if number in self.ranking],
                meetings=met,
                exempt=open_rounds.contestants_without_further_bye(self.movement),
            )
        except NoDraw:
            raise ScoringError("stage", AGAIN) from None
        return self._with_exchanges(draw)

    def _with_exchanges(self, draw: Draw) -> Draw:
        """Return the draw after exchanging the contestants whom the document says to exchange."""
        for first, other in self._exchanges(draw.contestants):
            draw = exchanged_draw(draw, first, other)
        return draw

    def _numbers_of_labels(self, labels: Sequence[str]) -> Iterator[int]:
        """Return the numbers of the contestants with these labels; unknown labels are ignored."""
        by_label = {contestant.label: number for contestant, number in self.numbers.items()}
        return (by_label[label] for label in labels if label in by_label)

    def _exchanges(self, numbers: Collection[int] = ()) -> tuple[tuple[int, int], ...]:
        """Return the document's exchanges as pairs of numbers, of all contestants or of only `numbers`."""
        exchanges = []
        for first, other in self.stage.exchange:
            two = tuple(self._numbers_of_labels((first, other)))
            if len(two) < 2 or not set(two) <= set(numbers or self.ranking):
                raise ScoringError("stage.exchange", f"{first} and {other} are not both drawn")
            exchanges.append((two[0], two[1]))
        return tuple(exchanges)

    def drawn_round(self) -> DrawnRound:
        """Return the drawn round with its matches and the standings used."""
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

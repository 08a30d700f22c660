"""A preview of the next round of a Swiss: standings, pairings and reasons.

It only reads; the rules decide the pairings (`rules/draws/drawing.py`). The director's decisions (results to ignore,
contestants to exchange) come as `Wishes`. The service repeats the draw under the lock, and stores it if it is still
the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.events.queries.plays import movement_as_played
from movements.engine.drawing import open_rounds
from movements.engine.drawing.draws import Draw as Drawn
from movements.engine.drawing.draws import OddOneOut
from movements.engine.errors import NoDraw
from movements.engine.laws import find_errors
from movements.engine.model import Movement

from ..results.scored import ScoredSession
from ..rules.draws import drawing as rules
from ..rules.scales.victory_points import greatest_sum
from ..snapshot.document import profile_data
from ..snapshot.drawn_matches import apply_default_scale

Late = Literal["wait", "last", "given"]
KEY_LENGTH = 12


@dataclass(frozen=True, slots=True)
class MissingMatch:
    """A match without a result that the draw of the next round should count."""

    round: int
    home: str
    away: str

    @property
    def key(self) -> str:
        """Return the key by which forms name the match."""
        return f"{self.round}-{self.home}-{self.away}"


@dataclass(frozen=True)
class DrawWishes:
    """The director's choices for a draw, such as exchanges and missing results.

    In a knock-out, `through` lists the teams that go on, by their labels in addresses; by default these are the
    leaders. `carry` lists two teams with the IMPs that the first brings into their match. In a Swiss, `late` is the
    treatment of missing results: wait, count no round that has one, or use the points `given` (by the matches' keys).
    `since` is the first round whose meetings are avoided. `exchanges` are pairs of contestants, by their labels, in
    the order of request.
    """

    late: Late = "wait"
    given: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    since: int = 1
    exchanges: tuple[tuple[str, str], ...] = ()
    through: tuple[str, ...] = ()
    carry: tuple[tuple[str, str, float], ...] = ()


@dataclass(frozen=True)
class DrawStanding:
    """A row of the standings by which a round is drawn."""

    order: int
    contestant: Contestant
    place: str
    total: float | None
    decided: str = ""


@dataclass(frozen=True)
class ProposedMatch:
    """A match of the proposed draw with its contestants; see `rules.DrawnMatch`."""

    home: Contestant
    away: Contestant | None
    told: rules.DrawnMatch


class CannotDraw(Exception):
    """The round cannot be drawn: a result is missing, or every pairing would repeat a meeting.

    It is also raised if the director's exchange leaves a contestant without any round.
    """

    def __init__(self, *, is_missing: bool = False, is_exchanged: bool = False) -> None:
        self.is_missing, self.is_exchanged = is_missing, is_exchanged
        super().__init__()


class RoundDraw:
    """The proposed draw of a section's next round by the standings. Make it in a snapshot, or under the lock."""

    def __init__(
        self, scored: ScoredSession, section: Section, wishes: DrawWishes | None = None
    ) -> None:
        self.tonight, self.section = scored.tonight, section
        fields = {**profile_data(self.tonight)}
        if not section.contest.has_halves and fields.get("vp", "") is None:
            del fields["vp"]
        usual = apply_default_scale([section], fields)
        #: scale of a draw in a session of pairs without a scale of its own
        self.scored = (
            scored
            if usual == profile_data(self.tonight)
            else ScoredSession(scored.tonight, scored.document.scored_by(self.tonight, usual))
        )
        self.wishes = wishes or DrawWishes()
        #: as played, so that the actual meetings are known
        self.movement: Movement = movement_as_played(section)

    @property
    def round(self) -> int:
        """Return the round that is drawn next; 0 if there is none."""
        return rules.next_open(self.movement)

    @cached_property
    def people(self) -> Mapping[int, Contestant]:
        """Return the contestants by their number in the movement."""
        return self.tonight.plans[self.section.pk].drawn.contestants

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Return each contestant's number in the movement, by label."""
        return {contestant.slug: number for number, contestant in self.people.items()}

    @property
    def is_behind(self) -> bool:
        """Return whether the draw is made one round ahead, ignoring the round that is being played."""
        return bool(self.section.movement_options.get("behind"))

    @property
    def odd(self) -> OddOneOut:
        """Return how an odd number of contestants is drawn: with a bye or with a triangle."""
        if not self.section.contest.has_halves:
            return "bye"
        return self.section.movement_options.get("odd", "triangle")  # type: ignore[no-any-return]

    # ── standings ──

    @property
    def last_due_round(self) -> int:
        """Return the last round whose results should count for the draw."""
        return rules.last_round_due(self.movement, behind=int(self.is_behind))

    @cached_property
    def missing(self) -> tuple[MissingMatch, ...]:
        """Return the matches without a result that should count for the draw."""
        return tuple(self.missing_matches_until(self.last_due_round))

    def missing_matches_until(self, round: int) -> Iterator[MissingMatch]:
        """Yield the matches without a result up to a round."""
        matches = self.scored.document.session.matches
        for match in self.scored.results.matches:
            if (
                matches[match.match].section == self.section.name
                and match.round <= round
                and match.rule == "open"
                and match.away is not None
            ):
                yield MissingMatch(match.round, match.home, match.away)

    @cached_property
    def last_counted_round(self) -> int:
        """Return the round after which the standings are used for the draw; 0 for seeds."""
        if self.wishes.late == "last":
            return rules.last_complete_round(
                self.last_due_round, [match.round for match in self.missing]
            )
        return self.last_due_round

    @cached_property
    def with_assigned_points(self) -> ScoredSession:
        """Return the session's results with the points that the director assigned to missing matches."""
        if not (self.missing and self.wishes.late == "given"):
            return self.scored
        given = {match.key: self.wishes.given.get(match.key) for match in self.missing}
        matches = [
            replace(match, given=points, provisional=True)
            if (points := given.get(f"{match.round}-{match.home}-{match.away}"))
            and match.section == self.section.name
            else match
            for match in self.scored.document.session.matches
        ]
        return ScoredSession(self.tonight, self.scored.document.with_matches(matches))

    @cached_property
    def is_waiting(self) -> bool:
        """Return whether the draw waits for a result or for the director's decision about a missing one."""
        if not self.missing or self.wishes.late == "last":
            return False
        given = self.wishes.given if self.wishes.late == "given" else {}
        return any(match.key not in given for match in self.missing)

    def standings(self, after_round: int) -> list[DrawStanding]:
        """Return the standings of all contestants of the section after a round; before round 1 by seeds."""
        lists = [
            standing
            for standing in self.with_assigned_points.results.standings
            if standing.round <= after_round
        ]
        if not lists:
            people = sorted(self.people.items())
            return [
                DrawStanding(i, contestant_row, "", None)
                for i, (_, contestant_row) in enumerate(people, start=1)
            ]
        rows = [
            row
            for row in lists[-1].rows
            if row.section == self.section.name and row.contestant in self.numbers
        ]
        return [
            DrawStanding(
                order,
                self.people[self.numbers[row.contestant]],
                row.place or "",
                row.total,
                row.decided or "",
            )
            for order, row in enumerate(rows, start=1)
        ]

    @cached_property
    def rows(self) -> list[DrawStanding]:
        """Return the standings used for the draw, only of contestants that play in the round."""
        playing = set(open_rounds.contestants_to_draw(self.movement))
        rows = [
            standing
            for standing in self.standings(self.last_counted_round)
            if standing.contestant.number in playing
        ]
        return [
            DrawStanding(
                order,
                standing_row.contestant,
                standing_row.place,
                standing_row.total,
                standing_row.decided,
            )
            for order, standing_row in enumerate(rows, start=1)
        ]

    # ── matches ──

    @cached_property
    def ranking(self) -> list[int]:
        """Return the numbers of the contestants to draw, in the order of the standings."""
        return [row.contestant.number for row in self.rows]

    @cached_property
    def draw_rules(self) -> rules.DrawRules:
        """Return the rules of the draw, from the movement's options and the director's choices."""
        options, numbers = self.section.movement_options, self.numbers
        return rules.DrawRules(
            odd=self.odd,
            first=options.get("first", "slide"),
            seed=options.get("seed", 1),
            danish=bool(options.get("danish")),
            since=self.wishes.since,
            stationary=tuple(
                n for n, contestant in self.people.items() if contestant.must_stay_seated
            ),
            exchanges=tuple(
                (numbers.get(a, 0), numbers.get(b, 0)) for a, b in self.wishes.exchanges
            ),
        )

    @cached_property
    def _proposed_round(self) -> rules.SwissRound:
        """Return the draw of the round as the rules make it. Raises `CannotDraw`."""
        if self.is_waiting:
            raise CannotDraw(is_missing=True)
        proposal = rules.SwissRound(
            self.movement, self.ranking, self.draw_rules, counted_rounds=self.last_counted_round
        )
        try:
            proposal.draw_by_rule  # noqa: B018
        except NoDraw:
            raise CannotDraw() from None
        return proposal

    @property
    def exchanged_draw(self) -> Drawn:
        """Return the draw after the director's exchanges, with tables. Raises `CannotDraw`."""
        return self._proposed_round.drawn

    @cached_property
    def movement_after_draw(self) -> Movement:
        """Return the movement with the drawn round added. Raises `CannotDraw`."""
        after = self._proposed_round.after
        if self._proposed_round.exchanges and find_errors(after):
            raise CannotDraw(is_exchanged=True)
        return after

    @cached_property
    def key(self) -> str:
        """Return a digest of the draw, by which a form names it. Raises `CannotDraw`."""
        drawn = self.exchanged_draw
        text = json.dumps([self.round, drawn.matches, drawn.triangles, drawn.bye, drawn.tables])
        return hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]

    # ── sentences ──

    @cached_property
    def meetings(self) -> list[ProposedMatch]:
        """Return the proposed matches in the order of the draw, the bye last. Raises `CannotDraw`."""
        people = self.people
        return [
            ProposedMatch(
                people[meeting.home],
                None if meeting.away is None else people[meeting.away],
                meeting,
            )
            for meeting in self._proposed_round.meetings
        ]

    @property
    def triangles(self) -> list[tuple[Contestant, ...]]:
        """Return the three-way matches of the draw. Raises `CannotDraw`."""
        return [
            tuple(self.people[team] for team in triangle)
            for triangle in self.exchanged_draw.triangles
        ]

    @cached_property
    def bye_points(self) -> float | None:
        """Return the victory points for a bye; None without a scale, or if it is the contestant's own average."""
        profile = self.scored.profile
        scale = profile.vp if profile.makes_vps else None
        if scale is None or not isinstance(profile.bye, Fraction):
            return None
        return float(greatest_sum(scale) * profile.bye / 100)

    @property
    def bye_goes_to_lowest(self) -> bool:
        """Return whether the bye goes to the lowest contestant that has not had one."""
        return self._proposed_round.bye_goes_to_lowest

    # ── stored values ──

    def stored_form(self) -> dict[str, Any]:
        """Return the draw as the `Draw` model stores it, with contestants by their entries' keys."""

        def entry_key(number: int) -> int:
            """Return the primary key of the entry of a number."""
            return self.people[number].entry

        drawn = self.exchanged_draw
        tables = drawn.tables or (0,) * (len(drawn.matches) + 1)
        return {
            "round": self.round,
            "counted": self.last_counted_round,
            "since": self.wishes.since,
            "standings": [[row.contestant.entry, row.place, row.total] for row in self.rows],
            "matches": [
                *(
                    [t, entry_key(a), entry_key(b)]
                    for t, (a, b) in zip(tables, drawn.matches, strict=False)
                ),
                *([[tables[-1], entry_key(drawn.bye), None]] if drawn.bye is not None else []),
            ],
            "triangles": [[entry_key(team) for team in triangle] for triangle in drawn.triangles],
            "given": [
                [match.round, match.home, match.away, *map(float, self.wishes.given[match.key])]
                for match in self.missing
                if self.wishes.late == "given"
            ],
            "exchanged": [
                [entry_key(first_contestant), entry_key(other)]
                for first_contestant, other in self._proposed_round.exchanges
            ],
        }

"""One contestant's evening as their phone shows it: now, then, and everything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property

from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.evening import Contestant, Evening, Game, Trio, Turn
from bridgebuddy.events.queries.home_tables import home_table


@dataclass(frozen=True)
class Person:
    """Somebody at the table, named as a phone has room for."""

    label: str
    line: str  # "ns" or "ew", as they sit now
    name: str


@dataclass(frozen=True)
class Seat:
    """A table as the one who sits there sees it; in a part of a round that is sat out, none (0)."""

    table: int
    line: str  # "ns" or "ew"
    place: str  # the same, or where a single player sits: "n", "s", "e", "w"
    boards: str  # empty in a draw, which says nothing about boards
    opponents: tuple[Person, ...]
    partners: tuple[Person, ...] = ()  # in an individual
    shares_with: tuple[int, ...] = ()
    part: int = 1
    parts: int = 1
    is_half: bool = False  # of a team: the other half plays elsewhere
    is_home: bool = False  # of a team: the table of its number


@dataclass(frozen=True)
class Stop:
    """One round: usually one seat, two where a round has parts or for a team, none in a sit-out."""

    round: int
    seats: tuple[Seat, ...]
    state: str  # "done", "here" or ""
    is_open: bool = False  # not yet drawn
    has_left: bool = False  # withdrawn, or not in the draw any more
    has_come: bool = True  # False in the rounds before somebody arrived late

    @property
    def seat(self) -> Seat | None:
        """The first seat."""
        return next((seat for seat in self.seats if seat.table), None)

    @property
    def sits_out(self) -> bool:
        """Whether nothing is played although the round is drawn."""
        return self.has_come and not (self.seats or self.is_open or self.has_left)

    @property
    def drawn_after(self) -> int:
        """The round whose results the draw of this one waits for."""
        return self.round - 1


class Plan:
    """What one contestant's page says."""

    def __init__(self, evening: Evening, number: int) -> None:
        self.evening = evening
        self.number = number
        self.section: Section = evening.section

    @property
    def me(self) -> Contestant:
        return self.evening.contestants[self.number]

    @property
    def team(self) -> tuple[str, ...]:
        """The names of one's team-mates and one's own; nobody where the contest is none of teams."""
        return self.me.players if self._is_teams else ()

    @property
    def has_withdrawn(self) -> bool:
        """Whether they went home; otherwise who has left a draw has lost a match."""
        return self.me.has_left

    @property
    def _is_teams(self) -> bool:
        return self.section.movement.contest == "teams"

    @property
    def entry_pk(self) -> int:
        """Names the people for as long as the session lasts, whichever seat they get."""
        return next(one.pk for one in self.evening.entries if one.contestant == self.number)

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """The whole evening."""
        return tuple(self._stop(turn) for turn in self.evening.schedule(self.number))

    @property
    def listed(self) -> tuple[Stop, ...]:
        """What the list shows: the whole evening, or no more than the next round if the club wants so."""
        if self.section.club.phones_show_later_rounds or self.section.is_finished:
            return self.stops
        return self.stops[: self.shown_round + 1]

    @property
    def shown_round(self) -> int:
        """The round of the big card: the one being played, the first before the start."""
        return self.section.round or 1

    @property
    def now(self) -> Stop:
        return self.stops[self.shown_round - 1]

    @property
    def then(self) -> Stop | None:
        """The round after that; None in the last."""
        return next(iter(self.stops[self.shown_round :]), None)

    @property
    def back(self) -> Stop | None:
        """After a sit-out: the next round that is played, if there is one."""
        return next((stop for stop in self.stops[self.shown_round :] if stop.seat), None)

    @property
    def next_draw(self) -> Stop | None:
        """The next round that is drawn only when results are in."""
        return next((stop for stop in self.stops[self.shown_round :] if stop.is_open), None)

    @property
    def back_at(self) -> datetime | None:
        """When that round begins, if rounds take as long as they should; None with a paused clock."""
        if self.back is None or self._now_ends is None:
            return None
        rounds_between = self.back.round - self.shown_round - 1
        at = self._now_ends + rounds_between * self._round_length
        is_break_before = self.shown_round <= (self.section.break_after or 0) < self.back.round
        return at + self.section.break_length if is_break_before else at

    @property
    def asked_at(self) -> datetime:
        return timezone.now()

    @property
    def _now_ends(self) -> datetime | None:
        if self.section.is_started:
            return self.section.clock_ends_at
        session = self.section.session
        starts = timezone.make_aware(datetime.combine(session.date, session.starts_at))
        return starts + self._round_length

    @property
    def _round_length(self) -> timedelta:
        return self.section.round_length

    def _stop(self, turn: Turn) -> Stop:
        is_done = self.section.is_finished or turn.round < self.section.round
        state = "done" if is_done else "here" if turn.round == self.shown_round else ""
        seats = self._seats(turn)
        if not self.section.club.phones_show_names:
            seats = tuple(replace(seat, opponents=_nameless(seat.opponents)) for seat in seats)
        return Stop(turn.round, seats, state, turn.is_open, turn.has_left, turn.has_come)

    def _seats(self, turn: Turn) -> tuple[Seat, ...]:
        if turn.triangle:
            return triangle_seats(turn.triangle, self.me)
        if self._is_teams and turn.game and not turn.game.sets:
            return match_seats(turn.game, self.me)
        seats = [self._seat(game) for game in turn.games]
        parts = max((seat.parts for seat in seats), default=1)
        played = {seat.part for seat in seats}
        if parts > 1 and all(seat.parts > 1 for seat in seats):
            missing = set(range(1, parts + 1)) - played
            seats += [Seat(0, "out", "", "", (), part=part, parts=parts) for part in missing]
        return tuple(sorted(seats, key=lambda seat: (seat.part, seat.line == "ew", seat.table)))

    def _seat(self, game: Game) -> Seat:
        line = game.side_of(self.number)
        partner = game.partner_of(self.number)
        return Seat(
            table=game.table,
            line=line,
            place=game.seat_of(self.number),
            boards=game.board_text,
            opponents=tuple(person(s.contestant, s.line) for s in game.opponents_of(self.number)),
            partners=(person(partner, line),) if partner else (),
            shares_with=game.shared_with,
            part=game.part,
            parts=game.parts,
            is_half=self._is_teams,
            is_home=self._is_teams and game.table == home_table(self.me),
        )


def _nameless(people: tuple[Person, ...]) -> tuple[Person, ...]:
    return tuple(replace(one, name="") for one in people)


def match_seats(game: Game, team: Contestant) -> tuple[Seat, ...]:
    """Return where the halves of a team play a drawn match: N-S at home, E-W at the opponents'."""
    other = game.opponents_of(team.number)[0].contestant
    return _halves(team, visitor=other, host=other)


def triangle_seats(trio: Trio, team: Contestant) -> tuple[Seat, ...]:
    """Return where the halves of a team play a triangle."""
    return tuple(
        seat
        for part, half in enumerate(trio.halves, start=1)
        for seat in _halves(
            team,
            visitor=trio.visitor(team.number, half),
            host=trio.host(team.number, half),
            part=part,
            parts=len(trio.halves),
        )
    )


def _halves(
    team: Contestant, *, visitor: Contestant, host: Contestant, part: int = 1, parts: int = 1
) -> tuple[Seat, ...]:
    """Return both halves' seats: who comes to the team's own table, and where its E-W go."""
    return tuple(
        Seat(
            table=home_table(team if line == "ns" else host),
            line=line,
            place=line,
            boards="",
            opponents=(person(visitor, "ew") if line == "ns" else person(host, "ns"),),
            part=part,
            parts=parts,
            is_half=True,
            is_home=line == "ns",
        )
        for line in ("ns", "ew")
    )


def person(contestant: Contestant, line: str) -> Person:
    """Name a pair by its surnames, a single player in full."""
    is_single = len(contestant.players) == 1
    return Person(contestant.label, line, contestant.names if is_single else contestant.surnames)

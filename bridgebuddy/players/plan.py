"""One contestant's evening as their phone shows it: now, then, and everything."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.evening import Contestant, Evening, Game, Turn


@dataclass(frozen=True)
class Person:
    """Somebody at the table, named as a phone has room for."""

    label: str
    line: str  # "ns" or "ew", as they sit now
    name: str


@dataclass(frozen=True)
class Seat:
    """A table as the one who sits there sees it."""

    table: int
    line: str
    boards: str
    opponents: tuple[Person, ...]
    partners: tuple[Person, ...]  # in an individual
    shares_with: tuple[int, ...]
    part: int
    parts: int


@dataclass(frozen=True)
class Stop:
    """One round: usually one seat, two where a round has parts, none in a sit-out."""

    round: int
    seats: tuple[Seat, ...]
    state: str  # "done", "here" or ""

    @property
    def seat(self) -> Seat | None:
        return self.seats[0] if self.seats else None


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
    def entry_pk(self) -> int:
        """Names the people for as long as the session lasts, whichever seat they get."""
        return next(one.pk for one in self.evening.entries if one.contestant == self.number)

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """The whole evening."""
        return tuple(self._stop(turn) for turn in self.evening.schedule(self.number))

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
        return next((stop for stop in self.stops[self.shown_round :] if stop.seats), None)

    @property
    def back_at(self) -> datetime | None:
        """When that round begins, if rounds take as long as they should; None with a paused clock."""
        if self.back is None or self._now_ends is None:
            return None
        return self._now_ends + (self.back.round - self.shown_round - 1) * self._round_length

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
        games = sorted(turn.games, key=lambda game: (game.part, game.table))
        return Stop(turn.round, tuple(self._seat(game) for game in games), state)

    def _seat(self, game: Game) -> Seat:
        line = game.side_of(self.number)
        partner = game.partner_of(self.number)
        return Seat(
            table=game.table,
            line=line,
            boards=game.board_text,
            opponents=tuple(_person(s.contestant, s.line) for s in game.opponents_of(self.number)),
            partners=(_person(partner, line),) if partner else (),
            shares_with=game.shared_with,
            part=game.part,
            parts=game.parts,
        )


def _person(contestant: Contestant, line: str) -> Person:
    """Name a pair by its surnames, a single player in full."""
    is_single = len(contestant.players) == 1
    return Person(contestant.label, line, contestant.names if is_single else contestant.surnames)

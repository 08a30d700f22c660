"""What a phone and the room display show, put together from the evening."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.evening import Contestant, Evening, Game, Turn
from movements.sentences import Call, call_after


class PlayerPage:
    """One contestant's evening."""

    def __init__(self, section: Section, number: int) -> None:
        self.section = section
        self.evening = Evening(section, only=number)
        self.number = number

    @property
    def me(self) -> Contestant:
        return self.evening.contestants[self.number]

    @cached_property
    def turns(self) -> list[PlayerTurn]:
        return [
            PlayerTurn(turn, self.number, self._state(turn.round))
            for turn in self.evening.schedule(self.number)
        ]

    def _state(self, round: int) -> str:
        if self.section.is_finished:
            return "done"
        return "done" if round < self.section.round else "here" if round == self.now_round else ""

    @property
    def now_round(self) -> int:
        """The round the big card shows: the one being played, or the first."""
        return self.section.round or 1

    @property
    def now(self) -> PlayerTurn:
        return self.turns[self.now_round - 1]

    @property
    def then(self) -> PlayerTurn | None:
        """The round after the one being played; None in the last and after the end."""
        if self.section.is_finished or self.now_round >= len(self.turns):
            return None
        return self.turns[self.now_round]

    @property
    def back(self) -> PlayerTurn | None:
        """After a sit-out: the next round that is played."""
        return next((turn for turn in self.turns[self.now_round :] if not turn.turn.sits_out), None)

    @property
    def shown_at(self) -> datetime:
        return timezone.now()


@dataclass(frozen=True)
class PlayerTurn:
    """A round as one contestant sees it."""

    turn: Turn
    number: int
    state: str  # "done", "here" or ""

    @property
    def round(self) -> int:
        return self.turn.round

    @property
    def games(self) -> list[PlayerGame]:
        return [PlayerGame(game, self.number) for game in self.turn.games]

    @property
    def game(self) -> PlayerGame | None:
        return self.games[0] if self.games else None


@dataclass(frozen=True)
class PlayerGame:
    """A table as one contestant sees it."""

    game: Game
    number: int

    @property
    def line(self) -> str:
        return self.game.side_of(self.number)

    @property
    def opponents(self) -> tuple:
        return self.game.opponents_of(self.number)

    @property
    def other_line(self) -> str:
        return "ew" if self.line == "ns" else "ns"

    @property
    def partner(self) -> Contestant | None:
        return self.game.partner_of(self.number)


@dataclass(frozen=True)
class Goes:
    """Where somebody goes on the room display."""

    contestant: Contestant
    line: str  # in which line they sit now, for the colour
    table: int  # 0: sits out
    after_line: str
    is_unusual: bool


class RoomPage:
    """What the projector shows."""

    MOST_CELLS = 24

    def __init__(self, section: Section) -> None:
        self.section = section
        self.evening = Evening(section)
        self.now = timezone.now()

    @cached_property
    def call(self) -> Call | None:
        """What happens when the round ends; None before the start, in the last round, at the end."""
        if not self.section.is_running or self.section.is_last_round:
            return None
        return call_after(
            self.section.movement.movement, self.section.round, self.section.club.stand_word
        )

    @property
    def clock_text(self) -> str:
        left = self.section.time_left or timedelta()
        minutes, seconds = divmod(abs(int(left.total_seconds())), 60)
        return f"{'-' if left < timedelta() else ''}{minutes}:{seconds:02}"

    @cached_property
    def goes(self) -> list[Goes]:
        """Who moves after this round: the usual first, then whoever does something else."""
        if self.call is None:
            return []
        before, after = self._places(self.section.round), self._places(self.section.round + 1)
        out_next = {c.number for c in self.evening.sit_outs(self.section.round + 1)}
        out_now = {c.number for c in self.evening.sit_outs(self.section.round)}
        found = []
        for number, contestant in self.evening.contestants.items():
            line, table = before.get(number, ("", 0))
            next_line, next_table = after.get(number, ("", 0))
            is_unusual = number in out_next or (number in out_now and next_table != table)
            if number in out_next:
                next_table = 0
            if (line, table) != (next_line, next_table) or is_unusual:
                found.append(Goes(contestant, line or next_line, next_table, next_line, is_unusual))
        return sorted(found, key=lambda goes: goes.is_unusual)

    @property
    def pages(self) -> list[list[Goes]]:
        """The cells in pages that fit the screen."""
        size = self.MOST_CELLS - 1
        return [self.goes[i : i + size] for i in range(0, len(self.goes), size)]

    @property
    def seats(self) -> Iterator[tuple[int, tuple[Contestant, ...], tuple[Contestant, ...]]]:
        """Where everybody sits in round 1."""
        for game in self.evening.games.get(1, ()):
            if game.part == 1:
                yield (
                    game.table,
                    tuple(s.contestant for s in game.ns),
                    tuple(s.contestant for s in game.ew),
                )

    @property
    def next_round(self) -> int:
        return self.section.round + 1

    @property
    def sit_outs(self) -> tuple[Contestant, ...]:
        return self.evening.sit_outs(self.section.round or 1)

    def _places(self, round: int) -> dict[int, tuple[str, int]]:
        places = {}
        for game in self.evening.games.get(round, ()):
            for sitting in game.ns + game.ew:
                places[sitting.contestant.number] = (sitting.line, game.table)
        return places

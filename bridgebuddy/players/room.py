"""What the projector shows: the clock, the call, and where everybody goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from math import ceil

from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.calls import Calls
from bridgebuddy.events.queries.evening import Contestant, Evening
from movements.engine.wording import announcement
from movements.sentences import Call

MOST_CELLS = 24  # that a screen has room for
MOST_TABLES = 18  # with two lines of names each


@dataclass(frozen=True)
class Goes:
    """Where one contestant goes; in a team match each half of a team goes by itself."""

    contestant: Contestant
    line: str  # the line they will sit in; where they sit out, the one they leave
    table: int  # 0: sits out
    note: str = ""  # "line" where the line has to be said, "back" after a sit-out
    is_unusual: bool = False


@dataclass(frozen=True)
class TableSeats:
    """A table before the start, with the names of who sits down there."""

    table: int
    ns: tuple[Contestant, ...]
    ew: tuple[Contestant, ...]


@dataclass(frozen=True)
class Rest:
    """Those who stay: in which line, if all are in one."""

    line: str


Cell = Goes | TableSeats | Rest
Key = tuple[int, str]  # a contestant; of a team each half, by its line
Place = tuple[int, str]  # table and line


class Room:
    """Everything the room display shows of a section."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.evening = Evening(section)
        self.now: datetime = timezone.now()

    @cached_property
    def call(self) -> Call | None:
        """What happens when the round ends; None before the start, in the last round, at the end."""
        if not self.section.is_running or self.section.is_last_round:
            return None
        return self._calls.after(self.section.round)

    @cached_property
    def _calls(self) -> Calls:
        return Calls(self.section)

    @cached_property
    def _moving(self) -> Evening:
        """The evening by which people move: boards that are turned move nobody."""
        if not self._calls.is_switched:
            return self.evening
        return Evening(self.section, played=self.section.unswitched)

    @property
    def next_round(self) -> int:
        return self.section.round + 1

    @property
    def clock_text(self) -> str:
        """What the clock shows without JavaScript: "4:12", "-1:05" when over time."""
        left = self.section.time_left or timedelta()
        minutes, seconds = divmod(abs(int(left.total_seconds())), 60)
        return f"{'-' if self.is_over_time else ''}{minutes}:{seconds:02}"

    @property
    def is_over_time(self) -> bool:
        left = self.section.time_left
        return left is not None and left <= timedelta(seconds=-1)

    @property
    def sits_out_now(self) -> tuple[Contestant, ...]:
        """Who sits out the round being played, the first before the start."""
        return self.evening.sit_outs(self.section.round or 1)

    @cached_property
    def pages(self) -> list[list[Cell]]:
        """The cells in as few pages of equal length as have room for them."""
        cells = self._cells
        pages = ceil(len(cells) / (MOST_CELLS if self.section.is_started else MOST_TABLES))
        size = ceil(len(cells) / pages) if pages else 0
        return [cells[page * size : (page + 1) * size] for page in range(pages)]

    @property
    def _cells(self) -> list[Cell]:
        if not self.section.is_started:
            return list(self._seats())
        if self.call is None:
            return []
        moves = sorted(self._moves(), key=lambda goes: goes.is_unusual)
        return [*moves, *self._rest(moves)]

    def _seats(self) -> Iterator[TableSeats]:
        """Who sits down where in round 1."""
        for game in self.evening.games.get(1, ()):
            if game.part == 1:
                yield TableSeats(
                    game.table,
                    tuple(sitting.contestant for sitting in game.ns),
                    tuple(sitting.contestant for sitting in game.ew),
                )

    def _moves(self) -> Iterator[Goes]:
        """Everybody who does not simply stay, in the order of their numbers."""
        round = self.section.round
        before, after = self._places(round, last=True), self._places(round + 1, last=False)
        out_now = {one.number for one in self.evening.sit_outs(round)}
        out_next = {one.number for one in self.evening.sit_outs(round + 1)}
        for key in sorted(before | after):
            contestant = self.evening.contestants[key[0]]
            was, goes = before.get(key), after.get(key)
            if contestant.number in out_next:
                line = (goes or was or (0, contestant.field))[1]
                yield Goes(contestant, line, table=0, is_unusual=True)
            elif goes and contestant.number in out_now:
                yield Goes(contestant, goes[1], goes[0], note="back", is_unusual=True)
            elif goes and goes != was:
                changes = was is None or goes[1] != was[1]
                note = "line" if changes or not self._has_rule else ""
                unusual = self._has_rule and (key[0], was[1] if was else "") in self._exceptions
                yield Goes(contestant, goes[1], goes[0], note, unusual)
        missing = out_next - {number for number, _ in before | after}
        for number in sorted(missing):  # out for two rounds, and at no table
            contestant = self.evening.contestants[number]
            yield Goes(contestant, contestant.field, table=0, is_unusual=True)

    def _rest(self, moves: list[Goes]) -> Iterator[Rest]:
        """One cell for those who stay, if somebody does."""
        gone = {goes.contestant.number for goes in moves}
        lines = {
            line
            for (number, _), (_, line) in self._places(self.section.round, last=True).items()
            if number not in gone
        }
        if lines:
            yield Rest(lines.pop() if len(lines) == 1 else "")

    def _places(self, round: int, *, last: bool) -> dict[Key, Place]:
        """Where everybody sits at the end of a round, or at its beginning when it has parts."""
        games = sorted(
            self._moving.games.get(round, ()), key=lambda game: game.part, reverse=not last
        )
        is_teams = self.section.movement.contest == "teams"
        return {
            (sitting.contestant.number, sitting.line if is_teams else ""): (
                game.table,
                sitting.line,
            )
            for game in games
            for sitting in game.ns + game.ew
        }

    @cached_property
    def _facts(self):
        return announcement(self._calls.movement, self.section.round)

    @property
    def _has_rule(self) -> bool:
        """Whether the call says how a whole line moves, so that others are exceptions."""
        return self._facts.ns is not None or self._facts.ew is not None

    @cached_property
    def _exceptions(self) -> set[Key]:
        return {
            (step.contestant, step.before.line if step.before else "")
            for step in self._facts.others
        }

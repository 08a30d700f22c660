"""What the projector shows: the clock, the call, and where everybody goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from math import ceil

from django.utils import timezone

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.calls import Calls
from bridgebuddy.events.queries.evening import Contestant, Evening, Sitting
from bridgebuddy.events.queries.home_tables import is_draw
from bridgebuddy.events.queries.sections import sections
from movements.engine.wording import Announcement, announcement
from movements.words.sentences import Call

MOST_CELLS = 24  # that a screen has room for
FEW_CELLS = 9  # that it has room for in large type
MOST_TABLES = 18  # with two lines of names each
SOON, LAST = timedelta(minutes=5), timedelta(minutes=1)  # before the end, when the clock warns
LINE_OF = {"n": "ns", "s": "ns", "e": "ew", "w": "ew"}


@dataclass(frozen=True)
class Goes:
    """Where one contestant goes; in a team match each half of a team goes by itself."""

    contestant: Contestant
    place: str  # where they will sit, "ns" or "n"; where they sit out, the one they leave
    table: int  # 0: sits out
    note: str = ""  # "line" where the line has to be said, "back" after a sit-out
    is_unusual: bool = False

    @property
    def line(self) -> str:
        """The line they will sit in, which gives the colour."""
        return LINE_OF.get(self.place, self.place)


@dataclass(frozen=True)
class TableSeats:
    """A table and who sits down there."""

    table: int
    ns: tuple[Sitting, ...]
    ew: tuple[Sitting, ...]


@dataclass(frozen=True)
class Match:
    """Teams that play each other, in a draw that says nothing about tables."""

    teams: tuple[Contestant, ...]


@dataclass(frozen=True)
class Rest:
    """Those who stay: in which line, if all are in one."""

    line: str


Cell = Goes | TableSeats | Match | Rest
Key = tuple[int, str]  # a contestant; of a team each half, by its line
Place = tuple[int, str]  # table and line, or a single player's seat


@dataclass(frozen=True)
class Page:
    """What the screen shows at a time below the clock."""

    kind: str  # "moves", "plan" of the room, "seats" before the start, "matches"
    cells: tuple[Cell, ...]
    number: int
    of: int  # how many pages of this kind there are

    @property
    def is_dense(self) -> bool:
        """Whether so much stands on it that it has to be smaller."""
        return len(self.cells) > {"seats": 9, "plan": 12}.get(self.kind, 16)

    @property
    def is_few(self) -> bool:
        """Whether so little stands on it that it can be larger, for those at the back."""
        return self.kind in ("moves", "plan") and len(self.cells) <= FEW_CELLS


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
        if self.is_draw or self.is_next_open:
            return None
        return self._calls.after(self.section.round)

    @cached_property
    def _calls(self) -> Calls:
        return Calls(self.section, self.evening)

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
        left = self.section.shown_left or timedelta()
        minutes, seconds = divmod(abs(int(left.total_seconds())), 60)
        return f"{'-' if self.is_over_time else ''}{minutes}:{seconds:02}"

    @property
    def warning(self) -> str:
        """How near the end is: "soon" in the last five minutes, "last" in the last, then "over"."""
        left = self.section.shown_left
        if left is None or left > SOON:
            return ""
        return "over" if self.is_over_time else "last" if left <= LAST else "soon"

    @property
    def is_next_open(self) -> bool:
        """Whether nobody can know yet where to go: the draw waits for this round's results."""
        return self.next_round in self.evening.open_rounds

    @property
    def is_draw(self) -> bool:
        """Whether it is teams' matches, each played at both teams' tables."""
        return is_draw(self.section.movement)

    @property
    def is_over_time(self) -> bool:
        left = self.section.shown_left
        return left is not None and left <= timedelta(seconds=-1)

    @property
    def sits_out_now(self) -> tuple[Contestant, ...]:
        """Who sits out the round being played, the first before the start."""
        return self.evening.sit_outs(self.section.round or 1)

    @cached_property
    def pages(self) -> list[Page]:
        """Everybody's moves, then the plan of the room; before the start, names at their tables."""
        is_last = self.section.is_last_round or self.section.is_finished
        if self.section.movement is None or is_last or self.is_next_open:
            return []
        if self.is_draw:
            return in_pages("matches", list(self._matches(self.next_round)), MOST_CELLS)
        if not self.section.is_started:
            return in_pages("seats", list(self._seats(1)), MOST_TABLES)
        moves = sorted(self._moves(), key=lambda goes: goes.is_unusual)
        return [
            *in_pages("moves", [*moves, *self._rest(moves)], MOST_CELLS),
            *in_pages("plan", list(self._seats(self.next_round)), MOST_CELLS),
        ]

    def _matches(self, round: int) -> Iterator[Match]:
        """Who plays whom; where there is a bye, nobody."""
        for game in self.evening.games.get(round, ()):
            if game.is_played:
                yield Match(tuple(sitting.contestant for sitting in game.ns + game.ew))
        for trio in self.evening.triangles(round):
            yield Match(trio.teams)

    def _seats(self, round: int) -> Iterator[TableSeats]:
        """Who sits down where in a round, or at its beginning when it has parts."""
        for game in self.evening.games.get(round, ()):
            if game.part == 1:
                yield TableSeats(game.table, game.ns, game.ew)

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
                place = (goes or was or (0, contestant.field))[1]
                yield Goes(contestant, place, table=0, is_unusual=True)
            elif goes and contestant.number in out_now:
                yield Goes(contestant, goes[1], goes[0], note="back", is_unusual=True)
            elif goes and goes != was:
                changes = was is None or goes[1] != was[1]
                note = "line" if changes or not self._has_rule else ""
                left = LINE_OF.get(was[1], was[1]) if was else ""
                unusual = self._has_rule and (key[0], left) in self._exceptions
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
        is_single = self.section.movement.contest == "individual"
        return {
            (sitting.contestant.number, sitting.line if is_teams else ""): (
                game.table,
                game.seat_of(sitting.contestant.number) if is_single else sitting.line,
            )
            for game in games
            for sitting in game.ns + game.ew
        }

    @cached_property
    def _facts(self) -> Announcement:
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


def in_pages(kind: str, cells: Sequence[Cell], most: int) -> list[Page]:
    """Return cells in as few pages of equal length as have room for them."""
    count = ceil(len(cells) / most)
    size = ceil(len(cells) / count) if count else 0
    return [
        Page(kind, tuple(cells[page * size : (page + 1) * size]), page + 1, count)
        for page in range(count)
    ]


def rooms_of(section: Section, *, everywhere: bool) -> list[Room]:
    """Return what a display shows: one section, or all of the session in turn.

    Sections that are over are left out as long as another one is not.
    """
    if not everywhere:
        return [Room(section)]
    found = list(sections().filter(session=section.session_id).order_by("pk"))
    going_on = [one for one in found if not one.is_finished]
    return [Room(one) for one in going_on or found]

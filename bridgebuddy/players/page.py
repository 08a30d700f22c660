"""One contestant's evening as their phone shows it: now, then, and everything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.clock import Clock
from bridgebuddy.events.queries.games import Contestant, Game, Sitting, Turn, board_text
from bridgebuddy.events.queries.home_tables import home_table
from bridgebuddy.events.queries.plan import Plan


@dataclass(frozen=True)
class Person:
    """Somebody at the table, named as a phone has room for."""

    label: str
    line: str  # "ns" or "ew", as they sit now
    name: str
    team: str = ""  # the team they play for
    then: str = ""  # who of it sits there after half-time, where it is somebody else


@dataclass(frozen=True)
class SeatShown:
    """A seat as a phone shows it: what the one who sits there sees; in a part of a round that is sat out, none (0)."""

    table: int
    line: str  # "ns" or "ew"
    place: str  # the same, or where a single player sits: "n", "s", "e", "w"
    boards: str  # empty in a draw, which says nothing about boards
    opponents: tuple[Person, ...]
    partners: tuple[Person, ...] = ()  # in an individual
    shares_with: tuple[int, ...] = ()
    part: int = 1
    parts: int = 1
    all_boards: str = ""  # the boards of both halves
    then_boards: str = ""  # of a match: what comes from the other table at half-time
    is_in_quarters: bool = False  # whether boards are exchanged in each half instead
    exchanges_with: int = 0  # that table
    turned: str = ""  # the boards that are turned: in these the pair holds the cards of the other line
    are_all_turned: bool = False
    boards_to: int = 0  # of a triangle: the table to which the boards go on when they are played
    boards_from: int = 0  # and the one from which they come
    is_extra: bool = False  # the match was level, and these are the boards it goes on with
    who: str = ""  # of a team: the half that sits here; the other plays elsewhere
    then_who: str = ""  # the same after half-time, where it is another line-up
    is_home: bool = False  # of a team: the table of its number

    @property
    def other_line(self) -> str:
        """The line whose cards the pair holds where boards are turned."""
        return "ew" if self.line == "ns" else "ns"


@dataclass(frozen=True)
class Stop:
    """One round: usually one seat, two where a round has parts or for a team, none in a sit-out."""

    round: int
    seats: tuple[SeatShown, ...]
    state: str  # "done", "here" or ""
    is_open: bool = False  # not yet drawn
    has_left: bool = False  # withdrawn, or not in the draw any more
    has_come: bool = True  # False in the rounds before somebody arrived late

    @property
    def seat(self) -> SeatShown | None:
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


class PlayerPage:
    """What one contestant's page says."""

    def __init__(self, section: Section, plan: Plan, number: int) -> None:
        self.section = section
        self.plan = plan
        self.number = number
        self.clock = Clock(section)

    @cached_property
    def me(self) -> Contestant:
        return self.plan.evening.contestants[self.number]

    @property
    def rounds(self) -> int:
        return self.plan.evening.rounds

    @property
    def team(self) -> tuple[str, ...]:
        """The names of one's team-mates and one's own; nobody where the contest is none of teams."""
        return self.me.players if self.section.contest.has_halves else ()

    @property
    def resting(self) -> tuple[str, ...]:
        """Who of one's team is at no table in the round shown."""
        halves = self.me.halves + self.me.then_halves
        playing = {name for half in halves for name in half.names}
        return tuple(name for name in self.team if name not in playing)

    @property
    def is_seated_anew(self) -> bool:
        """Whether others of one's team sit in the next round, or in other seats."""
        then = self.plan.evening.contestant_in(self.number, self.shown_round + 1)
        return (then.halves, then.then_halves) != (self.me.halves, self.me.then_halves)

    @property
    def may_cross(self) -> bool:
        """Whether there are two pairs, of which each has a table, that could sit the other way."""
        return bool(self.me.halves) and self.now.seat is not None

    @property
    def has_withdrawn(self) -> bool:
        """Whether they went home; otherwise who has left a draw has lost a match."""
        return self.me.has_left

    @property
    def entry_pk(self) -> int:
        """Names the people for as long as the session lasts, whichever seat they get."""
        return self.me.entry

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """The whole evening, as people sit down."""
        return tuple(self._stop(turn) for turn in self.plan.moving.evening.schedule(self.number))

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

    @cached_property
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
        return self.clock.begins(self.back.round) if self.back else None

    def _stop(self, turn: Turn) -> Stop:
        is_done = self.section.is_over(turn.round)
        state = "done" if is_done else "here" if turn.round == self.shown_round else ""
        seats = self._seats(turn)
        if not self.section.club.phones_show_names:
            seats = tuple(replace(seat, opponents=_nameless(seat.opponents)) for seat in seats)
        return Stop(turn.round, seats, state, turn.is_open, turn.has_left, turn.has_come)

    def _seats(self, turn: Turn) -> tuple[SeatShown, ...]:
        seats = [self._seat(game) for game in turn.games]
        parts = max((seat.parts for seat in seats), default=1)
        played = {seat.part for seat in seats}
        if parts > 1 and all(seat.parts > 1 for seat in seats):
            missing = set(range(1, parts + 1)) - played
            seats += [SeatShown(0, "out", "", "", (), part=part, parts=parts) for part in missing]
        return tuple(sorted(seats, key=lambda seat: (seat.part, seat.line == "ew", seat.table)))

    def _seat(self, game: Game) -> SeatShown:
        line = game.side_of(self.number)
        partner = game.partner_of(self.number)
        mine = next(s for s in game.ns + game.ew if s.contestant.number == self.number)
        turned = self.plan.moving.turned_boards(game)
        return SeatShown(
            table=game.table,
            line=line,
            place=game.chair_of(self.number),
            boards=game.now_texts[0],
            all_boards=game.board_text,
            then_boards=game.then_text,
            is_in_quarters=game.is_in_quarters,
            is_extra=bool(game.extra),
            exchanges_with=game.exchanges_with,
            turned=board_text(turned),
            are_all_turned=0 < len(turned) == len(game.boards),
            boards_to=game.boards_to,
            boards_from=game.boards_from,
            opponents=tuple(person(sitting) for sitting in game.opponents_of(self.number)),
            partners=(person(partner),) if partner else (),
            shares_with=game.shared_with,
            part=game.part,
            parts=game.parts,
            who=mine.names if self.section.contest.has_halves else "",
            then_who=str(mine.then or ""),
            is_home=self.section.contest.has_halves and game.table == home_table(self.me),
        )


def _nameless(people: tuple[Person, ...]) -> tuple[Person, ...]:
    return tuple(replace(person, name="", team="", then="") for person in people)


def person(sitting: Sitting) -> Person:
    """Name a pair by its surnames, a single player and half a team in full."""
    one = sitting.contestant
    if one.halves:
        return Person(one.label, sitting.line, sitting.names, one.surnames, str(sitting.then or ""))
    is_single = len(one.players) == 1
    return Person(one.label, sitting.line, one.names if is_single else one.surnames)

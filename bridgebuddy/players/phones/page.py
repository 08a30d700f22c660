"""The plan of one contestant on their phone: now, next, and the whole session."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.clock import SectionClock
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.games import (
    Contestant,
    RoundTurn,
    TableGame,
    TableSide,
    board_text,
)
from bridgebuddy.events.queries.plan.home_tables import home_table


@dataclass(frozen=True)
class SeatedPerson:
    """A person at the table, with a short name for phones."""

    label: str
    line: str  # "ns" or "ew", as they sit now
    name: str
    team: str = ""  # the team they play for
    then: str = ""  # the team's players there after half-time, if they change


@dataclass(frozen=True)
class SeatShown:
    """A player's seat in a round as the phone shows it; table 0 means that this part is sat out."""

    table: int
    line: str  # "ns" or "ew"
    place: str  # the same, or for a single player "n", "s", "e", "w"
    boards: str  # empty in a draw, which has no board numbers
    opponents: tuple[SeatedPerson, ...]
    partners: tuple[SeatedPerson, ...] = ()  # in an individual
    shares_with: tuple[int, ...] = ()
    lender: str = ""  # the section from whose stand the boards are
    lender_stand: int = 0  # the table there before the stand
    part: int = 1
    parts: int = 1
    all_boards: str = ""  # the boards of both halves
    then_boards: str = ""  # in a match: the boards that come from the other table at half-time
    is_in_quarters: bool = False  # whether boards are exchanged in each half instead
    exchanges_with: int = 0  # that table
    turned: str = (
        ""  # the boards that are turned: in these the pair holds the cards of the other line
    )
    are_all_turned: bool = False
    boards_to: int = 0  # in a triangle: the table to which the boards go on
    boards_from: int = 0  # the table from which they come
    is_extra: bool = False  # the extra boards of a level match
    team_half: str = ""  # of a team: the half that sits here; the other plays elsewhere
    then_who: str = ""  # the same after half-time, if the line-up changes
    is_home: bool = False  # of a team: the table of its number

    @property
    def other_line(self) -> str:
        """Return the opposite direction ("ns" or "ew"), which the pair has on arrow-switched boards."""
        return "ew" if self.line == "ns" else "ns"


@dataclass(frozen=True)
class PlannedRound:
    """A round as the phone shows it: mostly one seat, two in a divided round or for a team, none in a sit-out."""

    round: int
    seats: tuple[SeatShown, ...]
    state: str  # "done", "here" or ""
    is_open: bool = False  # not yet drawn
    has_left: bool = False  # withdrawn, or not in the draw any more
    has_come: bool = True  # False in the rounds before a late arrival

    @property
    def seat(self) -> SeatShown | None:
        """Return the first seat of the round."""
        return next((seat for seat in self.seats if seat.table), None)

    @property
    def sits_out(self) -> bool:
        """Return whether the contestant sits out the whole round; False while it is not drawn."""
        return self.has_come and not (self.seats or self.is_open or self.has_left)

    @property
    def drawn_after(self) -> int:
        """Return the number of the round before this one, whose results decide the draw of this round."""
        return self.round - 1


class PlayerPage:
    """The data of a contestant's page on phones during a session: seats, rounds, clock."""

    def __init__(self, section: Section, plan: SectionPlan, number: int) -> None:
        self.section = section
        self.plan = plan
        self.number = number
        self.clock = SectionClock(section)

    @cached_property
    def contestant(self) -> Contestant:
        """Return the contestant (pair, player or team) whose page this is."""
        return self.plan.evening.contestants[self.number]

    @property
    def rounds(self) -> int:
        """Return how many rounds the session has."""
        return self.plan.evening.rounds

    @property
    def team(self) -> tuple[str, ...]:
        """Return the names of the whole team; empty in other contests."""
        return self.contestant.players if self.section.contest.has_halves else ()

    @property
    def resting_players(self) -> tuple[str, ...]:
        """Return the players of the team who do not sit at a table in the displayed round."""
        halves = self.contestant.halves + self.contestant.then_halves
        playing = {name for half in halves for name in half.names}
        return tuple(name for name in self.team if name not in playing)

    @property
    def is_seated_anew(self) -> bool:
        """Return whether other players of the team sit at its seats in the next round."""
        then = self.plan.evening.contestant_in(self.number, self.shown_round + 1)
        return (then.halves, then.then_halves) != (
            self.contestant.halves,
            self.contestant.then_halves,
        )

    @property
    def may_cross(self) -> bool:
        """Return whether this is a team with a seat now, whose two pairs could exchange places."""
        return bool(self.contestant.halves) and self.current_planned_round.seat is not None

    @property
    def has_withdrawn(self) -> bool:
        """Return whether the contestant has gone home, and is not only out of a knock-out."""
        return self.contestant.has_left

    @property
    def entry_pk(self) -> int:
        """Return the primary key of the entry, which stays the same when the seat changes."""
        return self.contestant.entry

    @cached_property
    def planned_rounds(self) -> tuple[PlannedRound, ...]:
        """Return every round of the session with the contestant's seats in it."""
        return tuple(
            self._planned_round(turn)
            for turn in self.plan.plan_of_moves.evening.schedule(self.number)
        )

    @property
    def listed_rounds(self) -> tuple[PlannedRound, ...]:
        """Return the rounds in the page's list: all, or only up to the next one if the club has chosen so."""
        if self.section.club.phones_show_later_rounds or self.section.is_finished:
            return self.planned_rounds
        return self.planned_rounds[: self.shown_round + 1]

    @property
    def shown_round(self) -> int:
        """Return the number of the current round, or 1 before the start."""
        return self.section.round or 1

    @cached_property
    def current_planned_round(self) -> PlannedRound:
        """Return the current round as planned, or round 1 before the start."""
        return self.planned_rounds[self.shown_round - 1]

    @property
    def next_planned_round(self) -> PlannedRound | None:
        """Return the planned round after the current one; None in the last round."""
        return next(iter(self.planned_rounds[self.shown_round :]), None)

    @property
    def next_seated_round(self) -> PlannedRound | None:
        """Return the next round in which the contestant has a seat; None if there is none."""
        return next((stop for stop in self.planned_rounds[self.shown_round :] if stop.seat), None)

    @property
    def next_draw(self) -> PlannedRound | None:
        """Return the first coming round whose opponents are not drawn yet; None if all are."""
        return next(
            (stop for stop in self.planned_rounds[self.shown_round :] if stop.is_open), None
        )

    @property
    def next_played_start(self) -> datetime | None:
        """Return when the next round with a seat should start; None without one or while the clock is paused."""
        return (
            self.clock.expected_beginning(self.next_seated_round.round)
            if self.next_seated_round
            else None
        )

    def _planned_round(self, turn: RoundTurn) -> PlannedRound:
        """Convert a round of the contestant's plan to the form in which the phone shows it."""
        is_done = self.section.is_over(turn.round)
        state = "done" if is_done else "here" if turn.round == self.shown_round else ""
        seats = self._planned_seats(turn)
        if not self.section.club.phones_show_names:
            seats = tuple(
                replace(seat, opponents=_people_without_names(seat.opponents)) for seat in seats
            )
        return PlannedRound(turn.round, seats, state, turn.is_open, turn.has_left, turn.has_come)

    def _planned_seats(self, turn: RoundTurn) -> tuple[SeatShown, ...]:
        """Return the player's seats in a round; a part of the round without a seat has table 0."""
        seats = [self._planned_seat(game) for game in turn.games]
        parts = max((seat.parts for seat in seats), default=1)
        played = {seat.part for seat in seats}
        if parts > 1 and all(seat.parts > 1 for seat in seats):
            missing = set(range(1, parts + 1)) - played
            seats += [SeatShown(0, "out", "", "", (), part=part, parts=parts) for part in missing]
        return tuple(sorted(seats, key=lambda seat: (seat.part, seat.line == "ew", seat.table)))

    def _planned_seat(self, game: TableGame) -> SeatShown:
        """Return the player's seat in an encounter of two sides at a table, as the phone shows it."""
        line = game.side_of(self.number)
        partner = game.partner_of(self.number)
        mine = next(s for s in game.ns + game.ew if s.contestant.number == self.number)
        turned = self.plan.plan_of_moves.turned_boards(game)
        lent = self.plan.boards.borrowed_set(game)
        return SeatShown(
            table=game.table,
            line=line,
            place=game.chair_of(self.number),
            boards=game.current_range_texts[0],
            all_boards=game.board_text,
            then_boards=game.later_board_ranges_text,
            is_in_quarters=game.is_in_quarters,
            is_extra=bool(game.extra),
            exchanges_with=game.exchanges_with,
            turned=board_text(turned),
            are_all_turned=0 < len(turned) == len(game.boards),
            boards_to=game.boards_to,
            boards_from=game.boards_from,
            opponents=tuple(short_person(sitting) for sitting in game.opponents_of(self.number)),
            partners=(short_person(partner),) if partner else (),
            shares_with=self.plan.boards.tables_sharing_with(game),
            lender=self.plan.boards.lending_section_of(game),
            lender_stand=lent.after_table if lent else 0,
            part=game.part,
            parts=game.parts,
            team_half=mine.names if self.section.contest.has_halves else "",
            then_who=str(mine.pair_after_half_time or ""),
            is_home=self.section.contest.has_halves and game.table == home_table(self.contestant),
        )


def _people_without_names(people: tuple[SeatedPerson, ...]) -> tuple[SeatedPerson, ...]:
    """Return these people with their names removed, for clubs whose phones show labels only."""
    return tuple(replace(person, name="", team="", then="") for person in people)


def short_person(side: TableSide) -> SeatedPerson:
    """Return a contestant at a table with a short name: pairs by surnames, single players by full name."""
    contestant = side.contestant
    if contestant.halves:
        return SeatedPerson(
            contestant.label,
            side.line,
            side.names,
            contestant.surnames,
            str(side.pair_after_half_time or ""),
        )
    is_single = len(contestant.players) == 1
    return SeatedPerson(
        contestant.label, side.line, contestant.names if is_single else contestant.surnames
    )

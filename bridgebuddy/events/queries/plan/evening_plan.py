"""The plan of a session, the single source for desk, phone, room display and print.

It gives the games of each round, the next moves of people and boards, earlier versions, and the times of rounds.
"""

from __future__ import annotations

from functools import cached_property

from bridgebuddy.events.models import Section, SectionMovement
from movements.engine.declarations import Stand
from movements.engine.model import Movement

from ..sessions.lent_boards import Lending, lending_to
from .board_moves import BoardMove, BoardMoves
from .calls import SectionAnnouncements
from .clock import SectionClock
from .evening import SessionEvening
from .games import Contestant, RoundTurn, TableGame
from .home_tables import evening_at_home_tables, room_table_count
from .moves import RoundMove, SeatAt, SectionMoves


class SectionPlan:
    """A section's plan for all pages: seats, boards, moves and times of every round."""

    def __init__(self, evening: SessionEvening) -> None:
        self.drawn = evening  # with teams' matches as drawn, without tables
        self.evening = evening_at_home_tables(evening)
        self.section: Section = evening.section
        #: for a plan by seats: the plan by which cards are assigned
        self.as_scored: SectionPlan | None = None
        self._were: dict[int, SectionPlan] = {}

    @classmethod
    def of(cls, section: Section) -> SectionPlan:
        """Return the plan of a section as it is now."""
        return cls(SessionEvening(section))

    @property
    def tables(self) -> int:
        """Return the number of tables in the room."""
        return room_table_count(self.section.stored)

    @property
    def movement(self) -> Movement:
        """Return the engine's movement, the source for board stands, copies of boards and announcements."""
        return self.boards.movement

    # ── plays, and moves of people and boards ──

    def turn_of(self, number: int, round: int) -> RoundTurn:
        """Return a contestant's games, sit-out or three-way match in a round."""
        return self.evening.round_turn(number, round)

    def next_seat(self, number: int, game: TableGame) -> SeatAt | None:
        """Return where a contestant sits next after a game at a table; None if a sit-out comes first."""
        return self.people.next_seat(number, game)

    def moves_after(self, round: int) -> tuple[RoundMove, ...]:
        """Return the moves of all contestants at the end of a round."""
        return self.people.moves_after_round(round)

    def boards_after(self, game: TableGame) -> tuple[BoardMove, ...]:
        """Return where a table's boards go when its game of a round is over."""
        return self.boards.moves_after(game)

    def stands(self, round: int) -> tuple[Stand, ...]:
        """Return the board sets that wait on board stands in a round, with the table before each stand."""
        return self.boards.stands_with_sets(round)

    @cached_property
    def people(self) -> SectionMoves:
        """Return the seats and moves of the contestants."""
        return SectionMoves(self.evening)

    @cached_property
    def boards(self) -> BoardMoves:
        """Return the places and moves of the board sets."""
        return BoardMoves(self.evening, self.lending)

    @cached_property
    def lending(self) -> Lending | None:
        """Return the boards that another section lends to this one; None if it lends none."""
        return lending_to(self.section)

    @property
    def on_paper(self) -> SectionPlan:
        """Return the plan for printing, which assumes that sections that lend boards stay in the same round."""
        if self.lending is None or self.lending.is_on_paper:
            return self
        printed = SectionPlan(self.drawn)
        printed.as_scored, printed.lending = self.as_scored, self.lending.on_paper
        return printed

    @cached_property
    def announcements(self) -> SectionAnnouncements:
        """Return the announcements of the section's moves."""
        return SectionAnnouncements(self.section, self.evening, self.lending)

    @cached_property
    def plan_of_moves(self) -> SectionPlan:
        """Return the plan without arrow-switches, since these change no seats: the plan that people move by."""
        if self.as_scored:
            return self
        evening = self.evening
        if self.announcements.is_switched and self.section.unswitched:
            evening = evening.with_movement(self.section.unswitched)
        if self.announcements.straight:
            evening = evening.with_directions_of(self.announcements.straight)
        if evening is self.evening:
            return self
        moving = SectionPlan(evening)
        moving.as_scored = self
        moving.announcements, moving.lending = self.announcements, self.lending
        return moving

    def turned_boards(self, game: TableGame) -> tuple[int, ...]:
        """Return the arrow-switched boards of a game, on which North-South hold the cards of East-West."""
        if self.as_scored is None:
            return ()
        north_south = {sitting.contestant.number for sitting in game.ns}
        return tuple(
            sorted(
                board
                for scored in self.as_scored.evening.games.get(game.round, ())
                if scored.table == game.table and scored.is_played
                for board in {*scored.boards} & {*game.boards}
                if north_south.isdisjoint(sitting.contestant.number for sitting in scored.ns)
            )
        )

    @cached_property
    def clock(self) -> SectionClock:
        """Return the section's round clock."""
        return SectionClock(self.section)

    # ── former plans: differences.py compares ──

    @cached_property
    def versions(self) -> list[SectionMovement]:
        """Return the versions of the section's movement, oldest first, without their long JSON."""
        with_movements = self.section.movements.select_related("movement")
        return list(with_movements.defer("movement__document"))

    def equals_version(self, version: SectionMovement) -> bool:
        """Return whether the current movement is the same as in a version."""
        return version.movement_id == self.section.movement_id

    def plan_in_version(self, version: SectionMovement) -> SectionPlan:
        """Return the plan in an earlier version of the movement, for one contestant only if this one is."""
        if version.pk not in self._were:
            self._were[version.pk] = SectionPlan(self.evening.plan_in_version(version))
        return self._were[version.pk]

    def contestant_of_entry(self, entry: int) -> Contestant | None:
        """Return the contestant of the entry with this primary key; None if it has no seat."""
        numbers = (
            other_entry.contestant
            for other_entry in self.evening.entries
            if other_entry.pk == entry
        )
        return self.evening.contestants.get(next(numbers, None) or 0)

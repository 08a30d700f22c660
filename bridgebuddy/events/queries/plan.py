"""The plan of an evening, the one answer for desk, phone, room and paper.

What is played where in a round; who goes where next, and the boards; what it was before a change;
when the rounds begin.
"""

from __future__ import annotations

from functools import cached_property

from movements.engine.declared import Stand
from movements.engine.model import Movement

from ..models import Section, SectionMovement
from .board_moves import BoardMove, BoardMoves
from .calls import Calls
from .clock import Clock
from .evening import Evening
from .games import Contestant, Game, Turn
from .home_tables import at_home, tables_of
from .moves import Move, Moves, Seat


class Plan:
    """What an evening's people and boards do, round by round; teams' matches at real tables."""

    def __init__(self, evening: Evening) -> None:
        self.drawn = evening  # with teams' matches as they were drawn, which says nothing of tables
        self.evening = at_home(evening)
        self.section: Section = evening.section
        #: of a plan by which people sit down: the one that says who holds which cards
        self.as_scored: Plan | None = None
        self._were: dict[int, Plan] = {}

    @classmethod
    def of(cls, section: Section) -> Plan:
        """Return a section's plan as it is."""
        return cls(Evening(section))

    @property
    def tables(self) -> int:
        """How many tables stand in the room."""
        return tables_of(self.section.stored)

    @property
    def movement(self) -> Movement:
        """The engine's value: stands, copies and announcements are read from it."""
        return self.boards.movement

    # ── who plays what, and where everybody and everything goes ──

    def where(self, number: int, round: int) -> Turn:
        """Return what a contestant does in a round."""
        return self.evening.turn(number, round)

    def next_seat(self, number: int, game: Game) -> Seat | None:
        """Return where somebody at a table goes after it; None: they sit out first."""
        return self.people.next_seat(number, game)

    def moves_after(self, round: int) -> tuple[Move, ...]:
        """Return what everybody does when a round ends."""
        return self.people.after(round)

    def boards_after(self, game: Game) -> tuple[BoardMove, ...]:
        """Return where the boards of a table go."""
        return self.boards.after(game)

    def stands(self, round: int) -> tuple[Stand, ...]:
        """Return what waits in a round, and after which tables."""
        return self.boards.waiting(round)

    @cached_property
    def people(self) -> Moves:
        return Moves(self.evening)

    @cached_property
    def boards(self) -> BoardMoves:
        return BoardMoves(self.evening)

    @cached_property
    def calls(self) -> Calls:
        return Calls(self.section, self.evening)

    @cached_property
    def moving(self) -> Plan:
        """The plan by which people sit down: boards that are turned move nobody."""
        if self.as_scored:
            return self
        evening = self.evening
        if self.calls.is_switched and self.section.unswitched:
            evening = evening.playing(self.section.unswitched)
        if self.calls.straight:
            evening = evening.as_they_sit(self.calls.straight)
        if evening is self.evening:
            return self
        moving = Plan(evening)
        moving.as_scored = self
        moving.calls = self.calls
        return moving

    def turned_boards(self, game: Game) -> tuple[int, ...]:
        """Return the boards of a game that are turned: North-South of this plan hold the cards of East-West."""
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
    def clock(self) -> Clock:
        return Clock(self.section)

    # ── what it was: differences.py compares ──

    @cached_property
    def versions(self) -> list[SectionMovement]:
        """The versions the movement has had, the first one first; the long JSON is left out."""
        found = self.section.movements.select_related("movement")
        return list(found.defer("movement__document"))

    def is_as_in(self, version: SectionMovement) -> bool:
        """Whether nothing has changed since a version, or all of it was taken back."""
        return version.movement_id == self.section.movement_id

    def as_in(self, version: SectionMovement) -> Plan:
        """Return the plan as it was in a version; of one contestant, the same one's."""
        if version.pk not in self._were:
            self._were[version.pk] = Plan(self.evening.as_in(version))
        return self._were[version.pk]

    def of_entry(self, entry: int) -> Contestant | None:
        """Return whom an entry (by its key) is in this plan; None where it has no seat."""
        numbers = (
            other_entry.contestant
            for other_entry in self.evening.entries
            if other_entry.pk == entry
        )
        return self.evening.contestants.get(next(numbers, None) or 0)

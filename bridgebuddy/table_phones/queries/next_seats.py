"""The next places of a table's contestants when its boards are finished."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.games import TableGame


@dataclass(frozen=True)
class NextSeat:
    """The next seat of a contestant; after a sit-out it is in a later round."""

    names: str
    round: int
    number: int
    game: TableGame | None  # None: not drawn yet

    @property
    def table(self) -> int:
        """Return the table number; 0 for a sit-out."""
        return self.game.table if self.game else 0

    @property
    def chair(self) -> str:
        """Return the direction of the seat; empty for a sit-out."""
        return self.game.chair_of(self.number) if self.game else ""

    @property
    def boards(self) -> str:
        """Return the board numbers as text; empty for a sit-out."""
        return self.game.board_text if self.game else ""


def next_seats_of(section: Section, entries: Collection[int]) -> list[NextSeat]:
    """Return the next seats of entries (by primary key), without those that play no more."""
    if not section.is_running or section.is_last_round or not entries:
        return []
    numbers = section.entries.filter(pk__in=entries).values_list("contestant", flat=True)
    seats = []
    for number in sorted(number for number in numbers if number is not None):
        evening = SectionPlan(SessionEvening(section, only=number)).plan_of_moves.evening
        turn = evening.next_game(number, section.round)
        if turn is not None:
            names = evening.contestants[number].surnames
            seats.append(NextSeat(names, turn.round, number, turn.game))
    return seats

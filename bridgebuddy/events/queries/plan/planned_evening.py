"""The plan of a session that is not stored: from a movement, and entries with their seats in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

from bridgebuddy.events.models import Entry, Section
from movements.engine.model import Movement
from movements.services import seating_rows, unsaved_movement

from .evening import SessionEvening
from .evening_plan import SectionPlan
from .rows import movement_row


class PlannedEvening(SessionEvening):
    """A section's games under a movement that is not stored, as a preview for the director."""

    def __init__(
        self,
        section: Section,
        movement: Movement,
        numbers: Mapping[str, range],
        entries: Sequence[Entry],
    ) -> None:
        """Prepare the preview from a movement, its board numbers, and entries with numbers and people."""
        section = copy(section)
        section.movement, section.unswitched = unsaved_movement(movement, numbers), None
        super().__init__(section)
        self.entries = list(entries)
        self._future_rows = [movement_row(row) for row in seating_rows(movement)]


def preview_plan(
    section: Section, movement: Movement, numbers: Mapping[str, range], entries: Sequence[Entry]
) -> SectionPlan:
    """Return the plan that a section would have with these entries and this movement."""
    return SectionPlan(PlannedEvening(section, movement, numbers, entries))

"""Starting a prepared session: contestants, movement and seats are stored at once, before the start."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Entry, Section, SectionMovement
from movements.engine.boards import movement_boards
from movements.engine.model import Movement
from movements.services import store_movement

from ..play.changes import add_version, current_version
from ..recording import record_plan_change
from ..setup.breaks import plan_break_for
from ..setup.deals import section_board_numbers
from ..setup.movement import give_seats
from ..stored_movements import set_first_movement


@dataclass(frozen=True)
class ChosenMovement:
    """A movement prepared for a section, with its options and boards per round."""

    movement: Movement
    boards_per_round: int
    missing_line: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


def apply_prepared_start(
    section: Section,
    choice: ChosenMovement,
    seats: Mapping[Entry, int],
    *,
    keeps_paper: bool,
    by: User,
) -> None:
    """Give this movement and these seats to a section that has not started; other entries wait for a seat.

    If sheets of the earlier plan were printed (`keeps_paper`), it stays as an earlier version. So the outdated sheets
    can be named.
    """
    printed: dict[int, Any] = {}
    if keeps_paper and section.movement:
        current_version(section)
        printed = dict(section.movements.values_list("pk", "seats"))
    numbers = movement_boards(choice.movement, per_round=choice.boards_per_round)
    stored = store_movement(choice.movement, numbers=section_board_numbers(section, numbers))
    section.movement_options = dict(choice.options)
    section.missing_line = choice.missing_line or section.missing_line
    section.boards_per_round, section.total_boards = choice.boards_per_round, None
    section.match_boards = {}
    if printed:
        section.movement, section.unswitched = stored, None
        section.save(update_fields=["movement", "unswitched"])
    else:
        set_first_movement(section, stored)
    free_seats(section, [seat.pk for seat in seats])
    give_seats(section, seats)
    was = SectionMovement.objects.filter(pk__in=printed)
    for version in was:
        version.seats = printed[version.pk]
        version.save(update_fields=["seats"])
    if was:
        add_version(section, by=by)
    movement = choice.movement
    plan_break_for(section, movement, is_wished=None)
    record_plan_change(
        section, "section.movement", by=by, family=movement.family, rounds=movement.rounds
    )


def free_seats(section: Section, kept_keys: Collection[int] = ()) -> None:
    """Take the seats from a locked section's entries, except those with keys in `kept_keys`."""
    section.entries.exclude(pk__in=kept_keys).update(contestant=None, **Entry.ALL_EVENING)

"""Switching the arrows of a section's movement, before the start."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import AlreadyStarted, MovementChanged, NotSeated
from bridgebuddy.events.models import Section
from movements.engine.changes import Proposal
from movements.models import StoredMovement
from movements.services import BrokenMovement, store_movement
from movements.switches.choices import SwitchChoice
from movements.switches.turning import turns_between, unturned_movement

from ..locking import lock_movement
from ..recording import record_plan_change
from ..stored_movements import set_first_movement


def unswitched_movement(section: Section) -> StoredMovement | None:
    """Return the section's movement without its arrow-switches.

    If the movement was changed otherwise since, later switches begin with it.
    """
    plain, now = section.unswitched, section.movement
    if plain is None or now is None:
        return now
    turns = turns_between(plain.movement, plain.numbers, now.movement, now.numbers)
    return now if turns is None else plain


def unswitched_movement_after(
    section: Section, proposal: Proposal, numbers: Mapping[str, range]
) -> StoredMovement | None:
    """Return the movement without arrow-switches that belongs to the section after a live change.

    Returns None if no boards are turned, or if a round is in parts that cannot be played together.
    """
    if section.unswitched is None:
        return None
    plain = unturned_movement(proposal.movement, section.unswitched.movement, proposal.numbers)
    try:
        return store_movement(plain, numbers=numbers)
    except BrokenMovement:
        return None


@transaction.atomic
def switch_arrows(section: Section, choice: SwitchChoice | None, *, of: int, by: User) -> Section:
    """Give the section its movement with the chosen arrow-switches; None removes them.

    `of` is the key of the movement that the choice was made for. All seats and board numbers stay. Raises
    `AlreadyStarted`, `NotSeated` without a movement, and `MovementChanged` if the movement has changed meanwhile.
    """
    section = lock_movement(section)
    if section.is_started:
        raise AlreadyStarted()
    plain = unswitched_movement(section)
    if plain is None:
        raise NotSeated()
    if plain.pk != of:
        raise MovementChanged()
    if choice:
        set_first_movement(section, store_movement(choice.movement, numbers=choice.numbers), plain)
    else:
        set_first_movement(section, plain)
    level, count = (choice.level, choice.switches) if choice else ("none", 0)
    record_plan_change(section, "section.switch", by=by, level=level, switches=count)
    return section

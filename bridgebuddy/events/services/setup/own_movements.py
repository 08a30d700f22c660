"""A club's own movements: stored only if no law is broken."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Club, User
from bridgebuddy.events.models import ClubMovement, Section
from movements.engine import laws
from movements.engine.files.document import MovementDocument, movement_dict
from movements.engine.model import Movement
from movements.services import BrokenMovement


@transaction.atomic
def store_own_movement(club: Club, movement: Movement, *, name: str, by: User) -> ClubMovement:
    """Store a movement as the club's own under a name, in place of one with the same name.

    Raises `BrokenMovement` if a law is broken. A contestant that never plays happens in sessions; no movement to choose
    has one, whatever its file declares.
    """
    declared = tuple(exemption for exemption in movement.exemptions if exemption.law != "field")
    if violations := laws.find_errors(replace(movement, exemptions=declared)):
        raise BrokenMovement(violations)
    own_movement, _ = ClubMovement.objects.update_or_create(
        club=club,
        name=name,
        defaults={"document": movement_dict(MovementDocument(movement, {"name": name}))},
    )
    add_record("club.movement", own_movement, by=by, name=name)
    return own_movement


def own_movements_for(section: Section) -> list[ClubMovement]:
    """Return the club's own movements that have exactly as many seats as the section has entries."""
    entered = section.entries.count()
    return [
        own
        for own in section.club.own_movements.all()
        if own.movement.contest == section.contest and len(own.movement.contestants) == entered
    ]

"""Exemptions for contestants and tables that are absent because of a change."""

from __future__ import annotations

from dataclasses import replace

from movements.engine.declarations import Exemption

from .. import laws
from ..model import Movement


def drop_outdated_declarations(movement: Movement) -> Movement:
    """Return the movement without the exemptions for absence of contestants that now play again."""
    without = laws.contestants_never_playing(movement)
    exemptions = (
        replace(item, contestants=tuple(c for c in item.contestants if c in without))
        if item.law == "field"
        else item
        for item in movement.exemptions
    )
    return replace(
        movement,
        exemptions=tuple(item for item in exemptions if item.law != "field" or item.contestants),
    )


def declare_without_play(movement: Movement, why: str) -> Movement:
    """Return the movement with an exemption, for the reason `why`, for contestants that play in no round."""
    declared = {c for e in movement.exemptions if e.law == "field" for c in e.contestants}
    without = tuple(sorted(laws.contestants_never_playing(movement) - declared))
    if movement.open_rounds or not without:
        return movement
    added = Exemption("field", 0, why, without)
    return replace(movement, exemptions=(*movement.exemptions, added))


def declare_absence(contestant: int, rounds: range, why: str) -> tuple[Exemption, ...]:
    """Return the exemption that declares a contestant absent in these rounds."""
    if not rounds:
        return ()
    return (Exemption("present", 0, why, (contestant,), tuple(rounds)),)


def exemptions_of_added_table(movement: Movement, from_round: int) -> tuple[Exemption, ...]:
    """Return the exemption that declares an added table missing before round `from_round`; none for round 1."""
    rounds = tuple(range(1, from_round))
    return (
        (Exemption("tables", movement.tables, "a table was added", (), rounds),) if rounds else ()
    )

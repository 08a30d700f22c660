"""The club's equipment as a limit on movements: suggestions within it, and notes on shortages."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.planning.models import Equipment
from movements.engine.adviser import Advice
from movements.engine.model import Movement


def fitting_suggestions(owned: Equipment, advised: Sequence[Advice]) -> tuple[Advice, ...]:
    """Return the suggested movements for which the club has enough tables; all if none fits."""
    most = owned.tables
    fitting = [
        proposal
        for proposal in advised
        if most is None or tables_needed(proposal.offer.movement) <= most
    ]
    return tuple(fitting or advised)


def tables_needed(movement: Movement) -> int:
    """Return how many tables a movement needs; in team matches each team has one."""
    return len(movement.contestants) if movement.is_draw else movement.tables


def board_sets_sentence(owned: Equipment) -> str:
    """Return a sentence on the club's board sets and their colours; empty if unknown."""
    if not owned.sets:
        return ""
    colours = ", ".join(
        f"{count} {colour}" if count > 1 else colour for colour, count in owned.sets if colour
    )
    words = {"count": owned.copy_count, "colours": colours}
    if colours:
        return (
            ngettext(
                "You have %(count)s set: %(colours)s.",
                "You have %(count)s sets: %(colours)s.",
                owned.copy_count,
            )
            % words
        )
    return ngettext("You have %(count)s set.", "You have %(count)s sets.", owned.copy_count) % words


def missing_equipment(owned: Equipment, tables: int) -> list[str]:
    """Return sentences on the equipment that the club lacks for a number of tables."""
    sentences = []
    if owned.tables is not None and owned.tables < tables:
        sentences.append(
            _("%(needed)s tables are needed, and you have %(count)s.")
            % {"needed": tables, "count": owned.tables}
        )
    if owned.boxes is not None and owned.boxes < tables:
        sentences.append(
            _("Bidding boxes are needed for %(needed)s tables, and you have them for %(count)s.")
            % {"needed": tables, "count": owned.boxes}
        )
    if owned.terminals is not None and owned.terminals < tables:
        sentences.append(
            _("You have terminals for %(count)s of %(needed)s tables.")
            % {"needed": tables, "count": owned.terminals}
        )
    return sentences

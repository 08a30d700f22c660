"""What a club's own material allows: what is suggested keeps within it, and what does not fit is said."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.planning.models import Owned
from movements.engine.adviser import Advice
from movements.engine.model import Movement


def within(owned: Owned, advised: Sequence[Advice]) -> tuple[Advice, ...]:
    """Return the suggestions for which a club has tables enough; all where it has for none."""
    most = owned.tables
    fitting = [
        proposal for proposal in advised if most is None or needed(proposal.offer.movement) <= most
    ]
    return tuple(fitting or advised)


def needed(movement: Movement) -> int:
    """Return how many tables a movement needs; in teams' matches each team has one."""
    return len(movement.contestants) if movement.is_draw else movement.tables


def sets_said(owned: Owned) -> str:
    """Say how many sets of boards there are, and their colours; nothing where the club has not said."""
    if not owned.sets:
        return ""
    colours = ", ".join(
        f"{count} {colour}" if count > 1 else colour for colour, count in owned.sets if colour
    )
    words = {"count": owned.copies, "colours": colours}
    if colours:
        return (
            ngettext(
                "You have %(count)s set: %(colours)s.",
                "You have %(count)s sets: %(colours)s.",
                owned.copies,
            )
            % words
        )
    return ngettext("You have %(count)s set.", "You have %(count)s sets.", owned.copies) % words


def too_few(owned: Owned, tables: int) -> list[str]:
    """Say of what a club has too little for so many tables."""
    said = []
    if owned.tables is not None and owned.tables < tables:
        said.append(
            _("%(needed)s tables are needed, and you have %(count)s.")
            % {"needed": tables, "count": owned.tables}
        )
    if owned.boxes is not None and owned.boxes < tables:
        said.append(
            _("Bidding boxes are needed for %(needed)s tables, and you have them for %(count)s.")
            % {"needed": tables, "count": owned.boxes}
        )
    if owned.terminals is not None and owned.terminals < tables:
        said.append(
            _("You have terminals for %(count)s of %(needed)s tables.")
            % {"needed": tables, "count": owned.terminals}
        )
    return said

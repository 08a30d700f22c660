"""The break of a section before its start: planned by a wish, and kept when the movement changes."""

from __future__ import annotations

from collections.abc import Iterable

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from movements.engine.model import Movement
from movements.engine.session_breaks import moved_break, round_before_break

from ..recording import record_visible_change

#: the usual length of a break in minutes
USUAL_BREAK = 15


def plan_break_for(
    section: Section,
    movement: Movement,
    *,
    is_wished: bool | None,
    other_sections: Iterable[Section] = (),
) -> None:
    """Set the break of a locked section to a good round of its movement; the caller saves it.

    With `is_wished` it is planned where it is best for this section and `other_sections`, in its former length or
    the usual one; False removes it. None keeps a break that was planned, after another round if it would part the
    boards worse. With a common clock it keeps its round, which is that of all sections.
    """
    after = section.break_after
    if is_wished:
        others = [other.movement.movement for other in other_sections if other.movement]
        after = round_before_break(movement, *others)
    elif is_wished is False:
        after = None
    elif after is not None and not (section.session.common_clock and after < movement.rounds):
        after = moved_break(movement, after)
    minutes = section.break_minutes or USUAL_BREAK
    section.break_after, section.break_minutes = after, minutes if after else 0


def copy_break(section: Section, others: Iterable[Section], *, by: User) -> None:
    """Give other locked sections the break of a section, except where that round is over."""
    after, minutes = section.break_after, section.break_minutes
    differing = [
        other for other in others if (other.break_after, other.break_minutes) != (after, minutes)
    ]
    share_break(differing, after_round=after, minutes=minutes, by=by)


def share_break(
    sections: Iterable[Section], *, after_round: int | None, minutes: int, by: User
) -> None:
    """Plan the same break for locked sections, or remove it, except where that round is over."""
    for section in sections:
        if section.is_finished or (after_round or section.round) < section.round:
            continue
        section.break_after, section.break_minutes = after_round, minutes if after_round else 0
        record_visible_change(
            section, "section.break", by=by, after=after_round, minutes=section.break_minutes
        )

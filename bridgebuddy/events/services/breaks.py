"""The break of a section before its start: planned by a wish, and kept when the movement changes."""

from __future__ import annotations

from movements.engine.model import Movement
from movements.engine.session_breaks import moved_break, round_before_break

from ..models import Section

#: the usual length of a break in minutes
USUAL_BREAK = 15


def plan_break_for(section: Section, movement: Movement, *, is_wished: bool | None) -> None:
    """Set the break of a locked section for a movement; the caller saves it.

    With `is_wished` it is planned where it is best, in its former length or the usual one; False removes it. None
    keeps a break that was planned, after another round if it would part the boards worse.
    """
    if is_wished:
        after = round_before_break(movement)
    elif is_wished is None and section.break_after is not None:
        after = moved_break(movement, section.break_after)
    else:
        after = None
    minutes = section.break_minutes or USUAL_BREAK
    section.break_after, section.break_minutes = after, minutes if after else 0

"""Sections of a session that can use each other's stand, so that no tables share boards."""

from __future__ import annotations

from django.utils.translation import gettext as _

from movements.engine.virtual_sharing import lent_sets

from ..models import Section
from .sections import sections_of_session


def lending_section(section: Section) -> Section | None:
    """Return another section of the session on whose stand are, in every round, the boards that two tables share here.

    The same holds the other way round, and both have the same boards by number. None if there is no such section.
    """
    stored = section.movement
    if stored is None or not stored.movement.shared or not section.letter:
        return None
    for other in sections_of_session(section):
        if other.pk == section.pk or other.movement is None:
            continue
        here, there = stored.movement, other.movement.movement
        is_mutual = lent_sets(there, here) and lent_sets(here, there)
        if is_mutual and other.movement.numbers == stored.numbers:
            return other
    return None


def lent_boards_sentence(section: Section) -> str:
    """Return which table takes its boards from another section's stand, if both play in step; empty if none can."""
    other = lending_section(section)
    if other is None:
        return ""
    lent = lent_sets(other.stored.movement, section.stored.movement)[0]
    words = {
        "one": section.letter,
        "other": other.letter,
        "table": lent.table,
        "after": lent.after_table,
    }
    return " ".join(
        (
            _("Sections %(one)s and %(other)s need not share boards if they play in step.") % words,
            _(
                "Table %(table)s of %(one)s takes its boards from the stand of %(other)s after table %(after)s, and brings them back after the round."
            )
            % words,
        )
    )

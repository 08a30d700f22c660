"""Deciding only on what nobody else is changing."""

from ..models import Section


def lock(section: Section) -> Section:
    """Return the section as it is now, locked until the transaction ends.

    PostgreSQL locks the row; SQLite's transactions are IMMEDIATE and wait for each other.
    """
    return (
        Section.objects.select_for_update(of=("self",))
        .select_related("session__event__club", "movement")
        .get(pk=section.pk)
    )


def lock_all(section: Section) -> list[Section]:
    """Return all sections of a section's session as they are now, in order, locked as by `lock`."""
    found = Section.objects.filter(session__sections=section.pk).order_by("pk")
    return list(
        found.select_for_update(of=("self",)).select_related("session__event__club", "movement")
    )

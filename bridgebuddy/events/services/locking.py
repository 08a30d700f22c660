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

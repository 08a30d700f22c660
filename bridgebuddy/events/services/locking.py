"""Locks, so that decisions are based on data that no other process is changing."""

from django.db.models import QuerySet

from ..models import Section


def lock_section(section: Section) -> Section:
    """Return the section's current row, locked until the transaction ends.

    PostgreSQL locks the row; SQLite's transactions are IMMEDIATE and wait for each other.
    """
    return _sections_for_update().get(pk=section.pk)


def lock_alone(section: Section) -> Section:
    """Return the section's current row, locked, with the session and club that it was found with.

    It is meant for frequent requests that do not need the movement.
    """
    locked = Section.objects.select_for_update().get(pk=section.pk)
    locked.session = section.session
    return locked


def lock_session(section: Section) -> tuple[Section, list[Section]]:
    """Return the section, and all of its session in the order of their keys, locked in that order.

    All callers must lock several sections in this order, or two of them could deadlock.
    """
    session = Section.objects.filter(pk=section.pk).values("session")
    sections = list(_sections_for_update().filter(session__in=session).order_by("pk"))
    return next(
        session_section for session_section in sections if session_section.pk == section.pk
    ), sections


def lock_movement(section: Section) -> Section:
    """Return the section, locked to change its movement, and lock its session in the common order.

    A change of the movement counts in the sections that may borrow boards from this one (`display_refresh.py`). With
    this section locked alone, two such changes would wait for each other.
    """
    return lock_session(section)[0]


def lock_later(section: Section) -> list[Section]:
    """Return the session's sections that follow a locked one, locked too."""
    return list(
        _sections_for_update().filter(session=section.session_id, pk__gt=section.pk).order_by("pk")
    )


def _sections_for_update() -> QuerySet[Section]:
    """Return the queryset of sections that locks its rows."""
    return Section.objects.select_for_update(of=("self",)).select_related(
        "session__event__club", "movement"
    )

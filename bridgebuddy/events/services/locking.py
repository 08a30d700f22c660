"""Locks, so that decisions are based on data that no other process is changing."""

from django.db.models import QuerySet

from ..models import Section


def lock_section(section: Section) -> Section:
    """Return a section read anew, with its row locked until the transaction ends.

    PostgreSQL locks the row; SQLite's transactions are IMMEDIATE and wait for each other.
    """
    return _sections_for_update().get(pk=section.pk)


def lock_with_cached_session(section: Section) -> Section:
    """Return a section read anew and locked, with session and club kept from before to save queries.

    It is meant for frequent requests that do not need the movement.
    """
    locked = Section.objects.select_for_update().get(pk=section.pk)
    locked.session = section.session
    return locked


def lock_session(section: Section) -> tuple[Section, list[Section]]:
    """Lock all sections of a section's session in the order of keys. Return the section and all of them.

    All callers must lock several sections in this order, or two of them could deadlock.
    """
    session = Section.objects.filter(pk=section.pk).values("session")
    sections = list(_sections_for_update().filter(session__in=session).order_by("pk"))
    return next(
        session_section for session_section in sections if session_section.pk == section.pk
    ), sections


def lock_movement(section: Section) -> Section:
    """Lock a section to change its movement, with its whole session where boards are lent.

    A change of the movement counts in the sections that may borrow boards from this one (`display_refresh.py`). With
    this section locked alone, two such changes would wait for each other.
    """
    return lock_session(section)[0]


def lock_following_sections(section: Section) -> list[Section]:
    """Lock the sections of the session that follow a locked section, and return them."""
    return list(
        _sections_for_update().filter(session=section.session_id, pk__gt=section.pk).order_by("pk")
    )


def _sections_for_update() -> QuerySet[Section]:
    """Return the queryset of sections that locks the rows it reads."""
    return Section.objects.select_for_update(of=("self",)).select_related(
        "session__event__club", "movement"
    )

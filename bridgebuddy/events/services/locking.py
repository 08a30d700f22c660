"""Deciding only on what nobody else is changing."""

from django.db.models import QuerySet

from ..models import Section


def lock(section: Section) -> Section:
    """Return the section as it is now, locked until the transaction ends.

    PostgreSQL locks the row; SQLite's transactions are IMMEDIATE and wait for each other.
    """
    return _locking().get(pk=section.pk)


def lock_alone(section: Section) -> Section:
    """Return the section as it is now, locked; its session and club are those with which it was found.

    For what comes often, and asks nothing of the movement.
    """
    locked = Section.objects.select_for_update().get(pk=section.pk)
    locked.session = section.session
    return locked


def lock_session(section: Section) -> tuple[Section, list[Section]]:
    """Return the section, and all of its session in the order of their keys, locked in that order.

    Whoever locks several does it so, or two who want the same ones would wait for each other.
    """
    session = Section.objects.filter(pk=section.pk).values("session")
    found = list(_locking().filter(session__in=session).order_by("pk"))
    return next(section_row for section_row in found if section_row.pk == section.pk), found


def lock_later(section: Section) -> list[Section]:
    """Return the sections of its session that come after a locked one, locked too."""
    return list(_locking().filter(session=section.session_id, pk__gt=section.pk).order_by("pk"))


def _locking() -> QuerySet[Section]:
    return Section.objects.select_for_update(of=("self",)).select_related(
        "session__event__club", "movement"
    )

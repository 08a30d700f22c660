"""Deleting sessions: at once, restorable for a day, and then purged."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Person, User, searchable
from bridgebuddy.events.errors import AlreadyPurged, NameRequired
from bridgebuddy.events.models import (
    EntryPerson,
    Event,
    Import,
    PastPlayer,
    Play,
    Section,
    SectionMovement,
    Session,
)

from ..display_refresh import refresh_sections
from ..locking import lock_session
from ..recording import record_visible_change
from ..stored_movements import delete_unused_movements

#: sessions forgotten at a time during a request
AT_A_TIME = 20
#: rows outside of sessions that keep a person on the roster: the model, and the field of the person
PLACES_ELSEWHERE: list[tuple[type[Model], str]] = []
#: recorded actions of a session that name no players
WITHOUT_PEOPLE = (
    *("section.open", "section.copy", "section.rehearse", "section.delete"),
    *("section.bring_back", "section.change"),
)


@transaction.atomic
def delete_session(section: Section, *, name: str = "", by: User) -> Section:
    """Delete a section's session: its pages disappear at once, and it can be restored for a day.

    Raises `NameRequired` for a played session unless its name is given. A rehearsal needs no name.
    """
    section, sections = lock_session(section)
    session = section.session
    is_played = any(section.is_started for section in sections) and not session.is_rehearsal
    if is_played and searchable(name) != searchable(session.event.name):
        raise NameRequired(name=session.event.name)
    if session.deleted_at is None:
        _set_deleted(section, timezone.now())
        record_visible_change(section, "section.delete", by=by, **_session_facts(session))
    return section


@transaction.atomic
def restore_session(section: Section, *, by: User) -> Section:
    """Restore a deleted session. Raises `AlreadyPurged` if its time is over."""
    section, _sections = lock_session(section)
    session = section.session
    if session.deleted_at is not None:
        if session.kept_until and session.kept_until <= timezone.now():
            raise AlreadyPurged()
        _set_deleted(section, None)
        record_visible_change(section, "section.bring_back", by=by, **_session_facts(session))
    return section


def _set_deleted(section: Section, at: object) -> None:
    """Set or clear a session's time of deletion, and refresh the pages of all its sections."""
    Session.objects.filter(pk=section.session_id).update(deleted_at=at)
    refresh_sections(Section.objects.filter(session=section.session_id).exclude(pk=section.pk))


def _session_facts(session: Session) -> dict[str, str]:
    """Return a session's name and date for the audit record."""
    return {"name": session.event.name, "date": session.date.isoformat()}


def has_expired_data() -> bool:
    """Return whether deleted sessions, rehearsals or imports are due to be purged. One indexed query."""
    never_taken = _unconfirmed_imports().order_by().values("pk")
    return _expired_sessions().order_by().values("pk").union(never_taken).exists()


def purge_expired_sessions(maximum: int | None = AT_A_TIME) -> int:
    """Delete for good sessions that were deleted a day ago, and expired rehearsals. Return how many.

    People that were entered only in a rehearsal are deleted with it, as are audit records that name people. The
    records of the session and of its deletion stay.
    """
    _unconfirmed_imports().delete()
    keys = list(_expired_sessions().order_by("pk").values_list("pk", flat=True)[:maximum])
    return sum(_purge_session(key) for key in keys)


def _expired_sessions() -> QuerySet[Session]:
    """Return the sessions that are due to be deleted for good."""
    now = timezone.now()
    is_over = Q(deleted_at__lte=now - Session.KEPT_FOR) | Q(rehearsal_until__lte=now)
    return Session.objects.filter(is_over)


def _unconfirmed_imports() -> QuerySet[Import]:
    """Return the imports that nobody confirmed within a day."""
    return Import.objects.filter(taken_at=None, at__lte=timezone.now() - Import.KEPT_FOR)


@transaction.atomic
def _purge_session(key: int) -> bool:
    """Delete all data of a session for good; return False if it was restored or another process does so."""
    session = _expired_sessions().select_for_update(skip_locked=True).filter(pk=key).first()
    if session is None:
        return False
    sections = list(Section.objects.filter(session=session).values_list("pk", flat=True))
    movements = movements_of_sections(sections)
    guests = _guests_of_rehearsal(session, sections)
    add_record("session.forget", session, by=None, **_session_facts(session))
    records = AuditRecord.objects.filter(subject="section", subject_id__in=sections)
    records.exclude(action__in=WITHOUT_PEOPLE).delete()
    session.delete()
    guests.delete()
    Event.objects.filter(pk=session.event_id, sessions=None).delete()
    delete_unused_movements(movements)
    return True


def movements_of_sections(sections: Iterable[int]) -> set[int]:
    """Return the keys of the stored movements that these sections use or have used."""
    now = Section.objects.filter(pk__in=sections).values_list("movement", "unswitched")
    had = SectionMovement.objects.filter(section__in=sections)
    pairs = [*now, *had.values_list("movement", "unswitched")]
    return {key for pair in pairs for key in pair if key is not None}


def _guests_of_rehearsal(session: Session, sections: Iterable[int]) -> QuerySet[Person]:
    """Return the people who were added for a rehearsal only; evaluate the query after its deletion."""
    if session.newest_person is None:
        return Person.objects.none()
    links = EntryPerson.objects.filter(section__in=sections).values_list("person", "plays_for")
    keys = {key for link in links for key in link if key and key > session.newest_person}
    places: tuple[tuple[type[Model], *tuple[str, ...]], ...] = (
        (EntryPerson, "person", "plays_for"),
        (Play, "north", "south", "east", "west"),
        (PastPlayer, "person"),
        *PLACES_ELSEWHERE,
    )
    elsewhere = [
        Exists(model._base_manager.filter(**{place: OuterRef("pk")}))
        for model, *named in places
        for place in named
    ]
    return Person.objects.filter(*(~condition for condition in elsewhere), pk__in=keys)

"""A director says as whom they play, and looks at a board before they have played it."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import NotEntered
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock
from bridgebuddy.table_phones.models import PlayingDirector


@transaction.atomic
def play_as(section: Section, entry: int | None, *, by: User) -> None:
    """Note as whom of a section (by the entry's key) a director plays; None: as nobody.

    Raises `NotEntered` where the section has no such entry.
    """
    section = lock(section)
    found = section.entries.filter(pk=entry).first() if entry is not None else None
    if entry is not None and found is None:
        raise NotEntered()
    known = PlayingDirector.objects.filter(section__session=section.session_id, user=by)
    if found is not None and known.filter(entry=found).exists():
        return
    if not known.delete()[0] and found is None:
        return
    if found is not None:
        PlayingDirector.objects.create(section=section, user=by, entry=found)
    record("tables.plays" if found else "tables.plays_not", section, by=by)


@transaction.atomic
def look_early(section: Section, board: int, *, by: User) -> None:
    """Show a director a board they have still to play; it is recorded. Who plays nothing sees it anyway."""
    section = lock(section)
    known = PlayingDirector.objects.filter(section__session=section.session_id, user=by).first()
    if known is None or board in known.early:
        return
    known.early = [*known.early, board]
    known.save(update_fields=["early"])
    record("tables.early", section, by=by, board=board)

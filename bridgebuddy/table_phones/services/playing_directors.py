"""A director's own entry, and early looks at boards they have still to play."""

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
    """Store the entry (by key) as which a director plays in a session; None: not at all.

    Raises `NotEntered` if the section has no such entry.
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
    """Show a director a board they have still to play, and record it.

    Directors who do not play see it anyway.
    """
    section = lock(section)
    known = PlayingDirector.objects.filter(section__session=section.session_id, user=by).first()
    if known is None or board in known.early:
        return
    known.early = [*known.early, board]
    known.save(update_fields=["early"])
    record("tables.early", section, by=by, board=board)

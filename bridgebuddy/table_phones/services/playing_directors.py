"""A director's own entry, and early looks at boards they have still to play."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import NotEntered
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_section
from bridgebuddy.table_phones.models import PlayingDirector


@transaction.atomic
def store_playing_entry(section: Section, entry: int | None, *, by: User) -> None:
    """Store as which entry a director plays in a session; None means that the director does not play.

    Raises `NotEntered` if the section has no such entry.
    """
    section = lock_section(section)
    chosen_entry = section.entries.filter(pk=entry).first() if entry is not None else None
    if entry is not None and chosen_entry is None:
        raise NotEntered()
    playing = PlayingDirector.objects.filter(section__session=section.session_id, user=by)
    if chosen_entry is not None and playing.filter(entry=chosen_entry).exists():
        return
    if not playing.delete()[0] and chosen_entry is None:
        return
    if chosen_entry is not None:
        PlayingDirector.objects.create(section=section, user=by, entry=chosen_entry)
    add_record("tables.plays" if chosen_entry else "tables.plays_not", section, by=by)


@transaction.atomic
def record_early_look(section: Section, board: int, *, by: User) -> None:
    """Record that a playing director looks at a board before playing it, and allow it.

    Directors who do not play see it anyway.
    """
    section = lock_section(section)
    playing = PlayingDirector.objects.filter(section__session=section.session_id, user=by).first()
    if playing is None or board in playing.early:
        return
    playing.early = [*playing.early, board]
    playing.save(update_fields=["early"])
    add_record("tables.early", section, by=by, board=board)

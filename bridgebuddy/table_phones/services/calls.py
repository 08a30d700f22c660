"""Calls for the director, their acceptance, and the activity of tables."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_section
from bridgebuddy.scoring.services.recording import note_results
from bridgebuddy.table_phones.models import DirectorCall, TableLastSeen

#: a phone asks every few seconds; activity is stored no more often than this
HEARD_EVERY = timedelta(seconds=45)


@transaction.atomic
def call_director(
    section: Section,
    table: int,
    *,
    why: str = DirectorCall.Why.CALL,
    board: int | None = None,
    entry: int | None = None,
) -> DirectorCall:
    """Store a table's call for the director; a repeated call updates the reason."""
    section = lock_section(section)
    values = {"round": section.round, "why": why, "board": board, "who_id": entry or None}
    open_call = DirectorCall.objects.filter(section=section, table=table, taken_at=None).first()
    if open_call is not None and all(
        getattr(open_call, name) == value for name, value in values.items()
    ):
        return open_call
    if open_call is None:
        open_call = DirectorCall(section=section, table=table)
    for name, value in values.items():
        setattr(open_call, name, value)
    open_call.save()
    note_results(section, by=None)
    return open_call


@transaction.atomic
def create_call_for_table(section: Section, table: int, why: str) -> None:
    """Create a call for the director about a problem at a table that did not call itself."""
    section = lock_section(section)
    if not DirectorCall.objects.filter(section=section, table=table, taken_at=None).exists():
        DirectorCall.objects.create(section=section, table=table, round=section.round, why=why)
        note_results(section, by=None)


@transaction.atomic
def accept_call(section: Section, key: int, *, by: User | None) -> None:
    """Record that the signed-in director takes a table's call for the director, unless another one has taken it."""
    matching = DirectorCall.objects.filter(
        pk=key, section__session=section.session_id, taken_at=None
    )
    call = matching.select_related("section").first()
    if call is None:
        return
    section = lock_section(call.section)
    if matching.update(taken_at=timezone.now(), by=by):
        note_results(section, by=by)


@transaction.atomic
def withdraw_call(section: Section, table: int) -> None:
    """Withdraw a table's call for the director."""
    section = lock_section(section)
    theirs = DirectorCall.objects.filter(section=section, table=table, taken_at=None)
    if theirs.exclude(why=DirectorCall.Why.DIGITS).delete()[0]:
        note_results(section, by=None)


def record_phone_activity(section: int, table: int) -> None:
    """Store the time of a table's last phone activity; `section` is a primary key."""
    now = timezone.now()
    heard = TableLastSeen.objects.filter(section=section, table=table)
    if heard.filter(at__gt=now - HEARD_EVERY).exists():
        return
    if not heard.update(at=now):
        TableLastSeen.objects.get_or_create(section_id=section, table=table, defaults={"at": now})

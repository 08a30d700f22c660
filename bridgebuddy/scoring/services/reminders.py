"""Reminders to a slow table, or about a doubtful result: both pairs' phones show them during the round."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import RoundMovedOn
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_section

from ..errors import NoPlay
from ..models import TableReminder


@transaction.atomic
def store_reminder(
    section: Section, round: int, table: int, *, board: int = 0, by: User | None
) -> TableReminder:
    """Show a reminder on a table's phones in the current round, perhaps about a board; repeating it updates the time.

    Raises `RoundMovedOn` if another round is current, and `NoPlay` if the table has no play.
    """
    section = lock_section(section)
    if not section.is_running or section.round != round:
        raise RoundMovedOn(expected=round, actual=section.round)
    plays = section.plays.filter(round=round, table=table, taken_back_at=None)
    plays = plays.filter(board=board) if board else plays
    if not plays.exclude(ns=None).exclude(ew=None).exists():
        raise NoPlay()
    reminder, _ = TableReminder.objects.update_or_create(
        section=section,
        round=round,
        table=table,
        defaults={"at": timezone.now(), "by": by, "board": board},
    )
    section.touch()
    return reminder

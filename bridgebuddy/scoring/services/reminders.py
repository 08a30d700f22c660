"""A word to a table that is slow, or whose result is doubtful: both pairs' phones show it while the round is played."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import RoundMovedOn
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock

from ..errors import NoPlay
from ..models import Reminder


@transaction.atomic
def remind(
    section: Section, round: int, table: int, *, board: int = 0, by: User | None
) -> Reminder:
    """Remind a table of the round being played, or ask it about a board; asked again it is told when.

    Raises `RoundMovedOn` where another round is played by now, `NoPlay` where nobody plays at the table.
    """
    section = lock(section)
    if not section.is_running or section.round != round:
        raise RoundMovedOn(expected=round, actual=section.round)
    plays = section.plays.filter(round=round, table=table, taken_back_at=None)
    plays = plays.filter(board=board) if board else plays
    if not plays.exclude(ns=None).exclude(ew=None).exists():
        raise NoPlay()
    reminder, _ = Reminder.objects.update_or_create(
        section=section,
        round=round,
        table=table,
        defaults={"at": timezone.now(), "by": by, "board": board},
    )
    section.touch()
    return reminder

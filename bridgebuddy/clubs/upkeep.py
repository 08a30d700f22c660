"""What is done for a whole server by night, and when that was last."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import DatabaseError, connection, transaction
from django.db.models import Min
from django.utils import timezone

from .models import Upkeep, User

Chore = Upkeep.What
#: a night may be missed: the box was off
OVERDUE = timedelta(days=2)
log = logging.getLogger(__name__)


def done(what: Chore) -> None:
    """Write down that something has been done; where that cannot be written, it has been done all the same."""
    try:
        with transaction.atomic():
            Upkeep.objects.update_or_create(what=what, defaults={"at": timezone.now()})
    except DatabaseError:
        log.exception("It is not written down that this was done: %s", what)


def last_done() -> dict[Chore, datetime | None]:
    """Return when everything was last done, None where never. One query."""
    found = dict(Upkeep.objects.values_list("what", "at"))
    return {what: found.get(what) for what in Chore}


def unsaved_since() -> datetime | None:
    """Return since when nothing is backed up, where a club has to be told: of its own box nobody else takes care."""
    if connection.vendor != "sqlite":
        return None
    since = last_done()[Chore.BACKUP] or User.objects.aggregate(first=Min("date_joined"))["first"]
    return since if since and timezone.now() - since > OVERDUE else None

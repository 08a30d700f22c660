"""Adding to the records."""

from django.db import models

from bridgebuddy.clubs.models import User
from bridgebuddy.clubs.names import as_written

from .models import Record


def record(
    action: str, subject: models.Model, *, by: User | None, reason: str = "", **facts: object
) -> Record:
    """Write down that somebody (`by`: a user, or None for the program itself) did something.

    Call it inside the transaction of the change, so that both stand or neither does.
    """
    return Record.objects.create(
        action=action,
        subject=subject._meta.model_name or "",
        subject_id=subject.pk,
        by=by,
        reason=as_written(reason),
        facts=facts,
    )

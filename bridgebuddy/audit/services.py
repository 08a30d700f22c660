"""Adding audit records."""

from django.db import models

from bridgebuddy.clubs.models import User
from bridgebuddy.clubs.people.names import clean_text

from .models import AuditRecord


def add_record(
    action: str, subject: models.Model, *, by: User | None, reason: str = "", **facts: object
) -> AuditRecord:
    """Record that the user `by` (None: the program itself) did `action` with `subject`, such as a section or a club.

    Call it inside the transaction of the change, so that both are stored or neither.
    """
    return AuditRecord.objects.create(
        action=action,
        subject=subject._meta.model_name or "",
        subject_id=subject.pk,
        by=by,
        reason=clean_text(reason),
        facts=facts,
    )

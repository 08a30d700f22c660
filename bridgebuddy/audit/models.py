"""The audit record: actions with their user, time and reason."""

from django.conf import settings
from django.db import models


class AuditRecord(models.Model):
    """One recorded action of a user or of the program. Records are never changed."""

    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="records"
    )
    action = models.CharField(max_length=40)  # "section.next_round"
    subject = models.CharField(max_length=40)  # "section"
    subject_id = models.BigIntegerField()
    reason = models.CharField(max_length=200, blank=True)
    facts = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["subject", "subject_id", "-id"], name="by_subject")]

    def __str__(self) -> str:
        return f"{self.at:%H:%M} {self.action} {self.subject_id}"

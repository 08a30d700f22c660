"""The waiting jobs and those given up. A finished job is deleted."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Job(models.Model):
    """A background job with its kind and key. The key names database rows by numbers, never a person by name."""

    kind = models.CharField(max_length=32)
    key = models.CharField(max_length=120, blank=True)
    due_at = models.DateTimeField(default=timezone.now)
    #: increased with each request, so that a request during the work starts it again
    asked = models.PositiveIntegerField(default=1)
    tries = models.PositiveSmallIntegerField(default=0)
    #: until then it is taken; afterwards it is free again
    taken_until = models.DateTimeField(null=True, blank=True)
    trouble = models.CharField(max_length=200, blank=True)
    given_up_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["due_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "key"], name="one_job_of_a_kind_and_key")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}".strip()

"""What a club has prepared."""

from __future__ import annotations

from typing import Any

from django.db import models

from bridgebuddy.clubs.models import Club


class ClubChart(models.Model):
    """What a club plays with so many pairs: the lines of its chart, as its file has them."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="chart")
    lines: models.JSONField[Any, Any] = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"the chart of {self.club}"

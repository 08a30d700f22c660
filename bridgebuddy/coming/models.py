"""What a club has prepared."""

from __future__ import annotations

from typing import Any

from django.db import models

from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.events.models import Session


class ClubChart(models.Model):
    """What a club plays with so many pairs: the lines of its chart, as its file has them."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="chart")
    lines: models.JSONField[Any, Any] = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"the chart of {self.club}"


class Planned(models.Model):
    """What is said beforehand of a session: who directs it, who plays with whoever comes alone, and the price."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="planned")
    directs = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    host = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    price = models.CharField(max_length=40, blank=True)

    def __str__(self) -> str:
        return f"what is said of {self.session}"

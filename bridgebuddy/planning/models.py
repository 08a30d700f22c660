"""Plans of a club: its chart, its equipment, and the plan of each session to come.

The tables belong to the migrations of the app label `coming`, as they did before this package existed.
"""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.events.models import Session
from bridgebuddy.planning.rules.equipment import sets_of


class ClubChart(models.Model):
    """The movement chart of a club: its lines, as in its file."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="chart")
    lines: models.JSONField[Any, Any] = models.JSONField(default=list)

    class Meta:
        app_label = "coming"

    def __str__(self) -> str:
        return f"the chart of {self.club}"


class Equipment(models.Model):
    """The equipment of a club; None means unknown and sets no limit."""

    LIMITS = (MinValueValidator(1), MaxValueValidator(200))

    club = models.OneToOneField(Club, models.CASCADE, related_name="owned")
    #: by colour, as typed: "2 red, blue"
    board_sets = models.CharField(max_length=120, blank=True, default="")
    tables = models.PositiveSmallIntegerField(null=True, blank=True, validators=LIMITS)
    #: the number of tables that have them
    boxes = models.PositiveSmallIntegerField(null=True, blank=True, validators=LIMITS)
    terminals = models.PositiveSmallIntegerField(null=True, blank=True, validators=LIMITS)

    class Meta:
        app_label = "coming"

    def __str__(self) -> str:
        return f"what {self.club} owns"

    @property
    def sets(self) -> tuple[tuple[str, int], ...]:
        """Return the colours of the board sets with their numbers."""
        try:
            return sets_of(self.board_sets)
        except ValueError:
            return ()

    @property
    def copies(self) -> int:
        """Return the number of board sets; 0 if unknown."""
        return sum(count for _colour, count in self.sets)


class SessionPlan(models.Model):
    """The plan of a session: its director, the host for single players, and the price."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="planned")
    directs = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    host = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    price = models.CharField(max_length=40, blank=True)

    class Meta:
        app_label = "coming"

    def __str__(self) -> str:
        return f"what is said of {self.session}"

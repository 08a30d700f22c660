"""Plans of a club: its chart, its equipment, and the plan of each session to come.

The tables belong to the migrations of the app label `coming`, as they did before this package existed.
"""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.events.models import Event, Session
from bridgebuddy.planning.rules.equipment import parse_board_sets


class ClubChart(models.Model):
    """A club's movement chart: the movement that it plays for each number of pairs, as JSON."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="chart")
    lines: models.JSONField[Any, Any] = models.JSONField(default=list)

    class Meta:
        app_label = "coming"

    def __str__(self) -> str:
        return f"the chart of {self.club}"


class Equipment(models.Model):
    """A club's equipment: tables, board sets, bidding boxes. None means unknown and sets no limit."""

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
        """Return the board sets as tuples of colour and number of sets."""
        try:
            return parse_board_sets(self.board_sets)
        except ValueError:
            return ()

    @property
    def copy_count(self) -> int:
        """Return the total number of board sets, of all colours; 0 if unknown."""
        return sum(count for _colour, count in self.sets)


class Series(models.Model):
    """Sessions of one event that repeat on certain weekdays, with their common settings."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="series")
    #: the days of the week, as ISO numbers: "2" for Tuesday, "24" for Tuesday and Thursday
    days = models.CharField(max_length=7)
    starts_at = models.TimeField()
    until = models.DateField()
    has_registration = models.BooleanField(default=True)
    #: the most pairs; None: no limit
    most = models.PositiveSmallIntegerField(null=True, blank=True)
    #: days from the opening of registration to the session; None: open from the beginning
    opens_before = models.PositiveSmallIntegerField(null=True, blank=True)
    directs = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    price = models.CharField(max_length=40, blank=True)
    #: the scale of masterpoints of its sessions; empty: none
    masterpoints = models.CharField(max_length=24, blank=True)

    class Meta:
        app_label = "coming"

    def __str__(self) -> str:
        return f"{self.event.name}, days {self.days}"


class SeriesHost(models.Model):
    """A host of a series, who plays with single players; hosts take turns in the order of `position`."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="hosts")
    person = models.ForeignKey(Person, models.CASCADE, related_name="+")
    position = models.PositiveSmallIntegerField()

    class Meta:
        app_label = "coming"
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["series", "person"], name="one_turn_a_host")]

    def __str__(self) -> str:
        return f"{self.person} in {self.series}"


class SessionPlan(models.Model):
    """The plan of a session to come: its director, the host for single players, and the price as text."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="planned")
    directs = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    host = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    price = models.CharField(max_length=40, blank=True)
    series = models.ForeignKey(Series, models.SET_NULL, null=True, blank=True, related_name="plans")

    class Meta:
        app_label = "coming"

    def __str__(self) -> str:
        return f"what is said of {self.session}"

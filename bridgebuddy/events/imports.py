"""Sessions scored by another program: their final lists from its files, and the imports they came with.

Such a session has no sections. So no page about playing or scoring ever meets it.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import models
from django.utils.formats import number_format

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.people.names import joined_names
from bridgebuddy.clubs.people.public_names import text_with_public_names


class Import(models.Model):
    """A set of files from another program that are imported together; until confirmed, `read` holds their content."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="imports")
    at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True, editable=False)
    #: content of the files, see `publication/imports/drafts.py`; empty once it is taken over
    read: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    #: keys of people whom it brought onto the roster
    brought_people = models.JSONField(default=list, blank=True, editable=False)

    KEPT_FOR = timedelta(days=1)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"import of {self.club_id}, {self.at:%Y-%m-%d}"


class PastSession(models.Model):
    """The imported file behind a session that another program scored."""

    session = models.OneToOneField("events.Session", models.CASCADE, related_name="past")
    brought = models.ForeignKey(Import, models.CASCADE, related_name="past_sessions")
    file = models.CharField(max_length=120)
    #: hash of the file, to detect the same one again
    digest = models.CharField(max_length=64, db_index=True)
    format = models.CharField(max_length=12)
    program = models.CharField(max_length=80, blank=True)
    #: identifier of the event in the file, the same before and after a correction
    identifier = models.CharField(max_length=80, blank=True, default="")
    contest = models.CharField(max_length=10, default="pairs")
    #: unit of totals: "mp", "imp", "vp"; empty if the file does not give it
    unit = models.CharField(max_length=3, blank=True)

    def __str__(self) -> str:
        return f"{self.session_id} from {self.file}"


class PastLine(models.Model):
    """A contestant's row in the ranking list of a session that another program scored, with the file's numbers."""

    past = models.ForeignKey(PastSession, models.CASCADE, related_name="lines")
    number = models.PositiveSmallIntegerField()  # from the top of the first list on
    field = models.CharField(max_length=2, blank=True)  # NS, EW, or empty: all in one list
    section = models.CharField(max_length=12, blank=True)
    place = models.PositiveSmallIntegerField(null=True)
    label = models.CharField(max_length=12, blank=True)
    team = models.CharField(max_length=80, blank=True)
    total = models.CharField(max_length=16, blank=True)
    percent = models.CharField(max_length=16, blank=True)
    masterpoints = models.CharField(max_length=16, blank=True)
    boards = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ["past", "number"]

    def __str__(self) -> str:
        return f"{self.place} of {self.past_id}"

    @property
    def names(self) -> str:
        """Return the names of the row's people, or of its team without the parts that people have hidden."""
        people = [player.person for player in self.past_players.all()]
        if self.team:
            return text_with_public_names(self.team, people)
        return joined_names([person.name for person in people]) or self.label

    @property
    def figure(self) -> tuple[str, str]:
        """Return the contestant's score and its kind: the percentage if the file has one, otherwise the total."""
        return (self.percent, "percent") if self.percent else (self.total, "total")

    @property
    def value_text(self) -> str:
        """Return the contestant's score in the number format of the reader's language."""
        return figure_text(*self.figure)


def figure_text(value: str, unit: str) -> str:
    """Format a score of the kind "percent" or "total" in the reader's language, with the decimals it has."""
    if not value:
        return ""
    written = number_format(Decimal(value), len(value.partition(".")[2]))
    return f"{written} %" if unit == "percent" else written


class PastPlayer(models.Model):
    """A person in a ranking row of an imported session. The name comes from the roster, so that corrections apply."""

    line = models.ForeignKey(PastLine, models.CASCADE, related_name="past_players")
    person = models.ForeignKey(Person, models.PROTECT, related_name="past_players")
    position = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["line", "position"]
        constraints = [
            models.UniqueConstraint(fields=["line", "person"], name="once_in_a_past_line")
        ]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.line_id}"

"""Registrations for sessions: answers of players, blocked requests, and names that wait for a director."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import MOST_PAIRS, Session

LONGEST_NAME = Person.NAME_LENGTH


class Beforehand(models.Model):
    """That players say of a session beforehand whether they come; off until it is switched on."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="beforehand")
    is_on = models.BooleanField(default=False)
    #: as many pairs as there is room for; who says so later waits. None: for all
    most = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_PAIRS)]
    )

    def __str__(self) -> str:
        return f"who comes to {self.session}"


class Answer(models.Model):
    """What somebody has said of a session: of each person one answer, so that nobody is there twice.

    Two are a pair where each has named the other. Who is named by somebody and has not answered is asked; who was
    named and says something else leaves the other `ALONE`, with the name kept so that it can be said who it was.
    """

    class Says(models.TextChoices):
        COMES = "comes", "comes"
        LOOKS = "looks", "looks for a partner"
        ALONE = "alone", "has no partner any more"
        NOT = "not", "does not come"

    session = models.ForeignKey(Session, models.CASCADE, related_name="answers")
    person = models.ForeignKey(Person, models.CASCADE, related_name="answers")
    says = models.CharField(max_length=5, choices=Says.choices)
    partner = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    #: when it was said: by it goes the waiting list
    since = models.DateTimeField()
    #: when they came through the door
    here_at = models.DateTimeField(null=True, blank=True)
    #: when they expect to be there, as who comes late has said; it stays for who came after round 1 had begun
    late_at = models.DateTimeField(null=True, blank=True)
    #: the partner who was told by e-mail that they are asked
    mailed_to = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    #: the day of which they were reminded by e-mail: of a session that is moved they are again
    reminded_of = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "person"], name="one_answer_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.person_id} of {self.session_id}: {self.says}"


class NotAsked(models.Model):
    """That somebody wants to read no questions of another any more, or has told the club of them.

    The other one never learns of it: who asks has no answer, as from anybody who gives none.
    """

    person = models.ForeignKey(Person, models.CASCADE, related_name="not_asked")
    asks = models.ForeignKey(Person, models.CASCADE, related_name="+")
    is_on = models.BooleanField(default=True)
    since = models.DateTimeField()
    #: when the club was told; None again once a director has seen to it
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "asks"], name="one_not_asked")]

    def __str__(self) -> str:
        return f"{self.person_id} is not asked by {self.asks_id}"


class TypedName(models.Model):
    """Names that wait for a director: of a stranger, or a partner whom the roster does not know.

    `by` is whose own page it was; without a partner's name somebody looks for one.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="typed_names")
    by = models.ForeignKey(Person, models.CASCADE, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=LONGEST_NAME)
    partner = models.CharField(max_length=LONGEST_NAME, blank=True)
    since = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "by"], name="one_typed_name_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.session_id}"

"""Registrations for sessions: answers of players, blocked requests, and names that wait for a director."""

from __future__ import annotations

from datetime import date

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import MOST_PAIRS, Session

LONGEST_NAME = Person.NAME_LENGTH
LONGEST_CONTACT = 60


class RegistrationSettings(models.Model):
    """The settings of a session's registration: off by default, the limit of pairs, the first day."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="beforehand")
    is_on = models.BooleanField(default=False)
    #: the most pairs; later ones wait. None: no limit
    most = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_PAIRS)]
    )
    #: the first day on which players can register. None: from the beginning
    opens_on = models.DateField(null=True, blank=True)

    def __str__(self) -> str:
        return f"who comes to {self.session}"

    def is_open_on(self, day: date) -> bool:
        """Return whether registration is turned on and its first day has come by `day`."""
        return self.is_on and (self.opens_on is None or self.opens_on <= day)

    @property
    def is_open_today(self) -> bool:
        """Return whether registration is turned on and its first day has come."""
        return self.is_open_on(self.session.event.club.today)

    @property
    def future_opening_day(self) -> date | None:
        """Return the day on which registration opens if it is still to come, else None."""
        return self.opens_on if self.is_on and not self.is_open_today else None


class Registration(models.Model):
    """A person's answer for a session: comes (with a partner), looks for a partner, or does not come.

    Two people are a pair if each has named the other. A named person without an answer is asked. If
    a named person answers otherwise, the other becomes `ALONE`, and keeps the partner's name for
    display.
    """

    class AnswerKind(models.TextChoices):
        """The kinds of answer to a session: comes, looks for a partner, has lost the partner, does not come."""

        COMES = "comes", "comes"
        LOOKS = "looks", "looks for a partner"
        ALONE = "alone", "has no partner any more"
        NOT = "not", "does not come"

    session = models.ForeignKey(Session, models.CASCADE, related_name="answers")
    person = models.ForeignKey(Person, models.CASCADE, related_name="answers")
    says = models.CharField(max_length=5, choices=AnswerKind.choices)
    partner = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    #: telephone or e-mail of a person who looks, as they typed it for others who look; else empty
    contact = models.CharField(max_length=LONGEST_CONTACT, blank=True, default="")
    #: the time of the answer, which orders the waiting list
    since = models.DateTimeField()
    #: the time of arrival
    here_at = models.DateTimeField(null=True, blank=True)
    #: the announced time of a late arrival; kept after an arrival during the session
    late_at = models.DateTimeField(null=True, blank=True)
    #: the partner who was told of the request by e-mail
    mailed_to = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    #: the date in the last reminder; a session that is moved is announced again
    reminded_of = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "person"], name="one_answer_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.person_id} of {self.session_id}: {self.says}"


class BlockedRequest(models.Model):
    """A block of partner requests: `person` gets none from the person in `asks`, who is perhaps also reported.

    The other person is not told: they get no answer, as from anyone who does not answer.
    """

    person = models.ForeignKey(Person, models.CASCADE, related_name="not_asked")
    asks = models.ForeignKey(Person, models.CASCADE, related_name="+")
    is_on = models.BooleanField(default=True)
    since = models.DateTimeField()
    #: when the club was told; None again when a director has dealt with it
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "asks"], name="one_not_asked")]

    def __str__(self) -> str:
        return f"{self.person_id} is not asked by {self.asks_id}"


class UnconfirmedName(models.Model):
    """Typed names that a director must confirm: of a visitor, or of a partner who is not on the roster.

    `by` is the owner of the own page used; without a partner's name the person looks for one.
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

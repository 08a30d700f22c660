"""Models of phones at tables: permissions, claims of both sides, calls and phones."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from bridgebuddy.events.models import Entry, Play, Section, Session

KEY_LENGTH = 40  # of a phone's key for a form


class EntryMode(models.TextChoices):
    """The choices of which phones may enter results: with the table's secret, any, or none."""

    SECRET = "secret", _("Phones that have scanned the table’s card")
    ANY = "any", _("Any phone that has the session’s code")
    NONE = "none", _("No phones: results come on slips")


class ResultAgreement(models.TextChoices):
    """The choices of how the other side of the table confirms a result."""

    ACCEPT = "accept", _("The other side says yes")
    DOUBLE = "double", _("Both sides enter it")
    NONE = "none", _("Nobody checks")


class FeedbackLevel(models.TextChoices):
    """The choices of what a table sees of other tables' results after an agreed board."""

    NOTHING = "none", _("Nothing")
    PERCENT = "percent", _("Their own result")
    TRAVELLER = "traveller", _("Their own result and all others")


class PhoneSettings(models.Model):
    """The settings of result entry by phones in a session; without a row, the club's last choice applies."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="phones")
    mode = models.CharField(max_length=8, choices=EntryMode.choices, default=EntryMode.NONE)
    agreement = models.CharField(
        max_length=8, choices=ResultAgreement.choices, default=ResultAgreement.ACCEPT
    )
    feedback = models.CharField(
        max_length=10, choices=FeedbackLevel.choices, default=FeedbackLevel.TRAVELLER
    )
    asks_lead = models.BooleanField(default=False)
    #: whether slips are written besides entry on phones
    slips_too = models.BooleanField(default=False)
    #: the version of the tables' secrets: a new one invalidates old cards and digits
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name_plural = "phones"

    def __str__(self) -> str:
        return f"phones of {self.session_id}"

    @property
    def may_enter(self) -> bool:
        """Return whether phones may enter results in this session."""
        return self.mode != EntryMode.NONE

    @property
    def need_secret(self) -> bool:
        """Return whether a phone needs the table's secret (in its QR code) to enter results."""
        return self.mode == EntryMode.SECRET

    @property
    def need_both_sides(self) -> bool:
        """Return whether both sides of a table must enter each result themselves."""
        return self.agreement == ResultAgreement.DOUBLE

    @property
    def is_checked(self) -> bool:
        """Return whether the other side of the table must confirm each result."""
        return self.agreement != ResultAgreement.NONE


class ResultClaim(models.Model):
    """The result of a board that one side of the table has entered last.

    It is valid while `number` is that of the present result (0: none). If both sides' claims are
    valid and equal, the board is agreed. If they differ, there is no result until one side gives
    way.
    """

    play = models.ForeignKey(Play, models.CASCADE, related_name="claims")
    side = models.CharField(max_length=2)  # "ns" or "ew": the side of the cards they play
    outcome = models.JSONField()
    number = models.PositiveSmallIntegerField(default=0)
    phone = models.CharField(max_length=KEY_LENGTH, blank=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["play", "side"]
        constraints = [models.UniqueConstraint(fields=["play", "side"], name="one_claim_of_a_side")]

    def __str__(self) -> str:
        return f"{self.side} of {self.play_id}"


class PhoneSubmission(models.Model):
    """The key of a form that a phone has submitted; the same form sent again changes nothing."""

    section = models.ForeignKey(Section, models.CASCADE, related_name="+")
    key = models.CharField(max_length=KEY_LENGTH)
    came = models.CharField(max_length=12)  # the outcome of the submission
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "sent"
        constraints = [models.UniqueConstraint(fields=["section", "key"], name="one_form_of_a_key")]

    def __str__(self) -> str:
        return self.key


class CorrectionRequest(models.Model):
    """A correction of a result for which a table asks, because it may not change the result itself.

    The director sees it as a doubt with a repair. `number` is that of the result concerned.
    """

    play = models.ForeignKey(Play, models.CASCADE, related_name="corrections")
    side = models.CharField(max_length=2)
    outcome = models.JSONField()
    number = models.PositiveSmallIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.side} of {self.play_id}"


class DirectorCall(models.Model):
    """A table's call for the director; it is open until a director takes it."""

    class Why(models.TextChoices):
        """The reasons for which a table calls the director."""

        CALL = "call", "calls"
        BOARD = "board", "has another board"
        PEOPLE = "people", "has other opponents"
        BROKEN = "broken", "something is wrong with the board"
        DIGITS = "digits", "somebody tries its four digits"

    section = models.ForeignKey(Section, models.CASCADE, related_name="calls")
    table = models.PositiveSmallIntegerField()
    round = models.PositiveSmallIntegerField()
    board = models.PositiveSmallIntegerField(null=True, blank=True)  # the board to be played
    who = models.ForeignKey(
        Entry, models.SET_NULL, null=True, blank=True, related_name="+"
    )  # calls
    why = models.CharField(max_length=8, choices=Why.choices, default=Why.CALL)
    at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "table"],
                condition=models.Q(taken_at=None),
                name="one_open_call_of_a_table",
            )
        ]

    def __str__(self) -> str:
        return f"table {self.table} of {self.section_id}"


class TableLastSeen(models.Model):
    """The time of the latest request from a table's phones."""

    section = models.ForeignKey(Section, models.CASCADE, related_name="heard")
    table = models.PositiveSmallIntegerField()
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "heard"
        constraints = [
            models.UniqueConstraint(fields=["section", "table"], name="a_table_is_heard_once")
        ]

    def __str__(self) -> str:
        return f"table {self.table} of {self.section_id}"


class SwappedSeats(models.Model):
    """A pair whose players sit in exchanged chairs (South as North, East as West)."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "swapped"

    def __str__(self) -> str:
        return f"{self.entry_id}"


class PhoneHolder(models.Model):
    """The contestant to which a phone belongs in a section, and the one to which it wants to belong.

    The first phone of an entry sees results, others need permission.

    `wants` is another contestant that it asks for, until the director decides.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="carried")
    phone = models.CharField(max_length=KEY_LENGTH)
    table = models.PositiveSmallIntegerField()  # the table at which it was said
    # None: the phone belongs to the table
    entry = models.ForeignKey(Entry, models.CASCADE, null=True, related_name="+")
    sees = models.BooleanField(default=False)
    wants = models.ForeignKey(Entry, models.CASCADE, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "carried"
        constraints = [
            models.UniqueConstraint(fields=["section", "phone"], name="a_phone_is_one_entrys")
        ]

    def __str__(self) -> str:
        return f"{self.phone} of {self.entry_id}"


class PlayingDirector(models.Model):
    """A director who plays in a session: results of boards still to be played are hidden from them."""

    section = models.ForeignKey(Section, models.CASCADE, related_name="playing_directors")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    #: boards that they looked at early
    early = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["section", "user"], name="a_director_plays_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.section_id}"

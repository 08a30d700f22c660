"""What the tables' phones may do, what the two sides of a table said, and who called the director."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from bridgebuddy.events.models import Entry, Play, Section, Session

KEY_LENGTH = 40  # of what a phone calls a form it sends


class Mode(models.TextChoices):
    """Whose phones may enter results."""

    SECRET = "secret", _("Phones that have scanned the table’s card")
    ANY = "any", _("Any phone that has the session’s code")
    NONE = "none", _("No phones: results come on slips")


class Agreement(models.TextChoices):
    """What the other side of the table has to say."""

    ACCEPT = "accept", _("The other side says yes")
    DOUBLE = "double", _("Both sides enter it")
    NONE = "none", _("Nobody checks")


class Feedback(models.TextChoices):
    """What a table sees of a board that it has played and agreed upon."""

    NOTHING = "none", _("Nothing")
    PERCENT = "percent", _("Their own result")
    TRAVELLER = "traveller", _("Their own result and all others")


class Phones(models.Model):
    """What phones may do in a session. One without a row has what the club chose the last time before."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="phones")
    mode = models.CharField(max_length=8, choices=Mode.choices, default=Mode.NONE)
    agreement = models.CharField(max_length=8, choices=Agreement.choices, default=Agreement.ACCEPT)
    feedback = models.CharField(max_length=10, choices=Feedback.choices, default=Feedback.TRAVELLER)
    asks_lead = models.BooleanField(default=False)
    #: where phones enter: whether slips are written besides
    slips_too = models.BooleanField(default=False)
    #: of the tables' secrets: another one, and no card or digits of before open a table any more
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name_plural = "phones"

    def __str__(self) -> str:
        return f"phones of {self.session_id}"

    @property
    def may_enter(self) -> bool:
        return self.mode != Mode.NONE

    @property
    def need_secret(self) -> bool:
        return self.mode == Mode.SECRET

    @property
    def are_double(self) -> bool:
        return self.agreement == Agreement.DOUBLE

    @property
    def is_checked(self) -> bool:
        """Whether the other side is asked at all."""
        return self.agreement != Agreement.NONE


class Claim(models.Model):
    """What a side of a table says came of a board, the last time it said something.

    It holds as long as `number` is that of the result that stands (0: none). Where both sides' hold and
    are the same, the board is agreed; where they differ, none stands until one side gives way.
    """

    play = models.ForeignKey(Play, models.CASCADE, related_name="claims")
    side = models.CharField(max_length=2)  # "ns" or "ew": whose cards they play
    outcome = models.JSONField()
    number = models.PositiveSmallIntegerField(default=0)
    phone = models.CharField(max_length=KEY_LENGTH, blank=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["play", "side"]
        constraints = [models.UniqueConstraint(fields=["play", "side"], name="one_claim_of_a_side")]

    def __str__(self) -> str:
        return f"{self.side} of {self.play_id}"


class Sent(models.Model):
    """A form that a phone has sent, by what the phone calls it: sent again it changes nothing."""

    section = models.ForeignKey(Section, models.CASCADE, related_name="+")
    key = models.CharField(max_length=KEY_LENGTH)
    came = models.CharField(max_length=12)  # what came of it
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "sent"
        constraints = [models.UniqueConstraint(fields=["section", "key"], name="one_form_of_a_key")]

    def __str__(self) -> str:
        return self.key


class Correction(models.Model):
    """What a table says a board's result should be when it may not change it any more.

    The director sees it as a doubt with its repair ready. `number` is that of the result it is about.
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


class Call(models.Model):
    """A table that calls the director; one that nobody has taken yet is open."""

    class Why(models.TextChoices):
        CALL = "call", "calls"
        BOARD = "board", "has another board"
        PEOPLE = "people", "has other opponents"
        BROKEN = "broken", "something is wrong with the board"
        DIGITS = "digits", "somebody tries its four digits"

    section = models.ForeignKey(Section, models.CASCADE, related_name="calls")
    table = models.PositiveSmallIntegerField()
    round = models.PositiveSmallIntegerField()
    board = models.PositiveSmallIntegerField(null=True, blank=True)  # which was to be played
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


class Heard(models.Model):
    """When a phone of a table last asked anything."""

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


class Swapped(models.Model):
    """A pair whose two sit in each other's chair: phones name them so."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "swapped"

    def __str__(self) -> str:
        return f"{self.entry_id}"


class Carried(models.Model):
    """Whose phone a phone says it is in a section. The first of an entry is shown results, others when let.

    One that says it is somebody else's `wants` that, until the director lets it.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="carried")
    phone = models.CharField(max_length=KEY_LENGTH)
    table = models.PositiveSmallIntegerField()  # where it said so
    entry = models.ForeignKey(Entry, models.CASCADE, null=True, related_name="+")  # None: a table's
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
    """A director who plays: of boards that are still to be played they are shown no results."""

    section = models.ForeignKey(Section, models.CASCADE, related_name="playing_directors")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    #: boards they had to look at all the same
    early = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["section", "user"], name="a_director_plays_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.section_id}"

"""A club's page, and what came of each published session in so few words that a list of them is read at once."""

from __future__ import annotations

import secrets
from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.models import Session

#: an address that can be said on the telephone
ADDRESS = RegexValidator(r"^[a-z0-9]+(-[a-z0-9]+)*$", _("Small letters, digits and hyphens."))


class ClubPage(models.Model):
    """Where everybody reads a club's results and what it plays next; off until the club switches it on."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="page")
    address = models.CharField(_("address"), max_length=40, unique=True, validators=[ADDRESS])
    is_on = models.BooleanField(_("everybody can read it"), default=False)
    is_indexed = models.BooleanField(_("search engines may find it"), default=False)
    words = models.CharField(_("when and where you play"), max_length=160, blank=True, default="")

    def __str__(self) -> str:
        return f"the page of {self.club}"


class BridgeWebs(models.Model):
    """A club's account at BridgeWebs. The password is sealed, and no page shows it again."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="bridgewebs")
    code = models.CharField(_("club at BridgeWebs"), max_length=40)
    sealed = models.TextField()

    def __str__(self) -> str:
        return f"{self.code} of {self.club}"


class Upload(models.Model):
    """When a session was last sent to BridgeWebs, and what was answered."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="upload")
    at = models.DateTimeField()
    is_taken = models.BooleanField(default=False)
    answer = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return f"{self.session_id} at {self.at:%Y-%m-%d %H:%M}"


def new_token() -> str:
    """Return what the address of a page has that confirms an e-mail address, and stops mails."""
    return secrets.token_urlsafe(24)


class MailAddress(models.Model):
    """Where somebody wants their results sent: nothing goes there until they have confirmed it."""

    person = models.OneToOneField(Person, models.CASCADE, related_name="mail_address")
    email = models.EmailField(_("e-mail address"))
    token = models.CharField(max_length=40, unique=True, default=new_token, editable=False)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    #: since when a mail server says that nothing will ever arrive there (`bounces.py`)
    gone_since = models.DateTimeField(null=True, blank=True)
    #: that its owner is reminded, the day before, of a session that they come to
    reminds = models.BooleanField(default=False)
    #: the address that follows this one a day after the own page has asked for it (`mail_changes.py`)
    next_email = models.EmailField(blank=True, default="")
    next_token = models.CharField(max_length=40, unique=True, null=True, blank=True, editable=False)
    next_since = models.DateTimeField(null=True, blank=True)
    next_confirmed_at = models.DateTimeField(null=True, blank=True)
    #: when the own page asked for no more mails; a day later the address is deleted
    stopped_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"the address of {self.person_id}"


class Letter(models.Model):
    """That somebody was sent what came of a session: of several the same says nothing new, and is not sent."""

    class State(models.TextChoices):
        WAITS = "waits", _("waits")
        SENT = "sent", _("sent")
        REFUSED = "refused", _("not taken")
        BACK = "back", _("came back")

    session = models.ForeignKey(Session, models.CASCADE, related_name="letters")
    address = models.ForeignKey(MailAddress, models.CASCADE, related_name="letters")
    #: a hash of their own line and sheet
    says = models.CharField(max_length=32)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITS)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "address"], name="one_letter_a_session")
        ]

    def __str__(self) -> str:
        return f"{self.session_id} to {self.address_id}: {self.state}"


class Outcome(models.Model):
    """What came of a session: each list as entries with place and value. It names nobody.

    It can be worked out anew at any time, and is where `state` is no longer what the session's sections count.
    """

    session = models.OneToOneField(Session, models.CASCADE, related_name="outcome")
    state = models.CharField(max_length=32)
    #: field, unit ("percent", "total"), rows: entry, place, value
    lists: models.JSONField[Any, Any] = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"what came of {self.session_id}"


class OwnPage(models.Model):
    """A player's own page, which whoever has its address opens.

    The address is worked out of `salt` and the server's key, and found by a hash of it (`own/links.py`): what is
    kept opens nothing.
    """

    class Way(models.TextChoices):
        CLUB = "club", _("given by the club")
        PHONE = "phone", _("asked for on a phone, after a session")
        MAIL = "mail", _("sent by e-mail")

    person = models.OneToOneField(Person, models.CASCADE, related_name="own_page")
    salt = models.CharField(max_length=32)
    key = models.CharField(max_length=64, unique=True, editable=False)
    #: that of the address before, and of the browser that renewed it: of two taps there the second comes by the new one
    former_key = models.CharField(max_length=64, blank=True, default="", editable=False)
    way = models.CharField(max_length=5, choices=Way.choices, default=Way.CLUB)
    since = models.DateTimeField()
    #: when the club ended it: nobody is sent one by itself from then on
    ended_at = models.DateTimeField(null=True, blank=True)
    #: when the name is forgotten, as its owner has asked, unless the club says that it was not they
    forget_at = models.DateTimeField(null=True, blank=True)
    #: when the name is hidden and the page ends, a day after that was asked; None once it has happened
    hide_at = models.DateTimeField(null=True, blank=True)
    #: what was to be read of the name before that
    public_name_before = models.CharField(max_length=8, blank=True, default="")

    def __str__(self) -> str:
        return f"the own page of {self.person_id}"


class OwnEvening(models.Model):
    """What somebody's own page says of a published session; keys of people, and no name.

    It can be worked out at any time, and is where `state` is no longer the session's.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="own_evenings")
    person = models.ForeignKey(Person, models.CASCADE, related_name="own_evenings")
    state = models.CharField(max_length=80)
    #: JSON: what is added up over many sessions, and the boards of this one (`own/evenings.py`)
    sums = models.TextField(default="{}")
    boards = models.TextField(default="[]")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "session"], name="one_own_evening")
        ]

    def __str__(self) -> str:
        return f"what {self.person_id} has of {self.session_id}"

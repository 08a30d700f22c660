"""Models of a club's page, e-mail addresses, own pages, and outcomes of published sessions."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.models import Session

#: easy to say on the telephone
ADDRESS = RegexValidator(r"^[a-z0-9]+(-[a-z0-9]+)*$", _("Small letters, digits and hyphens."))


class ClubPage(models.Model):
    """The settings of a club's public page, which is off until the club turns it on."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="page")
    address = models.CharField(_("address"), max_length=40, unique=True, validators=[ADDRESS])
    is_on = models.BooleanField(_("everybody can read it"), default=False)
    is_indexed = models.BooleanField(_("search engines may find it"), default=False)
    words = models.CharField(_("when and where you play"), max_length=160, blank=True, default="")
    #: lines of a title and a web address, which only members read
    documents = models.TextField(
        _("documents for members"), max_length=2000, blank=True, default=""
    )

    def __str__(self) -> str:
        return f"the page of {self.club}"


class BridgeWebs(models.Model):
    """A club's account at BridgeWebs; the password is encrypted, and no page shows it."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="bridgewebs")
    code = models.CharField(_("club at BridgeWebs"), max_length=40)
    sealed = models.TextField()

    def __str__(self) -> str:
        return f"{self.code} of {self.club}"


class BridgeWebsUpload(models.Model):
    """The last upload of a session to BridgeWebs, with the answer."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="upload")
    at = models.DateTimeField()
    is_taken = models.BooleanField(default=False)
    answer = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return f"{self.session_id} at {self.at:%Y-%m-%d %H:%M}"


def new_token() -> str:
    """Return a new secret for the link that confirms an e-mail address and stops mails."""
    return secrets.token_urlsafe(24)


class ResultsSubscription(models.Model):
    """A player's e-mail address for results mails, unused until its owner confirms it."""

    person = models.OneToOneField(Person, models.CASCADE, related_name="mail_address")
    email = models.EmailField(_("e-mail address"))
    token = models.CharField(max_length=40, unique=True, default=new_token, editable=False)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    #: set when a mail server reports a permanent failure (`mails/bounces.py`)
    gone_since = models.DateTimeField(null=True, blank=True)
    #: the owner gets a reminder on the day before each session they are registered for
    reminds = models.BooleanField(default=False)
    #: replaces this address a day after the own page asked for it (`mails/mail_changes.py`)
    next_email = models.EmailField(blank=True, default="")
    next_token = models.CharField(max_length=40, unique=True, null=True, blank=True, editable=False)
    next_since = models.DateTimeField(null=True, blank=True)
    next_confirmed_at = models.DateTimeField(null=True, blank=True)
    #: when the own page asked for no more mails; a day later the address is deleted
    stopped_at = models.DateTimeField(null=True, blank=True)
    #: when the owner unsubscribed from the club's mails to members; results are still sent
    no_member_mails_since = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"the address of {self.person_id}"


class ResultsMail(models.Model):
    """The record that a session's results were mailed to an address; equal contents are not sent again."""

    class State(models.TextChoices):
        """The states of a results mail."""

        WAITS = "waits", _("waits")
        SENT = "sent", _("sent")
        REFUSED = "refused", _("not taken")
        BACK = "back", _("came back")

    session = models.ForeignKey(Session, models.CASCADE, related_name="letters")
    address = models.ForeignKey(ResultsSubscription, models.CASCADE, related_name="letters")
    #: a hash of the own line and sheet
    says = models.CharField(max_length=32)
    #: short hashes of the own boards by their numbers, to name the boards that a correction changed
    boards: models.JSONField[Any, Any] = models.JSONField(default=dict)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITS)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "address"], name="one_letter_a_session")
        ]

    def __str__(self) -> str:
        return f"{self.session_id} to {self.address_id}: {self.state}"


class MemberMail(models.Model):
    """A mail of a club to a group of its members."""

    class Audience(models.TextChoices):
        """The groups of members to which a club can write."""

        ALL = "all", _("all members")
        SESSION = "session", _("the players registered for a session")
        ABSENT = "absent", _("members who have not come for six weeks")

    LONGEST_SUBJECT, LONGEST_TEXT = 120, 5000

    club = models.ForeignKey(Club, models.CASCADE, related_name="member_mails")
    audience = models.CharField(max_length=7, choices=Audience.choices)
    session = models.ForeignKey(
        Session, models.SET_NULL, null=True, blank=True, related_name="member_mails"
    )
    subject = models.CharField(_("subject"), max_length=LONGEST_SUBJECT)
    text = models.TextField(_("text"), max_length=LONGEST_TEXT)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: the address for answers: the sender's own
    reply_to = models.EmailField(blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)
    #: key of the form, to detect a second press
    once = models.CharField(max_length=64, editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "once"], name="one_member_mail_a_form")
        ]

    def __str__(self) -> str:
        return f"{self.subject} of {self.club_id}"


class MemberMailDelivery(models.Model):
    """The delivery of a mail to members to one address. It is deleted with the address."""

    class State(models.TextChoices):
        """The states of a delivery."""

        WAITS = "waits", _("waits")
        SENT = "sent", _("sent")
        SHARED = "shared", _("sent to a shared address")
        REFUSED = "refused", _("not taken")
        STOPPED = "stopped", _("unsubscribed before it was sent")
        BACK = "back", _("came back")

    mail = models.ForeignKey(MemberMail, models.CASCADE, related_name="deliveries")
    address = models.ForeignKey(ResultsSubscription, models.CASCADE, related_name="member_mails")
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITS)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["mail", "address"], name="one_member_mail_an_address")
        ]

    def __str__(self) -> str:
        return f"{self.mail_id} to {self.address_id}: {self.state}"


class PublishedOutcome(models.Model):
    """The rankings of a published session as cached for lists: entry, place and value, without names.

    It is a cache, which is computed again if `state` differs from the session's sections. It is stored, because a
    club's page lists dozens of sessions, and each takes 40 to 170 ms; and `figures_changed_at` cannot be computed
    again.
    """

    session = models.OneToOneField(Session, models.CASCADE, related_name="outcome")
    state = models.CharField(max_length=32)
    #: field, unit ("percent", "total"), rows: entry, place, value
    lists: models.JSONField[Any, Any] = models.JSONField(default=list)
    #: digests of all printed figures (`scoring/results/figures.py`), and when they last changed
    figures: models.JSONField[Any, Any] = models.JSONField(default=dict)
    figures_changed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"what came of {self.session_id}"


class ListImport(models.Model):
    """An import of a member list, stored for a day so that it can be undone."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="list_imports")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"a list of {self.club_id} at {self.at:%Y-%m-%d %H:%M}"


class ListImportPerson(models.Model):
    """The fields of one person that an import of a member list has changed."""

    list_import = models.ForeignKey(ListImport, models.CASCADE, related_name="people")
    person = models.ForeignKey(Person, models.CASCADE, related_name="+")
    #: the list added the person to the roster
    is_new = models.BooleanField(default=False)
    #: each changed field with its values before and after
    changes: models.JSONField[Any, Any] = models.JSONField(default=dict)
    #: the address that the list added
    address = models.ForeignKey(
        ResultsSubscription, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"{self.person_id} in {self.list_import_id}"


class PlayerPage(models.Model):
    """A player's personal page with history and settings, opened by a secret address.

    The address follows from `salt` and the server's key, and is found by its hash (`own/links.py`).
    So the stored data cannot open the page.
    """

    class Way(models.TextChoices):
        """The ways in which a player can have received the secret address of the personal page."""

        CLUB = "club", _("given by the club")
        PHONE = "phone", _("asked for on a phone, after a session")
        MAIL = "mail", _("sent by e-mail")

    person = models.OneToOneField(Person, models.CASCADE, related_name="own_page")
    salt = models.CharField(max_length=32)
    key = models.CharField(max_length=64, unique=True, editable=False)
    #: the former address and the browser that renewed it, so that its second tap finds the new
    #: address
    former_key = models.CharField(max_length=64, blank=True, default="", editable=False)
    way = models.CharField(max_length=5, choices=Way.choices, default=Way.CLUB)
    since = models.DateTimeField()
    #: when the club ended it; no new address is sent automatically after that
    ended_at = models.DateTimeField(null=True, blank=True)
    #: when the name is deleted at its owner's request, unless the club objects
    forget_at = models.DateTimeField(null=True, blank=True)
    #: when the name is hidden and the page ends, a day after the request; None once done
    hide_at = models.DateTimeField(null=True, blank=True)
    #: the public form of the name before that
    public_name_before = models.CharField(max_length=8, blank=True, default="")

    def __str__(self) -> str:
        return f"the own page of {self.person_id}"


class PlayerSession(models.Model):
    """A person's results in a published session, cached for the personal page, with keys instead of names.

    It is a cache, which is computed again if `state` differs from the session's. It is stored, because an own page
    shows hundreds of sessions, and each takes 60 to 260 ms.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="own_evenings")
    person = models.ForeignKey(Person, models.CASCADE, related_name="own_evenings")
    state = models.CharField(max_length=80)
    #: JSON: sums over many sessions, and the boards of this one (`own/own_sessions.py`)
    sums = models.TextField(default="{}")
    boards = models.TextField(default="[]")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "session"], name="one_own_evening")
        ]

    def __str__(self) -> str:
        return f"what {self.person_id} has of {self.session_id}"

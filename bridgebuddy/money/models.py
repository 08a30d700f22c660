"""Table money of a club: prices, accounts, and a ledger whose entries are never changed.

All amounts are whole numbers in the currency's smallest unit: cents for euros, yen for yen.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Club, Person, User
from bridgebuddy.events.models import Event, Session
from bridgebuddy.money.rules.ledger import EntryKind as LedgerKind
from bridgebuddy.money.rules.ledger import PersonClass, Prices

#: the most a price, a payment or a limit can be, in the smallest unit
MOST_MONEY = 1_000_000_000
NAME_LENGTH = 150
REASON_LENGTH = 200
#: how the keys of payments begin that the tablet at the door stored
DOOR_KEYS = "door-"


class PriceClass(models.TextChoices):
    """The price classes of players: member, visitor, youth, free."""

    MEMBER = PersonClass.MEMBER.value, _("member")
    VISITOR = PersonClass.VISITOR.value, _("visitor")
    YOUTH = PersonClass.YOUTH.value, _("youth")
    FREE = PersonClass.FREE.value, pgettext_lazy("price", "free")


class PriceTable(models.Model):
    """Abstract model of a session's prices for each price class."""

    members = models.PositiveBigIntegerField(default=0, validators=[MaxValueValidator(MOST_MONEY)])
    visitors = models.PositiveBigIntegerField(default=0, validators=[MaxValueValidator(MOST_MONEY)])
    youth = models.PositiveBigIntegerField(default=0, validators=[MaxValueValidator(MOST_MONEY)])

    class Meta:
        abstract = True

    @property
    def prices(self) -> Prices:
        """Return the prices as an immutable value."""
        return Prices(self.members, self.visitors, self.youth)


class MoneySettings(PriceTable):
    """A club's table money settings: prices and currency. Without a row table money is off."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="money")
    is_on = models.BooleanField(default=False)
    #: the first day whose sessions are to be paid
    since = models.DateField(null=True, blank=True)
    currency = models.CharField(max_length=3)
    #: the roster's category of people who pay the youth price, and of people who pay nothing
    youth_category = models.CharField(max_length=40, blank=True, default="")
    free_category = models.CharField(max_length=40, blank=True, default="")
    #: how far an account may go below zero
    overdraft = models.PositiveBigIntegerField(
        default=0, validators=[MaxValueValidator(MOST_MONEY)]
    )
    #: the change in the cash box before the first payment
    cash_float = models.PositiveBigIntegerField(
        default=0, validators=[MaxValueValidator(MOST_MONEY)]
    )

    def __str__(self) -> str:
        return f"table money of {self.club_id}"


class SeriesPrices(PriceTable):
    """An event's prices, valid for those of its sessions that have no prices of their own."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="prices")

    def __str__(self) -> str:
        return f"prices of {self.event_id}"


class SessionMoney(PriceTable):
    """The prices of a session, copied when its first payment is stored or its prices are set.

    It outlives the session: then it has the day and the name of the session.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="session_money")
    session = models.OneToOneField(Session, models.SET_NULL, null=True, related_name="money")
    day = models.DateField()
    name = models.CharField(max_length=80)

    class Meta:
        verbose_name_plural = "session money"

    def __str__(self) -> str:
        return f"table money of {self.name}, {self.day}"


class MoneyAccount(models.Model):
    """A person's account with the club. After a merge it stays without a person, with a balance of zero."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="money_accounts")
    person = models.OneToOneField(
        Person, models.RESTRICT, null=True, blank=True, related_name="money_account"
    )
    #: the account that took over the balance, after a merge
    merged_into = models.ForeignKey(
        "self", models.RESTRICT, null=True, blank=True, related_name="merged_accounts"
    )
    #: how far it may go below zero; None: as the club says
    overdraft = models.PositiveBigIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(MOST_MONEY)]
    )
    #: the price that the person pays; empty: by the roster
    price_class = models.CharField(max_length=7, choices=PriceClass.choices, blank=True, default="")

    def __str__(self) -> str:
        return f"account {self.pk} of {self.person_id}"


class MoneyEntry(models.Model):
    """An entry of the ledger: an amount charged, paid, paid in or corrected, with the user who stored it.

    Entries are only added. A mistake gets an entry of its own. `rules.ledger` says what each kind
    adds to the account, the cash box and the session.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="money_entries")
    account = models.ForeignKey(MoneyAccount, models.RESTRICT, related_name="entries")
    session_money = models.ForeignKey(
        SessionMoney, models.RESTRICT, null=True, blank=True, related_name="entries"
    )
    kind = models.CharField(
        max_length=10, choices=[(kind.value, kind.value) for kind in LedgerKind]
    )
    amount = models.BigIntegerField()
    price_class = models.CharField(max_length=7, blank=True, default="")
    #: the day on which it was booked, in the club's time zone
    day = models.DateField()
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    #: the name of the writer as it was then
    by_name = models.CharField(max_length=NAME_LENGTH)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True, default="")
    #: the other account of a merge
    other = models.ForeignKey(MoneyAccount, models.RESTRICT, null=True, related_name="+")
    #: names the press of a button, so that a second press stores nothing
    key = models.CharField(max_length=80, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "money entries"
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="one_money_entry_per_key")
        ]
        indexes = [models.Index(fields=["club", "day"], name="money_by_day")]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount} of account {self.account_id}"

    @property
    def reason_text(self) -> str:
        """Return the reason of the entry; for a payment at the entrance, in the reader's language."""
        return gettext("At the door") if self.key.startswith(DOOR_KEYS) else self.reason


class CashCount(models.Model):
    """A count of a session's cash box. Each count is a new row; the last one is valid."""

    session_money = models.ForeignKey(SessionMoney, models.CASCADE, related_name="counts")
    version = models.PositiveSmallIntegerField()
    at_start = models.PositiveBigIntegerField()
    counted = models.PositiveBigIntegerField()
    #: what should have been in the box at that moment
    expected = models.BigIntegerField()
    #: notes and coins: pairs of value and number; empty if only the sum was typed
    pieces: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    by_name = models.CharField(max_length=NAME_LENGTH)

    class Meta:
        ordering = ["session_money", "version"]
        constraints = [
            models.UniqueConstraint(fields=["session_money", "version"], name="one_count_a_version")
        ]

    def __str__(self) -> str:
        return f"{self.counted} in the box of {self.session_money_id}"

    @property
    def difference(self) -> int:
        """Return the counted sum minus the expected sum; negative if money is missing."""
        return self.counted - self.expected


def session_day(money: SessionMoney) -> date:
    """Return the date of a session, which may have changed since its prices were copied."""
    return money.session.date if money.session else money.day

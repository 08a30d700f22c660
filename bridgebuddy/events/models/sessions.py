"""Events and their sessions, and the codes by which phones find them."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, time, timedelta, tzinfo

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Club, CodeExpiry
from movements.engine.contest import Contest

#: characters that cannot be confused: no 0/O, 1/I
CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


CODE_LENGTH = 6


FEWEST_PAIRS, MOST_PAIRS = 3, 120  # 2 tables, one of them half; 60 tables


def new_code() -> str:
    """Return a random section code, short enough to type and too random to guess."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


#: time without activity after which a session counts as over
LONGEST_EVENING = timedelta(hours=8)


#: calendars have an end, and a week is added
FIRST_START, LAST_END = datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 1, tzinfo=UTC)


MORNING = time(8)


def end_of_code(at: datetime, club_time: str, zone: tzinfo) -> datetime:
    """Return when a code expires by the club's `CodeExpiry`, `club_time`: two hours or more after the end `at`."""
    at = min(at, LAST_END)
    soon = at + timedelta(hours=2)
    match club_time:
        case CodeExpiry.SOON:
            return soon
        case CodeExpiry.WEEK:
            return at + timedelta(days=7)
    day = timezone.localdate(soon, zone)
    if timezone.localtime(soon, zone).time() > MORNING:
        day += timedelta(days=1)
    return timezone.make_aware(datetime.combine(day, MORNING), zone)


class Event(models.Model):
    """An event of a club, such as "Tuesday Pairs", with its sessions."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="events")
    name = models.CharField(_("name"), max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="one_event_per_name")]

    def __str__(self) -> str:
        return self.name


class Session(models.Model):
    """One session of an event, for example one evening of the club."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="sessions")
    date = models.DateField(_("date"))
    starts_at = models.TimeField(_("start"))
    fewest_boards = models.PositiveSmallIntegerField(_("boards, at least"), default=24)
    most_boards = models.PositiveSmallIntegerField(_("boards, at most"), default=28)
    minutes_per_board = models.PositiveSmallIntegerField(_("minutes per board"), default=7)
    #: True if all sections share a clock, and the deals; matters with several sections only
    common_clock = models.BooleanField(default=False)
    same_deals = models.BooleanField(default=True)
    #: token of the form, to detect a second press; None if no form opened it
    once = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    #: the session whose players go on in this one, and the number of such sessions including this one
    follows = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="followed_by"
    )
    number = models.PositiveSmallIntegerField(default=1)
    #: when it was deleted: a day later it is forgotten
    deleted_at = models.DateTimeField(null=True, editable=False, db_index=True)
    #: for a rehearsal: when it ends, and the club's newest person before it
    rehearsal_until = models.DateTimeField(null=True, editable=False, db_index=True)
    newest_person = models.PositiveBigIntegerField(null=True, editable=False)

    #: how long a deletion can be undone, and a rehearsal lasts
    KEPT_FOR = timedelta(days=1)

    class Meta:
        ordering = ["date", "starts_at", "pk"]

    def __str__(self) -> str:
        return f"{self.event.name}, {self.date}"

    @property
    def planned_start(self) -> datetime:
        """Return the planned start in UTC, computed from the club's local time."""
        by_clock = datetime.combine(self.date, self.starts_at, tzinfo=UTC)
        by_clock = max(FIRST_START, min(by_clock, LAST_END))
        return timezone.make_aware(by_clock.replace(tzinfo=None), self.event.club.zone).astimezone(
            UTC
        )

    @property
    def is_rehearsal(self) -> bool:
        """Return whether the session is a rehearsal, which is deleted later and counts for nothing."""
        return self.rehearsal_until is not None

    @property
    def kept_until(self) -> datetime | None:
        """Return when a deleted session will be purged; None if it is not deleted."""
        return self.deleted_at + self.KEPT_FOR if self.deleted_at else None


class SeatingMethod(models.TextChoices):
    """The methods of assigning entries to the seats of a movement."""

    ORDER = "order", _("in order of entry")
    RANDOM = "random", _("at random")
    HAND = "hand", _("by hand")
    EVEN = "even", _("by strength")
    TURNS = "turns", _("evenly over the weeks")


CONTESTS = (
    (Contest.PAIRS, _("Pairs")),
    (Contest.INDIVIDUAL, _("Single players")),
    (Contest.TEAMS, _("Teams of four")),
)


#: least number of entries of an evening
FEWEST = {Contest.PAIRS: FEWEST_PAIRS, Contest.INDIVIDUAL: 4, Contest.TEAMS: 2}

"""Models of a club's season: championships, manual handicaps, ratings, masterpoints and stored final lists."""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Club, Person, Weekday
from bridgebuddy.clubs.people.categories import LENGTH as CATEGORIES_LENGTH
from bridgebuddy.events.models import Event, Session
from bridgebuddy.scoring.models import TOKEN_LENGTH, new_token

from .rules.totals import RULES

MOST_SESSIONS = 500


def total_rules() -> list[tuple[str, str]]:
    """Return the form choices for how a championship adds up: keys of `rules.totals.RULES` with names."""
    return [(name, str(_(rule.label))) for name, rule in RULES.items()]


class FinalList(models.Model):
    """The stored results of a session with a final ranking, so that championships need not score it again.

    Scoring takes 40 to 170 ms a session, and a season of two evenings a week has a hundred.
    `state` identifies the session's state at that time. If it has changed, the lines are calculated again. `lines`
    (JSON) holds the keys of people in the columns that `queries/final_lists.py` defines.
    """

    session = models.OneToOneField(Session, models.CASCADE, related_name="final_list")
    state = models.CharField(max_length=80)
    #: number of times the list was made final or corrected since
    revision = models.PositiveSmallIntegerField(default=1)
    lines = models.TextField(default="[]")
    #: True if a figure of the ranking differs from the first final list
    has_new_ranking = models.BooleanField(default=False)
    at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"the final list of {self.session_id}"


class Championship(models.Model):
    """A ranking over many sessions of a club: its rules, from which the ranking is calculated."""

    class Of(models.TextChoices):
        """The kinds of contestant that a championship ranks: pairs, players or teams."""

        PAIR = "pair", _("pairs")
        PLAYER = "player", _("players")
        TEAM = "team", _("teams")

    class Counts(models.TextChoices):
        """The kinds of result that a championship adds up: percentages, places, victory points …."""

        PERCENTAGE = "percentage", _("per cent")
        PLACES = "places", _("points for places")
        VPS = "vps", _("victory points")
        IMPS = "imps", _("IMPs a board")
        MASTERPOINTS = "masterpoints", _("masterpoints")
        WINS = "wins", _("wins")
        EVENINGS = "evenings", _("sessions played")

    class Ties(models.TextChoices):
        """The tie-breaks of a championship."""

        SHARED = "", _("share the place")
        NEXT = "next", _("the next best session")
        SINGLE = "single", _("the best single session")
        PLAYED = "played", _("more sessions")
        LATEST = "latest", _("the latest session")

    class SubstitutedResult(models.TextChoices):
        """The person who gets a substitute's result: the owner of the seat, or the player of most boards."""

        SEAT = "seat", _("the owner of the place")
        PLAYED = "played", _("the player of most boards")

    club = models.ForeignKey(Club, models.CASCADE, related_name="championships")
    #: token of the form, to detect a second press; None if no form made it
    once = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    name = models.CharField(_("Name"), max_length=80)
    of = models.CharField(_("Who"), max_length=6, choices=Of.choices, default=Of.PAIR)
    counts = models.CharField(
        _("By"), max_length=12, choices=Counts.choices, default=Counts.PERCENTAGE
    )
    rule = models.CharField(_("It adds up to"), max_length=8, choices=total_rules, default="mean")
    best = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_SESSIONS)]
    )
    least = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_SESSIONS)]
    )
    #: for `drop`: the lowest value is omitted for each so many above the least number
    each = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_SESSIONS)]
    )
    #: the counting sessions: of a day of the week, of an event, between two days; and those by hand
    weekday = models.PositiveSmallIntegerField(choices=Weekday.choices, null=True, blank=True)
    event = models.ForeignKey(Event, models.SET_NULL, null=True, blank=True, related_name="+")
    since = models.DateField(_("From"), null=True, blank=True)
    until = models.DateField(_("To"), null=True, blank=True)
    is_by_hand = models.BooleanField(default=False)
    #: keys of sessions included against this rule, or excluded against it
    brought_in = models.JSONField(default=list, blank=True)
    left_out = models.JSONField(default=list, blank=True)
    #: number of sessions planned in all; None: unknown
    planned = models.PositiveSmallIntegerField(
        _("Sessions in all"), null=True, blank=True, validators=[MaxValueValidator(MOST_SESSIONS)]
    )
    fewest_boards = models.PositiveSmallIntegerField(
        _("Fewest boards of a session that counts"), null=True, blank=True
    )
    #: greatest strength of a player in the list; None: no limit
    most_strength = models.PositiveSmallIntegerField(
        _("Only players of a strength up to"), null=True, blank=True
    )
    #: True if players of other clubs (as the roster has it) are not in the list
    has_members_only = models.BooleanField(_("Only members of the club"), default=False)
    #: the roster's category whose members are in the list; empty: all players
    category = models.CharField(
        _("Only players of the category"), max_length=CATEGORIES_LENGTH, blank=True, default=""
    )
    #: keys of people with a line whose names were forgotten: the roster has lost their fields too
    nameless: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    ties = models.CharField(
        _("If level"), max_length=8, choices=Ties.choices, blank=True, default=""
    )
    #: second tie-break
    then = models.CharField(
        _("Still level"), max_length=8, choices=Ties.choices, blank=True, default=""
    )
    whose = models.CharField(
        _("With a substitute it counts for"),
        max_length=6,
        choices=SubstitutedResult.choices,
        default=SubstitutedResult.SEAT,
    )
    has_handicap = models.BooleanField(_("With the club’s handicap"), default=False)
    #: True if handicaps stay as they were at the start
    is_frozen = models.BooleanField(_("Handicaps stay as they were at the start"), default=False)
    #: groups, the highest first, each with its people (keys); none: a single list
    groups: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    #: number of people that change over at each border, and the people that do not continue
    change_over = models.PositiveSmallIntegerField(
        _("Up and down at each border"), default=2, validators=[MaxValueValidator(20)]
    )
    gone: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)
    #: the championship that this one continues
    follows = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="followers"
    )
    token = models.CharField(max_length=TOKEN_LENGTH, unique=True, default=new_token)
    published_at = models.DateTimeField(null=True, blank=True)
    #: True if the room display shows it before round 1, as long as it is published
    is_in_room = models.BooleanField(default=False)
    #: when it was made final, and its lines then: people (keys), total and place of each
    final_at = models.DateTimeField(null=True, blank=True)
    final_rows: models.JSONField[Any, Any] = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_published(self) -> bool:
        """Return whether the championship has a public page."""
        return self.published_at is not None

    @property
    def is_final(self) -> bool:
        """Return whether a director has declared the championship final."""
        return self.final_at is not None

    @property
    def is_per_cent(self) -> bool:
        """Return whether the championship counts percentages."""
        return self.counts == self.Counts.PERCENTAGE

    @property
    def is_open(self) -> bool:
        """Return whether anybody may be ranked: members and visitors of any strength and category."""
        return self.most_strength is None and not self.has_members_only and not self.category


class HandicapRule(models.Model):
    """A club's rule for calculating handicaps."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="handicap_rule")
    last = models.PositiveSmallIntegerField(
        _("Number of last sessions that count"),
        default=20,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_SESSIONS)],
    )
    #: instead of a number of sessions: those of so many months
    months = models.PositiveSmallIntegerField(
        _("Only sessions of the last months (number)"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(120)],
    )
    least = models.PositiveSmallIntegerField(
        _("Fewest sessions for a handicap"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_SESSIONS)],
    )
    times = models.DecimalField(
        _("Times"),
        max_digits=4,
        decimal_places=2,
        default=1,
        validators=[MinValueValidator(0), MaxValueValidator(5)],
    )
    band = models.DecimalField(
        _("In steps of"),
        max_digits=4,
        decimal_places=2,
        null=True,
        blank=True,
        default=1,
        validators=[MinValueValidator(0.01), MaxValueValidator(25)],
    )
    most = models.DecimalField(
        _("At most"),
        max_digits=4,
        decimal_places=2,
        null=True,
        blank=True,
        default=10,
        validators=[MinValueValidator(0), MaxValueValidator(50)],
    )
    new = models.DecimalField(
        _("A new player without enough sessions has"),
        max_digits=4,
        decimal_places=2,
        default=0,
        validators=[MinValueValidator(-50), MaxValueValidator(50)],
    )

    def __str__(self) -> str:
        return f"handicaps of {self.club_id}"


class ManualHandicap(models.Model):
    """A person's handicap as set by a director, with the reason."""

    person = models.OneToOneField(Person, models.CASCADE, related_name="handicap_by_hand")
    handicap = models.DecimalField(
        _("Handicap"),
        max_digits=4,
        decimal_places=2,
        validators=[MinValueValidator(-50), MaxValueValidator(50)],
    )
    reason = models.CharField(_("Why"), max_length=200, blank=True)
    #: earlier sessions keep the computed handicap; None: valid for all
    since = models.DateField(_("Valid from"), null=True, blank=True)
    at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.handicap} {self.person_id}"


class RatingSettings(models.Model):
    """A club's ratings of its players, which only directors see; the row exists while ratings are on.

    For a large club it stores the last ratings that a job calculated, by person keys: see `queries/ratings.py`. For 600
    people that takes 0.4 seconds, and eight times as long for twice as many.
    """

    club = models.OneToOneField(Club, models.CASCADE, related_name="rating")
    ratings: models.JSONField[Any, Any] = models.JSONField(default=dict, blank=True)
    #: hash of the data of the computation, and the day of its last session
    state = models.CharField(max_length=32, blank=True)
    until = models.DateField(null=True, blank=True)

    def __str__(self) -> str:
        return f"rating of {self.club_id}"


class RatingBefore(models.Model):
    """The ratings of a session's players on the day before it, which a job calculates for a large club."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="rating_before")
    state = models.CharField(max_length=32)
    known: models.JSONField[Any, Any] = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "ratings before"

    def __str__(self) -> str:
        return f"what was known before {self.session_id}"


class MasterpointReport(models.Model):
    """A club's report of masterpoints to its federation. Rows are never changed."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="points_reports")
    until = models.DateField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"report of {self.club_id} until {self.until}"


class MasterpointEntry(models.Model):
    """A person's masterpoints for a session as reported, or a correction of an earlier report."""

    report = models.ForeignKey(MasterpointReport, models.CASCADE, related_name="entries")
    person = models.ForeignKey(Person, models.RESTRICT, related_name="ledger")
    session = models.ForeignKey(Session, models.SET_NULL, null=True, related_name="+")
    day = models.DateField()
    name = models.CharField(max_length=80)  # of the event
    place = models.PositiveSmallIntegerField(null=True)
    scale = models.CharField(max_length=24, blank=True)
    points = models.DecimalField(max_digits=8, decimal_places=2)
    is_correction = models.BooleanField(default=False)

    class Meta:
        ordering = ["day", "pk"]
        verbose_name_plural = "ledger entries"

    def __str__(self) -> str:
        return f"{self.points} {self.person_id} {self.day}"

"""Models of results: outcomes, penalties and rulings, scoring, deals and draws."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from functools import cached_property
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from bridgebuddy.deals.rules.hands import format_pbn
from bridgebuddy.deals.rules.making import commitment, deals_from_secret
from bridgebuddy.events.models import CODE_ALPHABET, Entry, Play, Section, Session

from .result_sources import ResultSource

TOKEN_LENGTH = 12
#: Law 79C1: half an hour after the list appears, corrections end
CORRECTION_MINUTES = 30


def new_token() -> str:
    """Return a random token for the address of published results, too long to be guessed."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(TOKEN_LENGTH))


class TerminalImport(models.Model):
    """An imported file of scoring terminals, so that its results can be removed together."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="readouts")
    name = models.CharField(max_length=100, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name} of {self.session_id}"


class Result(models.Model):
    """The outcome of a play as it was entered. A correction adds another row; rows are never changed.

    The one with `stands` counts. `outcome` uses the vocabulary of the session's document (`rules/document.py`); None
    means that no outcome is known any more. It names no people, so it applies to the actual players.
    """

    play = models.ForeignKey(Play, models.CASCADE, related_name="results")
    number = models.PositiveSmallIntegerField()  # 1, 2, 3 … of its play
    outcome = models.JSONField(null=True)
    stands = models.BooleanField(default=True)
    source = models.CharField(max_length=8, choices=ResultSource.choices, default=ResultSource.DESK)
    reason = models.CharField(max_length=200, blank=True)
    #: the terminal's file that it came with, if any
    readout = models.ForeignKey(
        TerminalImport, models.SET_NULL, null=True, blank=True, related_name="results"
    )
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["play", "number"]
        constraints = [
            models.UniqueConstraint(fields=["play", "number"], name="one_result_per_number"),
            models.UniqueConstraint(
                fields=["play"], condition=models.Q(stands=True), name="one_result_stands"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.play}, result {self.number}"


class Penalty(models.Model):
    """A penalty or bonus that a director gives a contestant, with its unit and reason.

    A removed one stays in the table.
    """

    class Unit(models.TextChoices):
        """The units in which a penalty or bonus is given."""

        TOP = "top", _("of a top")
        PERCENT = "percent", _("per cent points")
        MATCHPOINTS = "matchpoints", _("matchpoints")
        IMPS = "imps", _("IMPs")
        VPS = "vps", _("victory points")

    class Kind(models.TextChoices):
        """The reasons for which a penalty or bonus is given."""

        PROCEDURAL = "procedural", _("procedural penalty")
        DISCIPLINARY = "disciplinary", _("disciplinary penalty")
        TIME = "time", _("slow play")
        BONUS = "bonus", _("bonus")

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="penalties")
    unit = models.CharField(max_length=12, choices=Unit.choices)
    amount = models.DecimalField(max_digits=8, decimal_places=3)  # negative values take points
    kind = models.CharField(max_length=12, choices=Kind.choices)
    reason = models.CharField(max_length=200, blank=True)
    board = models.PositiveSmallIntegerField(null=True, blank=True)
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "penalties"

    def __str__(self) -> str:
        return f"{self.amount} {self.unit} {self.entry_id}"


class FouledBoard(models.Model):
    """A board with other cards from a round on or at some tables, so that its results form two groups (Law 87).

    In a drawn match with new boards every round, it applies to some tables of that round. Plays before or elsewhere
    form the other group. A table's plays belong to the newest ruling that names them.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="fouled_boards")
    board = models.PositiveSmallIntegerField()
    from_round = models.PositiveSmallIntegerField(null=True, blank=True)
    tables = models.JSONField(default=list, blank=True)  # empty: from the first round on
    reason = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"board {self.board} {self.section_id}"

    def holds(self, round: int, table: int) -> bool:
        """Return whether the board had the other cards at a table in a round."""
        if self.tables:
            return table in self.tables and self.from_round in (None, round)
        return self.from_round is not None and round >= self.from_round


class MatchRuling(models.Model):
    """A director's ruling on a whole team match. The newest of several applies.

    The two teams and the match's last round identify it. `one_points` and `other_points` are assigned victory points.
    In a void match each team has an award. If a team was missing, it is `one`.
    """

    class Kind(models.TextChoices):
        """The kinds of ruling on a team match."""

        GIVEN = "given", _("result set")
        MISMATCH = "mismatch", _("wrong opponents")
        VOID = "void", _("less than half was played")
        MISSING = "missing", _("a team was missing")
        SIDES = "sides", _("wrong seats, both teams at fault")
        DIRECTOR = "director", _("wrong seats, the director’s error")

    section = models.ForeignKey(Section, models.CASCADE, related_name="match_rulings")
    round = models.PositiveSmallIntegerField()
    one = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    one_points = models.DecimalField(max_digits=6, decimal_places=3, null=True)
    other_points = models.DecimalField(max_digits=6, decimal_places=3, null=True)
    one_award = models.CharField(max_length=4, blank=True)
    other_award = models.CharField(max_length=4, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} in round {self.round} of {self.section_id}"


class ScoringQuerySet(models.QuerySet["ScoringSettings"]):
    """The queryset of `ScoringSettings`."""

    def read_by_all(self) -> Self:
        """Return the settings of sessions whose results are public now: published, and past their embargo."""
        free = models.Q(embargo_until=None) | models.Q(embargo_until__lte=timezone.now())
        return self.filter(free, published_at__isnull=False)


class ScoringSettings(models.Model):
    """The scoring of a session and the state of its ranking; one row for each session, created when first needed.

    `profile` holds the differences from the club's default, in the document's vocabulary. A changed final list is
    revised: `revision` counts how often it was made final.
    """

    session = models.OneToOneField(Session, models.CASCADE, related_name="scoring")
    profile = models.JSONField(default=dict, blank=True)
    final_at = models.DateTimeField(null=True, blank=True)
    revision = models.PositiveSmallIntegerField(default=0)
    #: how long a final list is corrected (Law 79C), in minutes; None: without limit
    correction_minutes = models.PositiveIntegerField(null=True, default=CORRECTION_MINUTES)
    #: when the list that is final now closes
    closes_at = models.DateTimeField(null=True, blank=True)
    #: when the list became final for the first time; revising or opening it again keeps the time
    first_final_at = models.DateTimeField(null=True, blank=True)
    #: digests of the figures of the first final list, and its lines, see `results/figures.py`; empty if none were stored
    first_figures = models.JSONField(default=dict, blank=True, editable=False)
    published_at = models.DateTimeField(null=True, blank=True)
    #: when the published list was withdrawn; empty if it was never published, or is published again
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    #: token in the address of the published results, independent of the session's code, which expires
    token = models.CharField(max_length=TOKEN_LENGTH, unique=True, default=new_token)
    #: True if the room display shows the ranking after each round
    barometer = models.BooleanField(default=False)
    #: number of places of the final list on the room display, counted from the last; None: no list
    revealed = models.PositiveSmallIntegerField(null=True)
    #: for drawn matches of teams: True if all tables of a round have the same cards
    same_cards = models.BooleanField(default=False)
    #: another method by which a second list is counted and stands beside the first
    beside = models.CharField(max_length=12, blank=True)
    #: method of a second list, which is computed and shown beside the first
    classes = models.JSONField(default=dict, blank=True)
    #: the scale of masterpoints, see `rules/rankings/masterpoints.py`; empty: none are given
    masterpoints = models.CharField(max_length=24, blank=True)
    #: the federation's data of a handed-in session: its charge code, and its scale of points
    charge_code = models.CharField(_("charge code"), max_length=12, blank=True, default="")
    point_scale = models.CharField(_("scale of points"), max_length=40, blank=True, default="")
    points_awarded = models.BooleanField(_("points are awarded"), default=False)
    #: until then only directors see the results, because others still play the same cards
    embargo_until = models.DateTimeField(_("published not before"), null=True, blank=True)

    objects = ScoringQuerySet.as_manager()

    def __str__(self) -> str:
        return f"scoring of {self.session_id}"

    @property
    def is_final(self) -> bool:
        """Return whether the director has declared the ranking final."""
        return self.final_at is not None

    @property
    def is_closed(self) -> bool:
        """Return whether the correction period is over, so that the list must be reopened for changes."""
        return self.is_final and self.closes_at is not None and self.closes_at <= timezone.now()

    def closing(self, final_at: datetime | None) -> datetime | None:
        """Return when the correction period of a ranking made final at `final_at` ends."""
        if final_at is None or self.correction_minutes is None:
            return None
        return final_at + timedelta(minutes=self.correction_minutes)

    @property
    def is_published(self) -> bool:
        """Return whether the ranking is public now: published by the director, and past its embargo."""
        return self.published_at is not None and not self.is_embargoed

    @property
    def is_under_embargo(self) -> bool:
        """Return whether the ranking has been published but its embargo is not over."""
        return self.published_at is not None and self.is_embargoed

    @property
    def is_embargoed(self) -> bool:
        """Return whether the embargo is not over, published or not."""
        return self.embargo_until is not None and self.embargo_until > timezone.now()


class Deal(models.Model):
    """The hands of a board from a deal file, for one section or (None) for all sections of a session."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="deals")
    section = models.ForeignKey(
        Section, models.CASCADE, null=True, blank=True, related_name="deals"
    )
    board = models.PositiveSmallIntegerField()
    pbn = models.CharField(max_length=80)

    class Meta:
        ordering = ["section", "board"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "board"],
                condition=models.Q(section=None),
                name="one_deal_for_all_sections",
            ),
            models.UniqueConstraint(
                fields=["section", "board"],
                condition=models.Q(section__isnull=False),
                name="one_deal_a_section",
            ),
        ]

    def __str__(self) -> str:
        return f"board {self.board} of {self.session_id}"


class DealGeneration(models.Model):
    """Verifiable random deals of a session: the secret from which they follow, and the words that people added.

    As with `Deal`, they are for one section, or for all (None). Decision 0022.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="dealings")
    section = models.ForeignKey(
        Section, models.CASCADE, null=True, blank=True, related_name="dealings"
    )
    secret = models.CharField(max_length=64)
    boards = models.JSONField(default=list)
    #: in the order in which they were added
    words = models.JSONField(default=list, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    #: when the deals were made from it; before that the deal was secret, after that no word is added
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session"], condition=models.Q(section=None), name="one_dealing_for_all"
            ),
            models.UniqueConstraint(
                fields=["section"],
                condition=models.Q(section__isnull=False),
                name="one_dealing_a_section",
            ),
        ]

    def __str__(self) -> str:
        return f"dealing of {self.session_id}"

    @property
    def fingerprint(self) -> str:
        """Return the secret's hash, which is published before play and does not reveal the deals."""
        return commitment(self.secret)

    @cached_property
    def deals(self) -> dict[int, str]:
        """Return the random deals by board number, as PBN."""
        hands_by_board = deals_from_secret(self.secret, self.boards, self.words)
        return {board: format_pbn(hands) for board, hands in hands_by_board.items()}


class TableReminder(models.Model):
    """A director's reminder that a table's phones show during the round.

    It says that the table is slow, or asks whether the result of a board is right.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="reminders")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    board = models.PositiveSmallIntegerField(default=0)
    at = models.DateTimeField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "round", "table"], name="one_reminder_a_table"
            )
        ]

    def __str__(self) -> str:
        return f"table {self.table}, round {self.round} of {self.section_id}"


class DismissedCheck(models.Model):
    """A suspicious result that a director has checked and found correct."""

    section = models.ForeignKey(Section, models.CASCADE, related_name="settled")
    doubt = models.CharField(max_length=80)  # its key, see `checks/result_checks.py`
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["section", "doubt"], name="one_doubt_settled_once")
        ]

    def __str__(self) -> str:
        return f"{self.doubt} of {self.section_id}"


class Draw(models.Model):
    """A drawn round: the standings used and the pairings. Rows are never changed.

    The newest draw of a round applies, unless the round is open again. Contestants are identified by their entries'
    keys. A late or corrected result changes no draw, because `standings` are stored with it.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="draws")
    round = models.PositiveSmallIntegerField()
    #: the round after which the standings are taken; 0: by seeds
    counted = models.PositiveSmallIntegerField(default=0)
    #: first round whose meetings had to be avoided
    since = models.PositiveSmallIntegerField(default=1)
    #: in order: entry, place, total
    standings = models.JSONField(default=list)
    #: each with table, home, away (none: a bye), and the IMPs that home brings along, if any
    matches = models.JSONField(default=list)
    #: three entries each
    triangles = models.JSONField(default=list)
    #: points that the director gave to matches without a result: round, home, away, points
    given = models.JSONField(default=list)
    #: pairs of contestants that the director exchanged
    exchanged = models.JSONField(default=list)
    #: for a knock-out: the winner of each match, and the reason if it was not the score
    decided = models.JSONField(default=list)
    #: for a knock-out: the entries that play for the title in this round, in the order of the draw
    through = models.JSONField(default=list)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"draw of round {self.round} in {self.section_id}"

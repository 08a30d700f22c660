"""A section with its movement, and its former movements."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from bridgebuddy.clubs.models import Club
from movements.engine.boards import MatchBoards
from movements.engine.contest import Contest
from movements.fields import ContestField
from movements.models import StoredMovement

from .sessions import (
    CODE_LENGTH,
    CONTESTS,
    FEWEST,
    LONGEST_EVENING,
    SeatingMethod,
    Session,
    end_of_code,
    new_code,
)


class Section(models.Model):
    """A group of tables of a session with its own entries, movement, current round and clock.

    Three counters grow with changes. `plan` counts changes to rounds, movement and people, and only it can refuse a
    live change. `shown` counts all visible changes; pages poll with its value. `results` counts changes to results.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="sections")
    name = models.CharField(max_length=4, default="A")
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    #: the previous code, by which directors with an open page are redirected
    former_code = models.CharField(
        max_length=CODE_LENGTH, blank=True, editable=False, db_index=True
    )
    #: when it was given, if not with the section; and when it ceases to open anything
    code_given_at = models.DateTimeField(null=True, editable=False)
    code_ends_at = models.DateTimeField(null=True, editable=False)
    plan = models.PositiveIntegerField(default=1)
    shown = models.PositiveIntegerField(default=1)
    results = models.PositiveIntegerField(default=1)
    contest = ContestField(choices=CONTESTS, default=Contest.PAIRS)

    movement = models.ForeignKey(
        StoredMovement, models.PROTECT, null=True, blank=True, related_name="sections"
    )
    #: the movement before its arrows were switched; None if they are not
    unswitched = models.ForeignKey(
        StoredMovement, models.PROTECT, null=True, blank=True, related_name="+"
    )
    #: the family's own options chosen with the movement
    movement_options = models.JSONField(default=dict, blank=True)
    boards_per_round = models.PositiveSmallIntegerField(null=True)
    total_boards = models.PositiveSmallIntegerField(null=True)
    #: for drawn matches of teams: the numbers of the boards, and whether all tables have the same deals
    match_boards = models.JSONField(default=dict, blank=True, editable=False)
    missing_line = models.CharField(max_length=2, default="ew")  # the line with the half table
    seating = models.CharField(
        max_length=6, choices=SeatingMethod.choices, default=SeatingMethod.ORDER
    )
    seed = models.PositiveIntegerField(null=True)

    #: extra boards of level matches: the round, both entries, first and last board
    extra_boards = models.JSONField(default=list, blank=True, editable=False)
    round = models.PositiveSmallIntegerField(default=0)  # 0: not started
    round_started_at = models.DateTimeField(null=True)
    #: None while paused or before the start; at the end the clock keeps its value, for undo
    clock_ends_at = models.DateTimeField(null=True)
    clock_left = models.DurationField(null=True)  # time left when it was paused
    #: by round, for undo: its start, the seconds left when the next one began, whether it was paused
    clocks_before = models.JSONField(default=dict, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True)
    break_after = models.PositiveSmallIntegerField(null=True)  # a round, with a break after it
    break_minutes = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "name"], name="one_section_per_name")
        ]

    def __str__(self) -> str:
        return f"{self.session} {self.name}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the section, with its code's expiry adjusted to the other fields."""
        if kwargs.get("update_fields") is None:
            self.code_ends_at = self.end_of_code()
        super().save(*args, **kwargs)

    @property
    def people_per_entry(self) -> int:
        """Return the number of people in an entry: one for individuals, two for pairs, four for teams."""
        return self.contest.people

    @property
    def fewest_entries(self) -> int:
        """Return the fewest entries for which the contest has a movement."""
        return FEWEST[self.contest]

    @property
    def stored(self) -> StoredMovement:
        """Return the section's stored movement, which must exist; raise `AssertionError` without one."""
        assert self.movement is not None, "pages ask whether there is a movement first"
        return self.movement

    def end_of_code(self) -> datetime:
        """Return when the section's code expires by the club's setting, also for a session that was never finished."""
        at = self.finished_at
        if at is None:
            at = max(self.session.planned_start, timezone.now()) + LONGEST_EVENING
        return end_of_code(max(at, self.code_given_at or at), self.club.codes_end, self.club.zone)

    @property
    def has_code_ended(self) -> bool:
        """Return whether the section's code has expired, so that phones may no longer use it."""
        return self.code_ends_at is None or self.code_ends_at <= timezone.now()

    def touch(self) -> None:
        """Increase the counter of visible changes, so that open pages refresh, and save the section."""
        self.shown += 1
        self.save()

    def count_plan_change(self) -> None:
        """Increase the counters of plan changes and of visible changes, and save the section."""
        self.plan += 1
        self.touch()

    @property
    def club(self) -> Club:
        """Return the club of the section's event."""
        return self.session.event.club

    @cached_property
    def letter(self) -> str:
        """Return the section's letter if its session has several sections; empty if it is the only one."""
        has_others: bool | None = getattr(self, "has_others", None)  # prefetched, see `sections()`
        if has_others is None:
            has_others = self.session.sections.exclude(pk=self.pk).exists()
        return self.name if has_others else ""

    @property
    def is_started(self) -> bool:
        """Return whether round 1 has begun."""
        return self.round > 0

    @property
    def can_switch_arrows(self) -> bool:
        """Return whether arrow-switches are possible: pairs play, and no round waits for a draw."""
        movement = self.movement
        return (
            movement is not None and self.contest.fills_a_side and not movement.is_drawn_as_played
        )

    @property
    def is_finished(self) -> bool:
        """Return whether the director has ended the session for this section."""
        return self.finished_at is not None

    @property
    def is_running(self) -> bool:
        """Return whether the section has started and not finished."""
        return self.is_started and not self.is_finished

    @property
    def rounds(self) -> int:
        """Return the number of rounds; if the session ended early, the number of rounds begun."""
        planned = self.movement.rounds if self.movement else 0
        return min(self.round, planned) if self.is_finished else planned

    def is_over(self, round: int) -> bool:
        """Return whether a round is over: the section is finished or in a later round."""
        return self.is_finished or round < self.round

    @property
    def is_last_round(self) -> bool:
        """Return whether the section is in its last round."""
        return self.movement is not None and self.round == self.rounds

    @property
    def boards_of_matches(self) -> MatchBoards:
        """Return the number of boards of each team match, and their division into segments."""
        return MatchBoards(self.boards_per_round or 0, **self.match_boards)

    @property
    def has_duplicated_matches(self) -> bool:
        """Return whether all team matches of a round use the same deals."""
        return bool(self.match_boards.get("is_duplicated"))

    def extension_decisions(self, round: int, teams: Collection[int]) -> list[dict[str, Any]]:
        """Return the director's decisions, in order, that added boards to a tied match of two teams."""
        return [
            board
            for board in self.extra_boards
            if board["round"] == round and set(board["teams"]) == set(teams)
        ]

    def extra_boards_of(self, round: int, teams: Collection[int]) -> list[range]:
        """Return the boards added to a tied match of two teams in a round, one range for each decision."""
        return [
            range(going["boards"][0], going["boards"][1] + 1)
            for going in self.extension_decisions(round, teams)
        ]

    @property
    def break_length(self) -> timedelta:
        """Return the length of the section's planned break."""
        return timedelta(minutes=self.break_minutes)

    @property
    def next_round(self) -> int:
        """Return the number of the round that follows the current one."""
        return self.round + 1

    @property
    def is_clock_paused(self) -> bool:
        """Return whether the director has stopped the clock of the round."""
        return self.clock_left is not None and not self.is_finished

    @property
    def time_left(self) -> timedelta | None:
        """Return the time left in the round; negative in overtime, None before the start and after the end."""
        if self.is_finished:
            return None
        if self.clock_left is not None:
            return self.clock_left
        return self.clock_ends_at - timezone.now() if self.clock_ends_at else None

    @property
    def shown_round(self) -> int:
        """Return the round that pages show: the current round, or round 1 before the start."""
        return self.round or 1

    def seats(self) -> dict[str, list[int | None]]:
        """Return, by each entry's key, its contestant number and its rounds of arriving, leaving and returning."""
        return {str(entry.pk): [entry.contestant, *entry.times] for entry in self.entries.all()}

    @property
    def spaced_code(self) -> str:
        """Return the section's code in two groups, easier to read aloud."""
        return f"{self.code[:3]} {self.code[3:]}"

    @cached_property
    def round_length(self) -> timedelta:
        """Return the length of a round: boards times minutes a board.

        With a common clock the section with the most boards decides.
        """
        boards = self.boards_per_round or 0
        if self.session.common_clock:
            others = self.session.sections.exclude(pk=self.pk).filter(finished_at=None)
            most = others.aggregate(most=models.Max("boards_per_round"))["most"] or 0
            boards = max(boards, most) if boards else 0
        return timedelta(minutes=boards * self.session.minutes_per_board)


class SectionMovement(models.Model):
    """One version of a section's movement: the round from which it applied, and the change that led to it.

    `seats` are the places of all entries, so that a version can be restored completely: the contestant, the first
    round present, and the round after which it left, by the entry's key. `parent` is the version before the change,
    to which undo returns. `redo` is the version that was undone to get here. `holds` is the version restored by undo
    or redo. `way` names the chosen option and `decided_on` the plan it was chosen for; they identify a repeated
    press.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="movements")
    movement = models.ForeignKey(StoredMovement, models.PROTECT, related_name="+")
    #: the movement by seats, if boards are turned
    unswitched = models.ForeignKey(
        StoredMovement, models.PROTECT, null=True, blank=True, related_name="+"
    )
    version = models.PositiveIntegerField()  # 1, 2, 3 …: printed on the cards
    from_round = models.PositiveSmallIntegerField(default=1)
    reason = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    change = models.CharField(max_length=24, blank=True)  # "rover", "skip" …; "undo", "redo"
    facts = models.JSONField(default=dict)
    in_round = models.PositiveSmallIntegerField(default=0)  # the round of the change
    boards_per_round = models.PositiveSmallIntegerField(null=True)
    seats = models.JSONField(default=dict)
    parent = models.PositiveIntegerField(null=True)
    redo = models.PositiveIntegerField(null=True)
    holds = models.PositiveIntegerField(null=True)
    way = models.CharField(max_length=20, blank=True)  # a proposal's key, "undo" or "redo"
    decided_on = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["version"]
        constraints = [
            models.UniqueConstraint(fields=["section", "version"], name="one_movement_per_version")
        ]

    def __str__(self) -> str:
        return f"{self.section} version {self.version}: {self.movement}"

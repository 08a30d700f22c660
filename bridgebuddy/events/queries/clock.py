"""When the rounds of a section begin and end: as planned, and as the clock stands now."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cached_property

from django.utils import timezone

from ..models import Section

NO_TIME = timedelta()
SOON, LAST, OVER = timedelta(minutes=5), timedelta(minutes=1), timedelta(seconds=-1)


class Clock:
    """A section's clock at a moment, and the time of every round with the break behind it."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.now: datetime = timezone.now()

    # ── the rounds ──

    def planned(self, round: int) -> datetime:
        """Return when a round begins if all take as long as planned; rounds + 1: the end."""
        return self._later(self.section.session.planned_start, 1, round)

    def begins(self, round: int) -> datetime | None:
        """Return when a round to come begins as the clock stands; None while it is stopped.

        Before the start that is as planned. The round after the last begins when the evening ends.
        """
        section = self.section
        if not section.is_started:
            return self.planned(round)
        if section.clock_ends_at is None or section.is_finished:
            return None
        return self._later(section.clock_ends_at - section.round_length, section.round, round)

    def _later(self, begins: datetime, one: int, other: int) -> datetime:
        """When another round begins if one begins at a time, a break between them included."""
        at = begins + (other - one) * self.section.round_length
        is_break_between = one <= self._break_after < other
        return at + self.section.break_length if is_break_between else at

    @property
    def _break_after(self) -> int:
        """The round with a break behind it; 0: none. After the last round everybody goes home."""
        section = self.section
        after = section.break_after or 0
        return after if after < section.rounds else 0

    # ── the round being played ──

    @property
    def has_break_next(self) -> bool:
        """Whether there is a break when the round being played is over."""
        return self.section.is_running and self._break_after == self.section.round

    @property
    def next_round_at(self) -> datetime | None:
        """When the next round begins, after the break if there is one; None with a stopped clock."""
        return self.begins(self.section.round + 1) if self.section.is_started else None

    @cached_property
    def _round_left(self) -> timedelta | None:
        """What is left of the round, less than nothing when it is over; None where none is played."""
        section = self.section
        if section.is_finished:
            return None
        if section.clock_left is not None:
            return section.clock_left
        return section.clock_ends_at - self.now if section.clock_ends_at else None

    @property
    def is_break(self) -> bool:
        """Whether the round is over by the clock and the break has begun."""
        left = self._round_left
        return self.has_break_next and left is not None and left <= NO_TIME

    @property
    def left(self) -> timedelta | None:
        """What the clock shows: the time of the round, then that of the break behind it."""
        left = self._round_left
        return left + self.section.break_length if left is not None and self.is_break else left

    @property
    def text(self) -> str:
        """What it shows without JavaScript: "4:12", "-1:05" when over time."""
        minutes, seconds = divmod(abs(int((self.left or NO_TIME).total_seconds())), 60)
        return f"{'-' if self.is_over_time else ''}{minutes}:{seconds:02}"

    @property
    def is_over_time(self) -> bool:
        return self.left is not None and self.left <= OVER

    @property
    def warning(self) -> str:
        """How near the end is: "soon" in the last five minutes, "last" in the last, then "over"."""
        if self.left is None or self.left > SOON:
            return ""
        return "over" if self.is_over_time else "last" if self.left <= LAST else "soon"

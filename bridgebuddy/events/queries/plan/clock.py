"""The times at which a section's rounds begin and end: planned, and by the current clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cached_property

from django.utils import timezone

from bridgebuddy.events.models import Section

NO_TIME = timedelta()
SOON, LAST, OVER = timedelta(minutes=5), timedelta(minutes=1), timedelta(seconds=-1)


class SectionClock:
    """A section's round clock at one moment, and the beginning of each round including the break."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.now: datetime = timezone.now()

    # ── the rounds ──

    def planned_beginning(self, round: int) -> datetime:
        """Return the planned beginning of a round; of round `rounds + 1` the planned end."""
        return self._beginning_of_later_round(self.section.session.planned_start, 1, round)

    def expected_beginning(self, round: int) -> datetime | None:
        """Return when a later round begins by the current clock; None while it is stopped.

        Before the start it is the planned time. The round after the last begins when the session ends.
        """
        section = self.section
        if not section.is_started:
            return self.planned_beginning(round)
        if section.clock_ends_at is None or section.is_finished:
            return None
        return self._beginning_of_later_round(
            section.clock_ends_at - section.round_length, section.round, round
        )

    def _beginning_of_later_round(
        self, begins: datetime, earlier_round: int, later_round: int
    ) -> datetime:
        """Return when `later_round` begins if `earlier_round` begins at `begins`, including a break between them."""
        at = begins + (later_round - earlier_round) * self.section.round_length
        is_break_between = earlier_round <= self._break_after < later_round
        return at + self.section.break_length if is_break_between else at

    @property
    def _break_after(self) -> int:
        """Return the number of the round that a break follows; 0 without a break."""
        section = self.section
        after = section.break_after or 0
        return after if after < section.rounds else 0

    # ── the round being played ──

    @property
    def has_break_next(self) -> bool:
        """Return whether a break follows the current round."""
        return self.section.is_running and self._break_after == self.section.round

    @property
    def next_round_at(self) -> datetime | None:
        """Return when the next round begins, after a break if there is one; None if the clock is stopped."""
        return self.expected_beginning(self.section.round + 1) if self.section.is_started else None

    @cached_property
    def _round_left(self) -> timedelta | None:
        """Return the time left in the current round, negative in overtime; None if no round is played."""
        section = self.section
        if section.is_finished:
            return None
        if section.clock_left is not None:
            return section.clock_left
        return section.clock_ends_at - self.now if section.clock_ends_at else None

    @property
    def is_break(self) -> bool:
        """Return whether the round's time has run out and the break after it has begun."""
        left = self._round_left
        return self.has_break_next and left is not None and left <= NO_TIME

    @property
    def time_left(self) -> timedelta | None:
        """Return the time that the clock shows: that of the round, or of the break after it."""
        left = self._round_left
        return left + self.section.break_length if left is not None and self.is_break else left

    @property
    def text(self) -> str:
        """Return the clock's time for pages without JavaScript: "4:12", "-1:05" in overtime."""
        minutes, seconds = divmod(abs(int((self.time_left or NO_TIME).total_seconds())), 60)
        return f"{'-' if self.is_over_time else ''}{minutes}:{seconds:02}"

    @property
    def is_over_time(self) -> bool:
        """Return whether the round's time is over."""
        return self.time_left is not None and self.time_left <= OVER

    @property
    def warning(self) -> str:
        """Return "soon" in the last five minutes of the round, "last" in the final ones, then "over"; otherwise ""."""
        if self.time_left is None or self.time_left > SOON:
            return ""
        return "over" if self.is_over_time else "last" if self.time_left <= LAST else "soon"

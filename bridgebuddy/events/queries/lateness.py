"""How an evening's rounds kept to the clock, looked back upon."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from ..models import Section
from .clock import Clock
from .forecast import began_of

A_MINUTE = timedelta(minutes=1)
#: who begins or ends so much later or earlier than planned played another plan, or pressed it afterwards
ANOTHER_EVENING = timedelta(hours=3)
#: rounds that took less than this share of their time all together were pressed, not played
PRESSED = 0.5


@dataclass(frozen=True)
class Times:
    """When a section ended and was to end; the rounds that ran over, each with the minutes."""

    ended: datetime
    planned: datetime
    began_late: int  # minutes; less than nothing: earlier
    lost: int  # minutes between the start and that of the last round, whenever the end was pressed
    over: tuple[tuple[int, int], ...]

    @property
    def late(self) -> int:
        """By how many whole minutes it ended after the plan; less than nothing: before it."""
        return _minutes(self.ended - self.planned)


def kept_to_the_clock(section: Section) -> Times | None:
    """Return how a section that has ended kept to its clock; nothing where the rounds' times say nothing.

    A round lasts until the next one begins, whatever was added to its clock or paused; the break behind it is not of it.
    """
    began_in = began_of(section)
    rounds = range(1, section.round + 2)
    if section.finished_at is None or not began_in.keys() >= {*rounds}:
        return None
    begins = [began_in[round] for round in rounds]
    length, whole = section.round_length, begins[-1] - begins[0]
    clock = Clock(section)
    began = begins[0] - clock.planned(1)
    planned = clock.planned(section.round + 1)
    if not length or whole < PRESSED * section.round * length:
        return None
    if max(abs(began), abs(begins[-1] - planned)) > ANOTHER_EVENING:
        return None
    over = [
        (round, minutes)
        for round in range(1, section.round + 1)
        if (
            minutes := _minutes(begins[round] - begins[round - 1] - length - _break(section, round))
        )
        > 0
    ]
    lost = begins[-2] - clock.planned(section.round) - began
    return Times(begins[-1], planned, _minutes(began), _minutes(lost), tuple(over))


def _break(section: Section, after: int) -> timedelta:
    is_break = after == section.break_after and after < section.round
    return section.break_length if is_break else timedelta()


def _minutes(time: timedelta) -> int:
    """Return whole minutes, towards nothing."""
    return int(time / A_MINUTE)

"""A review of how a session's rounds kept to the clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from ..models import Section
from .forecast import round_beginnings
from .plan.clock import SectionClock
from .sessions.sections import first_version

A_MINUTE = timedelta(minutes=1)
#: greater differences from the plan mean another plan, or buttons pressed afterwards
ANOTHER_EVENING = timedelta(hours=3)
#: rounds faster in total than this share of their time were clicked through, not played
PRESSED = 0.5


@dataclass(frozen=True)
class SessionTimes:
    """A finished section's actual and planned end, and its rounds in overtime with the minutes."""

    ended: datetime
    planned: datetime
    began_late: int  # minutes; negative: earlier
    lost: int  # minutes from the start to that of the last round, independent of the end
    over: tuple[tuple[int, int], ...]
    rounds: int = 0
    planned_rounds: int = 0  # those of the movement with which the section began

    @property
    def is_cut(self) -> bool:
        """Return whether fewer rounds were played than planned, so that the end says nothing about the pace."""
        return self.rounds < self.planned_rounds

    @property
    def late(self) -> int:
        """Return by how many whole minutes the section ended late; negative if it ended early."""
        return _round_to_minutes(self.ended - self.planned)


def actual_session_times(section: Section) -> SessionTimes | None:
    """Return a finished section's actual and planned times; None if the time of a round is unknown.

    A round lasts until the next one begins, including added time and pauses, but not the break after it.
    """
    began_in = round_beginnings(section)
    rounds = range(1, section.round + 2)
    if section.finished_at is None or not began_in.keys() >= {*rounds}:
        return None
    begins = [began_in[round] for round in rounds]
    length, whole = section.round_length, begins[-1] - begins[0]
    clock = SectionClock(section)
    began = begins[0] - clock.planned_beginning(1)
    planned = clock.planned_beginning(section.round + 1)
    if not length or whole < PRESSED * section.round * length:
        return None
    if max(abs(began), abs(begins[-1] - planned)) > ANOTHER_EVENING:
        return None
    over = [
        (round, minutes)
        for round in range(1, section.round + 1)
        if (
            minutes := _round_to_minutes(
                begins[round] - begins[round - 1] - length - _past_break_length(section, round)
            )
        )
        > 0
    ]
    lost = begins[-2] - clock.planned_beginning(section.round) - began
    first = first_version(section)
    return SessionTimes(
        begins[-1],
        planned,
        _round_to_minutes(began),
        _round_to_minutes(lost),
        tuple(over),
        rounds=section.round,
        planned_rounds=first.movement.rounds if first else section.rounds,
    )


def _past_break_length(section: Section, after_round: int) -> timedelta:
    """Return the length of the break after a played round; zero without a break."""
    is_break = after_round == section.break_after and after_round < section.round
    return section.break_length if is_break else timedelta()


def _round_to_minutes(time: timedelta) -> int:
    """Return a duration in whole minutes, rounded towards 0."""
    return int(time / A_MINUTE)

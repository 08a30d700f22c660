"""The expected end of a session by its pace so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.utils import timezone

from ..models import Section, SectionMovement
from .plan.games import TableGame

#: rounds after which an evening's own pace is known
FEWEST_ROUNDS = 2
#: smaller delays do not count as late
LATE = timedelta(minutes=10)


@dataclass(frozen=True)
class EndForecast:
    """The expected and the planned end of a section's last round."""

    ends_at: datetime
    planned: datetime

    @property
    def late(self) -> int:
        """Return by how many minutes the section is expected to end late; 0 if by only a few."""
        late = self.ends_at - self.planned
        return int(late.total_seconds() // 60) if late >= LATE else 0


def expected_end(
    section: Section, games: Mapping[int, Sequence[TableGame]], versions: Sequence[SectionMovement]
) -> EndForecast | None:
    """Return when the section will end at the median pace of its rounds so far; None before a round is over. No query.

    The pace is the median round's time per board. Breaks do not count, and a coming break is added.
    """
    if not section.is_running or section.is_clock_paused or section.round_started_at is None:
        return None
    began = round_beginnings(section)
    paces = []
    for round in range(1, section.round):
        boards = _most_boards_in_round(games, round)
        if round in began and round + 1 in began and boards:
            took = began[round + 1] - began[round] - _break_length_after(section, round)
            paces.append(took.total_seconds() / boards)
    begun_with = [version for version in versions if version.in_round == 0]
    if len(paces) < FEWEST_ROUNDS or not begun_with:
        return None
    pace = timedelta(seconds=median(paces))
    now_ends = section.round_started_at + pace * _most_boards_in_round(games, section.round)
    ends = max(now_ends, timezone.now())
    for round in range(section.round + 1, section.rounds + 1):
        boards = _most_boards_in_round(games, round) or section.boards_per_round or 0
        ends += _break_length_after(section, round - 1) + pace * boards
    return EndForecast(ends, _planned_end(section, begun_with[-1]))


def round_beginnings(section: Section) -> dict[int, datetime]:
    """Return the time at which each round of the section began, as far as known, and when the last one ended."""
    began = {
        int(round): datetime.fromisoformat(stood[0])
        for round, stood in section.clocks_before.items()
    }
    if section.round_started_at is not None:
        began[section.round] = section.round_started_at
    if section.finished_at is not None:
        began[section.round + 1] = section.finished_at
    return began


def _most_boards_in_round(games: Mapping[int, Sequence[TableGame]], round: int) -> int:
    """Return the largest number of boards that a table plays in a round."""
    at: dict[int, int] = {}
    for game in games.get(round, ()):
        at[game.table] = at.get(game.table, 0) + len(game.boards)
    return max(at.values(), default=0)


def _break_length_after(section: Section, round: int) -> timedelta:
    """Return the length of the break after a round; zero without one."""
    return section.break_length if section.break_after == round else timedelta()


def _planned_end(section: Section, version: SectionMovement) -> datetime:
    """Return the planned end of the section by the movement with which it started."""
    rounds = version.movement.rounds
    boards = rounds * (version.boards_per_round or section.boards_per_round or 0)
    minutes = timedelta(minutes=boards * section.session.minutes_per_board)
    has_break = 0 < (section.break_after or 0) < rounds
    return (
        section.session.planned_start
        + minutes
        + (section.break_length if has_break else timedelta())
    )
